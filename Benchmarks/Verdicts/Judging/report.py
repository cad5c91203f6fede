"""Makes docs/verdicts.md from the trials. No figure on this page is typed by hand."""

import statistics

import rules
import truths
from kinds import (
    CODE, ELSEWHERE, GROUPS, KINDS, MEMORY, NO_OP, PLACED, PLANTED, WORKLOADS, named)
from text import BEFORE, CLAIM, COMMANDS, LIMITS, METHOD, MISSED, PLACES, SETTINGS, TRUTHS, WORDS

OURS = "springbench"
OTHERS = (
    "package-benchmark", "package-benchmark all metrics", "hyperfine", "pyperf", "benchstat",
    "github-action-benchmark")
TOOLS = (OURS,) + OTHERS
NAMES = {
    OURS: "springbench compare", "package-benchmark all metrics": "package-benchmark, all its metrics",
    "hyperfine": "hyperfine, Welch's test", "pyperf": "pyperf compare_to", "benchstat": "benchstat's U test",
    "github-action-benchmark": "github-action-benchmark, 110%"}
BAD = (PLANTED, PLACED, CODE, MEMORY, ELSEWHERE)
RIGHT_FRAMES = 0.7  # of Jaccard's index
CONDITIONS = {"idle": "on an idle machine", "busy": "beside 4 busy processes"}


def name_of(tool):
    return NAMES.get(tool, tool)


class Count:
    """The number of trials with some property, and the number of all trials."""

    def __init__(self, hits, count):
        self.hits, self.count = hits, count

    @property
    def share(self):
        return self.hits / self.count if self.count else 0.0

    @property
    def short(self):
        return f"{self.hits}/{self.count}" if self.count else "–"

    def __str__(self):
        if self.count == 0:
            return "–"
        low, high = rules.wilson(self.hits, self.count)
        return f"{self.hits}/{self.count} ({100 * low:.0f}–{100 * high:.0f}%)"


def table(header, rows, left=1):
    """Returns a table of markdown. The first `left` columns are aligned to the left, all others to the right."""
    lines = ["| " + " | ".join(header) + " |"]
    lines.append("| " + " | ".join("---" if place < left else "---:" for place in range(len(header))) + " |")
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


class Tally:
    """Counts what the tools said in the trials that count. Trials whose edit the compiler undid do not count."""

    def __init__(self, trials):
        self.all = trials
        self.counted = [trial for trial in trials.trials if trials.holds(trial["kind"], trial["workload"])]

    def chosen(self, kinds=None, groups=None, workload=None, condition=None):
        return [
            trial for trial in self.counted
            if (kinds is None or trial["kind"] in kinds) and (groups is None or named(trial["kind"]).group in groups)
            and workload in (None, trial["workload"]) and condition in (None, trial["condition"])]

    def count(self, tool, said, **which):
        chosen = [trial for trial in self.chosen(**which) if tool in trial["tools"]]
        return Count(sum(trial["tools"][tool]["verdict"] in said for trial in chosen), len(chosen))

    def false_alarms(self, tool, **which):
        return self.count(tool, (rules.SLOWER, rules.FASTER), groups=(NO_OP,), **which)

    def found(self, tool, groups=BAD, **which):
        return self.count(tool, (rules.SLOWER,), groups=groups, **which)

    def by_luck(self, tool):
        """Returns how many changes the tool would have found by chance, at its rate of false alarms."""
        return self.count(tool, (rules.SLOWER,), groups=(NO_OP,)).share * self.found(tool).count

    def right_frames(self, **which):
        """Counts how often springbench named the right frames, among the changes of some frames that it found."""
        placed = [
            trial for trial in self.chosen(**which)
            if named(trial["kind"]).has_place and trial["tools"][OURS]["verdict"] == rules.SLOWER]
        right = sum(
            rules.jaccard(trial["tools"][OURS]["frames"], named(trial["kind"]).touched()) >= RIGHT_FRAMES
            for trial in placed)
        return Count(right, len(placed))


def main_table(tally, condition=None):
    rows = []
    for tool in TOOLS:
        seconds = [trial["tools"][tool]["seconds"] for trial in tally.chosen(condition=condition)]
        rows.append(
            [name_of(tool), f"**{tally.false_alarms(tool, condition=condition)}**"]
            + [tally.found(tool, (group,), condition=condition) for group in BAD]
            + [f"{statistics.median(seconds):.1f}" if seconds else "–"])
    header = ["judge", "false alarms"] + [f"found: {GROUPS[group]}" for group in BAD] + ["seconds"]
    return table(header, rows)


def extremes(counts):
    """Returns the fewest and the most, such as `between 3 (pyperf compare_to) and 30 (benchstat's U test)`."""
    few, many = (choose(counts, key=lambda tool: counts[tool].share) for choose in (min, max))
    return f"between {counts[few].hits} ({name_of(few)}) and {counts[many].hits} ({name_of(many)})"


def headline(tally):
    """Says in three sentences how often the tools were wrong, and how many changes they found."""
    alarms = {tool: tally.false_alarms(tool) for tool in OTHERS}
    found = {tool: tally.found(tool) for tool in OTHERS}
    ours, right = tally.found(OURS), tally.right_frames()
    kinds = {trial["kind"] for trial in tally.chosen(groups=BAD)}
    return (
        f"**In {tally.false_alarms(OURS).count} pairs of builds, nothing that runs had changed: springbench raised "
        f"{tally.false_alarms(OURS).hits} false alarms, and the other tools raised {extremes(alarms)} each. In {ours.count} pairs, the "
        f"newer build was worse, by {len(kinds)} kinds of changes: springbench found {ours.hits} of these changes, and the other "
        f"tools found {extremes(found)} each. {right.count} of the changes that springbench found affect only some frames: for "
        f"{right.hits} of these, it named the right frames.**")


def measured_workloads(trials, kind):
    """Returns the workloads of a kind that have been measured, in the order in which the kind lists them."""
    return [workload for workload in kind.workloads if (kind.name, workload) in trials.truths]


def kind_table(tally, group):
    """Returns a table with a row for each kind. A cell has one count for each length of a frame, in their order."""
    rows = []
    for kind in KINDS:
        workloads = measured_workloads(tally.all, kind) if kind.group == group else []
        if not workloads:
            continue
        def cells(count):
            return " · ".join(count(workload).short for workload in workloads)
        hits = tally.false_alarms if kind.is_no_op else tally.found
        row = [f"`{kind.name}`: {kind.summary}", " · ".join(WORKLOADS[workload] for workload in workloads)]
        row += [cells(lambda workload: hits(tool, kinds=(kind.name,), workload=workload)) for tool in TOOLS]
        if group != NO_OP:
            row.append(cells(lambda workload: tally.right_frames(kinds=(kind.name,), workload=workload))
                       if kind.has_place else "")
        rows.append(row)
    header = ["kind", "a frame takes"] + [name_of(tool) for tool in TOOLS]
    return table(header + (["right frames"] if group != NO_OP else []), rows)


def truth_table(trials):
    rows = []
    for kind in KINDS:
        for workload in measured_workloads(trials, kind):
            figures = trials.truths[kind.name, workload]
            frames = "" if kind.is_no_op else "all" if kind.frames is None else f"{len(kind.touched())}"
            note = "" if figures["holds"] else "not counted"
            rows.append([f"`{kind.name}`", WORKLOADS[workload], frames, truths.words(kind, figures), note])
    return table(["kind", "a frame takes", "frames it touches", "what it changes", ""], rows)


def missed_list(tally):
    """Lists what springbench missed, and why, where that is known."""
    lines = []
    for kind in KINDS:
        places = [
            f"missed in {count.count - count.hits} of {count.count} comparisons with frames of {WORKLOADS[workload]}"
            for workload in kind.workloads
            for count in [tally.found(OURS, kinds=(kind.name,), workload=workload)] if count.hits < count.count]
        if places:
            why = f" {kind.missed}" if kind.missed else ""
            lines.append(f"- `{kind.name}` ({kind.summary}): {', '.join(places)}.{why}")
    return "\n".join(lines) or "Nothing."


def claim(tally, other):
    """Says whether springbench raised at most a tenth of the false alarms, and found no group of changes less often."""
    own, alarms = tally.false_alarms(OURS), tally.false_alarms(other)
    reasons = []
    if alarms.hits == 0 and own.hits == 0:
        reasons.append("neither raised a false alarm")
    elif 10 * own.share > alarms.share:
        reasons.append(f"{own.hits} false alarms")
    for group in BAD:
        mine, theirs = tally.found(OURS, (group,)), tally.found(other, (group,))
        if mine.share < theirs.share:
            reasons.append(f"of {GROUPS[group]} {mine.hits}, not {theirs.hits}")
    return "not held: " + "; ".join(reasons) if reasons else "held"


def claims(tally):
    """Returns a table that compares springbench with every other judge."""
    rows = [
        [name_of(other), tally.false_alarms(other), tally.found(other), f"{tally.by_luck(other):.0f}",
         claim(tally, other)]
        for other in OTHERS]
    return table(["against", "its false alarms", "it found", "by chance", name_of(OURS)], rows)


def excerpt(trials):
    """Returns the part of the page that README.md repeats."""
    tally = Tally(trials)
    return f"{headline(tally)}\n\n{main_table(tally)}"


def page(trials):
    tally = Tally(trials)
    days = sorted({trial["time"][:10] for trial in trials.trials})
    left_out = len(trials.trials) - len(tally.counted)
    values = dict(
        machine=trials.setting["machine"], tools=trials.setting["tools"], seconds=f"{trials.setting['seconds']:g}",
        days=days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}", trials=len(tally.counted),
        commit=trials.setting["commit"], lengths="; ".join(WORKLOADS.values()),
        left_out=f" {left_out} more pairs are not counted, because their commits changed too little."
        if left_out else "")
    blocks = [BEFORE.format(excerpt=excerpt(trials), **values), WORDS, COMMANDS]
    for group in BAD + (NO_OP,):
        title = GROUPS[group]
        blocks += [f"## {title[0].upper()}{title[1:]}", kind_table(tally, group)]
        if group == PLACED:
            blocks.append(PLACES)
    blocks += [MISSED, missed_list(tally), CLAIM, claims(tally)]
    if all(tally.chosen(condition=condition) for condition in CONDITIONS):
        for condition, title in CONDITIONS.items():
            blocks += [f"## The same, {title}", main_table(tally, condition)]
    blocks += [
        METHOD.format(**values), TRUTHS, truth_table(trials), SETTINGS.format(**values), LIMITS]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"
