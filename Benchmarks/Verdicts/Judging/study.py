"""Which trial comes next, and the file of what was measured: a stopped study goes on where it was."""

import collections
import datetime
import json
import os
import random
import statistics
import time

from builds import PLAIN, Failure, run, say
from tools import BUSY_PROCESSES, Competitors, Measurement
from variants import BASE, CELLS, KERNELS, names_of

IDLE, BUSY = "idle", "busy"
CONDITIONS = {IDLE: 0, BUSY: BUSY_PROCESSES}


class Trials:
    """Lines of JSON: first what they were measured with, then a trial a line."""

    def __init__(self, path):
        self.path = path
        self.setting = None
        self.trials = []
        if os.path.exists(path):
            # A study that was killed leaves half a line.
            with open(path, "rb+") as stream:
                text = stream.read()
                stream.truncate(text.rfind(b"\n") + 1)
            lines = [json.loads(line) for line in text[:text.rfind(b"\n") + 1].splitlines()]
            if lines:
                self.setting, self.trials = lines[0], lines[1:]

    def begin(self, setting):
        """Throws `ValueError` where the file holds trials that were measured with something else."""
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

    def add(self, trial):
        self.trials.append(trial)
        self.append(trial)


class Study:
    def __init__(self, builds, trials, seconds, conditions=CONDITIONS, cells=CELLS, kernels=KERNELS, seed=None,
            variants=None):
        self.builds = builds
        self.trials = trials
        self.seconds = seconds
        self.conditions = conditions
        self.cells = cells
        self.kernels = kernels
        self.variants = variants  # None: all
        self.source = random.Random(seed)
        self.failures = 0  # one after the other

    def run(self, minutes, rounds=None):
        """A round has a trial of each cell under each condition; whenever it is stopped, no cell is ahead by two."""
        deadline = time.monotonic() + 60 * minutes
        left = rounds and rounds * len(self.conditions) * len(self.cells)
        while time.monotonic() < deadline and left != 0:
            self.attempt(*self.next())
            left = left and left - 1

    def next(self):
        """The condition and the cell that were measured least."""
        counts = collections.Counter((trial["condition"], trial["cell"]) for trial in self.trials.trials)
        return self.fewest([(condition, cell) for condition in self.conditions for cell in self.cells], counts)

    def pair(self, condition, cell):
        """The variant and the function that were measured least in this cell."""
        names = [name for name in names_of(cell) if self.variants is None or name in self.variants or name == BASE]
        counts = collections.Counter(
            (trial["variant"], trial["kernel"]) for trial in self.trials.trials
            if (trial["condition"], trial["cell"]) == (condition, cell))
        kernels = collections.Counter()
        for (_, kernel), count in counts.items():
            kernels[kernel] += count
        pairs = [(name, kernel) for name in names for kernel in self.kernels]
        return self.fewest(pairs, {pair: (counts[pair], kernels[pair[1]]) for pair in pairs})

    def fewest(self, names, counts):
        """Chance decides among those that were measured as often."""
        return min(names, key=lambda name: (counts[name], self.source.random()))

    def attempt(self, condition, cell):
        """A judge that fails once, on a machine that is busy, does not end a study of hours."""
        try:
            self.trial(condition, cell)
            self.failures = 0
        except Failure as failure:
            self.failures += 1
            if self.failures > 2:
                raise
            say(f"this trial does not count: {failure}")

    def trial(self, condition, cell):
        variant, kernel = self.pair(condition, cell)
        say(f"{len(self.trials.trials) + 1}: {condition}, {variant}, {kernel}")
        with Competitors(self.conditions[condition]):
            verdicts = self.judge(variant, kernel)
        self.trials.add({
            "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "condition": condition, "cell": cell, "variant": variant, "kernel": kernel, "tools": verdicts})

    def judge(self, variant, kernel):
        return Measurement(self.builds, variant, kernel, self.seconds, self.call_nanoseconds(kernel)).all()

    def call_nanoseconds(self, kernel):
        """Of a call now, so that each tool can be given as many as fit its seconds."""
        program = self.builds.program(BASE, PLAIN)
        calls = 1000
        for _ in range(2):
            values = [float(value) for value in run([program, kernel, str(calls), "9"]).split()]
            calls = max(1, round(30e6 / statistics.median(values)))
        return statistics.fmean(values)
