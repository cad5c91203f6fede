"""What the kinds really change, so that one which the compiler undid is reported and not counted.

Times are those of a loop of our own over the frames, in turns of both programs. Allocations, bytes and what is left
on the heap are valgrind's, and so are the instructions of what changes nothing.
"""

import os
import re
import shutil
import statistics

from builds import PLAIN, Failure, run, say
from kinds import BASE, FRAMES, LEAST

TURNS = 20
TURN_SECONDS = 0.05
MOST_SECONDS = 4  # of the turns of both programs
OTHERS = "time of other threads"
TIMES = ("set-up time", "tear-down time", OTHERS)  # as `verdicts-plain … look` prints them first
HEAP = ("allocations", "bytes", "bytes left", "bytes of set-up")


def undebugged(builds, revision):
    """Some versions of valgrind cannot read this compiler's debug information."""
    copy = f"{builds.top}/measuring/{PLAIN}-{revision}"
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    shutil.copy(builds.program(revision, PLAIN), copy)
    run(["strip", "--strip-debug", copy])
    return copy


def valgrind(builds, revision, tool, *what):
    program = undebugged(builds, revision)
    arguments = ["valgrind", *tool, program, *what]
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    said = run(["sh", "-c", '"$0" "$@" 2>&1', *arguments], env=environment)
    os.remove(program)
    return said


def instructions(builds, revision, workload):
    """Of one scroll: the first, since under valgrind one of long frames takes minutes."""
    def total(scrolls):
        said = valgrind(
            builds, revision, ["--tool=callgrind", "--callgrind-out-file=/dev/null"], workload, str(scrolls))
        return int(re.search(r"Collected : (\d+)", said)[1])
    return total(1) - total(0)


def heap(builds, revision, workload):
    """Of one scroll: allocations, their bytes, and how many are left; of set-up: the bytes that it holds."""
    def totals(scrolls):
        said = valgrind(builds, revision, ["--leak-check=no"], workload, "hold", str(scrolls)).replace(",", "")
        usage = re.search(r"total heap usage: (\d+) allocs \d+ frees (\d+) bytes", said)
        return int(usage[1]), int(usage[2]), int(re.search(r"in use at exit: (\d+) bytes", said)[1])
    none, one = totals(0), totals(1)
    return dict(zip(HEAP, [after - before for after, before in zip(one, none)] + [none[2]]))


def look(builds, revision, workload, scrolls):
    """Nanoseconds of set-up, tear-down and other threads, then of each frame."""
    said = run([builds.program(revision, PLAIN), workload, "look", str(scrolls)]).split()
    return list(map(float, said))


def times(builds, kind, workload):
    """Ratios of set-up, tear-down and the frames that the kind touches, less one; nanoseconds of other threads."""
    first = look(builds, BASE, workload, 1)
    scrolls = max(1, min(200, round(TURN_SECONDS * 1e9 / sum(first))))
    turns = max(2, min(TURNS, round(MOST_SECONDS * 1e9 / (2 * scrolls * sum(first)))))
    ratios = {name: [] for name in (*TIMES, "time")}
    frame = []
    for turn in range(turns):
        order = (BASE, kind.name) if turn % 2 else (kind.name, BASE)
        looks = {revision: look(builds, revision, workload, scrolls) for revision in order}
        base, changed = looks[BASE], looks[kind.name]
        for place, name in enumerate(TIMES):
            ratios[name].append(changed[place] - base[place] if name == OTHERS else changed[place] / base[place] - 1)
        ratios["time"].append(frame_ratio(kind, base[len(TIMES):], changed[len(TIMES):]) - 1)
        frame.append(statistics.fmean(base[len(TIMES):]))
    return {**{name: statistics.median(values) for name, values in ratios.items()}, "frame": statistics.median(frame)}


def frame_ratio(kind, base, changed):
    """Of the frames that the kind touches; beside the others, if there are any, so that luck of the code cancels."""
    touched = set(kind.touched())
    def ratio(frames):
        return sum(changed[frame] for frame in frames) / sum(base[frame] for frame in frames)
    others = [frame for frame in FRAMES if frame not in touched]
    return ratio(touched) / ratio(others) if others else ratio(touched)


def measure(builds, kind, workload):
    """What the kind changes there, by name; and whether that is what it is said to change."""
    say(f"looking whether {kind.name} is what it says, {workload}")
    base, changed = (run([builds.program(revision, PLAIN), workload, "2"]) for revision in (BASE, kind.name))
    if base != changed:
        raise Failure(f"{kind.name} shows something else than the base, {workload}; correct its edit")
    if kind.is_no_op:
        base, changed = (instructions(builds, revision, workload) for revision in (BASE, kind.name))
        return {"instructions": changed / base - 1, "holds": abs(changed / base - 1) < 0.001}
    figures = times(builds, kind, workload)
    if kind.truth == "instructions":
        base, changed = (instructions(builds, revision, workload) for revision in (BASE, kind.name))
        figures["instructions"] = changed / base - 1
    if kind.truth in HEAP:
        base, changed = (heap(builds, revision, workload) for revision in (BASE, kind.name))
        figures[kind.truth] = changed[kind.truth] - base[kind.truth]
    return {**figures, "holds": figures[kind.truth] >= LEAST[kind.truth]}


def words(kind, figures):
    """`+10.2%`, `+1,200 allocations`"""
    if kind.is_no_op:
        return f"{100 * figures['instructions']:+.3f}% instructions"
    value = figures[kind.truth]
    if kind.truth == "instructions":
        return f"{100 * value:+.2f}% instructions, {100 * figures['time']:+.1f}%"
    if kind.truth in ("time", "set-up time", "tear-down time"):
        of = {"time": "", "set-up time": " set-up", "tear-down time": " tear-down"}[kind.truth]
        return f"{100 * value:+.1f}%{of}"
    if kind.truth == OTHERS:
        return f"{value / 1e6:+.2f} ms on other threads"
    return f"{value:+,} {kind.truth}"
