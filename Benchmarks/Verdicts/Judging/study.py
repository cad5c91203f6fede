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
        self.call_nanoseconds = {}
        self.failures = 0  # one after the other

    def run(self, minutes, rounds=None):
        """A round has a trial of each cell under each condition, so that all cells have as many."""
        deadline = time.monotonic() + 60 * minutes
        done = 0
        while time.monotonic() < deadline and (rounds is None or done < rounds):
            for condition in self.fewest(self.conditions, lambda one: ("condition", one)):
                with Competitors(self.conditions[condition]):
                    self.calibrate(condition)
                    for cell in self.fewest(self.cells, lambda one: ("cell", condition, one)):
                        if time.monotonic() >= deadline:
                            return
                        self.attempt(condition, cell)
            done += 1

    def fewest(self, names, key):
        """Those first that were measured least."""
        counts = self.counts()
        return sorted(names, key=lambda name: (counts[key(name)], self.source.random()))

    def counts(self):
        counts = collections.Counter()
        for trial in self.trials.trials:
            condition, cell = trial["condition"], trial["cell"]
            counts["condition", condition] += 1
            counts["cell", condition, cell] += 1
            counts["pair", condition, cell, trial["variant"], trial["kernel"]] += 1
            counts["kernel", condition, cell, trial["kernel"]] += 1
        return counts

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
        counts = self.counts()
        pairs = [(variant, kernel) for variant in names_of(cell)
            if self.variants is None or variant in self.variants or variant == BASE for kernel in self.kernels]
        variant, kernel = min(pairs, key=lambda pair: (
            counts["pair", condition, cell, *pair], counts["kernel", condition, cell, pair[1]],
            self.source.random()))
        say(f"{len(self.trials.trials) + 1}: {condition}, {variant}, {kernel}")
        self.trials.add({
            "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "condition": condition, "cell": cell, "variant": variant, "kernel": kernel,
            "tools": self.judge(variant, kernel, condition)})

    def judge(self, variant, kernel, condition):
        return Measurement(
            self.builds, variant, kernel, self.seconds, self.call_nanoseconds[condition, kernel]).all()

    def calibrate(self, condition):
        """How long a call takes now, so that each tool can be given as many as fit its seconds."""
        for kernel in self.kernels:
            program = self.builds.program(BASE, PLAIN)
            calls = 1000
            for _ in range(2):
                values = [float(value) for value in run([program, kernel, str(calls), "9"]).split()]
                calls = max(1, round(30e6 / statistics.median(values)))
            self.call_nanoseconds[condition, kernel] = statistics.fmean(values)
