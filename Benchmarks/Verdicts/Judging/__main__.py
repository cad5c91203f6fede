"""Called by scripts/verdicts, in the repository's top folder."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import slowdowns
from builds import Failure, prepared, run, say
from report import excerpt, page
from study import Study, Trials
from variants import KERNELS, LINK, SAME, all_variants, slow_cell

RESULTS = "results/verdicts"
PAGE = "docs/verdicts.md"
README = "README.md"
MARKS = ("<!-- verdicts: begin -->", "<!-- verdicts: end -->")
QUICK_CELLS = (SAME, LINK, slow_cell(2), slow_cell(10))
QUICK_VARIANTS = {"link-1", slow_cell(2), slow_cell(10)}


def options():
    parser = argparse.ArgumentParser(
        prog="make verdicts", description="Has the same pairs of builds judged by springbench and by other tools.")
    parser.add_argument("--minutes", type=float, default=120, help="of measuring, on top of earlier trials (120)")
    parser.add_argument("--seconds", type=float, default=5, help="that each judge has for a pair (5)")
    parser.add_argument("--trials", default=f"{RESULTS}/trials.jsonl", help="file that trials are added to")
    parser.add_argument("--output", default=PAGE, help=f"page to write ({PAGE})")
    parser.add_argument("--seed", type=int, help="of the order of trials")
    parser.add_argument("--build", action="store_true", help="only build")
    parser.add_argument("--report", action="store_true", help="only write the page of earlier trials")
    parser.add_argument("--quick", action="store_true", help="a round of a few pairs; the page goes to stdout")
    parser.add_argument("--self-test", action="store_true", help="test the rules, and nothing else")
    return parser.parse_args()


def first_line(*arguments):
    end = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return end.stdout.strip().split("\n")[0]


def machine():
    with open("/proc/cpuinfo") as stream:
        model = re.search(r"model name\s*: (.*)", stream.read())
    system = first_line("sh", "-c", ". /etc/os-release && echo $PRETTY_NAME")
    return f"{model[1] if model else 'unknown processor'}, {os.cpu_count()} cores, {system}, Linux {os.uname().release}"


def versions(builds):
    import pyperf
    import scipy
    with open(f"{builds.package}/Package.resolved") as stream:
        pins = json.load(stream)["pins"]
    benchmark = next(pin["state"]["version"] for pin in pins if pin["identity"] == "benchmark")
    swift = re.search(r"Swift version (\S+)", first_line(os.environ.get("SWIFT", "swift"), "--version"))
    return (
        f"package-benchmark {benchmark}, {first_line('hyperfine', '--version')}, pyperf {pyperf.__version__}, "
        f"scipy {scipy.__version__}, Swift {swift[1] if swift else 'unknown'}")


def commit():
    changed = run(["git", "status", "--porcelain", "--", "Sources", "Package.swift"]).strip()
    return run(["git", "rev-parse", "--short", "HEAD"]).strip() + (" with changes" if changed else "")


def setting(builds, sources, seconds):
    calls = {}
    for kernel in KERNELS:
        nanoseconds = min(map(float, run([builds.program("base", "verdicts-plain"), kernel, "2000", "9"]).split()))
        calls[kernel] = f"{nanoseconds / 1000:.2g} µs"
    return {
        "sources": sources, "seconds": seconds, "machine": machine(), "tools": versions(builds), "commit": commit(),
        "calls": calls}


def write_whole(path, text):
    """The file, or nothing of it."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(f"{path}.new", "w") as stream:
        stream.write(text)
    os.replace(f"{path}.new", path)


def slowdown_path(trials):
    return os.path.join(os.path.dirname(trials), "slowdowns.json")


def write_excerpt(trials):
    """Between its marks in README.md."""
    with open(README) as stream:
        before, _, rest = stream.read().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    write_whole(README, f"{before}{MARKS[0]}\n{excerpt(trials)}\n{MARKS[1]}{after}")


def write_report(chosen):
    trials = Trials(chosen.trials)
    if not trials.trials:
        sys.exit(f"verdicts: {chosen.trials} has no trials; measure some first")
    with open(slowdown_path(chosen.trials)) as stream:
        write_whole(chosen.output, page(trials.setting, trials.trials, json.load(stream)["variants"]))
    if chosen.output == PAGE:
        write_excerpt(trials.trials)
    say(f"wrote {chosen.output}, of {len(trials.trials)} trials")


def has_slowdowns(path, sources):
    if not os.path.exists(path):
        return False
    with open(path) as stream:
        return json.load(stream)["sources"] == sources


def study(chosen):
    names = [one.name for one in all_variants()]
    builds, sources = prepared(names)
    if chosen.build:
        return
    trials = Trials(chosen.trials)
    trials.begin(setting(builds, sources, chosen.seconds))
    path = slowdown_path(chosen.trials)
    # A new study looks at its builds anew, since its machine may be another.
    if not trials.trials or not has_slowdowns(path, sources):
        figures = slowdowns.measure(builds, names)
        write_whole(path, json.dumps({"sources": sources, "variants": figures}, indent=1) + "\n")
    Study(builds, trials, chosen.seconds, seed=chosen.seed).run(chosen.minutes)
    write_report(chosen)


def quick(chosen):
    builds, sources = prepared(sorted(QUICK_VARIANTS))
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(f"{folder}/trials.jsonl")
        trials.begin(setting(builds, sources, chosen.seconds))
        Study(
            builds, trials, chosen.seconds, cells=QUICK_CELLS, kernels=("parse",), seed=chosen.seed,
            variants=QUICK_VARIANTS).run(chosen.minutes, rounds=1)
        for trial in trials.trials:
            said = ", ".join(f"{tool} {figures['verdict']}" for tool, figures in trial["tools"].items())
            print(f"{trial['condition']}, {trial['variant']}: {said}")


def main():
    chosen = options()
    if chosen.self_test:
        suite = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
        sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
    if chosen.report:
        write_report(chosen)
    elif chosen.quick:
        quick(chosen)
    else:
        study(chosen)


try:
    main()
except KeyboardInterrupt:
    sys.exit("verdicts: stopped; what was measured is kept, and the next run goes on from there")
except (Failure, ValueError) as failure:
    sys.exit(f"verdicts: {failure}")
