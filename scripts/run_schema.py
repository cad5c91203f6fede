#!/usr/bin/env python3
"""Makes docs/run.schema.json and docs/run-schema.md from the declarations of the run document's types.

Types, optional fields, and the sentence of each field come from the Swift sources. The limits of numbers come from the
two tables of RunDocumentCheck.swift, by which springbench checks documents. With --check, nothing is written: the
script only reports whether both files are up to date.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ["Sources/Measurements/Documents", "Sources/FrameBench/Protocol", "Sources/FrameBench/Suite",
           "Sources/Statistics"]
CHECK = ROOT / "Sources/Measurements/Reading/RunDocumentCheck.swift"
SCHEMA, PAGE = ROOT / "docs/run.schema.json", ROOT / "docs/run-schema.md"
START = "<!-- From here on made by scripts/run_schema.py. -->\n"

PATTERNS = {"startedAt": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
            "checksum": "^[0-9a-f]{16}$"}
COUNTS = "One whole number a recorded frame, as runs of equal values: [[value, repetitions], …]."
ID = {"type": "string", "description": "`scenario/strategy/size`, perhaps with parameters behind them.",
      "pattern": "^[^/]+/[^/]+/[1-9][0-9]*(/.*)?$"}


def declarations():
    """Returns the public structs and enums by name, with their doc comment, and their fields or raw values."""
    types = {}
    for folder in SOURCES:
        for path in sorted((ROOT / folder).glob("*.swift")):
            scan(path.read_text(), types)
    return types


def scan(text, types):
    stack, comment = [], []
    for line in text.split("\n"):
        code = line.strip()
        depth = (len(line) - len(line.lstrip())) // 2
        while stack and code and depth <= stack[-1][0] and not code.startswith("}"):
            stack.pop()
        if code.startswith("///"):
            comment.append(code[3:].strip())
            continue
        match = re.match(r"public (struct|enum) (\w+)[^{]*\{", code)
        if match:
            name = ".".join([item[1] for item in stack] + [match[2]])
            types[name] = {"kind": match[1], "sentence": sentence(comment), "fields": [], "values": []}
            stack.append((depth, match[2], name))
        elif stack and depth == stack[-1][0] + 1:
            member(code, comment, types[stack[-1][2]])
        if code:
            comment = []


def sentence(comment):
    """Returns the first paragraph of a doc comment, without the parameters."""
    text = " ".join(comment).split("  ")[0]
    return text.split(" - Param")[0].strip()


def member(code, comment, owner):
    field = re.match(r"public (?:var|let) (\w+)(?:: ([^={]+?))?(?: = ([^{]+?))?(?: \{ didSet .*)?$", code)
    if field:
        kind = field[2] or ("Int" if re.match(r"[\d_]+$", field[3]) else "Version")
        owner["fields"].append((field[1], kind.strip(), sentence(comment)))
    elif owner["kind"] == "enum" and code.startswith("case "):
        for case in code[5:].split(", "):
            name, _, value = case.partition(" = ")
            owner["values"].append(value.strip('"') or name)


def limits():
    """Returns the lower and the upper limit of each number, by its name."""
    text = CHECK.read_text()
    names = dict(re.findall(r"private static let (\w+) = ([\d_]+|1 << 53|1e\d+)$", text, re.M))
    names["share"] = "above0...1"
    found = {}
    for name, range_ in re.findall(r'"([\w.]+)": ([^,\n]+),', text):
        low, _, high = names.get(range_, range_).partition("...")
        found[name] = [number(end, names) for end in (low, high)]
    return found


def number(text, names):
    if text == "above0":
        return "above 0"
    if text.startswith("-"):
        return -number(text[1:], names)
    text = names.get(text, text)
    if text == "1 << 53":
        return 2 ** 53
    if text.endswith("greatestFiniteMagnitude"):
        return None
    return float(text) if "e" in text else int(text.replace("_", ""))


class Schema:
    def __init__(self):
        self.types, self.limits = declarations(), limits()
        self.definitions, self.places, self.order = {}, {}, []

    def numeric(self, kind, name, owner):
        schema = {"type": "number" if kind == "Double" else "integer"}
        low, high = self.limits.get(f"{owner}.{name}") or self.limits.get(name) or [0, None]
        if low == "above 0":
            schema["exclusiveMinimum"] = 0
        elif low is not None and not (low < 0 and high == -low):
            schema["minimum"] = low
        if high is not None and high <= 1000:
            schema["maximum"] = high
        return schema

    def value(self, kind, name, owner, scope, place):
        """Returns the schema of a value, and the name of its type on the page."""
        array, map_ = re.match(r"\[(\w+)\]$", kind), re.match(r"\[String: (\w+)\]$", kind)
        if array:
            items, words = self.value(array[1], name, owner, scope, place + "[]")
            return {"type": "array", "items": items}, "array of " + words
        if map_:
            items, words = self.value(map_[1], name, name, scope, place)
            return {"type": "object", "additionalProperties": items}, "object of " + words
        if kind == "Version":
            return {"const": 1}, "the number 1"
        if kind in ("Int", "UInt64", "Double"):
            return self.numeric(kind, name, owner), "number" if kind == "Double" else "whole number"
        if kind == "String":
            pattern = {"pattern": PATTERNS[name]} if name in PATTERNS else {}
            return {"type": "string", **pattern}, "string"
        if kind == "Bool":
            return {"type": "boolean"}, "true or false"
        if kind == "BenchmarkID":
            self.definitions["id"] = ID
            return {"$ref": "#/$defs/id"}, "id"
        if kind == "CountSeries":
            return self.counts(name), "counts"
        full = next(n for n in (f"{scope}.{kind}", kind) if n in self.types)
        declared = self.types[full]
        if declared["kind"] == "enum":
            return {"type": "string", "enum": declared["values"]}, " or ".join(f"`{v}`" for v in declared["values"])
        own = name if any(key.startswith(name + ".p") for key in self.limits) else full.split(".")[-1]
        key = own[0].lower() + own[1:]
        self.places.setdefault(key, []).append(place)
        if key not in self.definitions:
            self.definitions[key] = {}
            self.order.append((key, full))
            self.definitions[key] = self.object(full, name, place)
        return {"$ref": f"#/$defs/{key}"}, f"[{key}](#{key.lower()})"

    def counts(self, name):
        key = "signedCounts" if self.limits.get(name, [0])[0] else "counts"
        value = {"type": "integer"} if key == "signedCounts" else {"type": "integer", "minimum": 0}
        self.definitions[key] = {
            "type": "array", "description": COUNTS, "items": {
                "type": "array", "prefixItems": [value, {"type": "integer", "minimum": 1}], "minItems": 2,
                "maxItems": 2}}
        return {"$ref": f"#/$defs/{key}"}

    def object(self, full, name, place):
        declared = self.types[full]
        properties, required, rows = {}, [], []
        for field, kind, text in declared["fields"]:
            is_optional = kind.endswith("?")
            inner = f"{place}.{field}" if place else field
            schema, words = self.value(kind.rstrip("?"), field, name, full, inner)
            assert text, f"{full}.{field} has no comment"
            assert not is_optional or "Absent: " in text, f"{full}.{field} does not say what its absence means"
            properties[field] = {**schema, "description": text}
            required += [] if is_optional else [field]
            rows.append(f"| `{field}`{' (optional)' if is_optional else ''} | {words} | {text} |")
        return {"type": "object", "description": declared["sentence"], "properties": properties, "required": required,
                "additionalProperties": False, "rows": rows}

    def files(self):
        root = self.object("RunDocument", "", "")
        parts = [START, "\n## The document\n\n", self.table(root)]
        for key, _ in self.order:
            definition = self.definitions[key]
            places = list(dict.fromkeys(f"`{p}`" for p in self.places[key]))
            where = ", ".join(places[:4]) + (" and others" if len(places) > 4 else "")
            parts += [f"\n## {key}\n\n{definition['description']} Found at {where}.\n\n", self.table(definition)]
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "run.schema.json",
                  "title": "A run of springbench: run.json", **root, "$defs": dict(sorted(self.definitions.items()))}
        page = PAGE.read_text().partition(START)[0] + "".join(parts)
        return {SCHEMA: json.dumps(schema, indent=2, ensure_ascii=False) + "\n", PAGE: page}

    @staticmethod
    def table(definition):
        return "\n".join(["| field | type | meaning |", "|---|---|---|"] + definition.pop("rows")) + "\n"


def main():
    different = [(path, text) for path, text in Schema().files().items()
                 if not path.exists() or path.read_text() != text]
    for path, text in different:
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)} is not what the sources say; run scripts/run_schema.py", file=sys.stderr)
        else:
            path.write_text(text)
    return 1 if different and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
