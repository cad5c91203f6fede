"""Measures what the kinds really change. If the compiler undid an edit, this is reported, and the kind is not counted.

Times come from a separate loop over the frames, which runs both programs in turns. valgrind counts allocations, bytes,
leaks, and the instructions of kinds that change nothing.
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
    """Returns a copy without debug information, because some versions of valgrind cannot read this compiler's."""
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
    """Returns the instructions of the first scroll. More scrolls of long frames would take minutes under valgrind."""
    def total(scrolls):
        said = valgrind(
            builds, revision, ["--tool=callgrind", "--callgrind-out-file=/dev/null"], workload, str(scrolls))
        return int(re.search(r"Collected : (\d+)", said)[1])
    return total(1) - total(0)


def heap(builds, revision, workload):
    """Returns the allocations, bytes and bytes left of one scroll, and the bytes that the set-up holds."""
    def totals(scrolls):
        said = valgrind(builds, revision, ["--leak-check=no"], workload, "hold", str(scrolls)).replace(",", "")
        usage = re.search(r"total heap usage: (\d+) allocs \d+ frees (\d+) bytes", said)
        return int(usage[1]), int(usage[2]), int(re.search(r"in use at exit: (\d+) bytes", said)[1])
    none, one = totals(0), totals(1)
    return dict(zip(HEAP, [after - before for after, before in zip(one, none)] + [none[2]]))


def look(builds, revision, workload, scrolls):
    """Returns the nanoseconds of set-up, tear-down and other threads, and then of each frame."""
    said = run([builds.program(revision, PLAIN), workload, "look", str(scrolls)]).split()
    return list(map(float, said))


def times(builds, kind, workload):
    """Returns relative changes of set-up, tear-down and touched frames, and added ns of other threads."""
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
    """Returns changed ÷ base of the touched frames. Divides by that of the others to cancel code layout."""
    touched = set(kind.touched())
    def ratio(frames):
        return sum(changed[frame] for frame in frames) / sum(base[frame] for frame in frames)
    others = [frame for frame in FRAMES if frame not in touched]
    return ratio(touched) / ratio(others) if others else ratio(touched)


def measure(builds, kind, workload):
    """Returns what the kind changes in a workload, and whether that is what it should change."""
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
    """Returns the change in words, such as `+10.2%` or `+1,200 allocations`."""
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
