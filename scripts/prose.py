#!/usr/bin/env python3
"""Checks pages and comments for what makes them hard to read. Prints each finding as file:line: message.

  scripts/prose.py FILE…    pages (.md), sources (.swift, .h, .c)

- Every link leads to an existing file, and to an existing heading.
- No paragraph has more than 90 words. Code, tables, headings and what other scripts write between marks do not count.
- No doc comment begins with Of, By or As, because a reader would have to guess its subject.
"""

import os
import re
import sys

MOST_WORDS = 90
HIDDEN = re.compile(r"^```.*?^```$|^<!-- (\w+): begin -->$.*?^<!-- \1: end -->$|<!--.*?-->", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"(?:[-*]|\d+\.) ")
QUOTE = re.compile(r"(?:> ?)*")
LINK = re.compile(r"\]\(([^)\s]+)\)")
WITHOUT_SUBJECT = re.compile(r"\s*/// (?:Of|By|As)\b")


def blank(text):
    """Replaces the parts that are not checked by empty lines, so that line numbers stay the same."""
    return HIDDEN.sub(lambda match: "\n" * match[0].count("\n"), text)


def paragraphs(text):
    """Yields the first line and the words of each paragraph and of each item of a list."""
    line, words = 0, []
    for number, row in enumerate([*blank(text).split("\n"), ""], 1):
        row = QUOTE.sub("", row.strip(), 1)
        is_text = row and not row.startswith(("|", "#"))
        item = ITEM.match(row)
        if words and (item or not is_text):
            yield line, words
            words = []
        if is_text:
            line = line if words else number
            words += row[item.end() if item else 0:].split()


def anchors(text):
    """The anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", blank(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_page(path, text, read):
    found = [f"{path}:{line}: a paragraph of {len(words)} words; {MOST_WORDS} are the most"
             for line, words in paragraphs(text) if len(words) > MOST_WORDS]
    for number, row in enumerate(blank(text).split("\n"), 1):
        for link in LINK.findall(row):
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            other = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if not os.path.exists(other):
                found.append(f"{path}:{number}: links to {target}, which is not there")
            elif anchor and other.endswith(".md") and anchor not in anchors(read(other)):
                found.append(f"{path}:{number}: links to #{anchor}, which {other} does not have")
    return found


def check_source(path, text):
    rows = text.split("\n")
    return [f"{path}:{number}: a doc comment without a subject: {row.strip()[:60]}"
            for number, row in enumerate(rows, 1)
            if WITHOUT_SUBJECT.match(row) and not (number > 1 and rows[number - 2].lstrip().startswith("///"))]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    found = []
    for path in sys.argv[1:]:
        found += check_page(path, read(path), read) if path.endswith(".md") else check_source(path, read(path))
    for line in found:
        print(line, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
