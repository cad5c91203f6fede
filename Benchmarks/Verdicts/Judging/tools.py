"""Measures a pair of builds with each tool, for about the same number of seconds, and returns the verdicts."""

import json
import os
import signal
import statistics
import subprocess
import time

import pyperf

import rules
from builds import BENCHMARK, PLAIN, TOOL, Failure, run
from kinds import BASE

BUSY_PROCESSES = 4
COMMAND_SECONDS = 0.1  # of a whole command, for hyperfine
HYPERFINE_WARMUPS = 3
PYPERF_PROCESSES, PYPERF_VALUES = 20, 3  # its defaults
BENCHSTAT_VALUES = 10
LEAST_VALUES = 4  # of scrolls that take long; with fewer the U test can find nothing
START_SECONDS = 0.004  # of a process that does nothing


class Competitors:
    """Processes that only keep the cores busy. Each has its own session, like a job of another user."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.processes = [
            subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "sh", "-c", "while :; do :; done"], start_new_session=True)
            for _ in range(self.count)]
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()


class Measurement:
    """A measurement of one pair and one workload. Every tool gets `seconds`, or the least time that it needs."""

    def __init__(self, builds, pair, kind, workload, seconds, scroll_seconds):
        self.builds = builds
        self.pair = pair  # revisions, the old one first
        self.kind = kind
        self.workload = workload
        self.seconds = seconds
        self.scroll_seconds = scroll_seconds
        self.folder = f"{builds.top}/measuring"
        os.makedirs(self.folder, exist_ok=True)

    def programs(self, name):
        return [self.builds.program(revision, name) for revision in self.pair]

    def scrolls(self, seconds):
        return max(1, round(seconds / self.scroll_seconds))

    def fitting(self, seconds, most):
        """Returns how many values of at least one scroll fit into the seconds."""
        return max(LEAST_VALUES, min(most, int(seconds / self.scroll_seconds)))

    def values(self, program, count, seconds):
        """Measures `count` values in one process, each for about `seconds`. Returns nanoseconds per scroll."""
        return [float(line) for line in run([program, self.workload, str(self.scrolls(seconds)), str(count)]).split()]

    def springbench(self):
        arguments = self.builds.compare_arguments(
            *self.pair, "--filter", f"^{self.workload}/", "--seconds", f"{self.seconds:g}", "--all", "--json")
        rows = json.loads(run(arguments, statuses=(0, 2)))
        shows = None if self.kind.is_no_op else self.kind.shows
        means = [row for row in rows if row["metric"] == "frameNanoseconds" and row["statistic"] == "mean"
                 and row["change"] is not None]
        return {
            "verdict": rules.springbench_rows(rows, shows), "ratio": 1 + (means[0]["change"] if means else 0),
            "metrics": rules.regressed_metrics(rows), "frames": rules.regressed_frames(rows)}

    def package_benchmark(self):
        """Runs `swift package benchmark baseline update base`, then `… candidate`, then `… check base candidate`.

        The plugin's tool is run without the plugin, which would build first and hide the exit status. The first verdict
        judges only times, by the default thresholds. The second is the tool's own, which judges all default metrics.
        """
        for name, program in zip(("base", "candidate"), self.programs(BENCHMARK)):
            self.benchmark_tool(
                "update", "--baseline", name, "--format", "text", "--filter", f"^{self.workload}$",
                "--benchmark-executable-paths", program)
        status = self.benchmark_tool(
            "check", "--baseline", "base", "--baseline", "candidate", "--format", "text", statuses=(0, 2, 4))[0]
        base, candidate = (self.percentiles(name) for name in ("base", "candidate"))
        times = rules.thresholds(base, candidate, 5, ("p25", "p50", "p75"))
        return (
            {"verdict": times, "ratio": candidate["p50"] / base["p50"], "base": base, "candidate": candidate},
            {"verdict": rules.package_benchmark_status(status)})

    def benchmark_tool(self, operation, *options, statuses=(0,)):
        arguments = [
            self.builds.program(BASE, TOOL), "--command", "baseline", "--baseline-operation", operation,
            "--baseline-storage-path", self.folder, "--grouping", "benchmark", "--quiet", "--no-progress",
            "--targets", BENCHMARK, *options]
        environment = dict(os.environ, VERDICTS_MILLISECONDS=str(round(500 * self.seconds)))
        end = subprocess.run(
            arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if end.returncode not in statuses:
            raise Failure(f"{' '.join(arguments)} ended with {end.returncode}:\n{end.stdout[-1000:]}")
        return end.returncode, end.stdout

    def percentiles(self, name):
        """Returns the percentiles of a stored baseline, in nanoseconds per scroll."""
        text = self.benchmark_tool(
            "read", "--baseline", name, "--format", "histogramPercentiles", "--path", "stdout")[1]
        return rules.percentiles(text, (25, 50, 75))

    def hyperfine(self):
        """Measures whole commands: set-up, scrolls and tear-down."""
        scrolls = self.scrolls(COMMAND_SECONDS)
        command_seconds = scrolls * self.scroll_seconds + START_SECONDS
        fitting = round(self.seconds / 2 / command_seconds)
        warmups = min(HYPERFINE_WARMUPS, fitting // 4)
        # Without this number, hyperfine would make at least ten runs, even if they take long.
        runs = max(LEAST_VALUES, fitting - warmups)
        path = f"{self.folder}/hyperfine.json"
        run(["hyperfine", "--shell=none", "--warmup", str(warmups), "--runs", str(runs), "--style", "none",
             "--export-json", path] + [f"{program} {self.workload} {scrolls}" for program in self.programs(PLAIN)])
        with open(path) as stream:
            base, candidate = (result["times"] for result in json.load(stream)["results"])
        ratio = statistics.fmean(candidate) / statistics.fmean(base)
        p_value = rules.welch(base, candidate)
        return {"verdict": rules.significant(p_value, ratio), "ratio": ratio, "p": p_value, "runs": runs}

    def pyperf(self):
        count = self.fitting(self.seconds / 2, PYPERF_PROCESSES * (PYPERF_VALUES + 1))
        values_each = PYPERF_VALUES + 1 if count > 2 * PYPERF_PROCESSES else 1
        processes = min(PYPERF_PROCESSES, count // values_each)
        value_seconds = max(1e-3, (self.seconds / 2 / processes - START_SECONDS) / values_each)
        paths = []
        means = []
        for name, program in zip(("base", "candidate"), self.programs(PLAIN)):
            runs = []
            for _ in range(processes):
                values = [value / 1e9 for value in self.values(program, values_each, value_seconds)]
                # The first value is the warm-up, unless scrolls take so long that it is the only value.
                warmups = [(1, values.pop(0))] if len(values) > 1 else []
                runs.append(pyperf.Run(
                    values, warmups=warmups, metadata={"name": self.workload}, collect_metadata=False))
            path = f"{self.folder}/pyperf-{name}.json"
            benchmark = pyperf.Benchmark(runs)
            benchmark.dump(path, replace=True)
            means.append(benchmark.mean())
            paths.append(path)
        text = run([os.sys.executable, "-m", "pyperf", "compare_to", *paths])
        return {"verdict": rules.pyperf_text(text), "ratio": means[1] / means[0]}

    def two_runs(self):
        """Measures up to ten values of each build, which benchstat and github-action-benchmark both judge."""
        count = self.fitting(self.seconds / 2, BENCHSTAT_VALUES)
        base, candidate = (
            self.values(program, count, self.seconds / 2 / count) for program in self.programs(PLAIN))
        p_value = rules.mann_whitney(base, candidate)
        ratio = statistics.median(candidate) / statistics.median(base)
        mean_ratio = statistics.fmean(candidate) / statistics.fmean(base)
        return (
            {"verdict": rules.significant(p_value, ratio), "ratio": ratio, "p": p_value},
            {"verdict": rules.alert(mean_ratio, 1.1), "ratio": mean_ratio})

    def all(self):
        """Returns the verdict of each tool, with the seconds that it took."""
        verdicts = {}
        for names, measure in (
            (("springbench",), lambda: (self.springbench(),)),
            (("package-benchmark", "package-benchmark all metrics"), self.package_benchmark),
            (("hyperfine",), lambda: (self.hyperfine(),)), (("pyperf",), lambda: (self.pyperf(),)),
            (("benchstat", "github-action-benchmark"), self.two_runs),
        ):
            start = time.monotonic()
            for name, verdict in zip(names, measure()):
                verdicts[name] = {**verdict, "seconds": time.monotonic() - start}
        return verdicts
