#!/usr/bin/env python3
"""Checks that modules match CONTRIBUTING.md, and that they and their folders ("rooms") have no circular dependencies.

- Every target has a row in CONTRIBUTING.md's table of modules, with exactly the imports that Package.swift allows.
- Every module that Package.swift lets a target of Sources/ or Benchmarks/ import is imported.
- No folders of a module need each other in a circle. A folder needs another one if one of its files names a type, a
  function or a value that a file of the other folder declares at its top level, or a member that such a file adds to a
  type of another module or folder.

Prints each finding as file:line: message, and fails if there is one.
"""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUIDE = "CONTRIBUTING.md"
PACKAGES = {"Benchmarks/Packages", "Benchmarks/Peers", "Benchmarks/Verdicts"}  # not in Package.swift
ROW = re.compile(r"^\| (`[^|]+`) \|.*\| ([^|]+) \|$")
DECLARATION = re.compile(
    r"^(?:@\S+ )*(?:(?:public|package|private|fileprivate|internal|final|indirect|nonisolated|open) )*"
    r"(?:struct|enum|class|protocol|actor|typealias|func|let|var) (\w+)", re.MULTILINE)
EXTENSION = re.compile(r"^(?:package |public )?extension \[?(\w+)[^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"^  (?:@\S+ )*(?:(?:public|package|internal|static|mutating) )*(?:func|let|var) (\w+)", re.MULTILINE)
ANYTHING = re.compile(r"\b(?:func|let|var|case) (\w+)")
IMPORT = re.compile(r"^(?:@\S+ |public |package )*import (?:struct |enum |class |func )?(\w+)", re.MULTILINE)

findings = []


def targets():
    """Yields (name, folder, allowed imports) of each target that is neither a test nor belongs to one."""
    manifest = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    for target in manifest["targets"]:
        folder = target.get("path") or f"Sources/{target['name']}"
        if target["type"] == "test" or folder.startswith("Tests/"):
            continue
        needs = [(kind.get("byName") or kind.get("product") or kind.get("target"))[0]
                 for kind in target["dependencies"]]
        yield target["name"], folder, sorted(needs, key=str.lower)


def rows():
    """Reads the table of CONTRIBUTING.md: folder → (line, imports that the table allows)."""
    found = {}
    for line, text in enumerate((ROOT / GUIDE).read_text().splitlines(), 1):
        if match := ROW.match(text):
            places, imports = match.groups()
            for place in re.findall(r"`([^`]+)`", places):
                found[place] = (line, imports)
    return found


def check_table(known):
    table = rows()
    for name, folder, needs in known:
        wanted = ", ".join(needs) or "–"
        if folder not in table:
            findings.append(f"{GUIDE}:1: the table of places lacks `{folder}`, which may import {wanted}")
        elif table[folder][1] != wanted:
            findings.append(f"{GUIDE}:{table[folder][0]}: {folder} may import: {wanted}")
    folders = {folder for _, folder, _ in known}
    for place, (line, _) in table.items():
        if place.startswith(("Sources/", "Benchmarks/")) and place not in folders | PACKAGES:
            findings.append(f"{GUIDE}:{line}: Package.swift has no target at {place}")


def sources(folder):
    return {path: path.read_text() for path in sorted((ROOT / folder).rglob("*.swift"))}


def check_imports(known):
    for name, folder, needs in known:
        files = sources(folder)
        if not files:
            continue
        imported = {module for text in files.values() for module in IMPORT.findall(text)}
        for module in needs:
            if module not in imported:
                findings.append(f"Package.swift:1: {name} depends on {module}, which no file of it imports")


def code_of(text):
    """Returns the code without comments, and without strings except for their interpolations."""
    text = re.sub(r"//.*", "", text)
    text = re.sub(r'"""(.*?)"""', lambda m: " ".join(re.findall(r"\\\((.*?)\)", m.group(1))), text, flags=re.S)
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', lambda m: " ".join(re.findall(r"\\\((.*?)\)", m.group(0))), text)


def added_members(files, home):
    """Maps members with a unique name to the files that add them to a type of another module or folder."""
    declared = Counter(name for text in files.values() for name in ANYTHING.findall(text))
    return {name: path for path, text in files.items() for type_, body in EXTENSION.findall(text)
            if type_ not in home or home[type_].parent != path.parent
            for name in MEMBER.findall(body) if declared[name] == 1}


def check_circles(known):
    for _, folder, _ in known:
        files = {path.relative_to(ROOT): code_of(text) for path, text in sources(folder).items()}
        home = {}
        for path, text in files.items():
            for name in DECLARATION.findall(text):
                home.setdefault(name, path)
        members = {f".{name}": path for name, path in added_members(files, home).items()}
        needs = defaultdict(dict)
        for path, text in files.items():
            for word in sorted(set(re.findall(r"\.\w+", text)) | set(re.findall(r"\w+", text))):
                there = home.get(word) or members.get(word)
                if there and there.parent != path.parent:
                    needs[path.parent].setdefault(there.parent, (path, word))
        for circle in circles(needs):
            steps = [f"{path} names {word} of {there}" for here, there in zip(circle, circle[1:] + circle[:1])
                     for path, word in [needs[here][there]]]
            findings.append(f"{circle[0]}:1: folders in a circle: {'; '.join(steps)}")


def circles(needs):
    """Returns a shortest circle through each folder in a circular dependency. No circle occurs twice."""
    found = {}
    for start in sorted(needs):
        paths, seen = [[start]], set()
        while paths:
            path = paths.pop(0)
            for there in sorted(needs.get(path[-1], {})):
                if there == start:
                    found.setdefault(frozenset(path), path)
                    paths = []
                    break
                if there not in seen:
                    seen.add(there)
                    paths.append(path + [there])
    return found.values()


known = list(targets())
check_table(known)
check_imports(known)
check_circles(known)
for finding in findings:
    print(finding, file=sys.stderr)
sys.exit(1 if findings else 0)
