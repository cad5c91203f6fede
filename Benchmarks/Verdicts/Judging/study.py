"""Chooses the next trial, and keeps the results in a file, from which a stopped study continues."""

import collections
import datetime
import json
import os
import random
import statistics
import time
from typing import NamedTuple

import truths
from builds import PLAIN, Failure, run, say
from kinds import BASE, KINDS, named
from tools import BUSY_PROCESSES, Competitors, Measurement

IDLE, BUSY = "idle", "busy"
CONDITIONS = {IDLE: 0, BUSY: BUSY_PROCESSES}


class Cell(NamedTuple):
    """A combination that is judged once in a round."""

    condition: str
    kind: str
    workload: str


class Trials:
    """A file of JSON lines: first the settings, then a trial or a truth (what a kind changes) per line."""

    def __init__(self, path):
        self.path = path
        self.setting = None
        self.trials = []
        self.truths = {}  # (kind, workload) → what the kind changes there
        if os.path.exists(path):
            # A study that was killed may have left half a line, which is cut off.
            with open(path, "rb+") as stream:
                text = stream.read()
                stream.truncate(text.rfind(b"\n") + 1)
            lines = [json.loads(line) for line in text[:text.rfind(b"\n") + 1].splitlines()]
            self.setting = lines[0] if lines else None
            for line in lines[1:]:
                self.keep(line)

    def begin(self, setting):
        """Raises `ValueError` if the file's trials were measured with other sources or other seconds."""
        if self.setting is None:
            self.setting = setting
            self.append(setting)
        for name in ("sources", "seconds"):
            if self.setting[name] != setting[name]:
                raise ValueError(
                    f"{self.path} was measured with {name} {self.setting[name]}, not {setting[name]}; "
                    "name another file with --trials, or remove it")

    def append(self, line):
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        with open(self.path, "a") as stream:
            stream.write(json.dumps(line) + "\n")

    def keep(self, line):
        if "truth" in line:
            self.truths[line["kind"], line["workload"]] = line["truth"]
        else:
            self.trials.append(line)

    def add(self, line):
        self.keep(line)
        self.append(line)

    def holds(self, kind, workload):
        """Whether the change is really there. It is not if the compiler undid the edit."""
        return self.truths.get((kind, workload), {}).get("holds", False)


class Study:
    def __init__(self, builds, trials, seconds, conditions=CONDITIONS, kinds=KINDS, seed=None):
        self.builds = builds
        self.trials = trials
        self.seconds = seconds
        self.conditions = conditions
        self.cells = [
            Cell(condition, kind.name, workload) for condition in conditions for kind in kinds
            for workload in kind.workloads]
        self.source = random.Random(seed)
        self.last = None  # the kind that was judged last, whose builds are at hand
        self.failures = 0  # one after the other

    def run(self, minutes, rounds=None):
        """Measures in rounds. A round has every kind at each length of its frames, under one condition. The idle
        machine comes first.

        Whenever the study is stopped, the numbers of trials of two cells differ by at most one.
        """
        deadline = time.monotonic() + 60 * minutes
        left = rounds and rounds * len(self.cells) // len(self.conditions)
        while time.monotonic() < deadline and left != 0:
            self.attempt(self.next())
            left = left and left - 1

    def next(self):
        """Returns a cell with the fewest trials. Prefers an idle machine, then a built kind, then chance decides."""
        counts = self.counts()
        order = list(self.conditions)
        return min(self.cells, key=lambda cell: (
            counts[cell], order.index(cell.condition), cell.kind != self.last, self.source.random()))

    def counts(self):
        return collections.Counter(
            Cell(trial["condition"], trial["kind"], trial["workload"]) for trial in self.trials.trials)

    def attempt(self, cell):
        """Makes a trial. Only the third failure in a row ends the study, because a busy machine may cause one."""
        try:
            self.trial(cell)
            self.failures = 0
        except Failure as failure:
            self.failures += 1
            if self.failures > 2:
                raise
            say(f"this trial does not count: {failure}")

    def trial(self, cell):
        kind = named(cell.kind)
        self.last = cell.kind
        self.prepare(kind, cell.workload)
        pair = self.pair(kind, self.counts()[cell])
        say(f"{len(self.trials.trials) + 1}: {cell.condition}, {' → '.join(pair)}, {cell.workload}")
        with Competitors(self.conditions[cell.condition]):
            verdicts = self.judge(kind, cell.workload, pair)
        self.trials.add({
            "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), **cell._asdict(),
            "pair": pair, "tools": verdicts})

    def pair(self, kind, count):
        """Returns the old and the new revision. Kinds that change nothing are judged in both directions in turns."""
        pair = [BASE, kind.name]
        return pair[::-1] if kind.is_no_op and (count + KINDS.index(kind)) % 2 else pair

    def prepare(self, kind, workload):
        """Builds again what springbench has removed meanwhile, so that its seconds do not include building."""
        self.builds.build(kind.name)
        for revision in (BASE, kind.name):
            self.builds.build_revision(revision)
        if (kind.name, workload) not in self.trials.truths:
            self.trials.add(
                {"kind": kind.name, "workload": workload, "truth": truths.measure(self.builds, kind, workload)})

    def judge(self, kind, workload, pair):
        return Measurement(
            self.builds, pair, kind, workload, self.seconds, self.scroll_nanoseconds(workload) / 1e9).all()

    def scroll_nanoseconds(self, workload):
        """Measures how long a scroll takes now. This decides how many scrolls fit into the seconds of a tool."""
        program = self.builds.program(BASE, PLAIN)
        scrolls = 1
        for _ in range(2):
            values = [float(value) for value in run([program, workload, str(scrolls), "3"]).split()]
            if values[0] * scrolls > 30e6:
                break
            scrolls = max(1, round(30e6 / statistics.median(values)))
        return statistics.fmean(values)
