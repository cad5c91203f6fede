"""Called by scripts/change-point-rates: plants changes in made-up histories, and counts what nights report."""

import json
import math
import os
import random
import subprocess
import sys

NEAR = 10  # nights: a report at most this far from a planted change, in the same direction, counts as a report of it
NOISES = (0.005, 0.01, 0.02, 0.03)  # standard deviations, as fractions of the level
STEPS = (0.01, 0.02, 0.05, 0.10)
DRIFTS = (0.02, 0.05, 0.10)


def uncorrelated(draw):
    return lambda source, count: [draw(source) for _ in range(count)]


def student(source):
    chi = sum(source.gauss(0, 1) ** 2 for _ in range(3))
    return source.gauss(0, 1) / math.sqrt(chi / 3) / math.sqrt(3)


def autocorrelated(correlation):
    def draw(source, count):
        values = [source.gauss(0, 1)]
        while len(values) < count:
            values.append(correlation * values[-1] + math.sqrt(1 - correlation**2) * source.gauss(0, 1))
        return values
    return draw


# The noise of all kinds has a mean of 0 and a standard deviation of about 1.
LOGNORMAL_DEVIATION = math.sqrt((math.e - 1) * math.e)
KINDS = {
    "normal": uncorrelated(lambda s: s.gauss(0, 1)),
    "2% outliers of +5 to +50%": uncorrelated(lambda s: s.gauss(0, 1)),
    "lognormal": uncorrelated(lambda s: (math.exp(s.gauss(0, 1)) - math.exp(0.5)) / LOGNORMAL_DEVIATION),
    "Student's t, 3 degrees": uncorrelated(student),
    "bimodal, half and half": uncorrelated(lambda s: s.choice((-1, 1)) + 0.2 * s.gauss(0, 1)),
    "bimodal, 80 and 20%": uncorrelated(lambda s: (2 if s.random() < 0.2 else -0.5) + 0.2 * s.gauss(0, 1)),
    "AR(1), 0.3": autocorrelated(0.3),
    "AR(1), 0.5": autocorrelated(0.5),
    "AR(1), 0.7": autocorrelated(0.7),
}


def make(kind, change, noise, source):
    """Returns a series, and the first and last night of its change, which are None if there is no change."""
    count = source.randint(30, 400)
    errors = KINDS[kind](source, count)
    name, size = change
    start, end = place(name, count, source)
    values = []
    for night in range(count):
        level = 10_000.0
        if name == "step" and night >= start:
            level *= 1 + size
        elif name == "drift":
            level *= 1 + size * min(1, max(0, (night - start) / (end - start)))
        value = level * (1 + noise * errors[night])
        if "outliers" in kind and source.random() < 0.02:
            value *= 1 + source.uniform(0.05, 0.5)
        values.append(value)
    return values, start, end


def place(name, count, source):
    """Returns a random first and last night of a change in a series of `count` nights."""
    if name == "step":
        start = source.randint(max(12, count // 4), count - max(12, count // 4))
        return start, start
    if name == "drift":
        length = max(15, min(200, count // 2))
        start = source.randint(5, count - length - 1)
        return start, start + length
    return None, None


def main():
    springbench, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    before = os.environ.get("SPRINGBENCH_BEFORE")
    source = random.Random(seed)
    changes = [("flat", 0)] * 4 + [("step", size) for size in STEPS] + [("drift", size) for size in DRIFTS]
    made = [
        (kind, change[0], *make(kind, change, NOISES[number % len(NOISES)], source))
        for kind in KINDS for change in changes for number in range(count)]
    series = [values for _, _, values, _, _ in made]
    answers = {"now": replay(springbench, series)}
    if before:
        answers["before"] = replay(before, series)
    nights = sum(map(len, series))
    print(f"{len(series):,} histories of 30 to 400 nights, {nights:,} nights in all, seed {seed}.\n")
    rows = []
    for kind in list(KINDS) + ["all"]:
        chosen = [number for number, one in enumerate(made) if kind in (one[0], "all")]
        rates = {
            who: rate([made[n] for n in chosen], [found[n] for n in chosen], random.Random(seed))
            for who, found in answers.items()}

        def cell(key, text):
            both = [text.format(rates[who][key]) for who in ("before", "now") if who in rates]
            return " → ".join(both)
        rows.append([
            kind, cell("flat", "{:.2f}"), cell("false", "{:.2f}"), cell("steps", "{:.1f}%"),
            cell("drifts", "{:.1f}%"), cell("chance steps", "{:.0f}%"), cell("chance drifts", "{:.0f}%"),
            cell("step reports", "{:.2f}"), cell("drift reports", "{:.2f}"),
            "{:.0f}%".format(rates["now"]["withdrawn"])])
    table([
        "noise", "false, flat", "false, all", "steps found", "drifts found", "steps by chance", "drifts by chance",
        "reports a step", "reports a drift", "false withdrawn"], rows)


def replay(path, series):
    answer = subprocess.run(
        [path, "change-points", "--replay"], input=json.dumps(series).encode(), stdout=subprocess.PIPE, check=True)
    return [one["reports"] for one in json.loads(answer.stdout)]


def near(told, start, end):
    """Returns the reports of a rise between these nights, or at most NEAR nights before or after them."""
    return [t for t in told if start is not None and start - NEAR <= t["position"] <= end + NEAR
            and t["after"] > t["before"]]


def rate(made, found, source):
    false, nights = {"flat": 0, "step": 0, "drift": 0}, {"flat": 0, "step": 0, "drift": 0}
    planted, hit, reports = {"step": 0, "drift": 0}, {"step": 0, "drift": 0}, {"step": 0, "drift": 0}
    withdrawn = 0
    chance = {"step": [], "drift": []}
    for (_, change, values, start, end), told in zip(made, found):
        nights[change] += len(values)
        right = near(told, start, end)
        false[change] += len(told) - len(right)
        withdrawn += sum(t not in right and t.get("withdrawnAt") is not None for t in told)
        if change != "flat":
            planted[change] += 1
            hit[change] += bool(right)
            reports[change] += len(right)
        else:
            for name, hits in chance.items():
                hits.append(bool(near(told, *place(name, len(values), source))))
    total = sum(false.values())
    return {
        "flat": 1000 * false["flat"] / nights["flat"], "false": 1000 * total / sum(nights.values()),
        "steps": 100 * hit["step"] / planted["step"], "drifts": 100 * hit["drift"] / planted["drift"],
        "step reports": reports["step"] / max(1, hit["step"]),
        "chance steps": 100 * sum(chance["step"]) / len(chance["step"]),
        "chance drifts": 100 * sum(chance["drift"]) / len(chance["drift"]),
        "drift reports": reports["drift"] / max(1, hit["drift"]), "withdrawn": 100 * withdrawn / max(1, total)}


def table(header, rows):
    cells = [header] + rows
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for index, row in enumerate(cells):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if index == 0:
            print("| " + " | ".join("-" * width for width in widths) + " |")


main()
