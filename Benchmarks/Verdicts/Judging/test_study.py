"""`scripts/verdicts --self-test`: which trial comes next, what the variants edit, and what the page says."""

import collections
import os
import shutil
import tempfile
import unittest

import report
import rules
from study import Study, Trials
from variants import CELLS, KERNELS, LINK, NO_OPS, SAME, all_variants, names_of, slow_cell

WORK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Sources/Work")


class Unmeasured(Study):
    """Chooses, but measures nothing."""

    def judge(self, variant, kernel):
        return {}


def trials(path, verdicts):
    """One trial for each verdict of springbench's and of pyperf's: (cell, ours, theirs)."""
    found = Trials(path)
    for cell, ours, theirs in verdicts:
        figures = {tool: {"verdict": theirs} for tool in report.TOOLS}
        figures.update({tool: {"verdict": ours} for tool in report.OURS})
        found.trials.append({"condition": "idle", "cell": cell, "tools": figures})
    return found.trials


class Studies(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/trials.jsonl"

    def tearDown(self):
        self.folder.cleanup()

    def study(self, **options):
        return Unmeasured(None, Trials(self.path), 1, conditions={"idle": 0}, seed=3, **options)

    def test_every_cell_has_as_many_trials_as_any_other(self):
        study = self.study()
        study.run(minutes=60, rounds=6)
        counts = collections.Counter(trial["cell"] for trial in study.trials.trials)
        self.assertEqual(counts, {cell: 6 for cell in CELLS})

    def test_pairs_repeat_only_after_all_others(self):
        study = self.study(cells=(LINK,))
        study.run(minutes=60, rounds=len(names_of(LINK)) * len(KERNELS))
        pairs = collections.Counter((trial["variant"], trial["kernel"]) for trial in study.trials.trials)
        self.assertEqual(set(pairs.values()), {1})

    def test_a_study_goes_on_where_it_was_stopped(self):
        first = self.study()
        first.trials.begin({"sources": "a", "seconds": 1})
        first.run(minutes=60, rounds=1)
        for cell in CELLS[:3]:
            first.attempt("idle", cell)
        second = self.study()
        second.run(minutes=60, rounds=1)
        counts = collections.Counter(trial["cell"] for trial in second.trials.trials)
        self.assertEqual(sum(counts.values()), 2 * len(CELLS) + 3)
        self.assertEqual(len(Trials(self.path).trials), 2 * len(CELLS) + 3)

    def test_half_a_line_at_the_end_is_no_trial(self):
        study = self.study()
        study.trials.begin({"sources": "a", "seconds": 1})
        study.run(minutes=60, rounds=1)
        with open(self.path, "a") as stream:
            stream.write('{"condition": "id')
        self.assertEqual(len(Trials(self.path).trials), len(CELLS))
        study = self.study()
        study.run(minutes=60, rounds=1)
        self.assertEqual(len(Trials(self.path).trials), 2 * len(CELLS))

    def test_trials_of_other_sources_are_not_mixed(self):
        Trials(self.path).begin({"sources": "a", "seconds": 5})
        Trials(self.path).begin({"sources": "a", "seconds": 5})
        with self.assertRaises(ValueError):
            Trials(self.path).begin({"sources": "b", "seconds": 5})

    def test_every_variant_edits_the_work(self):
        for variant in all_variants():
            copy = f"{self.folder.name}/{variant.name}"
            shutil.copytree(WORK, copy)
            variant.edit(copy)
            def contents(folder):
                return {name: open(f"{folder}/{name}").read() for name in sorted(os.listdir(folder))}
            self.assertNotEqual(contents(copy), contents(WORK), variant.name)
            self.assertEqual(len(contents(copy)), len(contents(WORK)), variant.name)

    def test_false_alarms_are_of_pairs_that_do_not_differ_and_go_both_ways(self):
        tally = report.Tally(trials(self.path, [
            (SAME, "same", "slower"), (LINK, "same", "faster"), (LINK, "same", "same"),
            (slow_cell(2), "slower", "faster"), (slow_cell(5), "slower", "slower")]), "pyperf")
        self.assertEqual((tally.false_alarms().hits, tally.false_alarms().count), (2, 3))
        self.assertEqual((tally.found(2).hits, tally.found(5).hits, tally.found_any().hits), (0, 1, 1))

    def test_kinds_of_pairs_that_were_not_measured_have_no_column(self):
        measured = trials(self.path, [(SAME, "same", "slower"), (LINK, "same", "same")])
        header = report.false_alarm_table(measured).split("\n")[0]
        self.assertIn("linked in another order, idle", header)
        self.assertNotIn("edited", header)

    def test_what_is_found_by_luck_is_told(self):
        tally = report.Tally(trials(self.path, [
            (SAME, "same", "slower"), (LINK, "same", "faster"), (LINK, "same", "same"), (LINK, "same", "same"),
            (slow_cell(2), "slower", "slower"), (slow_cell(5), "slower", "slower")]), "pyperf")
        self.assertEqual(tally.by_luck(), 0.5)

    def test_a_claim_needs_a_tenth_of_the_false_alarms_and_every_slow_down(self):
        def claim(verdicts):
            measured = trials(self.path, verdicts)
            return report.claim(report.Tally(measured, report.OURS[0]), report.Tally(measured, "pyperf"))
        alarms = [(cell, "same", "slower") for cell in NO_OPS]
        self.assertEqual(claim(alarms + [(slow_cell(2), "slower", "slower")]), "held")
        self.assertEqual(
            claim(alarms + [(slow_cell(2), "same", "slower")]), "not held: of +2% 0, not 1")
        self.assertEqual(
            claim([(SAME, "same", "same")]), "not held: neither raised a false alarm")
        self.assertEqual(
            claim(alarms + [(LINK, "slower", "same")]), "not held: 1 false alarms")
