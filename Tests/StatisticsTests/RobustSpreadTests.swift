import Statistics
import Testing

struct RobustSpreadTests {
  @Test func theSpreadIsTheScaledMedianDistanceFromTheMedian() {
    // scipy.stats.median_abs_deviation([1, 1, 2, 2, 4, 6, 9]) is 1.
    #expect(RobustSpread.deviation([1, 1, 2, 2, 4, 6, 9]) == 1.4826)
    #expect(RobustSpread.deviation([5, 5, 5, 5, 1_000]) == 0)
    #expect(RobustSpread.deviation([3]) == 0)
    #expect(RobustSpread.deviation([]) == 0)
  }
}
