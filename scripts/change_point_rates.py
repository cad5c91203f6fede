"""Called by scripts/change-point-rates: plants changes in made-up histories, and counts who finds them."""

import json
import random
import statistics
import subprocess
import sys

NIGHTS = 1000
NEAR = 10  # nights: a point so near to a planted change is of that change
NOISES = (0.5, 1, 2, 3)  # percent, standard deviation
STEPS = (1, 2, 5, 10)  # percent
DRIFTS = (2, 5, 10)  # percent, over DRIFT_NIGHTS
DRIFT_NIGHTS = 200
SEED = 20261121


def main():
    springbench, count = sys.argv[1], int(sys.argv[2])
    kinds = list(make_kinds(count))
    series = [values for kind in kinds for values, _, _ in kind["series"]]
    found = run_springbench(springbench, series)
    otava = run_otava(series)
    position = 0
    for kind in kinds:
        span = slice(position, position + len(kind["series"]))
        position += len(kind["series"])
        changes = [(start, end) for _, start, end in kind["series"]]
        points = [[(point, None) for point in one["points"]] for one in found[span]]
        reported = [[(t["position"], t["night"]) for t in one["reports"]] for one in found[span]]
        kind["e-divisive"] = rates(points, changes)
        kind["reported"] = rates(reported, changes)
        kind["otava"] = rates([[(point, None) for point in one] for one in otava[span]], changes) if otava else None
    print_tables(kinds, count, otava is not None)


def make_kinds(count):
    source = random.Random(SEED)

    def noisy(level, noise):
        return source.gauss(level, level * noise / 100)

    for noise in NOISES:
        flat = [([noisy(100, noise) for _ in range(NIGHTS)], None, None) for _ in range(4 * count)]
        yield dict(name="flat", noise=noise, series=flat)
    for step in STEPS:
        for noise in NOISES:
            made = []
            for _ in range(count):
                start = source.randrange(200, 800)
                values = [noisy(100 if night < start else 100 + step, noise) for night in range(NIGHTS)]
                made.append((values, start, start))
            yield dict(name=f"step of {step}%", noise=noise, series=made)
    for drift in DRIFTS:
        for noise in NOISES:
            made = []
            for _ in range(count):
                start = source.randrange(200, 600)
                values = [
                    noisy(100 + drift * min(1, max(0, (night - start) / DRIFT_NIGHTS)), noise) for night in range(NIGHTS)
                ]
                made.append((values, start, start + DRIFT_NIGHTS))
            yield dict(name=f"drift of {drift}%", noise=noise, series=made)


def run_springbench(path, series):
    answer = subprocess.run(
        [path, "change-points", "--replay"], input=json.dumps(series).encode(), stdout=subprocess.PIPE, check=True)
    return json.loads(answer.stdout)


def run_otava(series):
    try:
        from otava.analysis import compute_change_points
    except ImportError:
        print("Otava is not installed; its columns stay empty", file=sys.stderr)
        return None
    return [[int(point.index) for point in compute_change_points(list(values))[0]] for values in series]


def rates(points, changes):
    """Share of changes found, false points a thousand nights, nights until reported."""
    hits, false, delays = 0, 0, []
    for found, (start, end) in zip(points, changes):
        right = [] if start is None else [p for p in found if start - NEAR <= p[0] <= end + NEAR]
        false += len(found) - len(right)
        if right:
            hits += 1
            delays += [right[0][1] - start + 1] if right[0][1] is not None else []
    return dict(
        found=hits / len(points), false=false * 1000 / (NIGHTS * len(points)),
        delay=statistics.median(delays) if delays else None)


def print_tables(kinds, count, has_otava):
    print(f"Series of {NIGHTS} nights, {count} of each kind, {4 * count} flat ones for each noise, seed {SEED}.\n")
    print("False change points in 1,000 nights, of all series with that noise:\n")
    rows = []
    for noise in NOISES:
        same = [kind for kind in kinds if kind["noise"] == noise]
        for label, chosen in (("flat", [k for k in same if k["name"] == "flat"]),
                              ("with a step", [k for k in same if k["name"].startswith("step")]),
                              ("with a drift", [k for k in same if k["name"].startswith("drift")])):
            def mean(who):
                if chosen[0][who] is None:
                    return "–"
                total = sum(len(k["series"]) for k in chosen)
                return f"{sum(k[who]['false'] * len(k['series']) for k in chosen) / total:.2f}"
            rows.append([f"{noise}%", label, mean("otava"), mean("e-divisive"), mean("reported")])
    table(["noise", "series", "Otava 0.8", "ours, all points", "reported by nightly"], rows)
    print(f"\nChanges found within {NEAR} nights of where they are, and nights until a nightly run tells:\n")
    rows = []
    for kind in kinds:
        if kind["name"] == "flat":
            continue
        def share(who):
            return "–" if kind[who] is None else f"{kind[who]['found'] * 100:.0f}%"
        delay = kind["reported"]["delay"]
        rows.append([
            kind["name"], f"{kind['noise']}%", share("otava"), share("e-divisive"), share("reported"),
            "–" if delay is None else f"{delay:.0f}"])
    table(["change", "noise", "Otava 0.8", "ours, all points", "reported by nightly", "nights until reported"], rows)


def table(header, rows):
    cells = [header] + rows
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for index, row in enumerate(cells):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if index == 0:
            print("| " + " | ".join("-" * width for width in widths) + " |")


main()
