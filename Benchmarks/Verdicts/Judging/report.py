"""docs/verdicts.md, from what was measured: no figure of it is typed by hand."""

import collections
import statistics

import rules
from text import BEFORE, CLAIM, EDITS, LIMITS, METHOD, SETTINGS, WORDS
from variants import (
    BASE, CELLS, EDITED, KERNELS, LINK, NO_OPS, SAME, SLOWDOWNS, UNCHANGED, all_variants, slow_cell)

OURS = ("springbench 1%", "springbench 0.3%")
OTHERS = ("package-benchmark", "hyperfine", "pyperf", "benchstat", "github-action-benchmark")
TOOLS = OURS + ("springbench two runs", "springbench baseline") + OTHERS
NAMES = {
    "springbench two runs": "springbench compare RUN RUN",
    "springbench baseline": "springbench gate, saved baseline of 5",
    "springbench 1%": "springbench compare", "springbench 0.3%": "springbench compare --tolerance 0.3%",
    "hyperfine": "hyperfine, Welch's test", "pyperf": "pyperf compare_to", "benchstat": "benchstat's U test",
    "github-action-benchmark": "github-action-benchmark, 110%"}
CONDITIONS = {"idle": "On an idle machine", "busy": "Beside 4 busy processes"}


def name_of(tool):
    return NAMES.get(tool, tool)


class Count:
    """So many of so many trials."""

    def __init__(self, hits, count):
        self.hits, self.count = hits, count

    @property
    def share(self):
        return self.hits / self.count if self.count else 0.0

    def __str__(self):
        if self.count == 0:
            return "–"
        low, high = rules.wilson(self.hits, self.count)
        return f"{self.hits}/{self.count} ({100 * low:.0f}–{100 * high:.0f}%)"


def table(header, rows, left=1):
    """A table of markdown; all but the first columns are set to the right."""
    lines = ["| " + " | ".join(header) + " |"]
    lines.append("| " + " | ".join("---" if place < left else "---:" for place in range(len(header))) + " |")
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


class Tally:
    """What the tools said, by some other rule where `verdict` is given: (tool's figures) → verdict."""

    def __init__(self, trials, tool, verdict=lambda figures: figures["verdict"]):
        self.verdicts = [(trial, verdict(trial["tools"][tool])) for trial in trials if tool in trial["tools"]]

    def count(self, cells, said, condition=None):
        chosen = [
            verdict for trial, verdict in self.verdicts
            if trial["cell"] in cells and condition in (None, trial["condition"])]
        return Count(sum(verdict in said for verdict in chosen), len(chosen))

    def false_alarms(self, cells=NO_OPS, condition=None):
        return self.count(cells, (rules.SLOWER, rules.FASTER), condition)

    def by_luck(self):
        """How many slow-downs it would have found by calling as many slower as where nothing had changed."""
        return self.count(NO_OPS, (rules.SLOWER,)).share * self.found_any().count

    def found(self, slowdown, condition=None):
        return self.found_any((slowdown,), condition)

    def found_any(self, slowdowns=SLOWDOWNS, condition=None):
        return self.count([slow_cell(slowdown) for slowdown in slowdowns], (rules.SLOWER,), condition)


def measured_tools(trials):
    """An earlier study may lack some."""
    return [tool for tool in TOOLS if any(tool in trial["tools"] for trial in trials)]


def main_table(trials, condition=None):
    """Of all trials, unless a condition is named."""
    rows = []
    for tool in measured_tools(trials):
        tally = Tally(trials, tool)
        seconds = [
            trial["tools"][tool]["seconds"] for trial in trials
            if tool in trial["tools"] and condition in (None, trial["condition"])]
        rows.append(
            [name_of(tool), f"**{tally.false_alarms(condition=condition)}**"]
            + [str(tally.found(slowdown, condition)) for slowdown in SLOWDOWNS]
            + [f"{statistics.median(seconds):.1f}" if seconds else "–"])
    header = ["judge", "false alarms"] + [f"found: +{slowdown:g}%" for slowdown in SLOWDOWNS] + ["seconds"]
    return table(header, rows)


def measured_cells(trials):
    """An earlier study may lack some."""
    return [cell for cell in CELLS if any(trial["cell"] == cell for trial in trials)]


def false_alarm_table(trials):
    kinds = {
        SAME: "same commit twice", LINK: "linked in another order", UNCHANGED: "nothing that runs changed",
        EDITED: "hot functions edited, nothing that runs"}
    kinds = {kind: text for kind, text in kinds.items() if kind in measured_cells(trials)}
    header = ["judge"] + [f"{text}, {condition}" for text in kinds.values() for condition in CONDITIONS]
    rows = [
        [name_of(tool)] + [
            Tally(trials, tool).false_alarms((kind,), condition) for kind in kinds for condition in CONDITIONS]
        for tool in measured_tools(trials)]
    return table(header, rows)


def shortfall(mine, theirs):
    """The slow-downs of which another judge found more."""
    return [
        f"of +{size:g}% {mine.found(size).hits}, not {theirs.found(size).hits}" for size in SLOWDOWNS
        if mine.found(size).share < theirs.found(size).share]


def claim(mine, theirs):
    """A tenth of the false alarms, and no slow-down found less often."""
    own, alarms = mine.false_alarms(), theirs.false_alarms()
    reasons = []
    if alarms.hits == 0 and own.hits == 0:
        reasons.append("neither raised a false alarm")
    elif 10 * own.share > alarms.share:
        reasons.append(f"{own.hits} false alarms")
    reasons += shortfall(mine, theirs)
    return "not held: " + "; ".join(reasons) if reasons else "held"


def claims(trials):
    """Springbench held against every other judge."""
    rows = []
    for other in OTHERS:
        theirs = Tally(trials, other)
        rows.append(
            [name_of(other), theirs.false_alarms(), theirs.found_any(), f"{theirs.by_luck():.0f}"]
            + [claim(Tally(trials, ours), theirs) for ours in OURS])
    header = ["against", "its false alarms", "it found", "by luck"] + [name_of(ours) for ours in OURS]
    return table(header, rows)


def extremes(counts):
    """`between 3 (pyperf compare_to) and 30 (benchstat's U test)`"""
    few, many = (choose(counts, key=lambda tool: counts[tool].share) for choose in (min, max))
    return f"between {counts[few].hits} ({name_of(few)}) and {counts[many].hits} ({name_of(many)})"


def headline(trials):
    """Who was wrong how often, and who found how much, in three sentences."""
    tallies = {tool: Tally(trials, tool) for tool in TOOLS}
    large = [size for size in SLOWDOWNS if size > 1]
    small = [size for size in SLOWDOWNS if size <= 1]
    first, finer = (tallies[tool] for tool in OURS)
    alarms = {tool: tallies[tool].false_alarms() for tool in OTHERS}
    found = {tool: tallies[tool].found_any(large) for tool in OTHERS}
    return (
        f"**Of {first.false_alarms().count} pairs in which nothing that runs had changed, springbench called "
        f"{first.false_alarms().hits} changed; the others {extremes(alarms)}. Of "
        f"{first.found_any(large).count} slow-downs by 2, 5 and 10% it found {first.found_any(large).hits}; the "
        f"others {extremes(found)}. At a tolerance of 0.3% it called {finer.false_alarms().hits} of the "
        f"{finer.false_alarms().count} changed, and found {finer.found_any(small).hits} of "
        f"{finer.found_any(small).count} slow-downs by 0.5 and 1%.**")


def other_settings(trials):
    """The same measurements, judged by other settings of the same tools."""
    def least(fraction):
        return lambda figures: (
            figures["verdict"] if max(figures["ratio"], 1 / figures["ratio"]) - 1 >= fraction else rules.SAME)

    def beyond(percent_, names):
        return lambda figures: rules.thresholds(figures["base"], figures["candidate"], percent_, names)

    settings = []
    for value in (1, 2, 5):
        settings.append((f"package-benchmark, `relative: [.p50: {value}]`", "package-benchmark",
                         beyond(value, ("p50",))))
    settings.append(("hyperfine, Welch's test at p < 0.001", "hyperfine",
                     lambda figures: rules.significant(figures["p"], figures["ratio"], alpha=0.001)))
    for value in (1, 2, 5):
        settings.append((f"pyperf compare_to --min-speed {value}", "pyperf", least(value / 100)))
    settings.append(("benchstat -alpha 0.001", "benchstat",
                     lambda figures: rules.significant(figures["p"], figures["ratio"], alpha=0.001)))
    for value in (102, 105, 200):
        settings.append((f"github-action-benchmark, {value}%", "github-action-benchmark",
                         lambda figures, value=value: rules.alert(figures["ratio"], value / 100)))
    rows = []
    for label, tool, verdict in settings:
        tally = Tally(trials, tool, verdict)
        rows.append([label, tally.false_alarms(condition="idle"), tally.false_alarms(condition="busy")]
                    + [tally.found(size) for size in SLOWDOWNS])
    header = ["judge", "false alarms, idle", "busy"] + [f"found: +{size:g}%" for size in SLOWDOWNS]
    return table(header, rows)


def slowdown_table(slowdowns):
    rows = []
    for size in SLOWDOWNS:
        figures = slowdowns[slow_cell(size)]
        row = [f"+{size:g}%"]
        for kernel in KERNELS:
            instructions = figures[kernel]["instructions"] / slowdowns[BASE][kernel]["instructions"] - 1
            row += [f"+{100 * instructions:.2f}%", f"{100 * (figures[kernel]['time'] - 1):+.2f}%"]
        rows.append(row)
    header = ["planted"] + [text for kernel in KERNELS for text in (f"`{kernel}`: instructions", "time")]
    return table(header, rows)


def no_op_difference(slowdowns):
    """The largest share by which a variant that changes nothing differs in instructions."""
    return max(
        abs(figures[kernel]["instructions"] / slowdowns[BASE][kernel]["instructions"] - 1)
        for variant, figures in slowdowns.items() if not variant.startswith("slow-") for kernel in KERNELS)


def excerpt(trials):
    """What README.md repeats of the page."""
    return f"{headline(trials)}\n\n{main_table(trials)}"


def page(setting, trials, slowdowns):
    if not trials:
        raise SystemExit("verdicts: nothing has been measured yet")
    days = sorted({trial["time"][:10] for trial in trials})
    numbers = collections.Counter((trial["condition"], trial["cell"]) for trial in trials)
    least, most = (
        choose(numbers[condition, cell] for condition in CONDITIONS for cell in measured_cells(trials))
        for choose in (min, max))
    no_ops = sum(trial["cell"] in NO_OPS for trial in trials)
    values = dict(
        machine=setting["machine"], tools=setting["tools"], seconds=f"{setting['seconds']:g}",
        days=days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}", trials=len(trials), no_ops=no_ops,
        each=f"{least}" if least == most else f"{least} to {most}", commit=setting["commit"],
        links=sum(one.cell == LINK for one in all_variants()),
        unchanged=sum(one.cell == UNCHANGED for one in all_variants()),
        edits=EDITS.format(count=sum(one.cell == EDITED for one in all_variants()))
        if EDITED in measured_cells(trials) else "",
        instructions=", ".join(
            f"`{kernel}` {slowdowns[BASE][kernel]['instructions']:,.0f}" for kernel in KERNELS),
        calls=", ".join(f"`{kernel}` {setting['calls'][kernel]}" for kernel in KERNELS),
        difference=f"{100 * no_op_difference(slowdowns):.3f}%")
    blocks = [BEFORE.format(excerpt=excerpt(trials), **values), "## The verdicts"]
    for condition, title in CONDITIONS.items():
        blocks += [f"### {title}", main_table(trials, condition)]
    blocks += [
        WORDS, CLAIM, claims(trials), "## Where the false alarms are", false_alarm_table(trials),
        METHOD.format(**values), slowdown_table(slowdowns), SETTINGS.format(**values),
        "## Other settings, judged by the same measurements", other_settings(trials), LIMITS]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"
