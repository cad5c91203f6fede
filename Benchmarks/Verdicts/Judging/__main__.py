"""The commands of scripts/verdicts, which runs this in the repository's top folder."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from builds import Failure, prepared, run, say
from kinds import KINDS, WORKLOADS, named
from report import excerpt, page
from study import IDLE, Study, Trials
from truths import words

RESULTS = "results/verdicts"
PAGE = "docs/verdicts.md"
README = "README.md"
MARKS = ("<!-- verdicts: begin -->", "<!-- verdicts: end -->")
QUICK_KINDS = ("planted-10", "slow-diff", "closure", "comment")


def options():
    parser = argparse.ArgumentParser(
        prog="make verdicts", description="Has the same pairs of builds judged by springbench and by other tools.")
    parser.add_argument("--minutes", type=float, default=120, help="of measuring, on top of earlier trials (120)")
    parser.add_argument("--rounds", type=int, help="end after so many; a round has every kind once: over an hour")
    parser.add_argument("--seconds", type=float, default=5, help="that each judge has for a pair (5)")
    parser.add_argument("--trials", default=f"{RESULTS}/corpus.jsonl", help="file that trials are added to")
    parser.add_argument("--output", default=PAGE, help=f"page to write ({PAGE})")
    parser.add_argument("--seed", type=int, help="of the order of trials")
    parser.add_argument("--build", action="store_true", help="only build, and say what each kind really changes")
    parser.add_argument("--kinds", metavar="NAME,NAME", help="only these, as Judging/kinds.py names them")
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


def setting(sources, builds, seconds):
    return {
        "sources": sources, "seconds": seconds, "machine": machine(), "tools": versions(builds), "commit": commit()}


def write_whole(path, text):
    """Writes the file completely or not at all."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(f"{path}.new", "w") as stream:
        stream.write(text)
    os.replace(f"{path}.new", path)


def write_excerpt(trials):
    """Writes the main table and its headline into README.md, between two marks."""
    with open(README) as stream:
        before, _, rest = stream.read().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    write_whole(README, f"{before}{MARKS[0]}\n{excerpt(trials)}\n{MARKS[1]}{after}")


def write_report(chosen):
    trials = Trials(chosen.trials)
    if not trials.trials:
        sys.exit(f"verdicts: {chosen.trials} has no trials; measure some first")
    write_whole(chosen.output, page(trials))
    if chosen.output == PAGE:
        write_excerpt(trials)
    say(f"wrote {chosen.output}, of {len(trials.trials)} trials")


def chosen_kinds(chosen, names=None):
    names = chosen.kinds.split(",") if chosen.kinds else names
    unknown = set(names or ()) - {kind.name for kind in KINDS}
    if unknown:
        sys.exit(f"verdicts: --kinds {', '.join(sorted(unknown))}: no such kind; Judging/kinds.py lists them")
    return [kind for kind in KINDS if names is None or kind.name in names]


def look(chosen):
    """Builds all kinds, and prints what each of them really changes."""
    kinds = chosen_kinds(chosen)
    builds, _ = prepared()
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(f"{folder}/trials.jsonl")
        looking = Study(builds, trials, chosen.seconds)
        for kind in kinds:
            for workload in kind.workloads:
                looking.prepare(kind, workload)
                figures = trials.truths[kind.name, workload]
                note = "" if figures["holds"] else ": NOT COUNTED, this is no change of its kind"
                print(f"{kind.name}, {WORKLOADS[workload]}: {words(kind, figures)}{note}", flush=True)


def study(chosen):
    kinds = chosen_kinds(chosen)
    builds, sources = prepared()
    trials = Trials(chosen.trials)
    trials.begin(setting(sources, builds, chosen.seconds))
    Study(builds, trials, chosen.seconds, kinds=kinds, seed=chosen.seed).run(chosen.minutes, chosen.rounds)
    write_report(chosen)


def quick(chosen):
    """Judges one workload of a few kinds, to see whether everything works."""
    kinds = [kind._replace(workloads=kind.workloads[:1]) for kind in chosen_kinds(chosen, QUICK_KINDS)]
    builds, sources = prepared()
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(f"{folder}/trials.jsonl")
        trials.begin(setting(sources, builds, chosen.seconds))
        Study(builds, trials, chosen.seconds, conditions={IDLE: 0}, kinds=kinds, seed=chosen.seed).run(
            chosen.minutes, rounds=1)
        for trial in trials.trials:
            said = ", ".join(f"{tool} {figures['verdict']}" for tool, figures in trial["tools"].items())
            truth = words(named(trial["kind"]), trials.truths[trial["kind"], trial["workload"]])
            print(f"{' → '.join(trial['pair'])}, {trial['workload']} ({truth}): {said}")


def main():
    chosen = options()
    if chosen.self_test:
        suite = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
        sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
    if chosen.report:
        write_report(chosen)
    elif chosen.quick:
        quick(chosen)
    elif chosen.build:
        look(chosen)
    else:
        study(chosen)


try:
    main()
except KeyboardInterrupt:
    sys.exit("verdicts: stopped; what was measured is kept, and the next run goes on from there")
except (Failure, ValueError) as failure:
    sys.exit(f"verdicts: {failure}")
