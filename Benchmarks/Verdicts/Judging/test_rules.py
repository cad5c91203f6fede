"""Tests of the rules, by scipy, published values and the tools' own words; `scripts/verdicts --self-test` runs them."""

import random
import unittest

from scipy import stats

import rules


class Rules(unittest.TestCase):
    def test_mann_whitney_agrees_with_scipy_where_nothing_is_tied(self):
        source = random.Random(7)
        for count in (3, 5, 10):
            for shift in (0, 0.5, 2):
                one = [source.gauss(0, 1) for _ in range(count)]
                other = [source.gauss(shift, 1) for _ in range(count)]
                expected = stats.mannwhitneyu(one, other, method="exact").pvalue
                self.assertAlmostEqual(rules.mann_whitney(one, other), expected, places=12)

    def test_mann_whitney_with_ties_counts_all_orders(self):
        one, other = [1, 2, 2], [2, 3, 4]
        exact = stats.permutation_test(
            (one, other), lambda a, b: stats.rankdata(list(a) + list(b))[:3].sum() - 10.5,
            permutation_type="independent", n_resamples=10_000, alternative="two-sided", vectorized=False)
        self.assertAlmostEqual(rules.mann_whitney(one, other), exact.pvalue, places=12)

    def test_ten_values_that_are_all_slower_are_as_unlikely_as_can_be(self):
        self.assertAlmostEqual(
            rules.mann_whitney(list(range(10)), list(range(10, 20))), 2 / 184_756, places=15)

    def test_welch_gives_the_published_p_value(self):
        # The expected value comes from R: t.test(extra ~ group, data = sleep)
        one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
        other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
        self.assertAlmostEqual(rules.welch(one, other), 0.07939, places=5)

    def test_a_change_that_is_too_small_is_none(self):
        self.assertEqual(rules.significant(0.001, 1.02), rules.SLOWER)
        self.assertEqual(rules.significant(0.001, 0.98), rules.FASTER)
        self.assertEqual(rules.significant(0.05, 1.02), rules.SAME)
        self.assertEqual(rules.significant(0.001, 1.02, least=0.05), rules.SAME)

    def test_an_alert_needs_more_than_the_threshold(self):
        self.assertEqual(rules.alert(1.1, 1.1), rules.SAME)
        self.assertEqual(rules.alert(1.101, 1.1), rules.SLOWER)
        self.assertEqual(rules.alert(0.5, 1.1), rules.SAME)

    def test_one_percentile_beyond_its_threshold_is_enough(self):
        names = ("p25", "p50", "p75")
        base = {"p25": 100, "p50": 100, "p75": 100}
        self.assertEqual(rules.thresholds(base, {"p25": 100, "p50": 105, "p75": 105}, 5, names), rules.SAME)
        self.assertEqual(rules.thresholds(base, {"p25": 90, "p50": 100, "p75": 106}, 5, names), rules.SLOWER)
        self.assertEqual(rules.thresholds(base, {"p25": 94, "p50": 100, "p75": 100}, 5, names), rules.FASTER)

    def test_percentiles_are_those_of_the_wall_clock(self):
        text = (
            "Percentile\tTime (wall clock) (μs) *\n25\t1824\n50\t1869\n75\t1988\n\n"
            "Percentile\tThroughput (# / s) *\n25\t503\n50\t535\n75\t550\n")
        self.assertEqual(rules.percentiles(text, (25, 50)), {"p25": 1_824_000, "p50": 1_869_000})
        slower = "Percentile\tTime (wall clock) (ms) *\n50\t12\n"
        self.assertEqual(rules.percentiles(slower, (50,)), {"p50": 12_000_000})
        with self.assertRaises(ValueError):
            rules.percentiles("no baseline", (50,))

    def test_the_words_of_pyperf(self):
        self.assertEqual(rules.pyperf_text("… 1.02x slower\nSignificant (t=-3.10)"), rules.SLOWER)
        self.assertEqual(rules.pyperf_text("… 1.02x faster\nSignificant (t=3.10)"), rules.FASTER)
        self.assertEqual(rules.pyperf_text("… 1.00x slower\nNot significant!"), rules.SAME)
        with self.assertRaises(ValueError):
            rules.pyperf_text("no idea")

    def test_one_regressed_figure_is_a_regression(self):
        rows = [{"metric": "frameNanoseconds", "verdict": verdict}
                for verdict in ("improved", "regressed", "inconclusive")]
        self.assertEqual(rules.springbench_rows(rows), rules.SLOWER)
        self.assertEqual(rules.springbench_rows(rows[2:]), rules.SAME)
        with self.assertRaises(ValueError):
            rules.springbench_rows([{"metric": "checksum", "verdict": "behaviorChanged"}])

    def test_only_metrics_that_are_right_for_the_change_count(self):
        rows = [{"metric": "allocationCount", "verdict": "regressed"}, {"metric": "netBytes", "verdict": "unchanged"}]
        self.assertEqual(rules.springbench_rows(rows, ("allocationCount",)), rules.SLOWER)
        self.assertEqual(rules.springbench_rows(rows, ("netBytes",)), rules.SAME)
        self.assertEqual(rules.regressed_metrics(rows), ["allocationCount"])

    def test_named_frames_are_those_of_regressed_rows(self):
        rows = [{"verdict": "regressed", "frames": [[0, 1190, 10]]}, {"verdict": "regressed", "frames": None},
                {"verdict": "improved", "frames": [[5, 5, 1]]}]
        self.assertEqual(rules.regressed_frames(rows), [[0, 1190, 10]])

    def test_frames_are_compared_by_what_both_have(self):
        self.assertEqual(rules.jaccard([[0, 90, 10]], range(0, 100, 10)), 1)
        self.assertEqual(rules.jaccard([[0, 4, 1]], range(10)), 0.5)
        self.assertEqual(rules.jaccard([], range(10)), 0)

    def test_the_interval_of_a_proportion_agrees_with_scipy(self):
        for hits, count in ((0, 20), (3, 20), (20, 20), (1, 300)):
            expected = stats.binomtest(hits, count).proportion_ci(method="wilson")
            low, high = rules.wilson(hits, count)
            self.assertAlmostEqual(low, expected.low, places=12)
            self.assertAlmostEqual(high, expected.high, places=12)
