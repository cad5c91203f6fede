"""What the variants really cost: instructions of a call, exactly, and time, in many short turns."""

import os
import re
import shutil
import statistics

from builds import PLAIN, run, say
from variants import BASE, KERNELS, all_variants

TURNS = 60
TURN_SECONDS = 0.01


def instructions(program, kernel):
    """Of one call, under valgrind."""
    def total(calls):
        arguments = [
            "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, kernel, str(calls)]
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
        said = run(["sh", "-c", '"$0" "$@" 2>&1', *arguments], env=environment)
        return int(re.search(r"Collected : (\d+)", said)[1])
    return (total(300) - total(100)) / 200


def undebugged(builds, variant):
    """Some versions of valgrind cannot read this compiler's debug information."""
    copy = f"{builds.top}/measuring/{PLAIN}-{variant}"
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    shutil.copy(builds.program(variant, PLAIN), copy)
    run(["strip", "--strip-debug", copy])
    return copy


def time_ratio(builds, variant, kernel):
    programs = [builds.program(name, PLAIN) for name in (BASE, variant)]
    first = float(run([programs[0], kernel, "1000", "1"]))
    calls = str(max(1, round(TURN_SECONDS * 1e9 / first)))
    ratios = []
    for turn in range(TURNS):
        order = (0, 1) if turn % 2 else (1, 0)
        times = {side: min(map(float, run([programs[side], kernel, calls, "3"]).split())) for side in order}
        ratios.append(times[1] / times[0])
    return statistics.median(ratios)


def measure(builds, variants, kernels=KERNELS):
    """By variant and kernel: instructions of a call and, of what is slower, the ratio of times."""
    answer = {}
    for variant in [BASE] + [one for one in all_variants() if one.name in variants]:
        name = getattr(variant, "name", variant)
        say(f"counting the instructions of {name}")
        program = undebugged(builds, name)
        answer[name] = {}
        for kernel in kernels:
            figures = {"instructions": instructions(program, kernel)}
            if name.startswith("slow-"):
                figures["time"] = time_ratio(builds, name, kernel)
            answer[name][kernel] = figures
        os.remove(program)
    return answer
