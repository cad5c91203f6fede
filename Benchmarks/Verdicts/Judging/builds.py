"""Builds every kind of change: makes a scratch repository with a commit for each kind, and the programs of each commit.

The repository contains only this package. springbench is a separate package next to it, so that it is compiled once,
and not for each revision.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys

from kinds import BASE, KINDS

TOP = ".build-verdicts"
PACKAGE = "Benchmarks/Verdicts"
DATE = "2020-01-01T00:00:00Z"
SUITE, PLAIN, BENCHMARK, TOOL = "verdicts-suite", "verdicts-plain", "VerdictsBenchmark", "BenchmarkTool"
SPRINGBENCH = "springbench"


def say(text):
    print(f"verdicts: {text}", file=sys.stderr, flush=True)


def library():
    """Returns the paths, or beginnings of paths, that a package needs of springbench if it depends on it."""
    with open("Package.swift") as stream:
        return ("Package.swift", "Sources/", *re.findall(r'path: "(Benchmarks/[^"]*)"', stream.read()))


def digest(paths):
    """Returns sixteen digits that change if the paths or the contents of these files change."""
    whole = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as stream:
            whole.update(path.encode() + b"\0" + hashlib.sha256(stream.read()).digest())
    return whole.hexdigest()[:16]


def update(path, text):
    """Writes a file. If it has this text already, it keeps its time, so that it is not compiled again."""
    if os.path.exists(path):
        with open(path) as stream:
            if stream.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as stream:
        stream.write(text)


class Failure(Exception):
    """A command failed. The message contains what it printed."""


def run(arguments, folder=None, statuses=(0,), **options):
    """Returns the output of a command. Raises `Failure` if its status is not one of `statuses`."""
    end = subprocess.run(
        arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if end.returncode not in statuses:
        said = (end.stdout[-2000:] + "\n" + end.stderr[-3000:]).strip()
        raise Failure(f"{' '.join(arguments)} ended with {end.returncode}:\n{said}")
    return end.stdout


def swift_build(product, *options):
    run([os.environ.get("SWIFT", "swift"), "build", "--configuration", "release", "--product", product, *options])


class Builds:
    """The scratch repositories and the programs, in one folder. Run this in the repository's top folder."""

    def __init__(self, top=TOP):
        self.top = os.path.abspath(top)
        self.springbench = f"{self.top}/springbench"
        self.package = f"{self.top}/repository"
        self.programs = f"{self.top}/programs"
        self.scratch = f"{self.top}/build"

    def git(self, folder, *arguments):
        identity = ["-c", "user.name=verdicts", "-c", "user.email=verdicts@localhost", "-c", "commit.gpgsign=false"]
        environment = dict(os.environ, GIT_COMMITTER_DATE=DATE)
        return run(["git"] + identity + list(arguments), folder, env=environment).strip()

    def program(self, revision, name):
        return f"{self.programs}/{revision}/{name}"

    # The scratch repositories.

    def write_repositories(self):
        """Writes a commit for each kind, and returns a digest of all sources."""
        listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0")
        paths = sorted(path for path in set(listed) if os.path.isfile(path))
        sources = [path for path in paths if path.startswith(library())]
        package = [path for path in paths if path.startswith(f"{PACKAGE}/") and "/Judging/" not in path]
        key = digest(sources + package + [os.path.join(os.path.dirname(__file__), "kinds.py")])
        mark = f"{self.top}/sources"
        if os.path.exists(mark) and open(mark).read() == key:
            return key
        say("writing a commit for each kind")
        self.write(self.springbench, {path: path for path in sources})
        self.write(self.package, {path.removeprefix(f"{PACKAGE}/"): path for path in package})
        for kind in KINDS:
            self.git(self.package, "checkout", "--quiet", "--force", "--detach", BASE)
            kind.edit(f"{self.package}/Sources/Work")
            self.commit(self.package, kind.name)
        with open(mark, "w") as stream:
            stream.write(key)
        return key

    def write(self, folder, sources):
        """Makes a repository with these files as its base. `sources` maps paths in it to the files to copy."""
        os.makedirs(folder, exist_ok=True)
        if not os.path.isdir(f"{folder}/.git"):
            self.git(folder, "init", "--quiet", "--initial-branch", "main")
        had_base = bool(self.git(folder, "tag", "--list", BASE))
        if had_base:
            self.git(folder, "checkout", "--quiet", "--force", "-B", "main", BASE)
        for path in filter(None, self.git(folder, "ls-files").split("\n")):
            if path not in sources and path != ".gitignore":
                os.remove(f"{folder}/{path}")
        for place, path in sources.items():
            with open(path) as stream:
                text = stream.read()
            if place == "Package.swift":
                text = text.replace('path: "../.."', 'path: "../springbench"')
            update(f"{folder}/{place}", text)
        update(f"{folder}/.gitignore", ".build/\nPackage.resolved\n")
        self.commit(folder, BASE, *(["--amend"] if had_base else []))

    def commit(self, folder, name, *options):
        """Commits with a fixed date, so that the same contents are always the same commit, and are not built again."""
        self.git(folder, "add", "--all")
        self.git(folder, "commit", "--quiet", "--allow-empty", "--message", name, "--date", DATE, *options)
        self.git(folder, "tag", "--force", name)

    def build(self, name):
        """Builds a kind, unless it is built already: with `swift build` in release, and with springbench."""
        commits = self.git(self.package, "rev-parse", name) + self.git(self.springbench, "rev-parse", BASE)
        mark = self.program(name, "commits")
        if os.path.exists(mark) and open(mark).read() == commits:
            return
        say(f"building {name}")
        os.makedirs(f"{self.programs}/{name}", exist_ok=True)
        self.git(self.package, "checkout", "--quiet", "--force", name)
        for product in [PLAIN, BENCHMARK] + ([TOOL] if name == BASE else []):
            swift_build(product, "--package-path", self.package, "--scratch-path", self.scratch)
            shutil.copy(f"{self.scratch}/release/{product}", self.program(name, product))
        if name == BASE:
            swift_build(SPRINGBENCH)
            shutil.copy(f".build/release/{SPRINGBENCH}", self.program(BASE, SPRINGBENCH))
        self.build_revision(name)
        with open(mark, "w") as stream:
            stream.write(commits)

    def build_revision(self, name):
        """Lets springbench build a revision. It does nothing if it still has this build."""
        run([self.program(BASE, SPRINGBENCH), "build-revision", name, "--package-path", self.package, "--product",
             SUITE])

    def compare_arguments(self, old, new, *options):
        return [
            self.program(BASE, SPRINGBENCH), "compare", old, new, "--package-path", self.package, "--product", SUITE,
            *options]


def prepared():
    """Writes the repositories and builds the base. Returns the builds, and the digest of all sources."""
    builds = Builds()
    key = builds.write_repositories()
    builds.build(BASE)
    return builds, key
