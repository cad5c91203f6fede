"""Tests of the order of trials, the edits of kinds, and the page; `scripts/verdicts --self-test` runs them."""

import collections
import os
import re
import shutil
import tempfile
import unittest
from unittest import mock

import report
import truths
from builds import Failure
from kinds import FRAMES, GROUPS, KINDS, LEAST, NO_OP, WORKLOADS, named
from study import BUSY, IDLE, Study, Trials

WORK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Sources/Work")


class Unmeasured(Study):
    """Chooses trials, but builds and measures nothing."""

    def prepare(self, kind, workload):
        self.trials.truths[kind.name, workload] = {"holds": True}

    def judge(self, kind, workload, pair):
        return {}


class Failing(Unmeasured):
    def judge(self, kind, workload, pair):
        raise Failure("this judge always fails")


def contents(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}") as stream:
            found[name] = stream.read()
    return found


class Studies(unittest.TestCase):
    def setUp(self):
        quiet = mock.patch("study.say")
        quiet.start()
        self.addCleanup(quiet.stop)
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/trials.jsonl"

    def tearDown(self):
        self.folder.cleanup()

    def study(self, chosen=Unmeasured, **options):
        return chosen(None, Trials(self.path), 1, seed=3, **options)

    def test_a_round_has_every_kind_once_at_each_of_its_lengths(self):
        study = self.study(conditions={IDLE: 0})
        study.run(minutes=60, rounds=2)
        counts = collections.Counter((trial["kind"], trial["workload"]) for trial in study.trials.trials)
        self.assertEqual(counts, {(kind.name, workload): 2 for kind in KINDS for workload in kind.workloads})

    def test_the_idle_machine_comes_first_and_the_lengths_of_a_kind_follow_each_other(self):
        study = self.study()
        study.run(minutes=60, rounds=2)
        half = len(study.trials.trials) // 2
        conditions = [trial["condition"] for trial in study.trials.trials]
        self.assertEqual(conditions, [IDLE] * half + [BUSY] * half)
        order = [trial["kind"] for trial in study.trials.trials[:half]]
        changes = sum(one != other for one, other in zip(order, order[1:]))
        self.assertEqual(changes, len(KINDS) - 1)

    def test_what_changes_nothing_is_judged_in_both_directions(self):
        kind = next(kind for kind in KINDS if kind.group == NO_OP)
        study = self.study(conditions={IDLE: 0}, kinds=[kind])
        study.run(minutes=60, rounds=2)
        firsts = collections.Counter(trial["pair"][0] for trial in study.trials.trials)
        self.assertEqual(firsts, {"base": len(kind.workloads), kind.name: len(kind.workloads)})

    def test_a_study_goes_on_where_it_was_stopped(self):
        first = self.study(conditions={IDLE: 0})
        first.trials.begin({"sources": "a", "seconds": 1})
        for _ in range(5):
            first.attempt(first.next())
        second = self.study(conditions={IDLE: 0})
        second.run(minutes=60, rounds=1)
        counts = collections.Counter((trial["kind"], trial["workload"]) for trial in second.trials.trials)
        self.assertEqual(sum(counts.values()), len(second.cells) + 5)
        self.assertLessEqual(max(counts.values()), 2)

    def test_half_a_line_at_the_end_is_no_trial(self):
        study = self.study()
        study.trials.begin({"sources": "a", "seconds": 1})
        study.attempt(study.next())
        with open(self.path, "a") as stream:
            stream.write('{"condition": "id')
        self.assertEqual(len(Trials(self.path).trials), 1)

    def test_trials_of_other_sources_are_not_mixed(self):
        Trials(self.path).begin({"sources": "a", "seconds": 5})
        Trials(self.path).begin({"sources": "a", "seconds": 5})
        with self.assertRaises(ValueError):
            Trials(self.path).begin({"sources": "b", "seconds": 5})

    def test_truths_are_kept_beside_the_trials(self):
        trials = Trials(self.path)
        trials.begin({"sources": "a", "seconds": 1})
        trials.add({"kind": "late", "workload": "scroll-1us", "truth": {"holds": True}})
        again = Trials(self.path)
        self.assertEqual(again.trials, [])
        self.assertTrue(again.holds("late", "scroll-1us"))
        self.assertFalse(again.holds("late", "scroll-50us"))

    def test_a_judge_that_fails_three_times_in_a_row_ends_the_study(self):
        study = self.study(Failing)
        with self.assertRaises(Failure):
            study.run(minutes=60)
        self.assertEqual(study.failures, 3)


class Kinds(unittest.TestCase):
    def test_every_kind_edits_the_sources(self):
        original = contents(WORK)
        for kind in KINDS:
            with tempfile.TemporaryDirectory() as folder:
                copy = f"{folder}/{kind.name}"
                shutil.copytree(WORK, copy)
                kind.edit(copy)
                self.assertNotEqual(contents(copy), original, kind.name)
                self.assertEqual(len(contents(copy)), len(original), kind.name)

    def test_names_groups_and_lengths_are_known(self):
        names = [kind.name for kind in KINDS]
        self.assertEqual(len(names), len(set(names)))
        with open(f"{WORK}/Workload.swift") as stream:
            workloads = re.findall(r'name: "(\S+)"', stream.read())
        self.assertEqual(workloads, list(WORKLOADS))
        for kind in KINDS:
            self.assertIn(kind.group, GROUPS)
            self.assertTrue(set(kind.workloads) <= set(WORKLOADS), kind.name)
            self.assertTrue(kind.is_no_op or kind.truth in LEAST, kind.name)
            self.assertTrue(kind.touched(), kind.name)

    def test_a_post_enters_in_as_many_frames_as_the_list_moves_on(self):
        # 299 posts enter in three flings of 100 posts each. A fling does not quite reach its end within its 400 frames.
        self.assertEqual(len(named("retain-cycle").touched()), 299)
        self.assertLess(max(named("late").touched()), len(FRAMES))

    def test_frames_that_a_kind_touches_are_held_against_the_others(self):
        # In these times, the addresses of the code make the whole changed build 20% slower. The change itself makes the
        # second half another 10% slower.
        base = [1.0] * len(FRAMES)
        changed = [1.2 * (1.1 if frame >= 600 else 1) for frame in FRAMES]
        self.assertAlmostEqual(truths.frame_ratio(named("late"), base, changed), 1.1)
        self.assertAlmostEqual(truths.frame_ratio(named("division"), base, changed), 1.26)

    def test_words_of_truths(self):
        self.assertEqual(truths.words(named("late"), {"time": 0.1}), "+10.0%")
        self.assertEqual(truths.words(named("closure"), {"allocations": 1200}), "+1,200 allocations")
        self.assertEqual(truths.words(named("comment"), {"instructions": 0.0}), "+0.000% instructions")


def measured(verdicts):
    """Returns trials made from (kind, springbench's verdict, pyperf's verdict), each at the kind's first length."""
    found = Trials("/dev/null/none")
    for name, ours, theirs in verdicts:
        kind = named(name)
        figures = {tool: {"verdict": theirs, "seconds": 1} for tool in report.TOOLS}
        figures[report.OURS] = {"verdict": ours, "seconds": 1, "frames": [[600, 1199, 1]]}
        found.truths[name, kind.workloads[0]] = {"holds": True}
        found.trials.append({
            "condition": IDLE, "kind": name, "workload": kind.workloads[0], "tools": figures})
    return found


class Reports(unittest.TestCase):
    def test_false_alarms_go_both_ways_and_are_not_found(self):
        tally = report.Tally(measured([
            ("comment", "same", "slower"), ("comment", "same", "faster"), ("late", "slower", "faster"),
            ("leak", "slower", "slower")]))
        self.assertEqual(tally.false_alarms("pyperf").short, "2/2")
        self.assertEqual(tally.found("pyperf").short, "1/2")
        self.assertEqual(tally.found(report.OURS).short, "2/2")
        self.assertEqual(tally.by_luck("pyperf"), 1)

    def test_what_the_compiler_undid_is_not_counted_but_listed(self):
        trials = measured([("late", "same", "same"), ("leak", "slower", "same")])
        trials.truths["late", named("late").workloads[0]] = {"holds": False, "time": 0.0}
        trials.truths["leak", named("leak").workloads[0]].update({"bytes left": 40_000})
        self.assertEqual(report.Tally(trials).found(report.OURS).short, "1/1")
        self.assertIn("not counted", report.truth_table(trials))

    def test_frames_are_right_where_seven_tenths_are(self):
        tally = report.Tally(measured([("late", "slower", "same"), ("one-frame", "slower", "same"),
                                       ("each-10th", "same", "same")]))
        self.assertEqual(tally.right_frames().short, "1/2")

    def test_reasons_stand_only_beside_what_was_missed(self):
        self.assertIn(named("planted-1").missed, report.missed_list(report.Tally(measured([
            ("planted-1", "same", "same")]))))
        self.assertEqual(report.missed_list(report.Tally(measured([("planted-1", "slower", "same")]))), "Nothing.")

    def test_a_claim_needs_a_tenth_of_the_false_alarms_and_every_group(self):
        def claim(verdicts):
            return report.claim(report.Tally(measured(verdicts)), "pyperf")
        self.assertEqual(claim([("comment", "same", "slower"), ("late", "slower", "slower")]), "held")
        self.assertEqual(
            claim([("comment", "same", "slower"), ("late", "same", "slower")]),
            "not held: of more work in some frames 0, not 1")
        self.assertEqual(claim([("comment", "same", "same")]), "not held: neither raised a false alarm")
        self.assertEqual(claim([("comment", "slower", "same")]), "not held: 1 false alarms")
