#!/usr/bin/env python3
"""Makes a static site of all pages and the reference report, which can be searched without a server.

usage: scripts/docs_site.py OUTPUT

Pandoc renders the pages. Run this from the top of the repository, as `make docs` does.
"""

import json
import os
import re
import shutil
import subprocess
import sys

# The pages in the order of the navigation. Every page of docs/ must be listed.
SECTIONS = {
    "Guide": ["README.md", "docs/authors.md", "docs/moving-over.md", "docs/uikit.md", "docs/ci.md", "docs/budgets.md",
              "docs/measuring.md", "docs/compare.md", "docs/profile.md", "docs/history.md", "docs/security.md"],
    "Reference": ["docs/glossary.md", "docs/scenarios.md", "docs/traces.md", "docs/instructions.md", "docs/formats.md",
                  "docs/run-schema.md"],
    "Research": ["docs/measuring-method.md", "docs/compare-method.md", "docs/history-method.md", "docs/verdicts.md",
                 "docs/peers.md", "docs/sources.md"],
    "Project": ["CONTRIBUTING.md", "CHANGELOG.md"],
}
REPORT = "results/reference"
SITE = "docs/site"


def output_name(page):
    return "index.html" if page == "README.md" else os.path.basename(page).lower().replace(".md", ".html")


def title_of(text, page):
    found = re.search(r"^# (.+)$", text, re.M)
    if not found:
        sys.exit(f"{page}: has no heading of level 1")
    return found[1].replace("`", "")


def linked(text, page, names):
    """Makes links to pages lead to the site's pages, and links to other files of the repository to copies of them."""
    files = set()

    def replace(match):
        target, _, anchor = match[1].partition("#")
        if not target or re.match(r"^[a-z]+:", target):
            return match[0]
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        if path in names:
            new = names[path]
        elif path.startswith(REPORT):
            new = "reference/" + os.path.basename(path).replace("report.md", "report.html")
        else:
            files.add(path)
            new = "files/" + path
        return "](" + new + ("#" + anchor if anchor else "") + ")"

    return re.sub(r"\]\(([^)\s]+)\)", replace, text), files


def navigation(current, titles, libraries):
    lines = []
    for section, pages in SECTIONS.items():
        lines.append(f"<strong>{section}</strong>")
        for page in pages:
            mark = ' aria-current="page"' if page == current else ""
            lines.append(f'<a href="{output_name(page)}"{mark}>{titles[page]}</a>')
    lines.append('<strong>Reports</strong><a href="reference/report.html">The reference report</a>')
    if libraries:
        lines.append("<strong>Libraries</strong>")
        for name in libraries:
            lines.append(f'<a href="api/{name}/documentation/{name.lower()}/">{name}</a>')
    return "\n".join(lines)


def sections_of(html, name, title):
    """Yields the entries of the search index: each heading of a page, with the text up to the next heading."""
    body = html.split("<main>", 1)[1].split("</main>", 1)[0]
    parts = re.split(r'<h[1-3][^>]*\bid="([^"]*)"[^>]*>(.*?)</h[1-3]>', body, flags=re.S)
    plain = lambda text: re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text))).strip()
    for anchor, heading, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        yield {"page": name, "title": title, "anchor": anchor, "heading": plain(heading), "text": plain(text)}


def unescape(text):
    for code, character in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")]:
        text = text.replace(code, character)
    return text


def render(text, title, menu):
    arguments = ["pandoc", "--from", "gfm", "--to", "html5", "--standalone", "--no-highlight", "--toc", "--toc-depth=2",
                 "--template", f"{SITE}/template.html", "--metadata", f"pagetitle={title}",
                 "--variable", "root=", "--variable", f"navigation={menu}"]
    return subprocess.run(arguments, input=text, capture_output=True, text=True, check=True).stdout


def main():
    output = sys.argv[1]
    pages = [page for group in SECTIONS.values() for page in group]
    missing = {f"docs/{name}" for name in os.listdir("docs") if name.endswith(".md")} - set(pages)
    if missing:
        sys.exit(f"scripts/docs_site.py: add {', '.join(sorted(missing))} to SECTIONS")
    api = f"{output}/api"
    libraries = sorted(os.listdir(api)) if os.path.isdir(api) else []
    texts = {page: open(page, encoding="utf-8").read() for page in pages}
    titles = {page: title_of(texts[page], page) for page in pages}
    titles["README.md"] = "What it is"
    names = {page: output_name(page) for page in pages}
    index, files = [], set()
    for page in pages:
        text, linked_files = linked(texts[page], page, names)
        files |= linked_files
        html = render(text, titles[page], navigation(page, titles, libraries))
        with open(f"{output}/{names[page]}", "w", encoding="utf-8") as file:
            file.write(html)
        index += sections_of(html, names[page], titles[page])
    with open(f"{output}/search-index.js", "w", encoding="utf-8") as file:
        file.write("const searchIndex = " + json.dumps(index, ensure_ascii=False) + ";\n")
    for name in ["site.css", "search.js"]:
        shutil.copy(f"{SITE}/{name}", output)
    shutil.copytree(REPORT, f"{output}/reference", dirs_exist_ok=True)
    for path in sorted(files):
        os.makedirs(os.path.dirname(f"{output}/files/{path}"), exist_ok=True)
        if os.path.isdir(path):
            shutil.copytree(path, f"{output}/files/{path}", dirs_exist_ok=True)
        else:
            shutil.copy(path, f"{output}/files/{path}")
    print(f"{output}/index.html: {len(pages)} pages, {len(index)} sections, {len(libraries)} libraries")


main()
