"""How each tool measures a pair of builds, in about the same seconds, and what it then says."""

import glob
import json
import os
import signal
import shutil
import statistics
import subprocess
import time

import pyperf

import rules
from builds import BENCHMARK, PLAIN, RELEASE, SPRINGBENCH, TOOL, Failure, run
from variants import BASE

BUSY_PROCESSES = 4
COMMAND_SECONDS = 0.1  # of a whole command, for hyperfine
HYPERFINE_WARMUPS = 3
PYPERF_PROCESSES, PYPERF_VALUES = 20, 3  # its defaults
BENCHSTAT_VALUES = 10
BASELINE_MEASUREMENTS = 5  # fewer say nothing about times
START_SECONDS = 0.004  # of a process that does nothing


class Competitors:
    """Processes that do nothing but keep the cores busy, each a session of its own like another user's job."""

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
    """One pair, one kernel, under one condition; every tool gets `seconds`."""

    def __init__(self, builds, variant, kernel, seconds, call_nanoseconds):
        self.builds = builds
        self.variant = variant
        self.kernel = kernel
        self.seconds = seconds
        self.call_seconds = call_nanoseconds / 1e9
        self.folder = f"{builds.top}/measuring"
        os.makedirs(self.folder, exist_ok=True)

    def programs(self, name):
        return [self.builds.program(variant, name) for variant in (BASE, self.variant)]

    def calls(self, seconds):
        return max(1, round(seconds / self.call_seconds))

    def values(self, program, count, seconds):
        """Nanoseconds a call, so many values of so many seconds, of one process."""
        return [float(line) for line in run([program, self.kernel, str(self.calls(seconds)), str(count)]).split()]

    def springbench(self, tolerance):
        self.builds.use_store(self.variant)
        arguments = self.builds.compare_arguments(
            self.variant, "--filter", f"^{self.kernel}/", "--seconds", f"{self.seconds:g}",
            "--tolerance", tolerance, "--all", "--json")
        rows = json.loads(run(arguments, statuses=(0, 2)))
        time_rows = [row for row in rows if row["metric"] == "frameNanoseconds" and row["change"] is not None]
        change = time_rows[0] if time_rows else {"change": 0}
        return {
            "verdict": rules.springbench_rows(rows), "ratio": 1 + change["change"], "low": change.get("low"),
            "high": change.get("high"), "p": change.get("pValue")}

    def springbench_apart(self):
        """Measurements one after the other: two runs, and a run beside a saved baseline of five."""
        results = f"{self.folder}/springbench"
        shutil.rmtree(results, ignore_errors=True)
        base = [self.springbench_run(BASE, f"{results}/base-{number}") for number in range(BASELINE_MEASUREMENTS)]
        candidate = self.springbench_run(self.variant, f"{results}/candidate")
        program = self.builds.program(BASE, SPRINGBENCH)
        rows = json.loads(run([program, "compare", base[-1], candidate, "--json"], statuses=(0, 2)))
        place = ["--machine", "verdicts"]
        for document in base:
            run([program, "baseline", "save", "base", "--add", "--run", document, "--results", results] + place)
        gate = [program, "gate", "--run", candidate, "--baseline", "base", "--output", results] + place
        status = subprocess.run(gate, cwd=results, stdout=subprocess.PIPE, stderr=subprocess.PIPE).returncode
        return ({"verdict": rules.springbench_rows(rows)}, {"verdict": rules.springbench_status(status)})

    def springbench_run(self, variant, folder):
        """Path of the document."""
        program = self.builds.program(variant, RELEASE)
        run([self.builds.program(BASE, SPRINGBENCH), "run", "--program", program, "--filter", f"^{self.kernel}/",
             "--machine", "verdicts", "--output", folder])
        return glob.glob(f"{folder}/verdicts/2*/run.json")[0]

    def package_benchmark(self):
        """`swift package benchmark baseline update base`, then `… candidate`, then `… check base candidate`.

        The plugin's tool is run by itself: the plugin would build first, and it hides the exit status.
        """
        for name, program in zip(("base", "candidate"), self.programs(BENCHMARK)):
            self.benchmark_tool(
                "update", "--baseline", name, "--format", "text", "--filter", self.kernel,
                "--benchmark-executable-paths", program)
        status = self.benchmark_tool(
            "check", "--baseline", "base", "--baseline", "candidate", "--format", "text", statuses=(0, 2, 4))[0]
        base, candidate = (self.percentiles(name) for name in ("base", "candidate"))
        return {
            "verdict": rules.package_benchmark_status(status), "ratio": candidate["p50"] / base["p50"],
            "base": base, "candidate": candidate}

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
        """Nanoseconds a call, of a stored baseline."""
        text = self.benchmark_tool(
            "read", "--baseline", name, "--format", "histogramPercentiles", "--path", "stdout")[1]
        lines = [line.split() for line in text.split("\n")[1:] if line.strip()]
        values = {line[0]: float(line[1]) for line in lines}
        return {f"p{place}": values[str(place)] for place in (25, 50, 75)}

    def hyperfine(self):
        calls = str(self.calls(COMMAND_SECONDS))
        command_seconds = int(calls) * self.call_seconds + START_SECONDS
        # At least ten, as it would do by itself.
        runs = max(10, round(self.seconds / 2 / command_seconds) - HYPERFINE_WARMUPS)
        path = f"{self.folder}/hyperfine.json"
        run(["hyperfine", "--shell=none", "--warmup", str(HYPERFINE_WARMUPS), "--runs", str(runs), "--style", "none",
             "--export-json", path] + [f"{program} {self.kernel} {calls}" for program in self.programs(PLAIN)])
        with open(path) as stream:
            base, candidate = (result["times"] for result in json.load(stream)["results"])
        ratio = statistics.fmean(candidate) / statistics.fmean(base)
        p_value = rules.welch(base, candidate)
        return {"verdict": rules.significant(p_value, ratio), "ratio": ratio, "p": p_value, "runs": runs}

    def pyperf(self):
        seconds = self.seconds / 2 / PYPERF_PROCESSES
        value_seconds = max(1e-3, (seconds - START_SECONDS) / (PYPERF_VALUES + 1))
        paths = []
        means = []
        for name, program in zip(("base", "candidate"), self.programs(PLAIN)):
            runs = []
            for _ in range(PYPERF_PROCESSES):
                values = [value / 1e9 for value in self.values(program, PYPERF_VALUES + 1, value_seconds)]
                runs.append(pyperf.Run(
                    values[1:], warmups=[(1, values[0])], metadata={"name": self.kernel}, collect_metadata=False))
            path = f"{self.folder}/pyperf-{name}.json"
            benchmark = pyperf.Benchmark(runs)
            benchmark.dump(path, replace=True)
            means.append(benchmark.mean())
            paths.append(path)
        text = run([os.sys.executable, "-m", "pyperf", "compare_to", *paths])
        return {"verdict": rules.pyperf_text(text), "ratio": means[1] / means[0]}

    def two_runs(self):
        """Ten values of each build: what benchstat and github-action-benchmark judge, each in its own way."""
        seconds = self.seconds / 2 / BENCHSTAT_VALUES
        base, candidate = (
            self.values(program, BENCHSTAT_VALUES, seconds) for program in self.programs(PLAIN))
        p_value = rules.mann_whitney(base, candidate)
        ratio = statistics.median(candidate) / statistics.median(base)
        mean_ratio = statistics.fmean(candidate) / statistics.fmean(base)
        return (
            {"verdict": rules.significant(p_value, ratio), "ratio": ratio, "p": p_value},
            {"verdict": rules.alert(mean_ratio, 1.1), "ratio": mean_ratio})

    def all(self):
        """Of every tool what it says, with the seconds that it took."""
        verdicts = {}
        for name, measure in (
            ("springbench 1%", lambda: self.springbench("1%")), ("springbench 0.3%", lambda: self.springbench("0.3%")),
            ("package-benchmark", self.package_benchmark), ("hyperfine", self.hyperfine), ("pyperf", self.pyperf),
        ):
            start = time.monotonic()
            verdicts[name] = measure()
            verdicts[name]["seconds"] = time.monotonic() - start
        for names, measure in (
            (("benchstat", "github-action-benchmark"), self.two_runs),
            (("springbench two runs", "springbench baseline"), self.springbench_apart),
        ):
            start = time.monotonic()
            for name, verdict in zip(names, measure()):
                verdicts[name] = {**verdict, "seconds": time.monotonic() - start}
        return verdicts

