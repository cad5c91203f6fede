"""Writes otava.json: series, and the change points that Apache Otava finds in them.

    python3 -m venv venv && venv/bin/pip install apache-otava==0.8.0
    venv/bin/python Tests/JudgingTests/Oracles/otava_expectations.py > Tests/JudgingTests/Oracles/otava.json
"""

import json
import random

from otava.analysis import compute_change_points

random.seed(20261121)


def noisy(levels, lengths, noise):
    return [
        round(random.gauss(level, level * noise), 3)
        for level, length in zip(levels, lengths)
        for _ in range(length)
    ]


def drift(count, noise, slope):
    return [round(random.gauss(100 + slope * i, noise), 3) for i in range(count)]


cases = [("flat", noisy([100], [300], noise)) for noise in (0.005, 0.01, 0.03)]
cases += [
    (f"step {step}% noise {noise}", noisy([100, 100 * (1 + step / 100)], [140, 110], noise))
    for step in (1, 2, 5, 10)
    for noise in (0.005, 0.01, 0.03)
]
cases += [
    ("many steps", noisy([100, 105, 95, 100, 120, 90], [40, 55, 30, 80, 20, 60], 0.01)),
    ("there and back", noisy([100, 110, 100], [80, 8, 80], 0.01)),
    ("drift", drift(250, 1, 0.05)),
    ("heavy tails", [round(100 + random.paretovariate(2), 3) for _ in range(250)]),
    ("constant", [7.0] * 80),
    ("constant with a step", [7.0] * 40 + [8.0] * 40),
    ("nearly constant", [7.0] * 40 + [7.001] + [7.0] * 40),
    ("zeros", [0.0] * 60 + [3.0] * 60),
    ("counts", [float(random.randint(0, 2)) for _ in range(150)]),
    ("two", [1.0, 2.0]),
    ("one", [1.0]),
    ("seven", [1.0, 1.1, 0.9, 1.0, 5.0, 5.1, 4.9]),
    ("negative", [round(random.gauss(-5 if i < 60 else -7, 0.4), 3) for i in range(120)]),
]

options = [dict(), dict(window_len=30, max_pvalue=0.01), dict(min_magnitude=0.04)]
documents = []
for name, series in cases:
    for option in options:
        points, _ = compute_change_points(list(series), **option)
        documents.append(
            dict(
                name=name,
                series=series,
                windowLength=option.get("window_len", 50),
                maximumPValue=option.get("max_pvalue", 0.001),
                minimumMagnitude=option.get("min_magnitude", 0.0),
                points=[
                    dict(
                        index=int(p.index),
                        energy=float(p.qhat),
                        pValue=float(p.stats.pvalue),
                        meanBefore=float(p.stats.mean_1),
                        meanAfter=float(p.stats.mean_2),
                    )
                    for p in points
                ],
            )
        )
print("[" + ",\n".join(json.dumps(d, separators=(",", ":")) for d in documents) + "]")
