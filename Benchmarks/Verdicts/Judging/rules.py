"""The rules by which each tool judges what it has measured, as pure functions of numbers.

A verdict is "slower", "faster" or "same". `ratio` is candidate ÷ baseline.
"""

import math
import re

from scipy import stats

NANOSECONDS = {"ns": 1, "μs": 1e3, "ms": 1e6, "s": 1e9}
SAME, SLOWER, FASTER = "same", "slower", "faster"


def direction(ratio):
    return SLOWER if ratio > 1 else FASTER if ratio < 1 else SAME


def significant(p_value, ratio, alpha=0.05, least=0.0):
    """Returns the verdict of a test. A change by less than the fraction `least` counts as none."""
    larger = max(ratio, 1 / ratio) - 1
    return direction(ratio) if p_value < alpha and larger >= least else SAME


def welch(baseline, candidate):
    """Returns the two-sided p-value of Welch's t-test, like hyperfine's own scripts/welch_ttest.py."""
    return float(stats.ttest_ind(baseline, candidate, equal_var=False).pvalue)


def mann_whitney(baseline, candidate):
    """Returns the exact two-sided p-value of the U test, which benchstat makes. Ties are taken into account.

    Counts, for each sum of ranks, in how many ways that many of all values can be the baseline's.
    """
    values = sorted(baseline + candidate)
    # Ranks are doubled, so that the mean of two tied ranks is a whole number.
    first = {}
    last = {}
    for index, value in enumerate(values, 1):
        first.setdefault(value, index)
        last[value] = index
    ranks = [first[value] + last[value] for value in values]
    ways = [{0: 1}] + [{} for _ in baseline]
    for rank in ranks:
        for count in range(len(baseline) - 1, -1, -1):
            for total, number in list(ways[count].items()):
                ways[count + 1][total + rank] = ways[count + 1].get(total + rank, 0) + number
    observed = sum(first[value] + last[value] for value in baseline)
    middle = len(baseline) * (len(values) + 1)
    extreme = sum(
        number for total, number in ways[-1].items() if abs(total - middle) >= abs(observed - middle))
    return extreme / math.comb(len(values), len(baseline))


def alert(ratio, threshold):
    """Returns github-action-benchmark's verdict. It reports a value above `threshold` times the previous one."""
    return SLOWER if ratio > threshold else SAME


def thresholds(baseline, candidate, percent, percentiles):
    """Returns the verdict by package-benchmark's relative thresholds: worse if any percentile exceeds its threshold."""
    changes = [100 * candidate[name] / baseline[name] - 100 for name in percentiles]
    if any(change > percent for change in changes):
        return SLOWER
    return FASTER if any(change < -percent for change in changes) else SAME


def percentiles(text, places):
    """Reads the percentiles of the wall clock, in nanoseconds, from package-benchmark's `histogramPercentiles`.

    The text has a table for each metric. Its unit depends on how long the baseline takes.
    """
    title = re.search(r"Time \(wall clock\) \((\w+)\)", text)
    if not title or title[1] not in NANOSECONDS:
        raise ValueError(f"package-benchmark has no times: {text[:200]}")
    rest = text[title.end():].split("Percentile")[0]
    lines = [line.split() for line in rest.split("\n")[1:] if line.strip()]
    values = {line[0]: float(line[1]) * NANOSECONDS[title[1]] for line in lines}
    return {f"p{place}": values[str(place)] for place in places}


def package_benchmark_status(status):
    """Returns the verdict for an exit status of `baseline check` (its documentation, "Return Codes")."""
    return {0: SAME, 2: SLOWER, 4: FASTER}[status]


def pyperf_text(text):
    """Returns the verdict of `compare_to`, which prints whether the difference of two benchmarks is significant."""
    if "Not significant!" in text or "not significant" in text:
        return SAME
    if "slower" in text:
        return SLOWER
    if "faster" in text:
        return FASTER
    if "no change" in text:
        return SAME
    raise ValueError(f"pyperf compare_to says what nobody expected: {text}")


def springbench_rows(rows, shows=None):
    """Returns the verdict of `compare --json`: slower if a figure regressed. `shows` limits the metrics."""
    verdicts = {row["verdict"] for row in rows}
    unexpected = verdicts - {"regressed", "improved", "unchanged", "inconclusive", "notJudged"}
    if unexpected:
        raise ValueError(f"springbench compare says {', '.join(sorted(unexpected))}; the work must not change")
    counting = {row["verdict"] for row in rows if shows is None or row["metric"] in shows}
    return SLOWER if "regressed" in counting else FASTER if "improved" in counting else SAME


def regressed_metrics(rows):
    return sorted({row["metric"] for row in rows if row["verdict"] == "regressed"})


def regressed_frames(rows):
    """Returns the frames that regressed together, from all rows, as `[[first, last, step], …]`."""
    return [stride for row in rows if row["verdict"] == "regressed" and row["frames"] for stride in row["frames"]]


def jaccard(strides, touched):
    """Returns how well the named frames match those that the change touches, from 0 (not at all) to 1 (exactly)."""
    named = {frame for first, last, step in strides for frame in range(first, last + 1, step)}
    touched = set(touched)
    return len(named & touched) / len(named | touched) if named | touched else 0.0


def wilson(hits, count, confidence=0.95):
    """Returns the interval of a proportion (Wilson 1927), as fractions."""
    if count == 0:
        return 0.0, 1.0
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    share = hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)
