#!/usr/bin/env python3
"""Tests of scripts/landings, scripts/figures and scripts/prose.py, on made-up texts; `make lint` runs them."""

import importlib.machinery
import importlib.util
import io
import json
import sys
import tempfile
import unittest
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

sys.dont_write_bytecode = True


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, str(Path(__file__).with_name(name)))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


landings, figures, prose = load("landings"), load("figures"), load("prose.py")
FIRST, SECOND = "a" * 40, "b" * 40


def row(verdict="unchanged", change=0.0, benchmark="list/naive/10", metric="frameNanoseconds", **others):
    low, high = (None, None) if change is None else (change - 0.01, change + 0.01)
    return {"id": benchmark, "metric": metric, "phase": None, "baseline": 400.0, "candidate": 400.0,
            "change": change, "low": low, "high": high, "pValue": 0.5, "verdict": verdict, **others}


class Landings(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def ledger(self, rows=(), regressions=0, reason="-", **changes):
        entries = [landings.Landing(FIRST, "2026-01-01", 0, "-"),
                   landings.Landing(SECOND, "2026-01-02", regressions, reason)]
        (self.folder / "landings.tsv").write_text("".join(entry.line() for entry in entries))
        ledger = landings.Ledger(self.folder)
        if rows:
            comparison = {**landings.comparison_of(list(rows), FIRST, SECOND, SECOND), **changes}
            ledger.accepted.document = {
                "commit": SECOND, "subject": "Do it", "linesOfSources": 1234, "comparison": comparison,
                "peers": {"order": ["loop"], "claims": {"loop": {
                    "name": "engine ÷ loop", "kind": "atMost", "limit": 1.1, "verdict": "missed",
                    "ratios": {"oneAxis": {"median": 1.38, "interval": [1.35, 1.4]}}}}}}
            ledger.write(ledger.accepted)
        return landings.Ledger(self.folder)

    def test_a_landing_without_regressions_passes(self):
        rows = [row(), row("improved", -0.2), row("missing", None, baseline=None)]
        self.assertEqual(self.ledger(rows).check(), [])

    def test_a_landing_needs_a_comparison_with_the_one_before(self):
        self.assertIn("is not there", self.ledger().check()[0])
        self.assertIn("does not compare aaaaaaa with bbbbbbb", self.ledger([row()], baseline=SECOND).check()[0])
        self.assertIn("(machine)", self.ledger([row()], machine="").check()[0])

    def test_whatever_is_worse_has_to_be_accepted_with_a_reason(self):
        for worse in (row("regressed", 0.1), row("behaviorChanged", None, metric="checksum"),
                      row("missing", None, candidate=None, metric="checksum")):
            rows = [row(), worse]
            self.assertIn("1 figures regressed", self.ledger(rows).check()[0])
            self.assertEqual(self.ledger(rows, 1, "worth it").check(), [])
        for regressions, reason in ((1, "-"), (1, " ")):
            with self.assertRaises(landings.Failure):
                self.ledger([row()], regressions, reason)

    def test_a_row_cannot_be_taken_out_of_a_document(self):
        ledger = self.ledger([row(), row("regressed", 0.1)], 1, "worth it")
        path = ledger.document_path(ledger.accepted)
        lines = [line for line in path.read_text().splitlines() if '"verdict": "regressed"' not in line]
        path.write_text("\n".join(lines).replace("},\n ]", "}\n ]"))
        self.assertIn("its rows are not those that it counts", landings.Ledger(self.folder).check()[0])

    def test_a_line_that_names_no_commit_is_refused(self):
        for line in ("abc\t2026-01-01\t0\t-", f"{FIRST} 2026-01-01 0 -", f"{FIRST}\tlately\t0\t-",
                     f"{FIRST}\t2026-01-01\t-1\tx"):
            (self.folder / "landings.tsv").write_text(line + "\n")
            with self.assertRaises(landings.Failure):
                landings.Ledger(self.folder)

    def test_the_page_shows_what_changed_and_is_what_the_documents_say(self):
        ledger = self.ledger([row("regressed", 0.1), row(benchmark="list/tiled/10", change=-0.004)], 1, "worth | it")
        self.assertIn("run scripts/landings --page", ledger.check_page()[0])
        ledger.write_page()
        self.assertEqual(ledger.check_page(), [])
        page = ledger.page()
        for part in ("| `bbbbbbb` Do it | 2026-01-02 | 1,234 | 1 | 0 | 0 | 0 | 1 | 0 | 1 |",
                     "- `bbbbbbb`, accepted with 1: worth | it", "| list/naive/10 | 400 ns | **+10.0% ±1.0** |",
                     "| list/tiled/10 | 400 ns | -0.4% ±1.0 |",
                     "| engine ÷ loop: oneAxis | ≤ 1.1 | – | **1.38 [1.35–1.40]** |"):
            self.assertIn(part, page)
        ledger.page_path.write_text(page.replace("10.0%", "1.0%"))
        self.assertNotEqual(ledger.check_page(), [])

    def test_the_page_takes_all_but_the_newest_landings_together(self):
        entries = [landings.Landing(FIRST, "2026-01-01", 0, "-")]
        for place, change in enumerate([0.5, -0.2, 0.0, 0.01, 0.02, 0.03, 0.04]):
            entries.append(landings.Landing(f"{place}" * 40, "2026-01-02", 0, "-"))
            entries[-1].document = {"comparison": {"rows": [row(change=change)]}}
        page = landings.Page(entries).frames()
        self.assertIn("| benchmark | at first | to `1111111` | `2222222` |", page)
        self.assertIn("| list/naive/10 | 400 ns | +20.0% | +0.0% ±1.0 | +1.0% ±1.0 |", page)

    def accept(self, worse, missed=False, regressions=0, reason=None):
        """Accepts a commit whose comparison is made up and has `worse` regressions."""
        third = "c" * 40

        def measure(landing, before, _):
            rows = [row()] + [row("regressed", 0.1)] * worse
            landing.document = {
                "commit": third, "subject": "Do more", "comparison": landings.comparison_of(
                    rows, before.commit, third, third),
                "peers": {"order": ["loop"], "claims": {"loop": {
                    "name": "loop", "kind": "atMost", "limit": 1, "verdict": "missed" if missed else "held",
                    "ratios": {}}}}}

        git = {"status": "", "rev-parse": third, "log": "2026-01-03"}
        ledger = self.ledger([row()])
        with patch.object(landings, "measure", measure), patch.object(landings, "check_accepted", lambda _: None), \
                patch.object(landings, "git", lambda command, *_: git[command]), redirect_stdout(io.StringIO()):
            landings.accept(ledger, Namespace(regressions=regressions, reason=reason))
        return landings.Ledger(self.folder)

    def test_a_landing_is_accepted_with_its_document_and_its_line_on_the_page(self):
        ledger = self.accept(0)
        self.assertEqual(ledger.accepted.line(), f"{'c' * 40}\t2026-01-03\t0\t-\n")
        self.assertEqual(ledger.check() + ledger.check_page(), [])
        self.assertIn("`ccccccc` Do more", ledger.page())

    def test_a_landing_that_is_worse_is_refused_without_their_number_and_a_reason(self):
        for arguments, status in (((2,), 2), ((2, False, 1, "x"), 2), ((0, True), 3)):
            with self.assertRaises(landings.Failure) as refused:
                self.accept(*arguments)
            self.assertEqual(refused.exception.status, status)
            self.assertEqual(len(landings.Ledger(self.folder).landings), 2)
        ledger = self.accept(2, True, 2, "worth it")
        self.assertEqual((ledger.accepted.regressions, ledger.accepted.reason), (2, "worth it"))

    def test_a_missed_claim_keeps_its_reason(self):
        ledger = self.accept(0, True, 0, "the peer is faster now")
        self.assertIn("accepted with 0: the peer is faster now", ledger.page())
        self.assertEqual(self.accept(0, reason="not needed").accepted.reason, "-")

    def test_figures_have_three_digits(self):
        for value, text in ((0, "0"), (0.5, "0.500"), (1.1, "1.10"), (38, "38.0"), (382.4, "382"), (1393.2, "1,393")):
            self.assertEqual(landings.significant(value), text)


class Figures(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        root = Path(temporary.name)
        (root / "results").mkdir()
        (root / "results/r.json").write_text(json.dumps({"a": {"b/c": [0.8649, 1393.4]}, "word": "x"}))
        self.reports = figures.Reports(root)

    def check(self, text, allowed=()):
        return figures.check("page.md", text, self.reports, allowed)

    def mark(self, shown, keys="a.b/c.0", path="results/r.json"):
        return f"takes <!-- figure: {path} {keys} -->{shown}<!-- / --> times as long\n"

    def test_a_figure_is_compared_to_the_precision_that_is_shown(self):
        for shown in ("0.86", "0.865", "0.9"):
            self.assertEqual(self.check(self.mark(shown)), [])
        for shown in ("0.87", "0.864", "1.86", "much"):
            self.assertEqual(len(self.check(self.mark(shown))), 1)
        self.assertEqual(self.check(self.mark("1,393", "a.b/c.1")), [])

    def test_a_figure_needs_its_report(self):
        for keys, path in (("a.x", "results/r.json"), ("a.b/c.7", "results/r.json"), ("word", "results/r.json"),
                           ("a", "results/none.json"), ("a", "README.md")):
            self.assertEqual(len(self.check(self.mark("1", keys, path))), 1)
        self.assertEqual(len(self.check("<!-- figure: results/r.json -->1<!-- / -->")), 1)

    def test_filling_keeps_the_number_of_digits(self):
        for shown, keys, filled in (("0.11", "a.b/c.0", "0.86"), ("1.23", "a.b/c.0", "0.865"),
                                    ("1,000", "a.b/c.1", "1,393"), ("?", "a.b/c.1", "1,390")):
            self.assertEqual(figures.fill(self.mark(shown, keys), self.reports), self.mark(filled, keys))

    def test_a_measured_phrase_without_a_report_is_found(self):
        for phrase in ("takes 12 µs", "3 times faster", "twice as fast", "1.4 times as long", "20% cheaper",
                       "5× faster", "about a quarter faster", "a fraction of what it did", "60 ns"):
            self.assertEqual(len(self.check(f"It {phrase}.")), 1, phrase)
            self.assertEqual(self.check(f"```\n{phrase}\n```\nand `{phrase}`\n"), [], phrase)
            self.assertEqual(self.check(f"<!-- measured: begin -->\n{phrase}\n<!-- measured: end -->\n"), [], phrase)

    def test_a_phrase_is_allowed_on_its_page_and_only_as_long_as_it_is_there(self):
        allowed = [("page.md", "a turn of 2 ms", "an option")]
        self.assertEqual(self.check("It has a turn of 2 ms.", allowed), [])
        self.assertEqual(len(self.check("It has a turn of 3 ms.", allowed)), 2)


class Prose(unittest.TestCase):
    def page(self, text, other=""):
        with patch("os.path.exists", {"docs/ci.md", "docs/compare.md", "README.md"}.__contains__):
            return prose.check_page("docs/ci.md", text, lambda _: other)

    def test_a_paragraph_has_at_most_90_words(self):
        long, short = "word " * 91, "word " * 90
        for text in (long, f"- {long}", f"> {long}", f"1. {short}\n{short}", f"{short}\nword"):
            self.assertEqual(len(self.page(text)), 1, text[-20:])
        self.assertIn("docs/ci.md:3: a paragraph of 91 words", self.page(f"# Title\n\n{long}")[0])
        for text in (short, f"{short}\n\n{short}", f"- {short}\n- {short}", f"| {long} |", f"# {long}",
                     f"```\n{long}\n```", f"<!-- measured: begin -->\n{long}\n<!-- measured: end -->"):
            self.assertEqual(self.page(text), [], text[:20])

    def test_a_link_leads_to_a_page_and_one_of_its_headings(self):
        heading = "## Where it is: `--profile`"
        for link in ("compare.md", "compare.md#where-it-is---profile", "../README.md", "https://example.org/#x"):
            self.assertEqual(self.page(f"See [this]({link}).", other=heading), [], link)
        self.assertEqual(self.page(f"{heading}\n[here](#where-it-is---profile)", other=heading), [])
        for link in ("none.md", "compare.md#elsewhere", "#elsewhere"):
            self.assertEqual(len(self.page(f"\n[this]({link})", other=heading)), 1, link)

    def test_a_doc_comment_has_a_subject(self):
        for comment in ("/// Of the file.", "  /// By slot: what holds.", "/// As given."):
            self.assertEqual(len(prose.check_source("a.swift", f"let a = 1\n{comment}\n")), 1, comment)
        for comment in ("/// Office hours.", "// Of the file.", "/// The bytes\n/// of the file.\n/// Of all.",
                        "/// Bytes by slot."):
            self.assertEqual(prose.check_source("a.swift", f"{comment}\n"), [], comment)


if __name__ == "__main__":
    unittest.main()
