import FrameBench
import Testing

@testable import Measurements

@Suite struct MetricTests {
  @Test(arguments: [
    ("frameNanoseconds", FigureName(metric: "frameNanoseconds")),
    ("frameNanoseconds.p99", FigureName(metric: "frameNanoseconds", statistic: .p99)),
    ("frameNanoseconds.solve", FigureName(metric: "frameNanoseconds", phase: "solve")),
    ("frameNanoseconds.io.read.p99", FigureName(metric: "frameNanoseconds", phase: "io.read", statistic: .p99)),
    ("stallNanoseconds.mean", FigureName(metric: "stallNanoseconds", statistic: .mean)),
    ("cache.misses.total", FigureName(metric: "cache.misses", statistic: .total)), ("max", FigureName(metric: "max")),
  ]) func aFigureIsReadAsItIsSpelt(_ text: String, _ name: FigureName) {
    #expect(FigureName(text) == name)
    #expect(name.description == text)
  }

  @Test(arguments: ["", ".", "frameNanoseconds.", ".p99", "frameNanoseconds..p99"]) func whatHasAnEmptyPartIsNoFigure(
    _ text: String
  ) { #expect(FigureName(text) == nil) }

  /// A counter has the unit that the scenario declares for it, whatever its name suggests.
  @Test func aCounterThatIsNamedLikeATimeIsACount() {
    let plain = Metric.named("stallNanoseconds", declared: nil)
    #expect(plain.unit == .count && !plain.isTimed && plain.direction == .lowerIsBetter)
    let declared = Metric.named("stall", declared: ["stall": CounterKind(unit: .nanoseconds, direction: .neither)])
    #expect(declared.unit == .nanoseconds && declared.nature == .exact)
    #expect(!declared.isWorse(2, than: 1) && !declared.isWorse(1, than: 2))
  }

  @Test func moreIsWorseUnlessTheMetricSaysOtherwise() {
    #expect(Metric.frameTime.isWorse(2, than: 1) && !Metric.frameTime.isWorse(1, than: 1))
    #expect(Metric.capacityItems.isWorse(1, than: 2) && Metric.capacityItems.isBetter(2, than: 1))
  }

  @Test func noTwoMetricsHaveOneName() {
    #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    for metric in Metric.all { #expect(Metric.named(metric.name) == metric) }
  }
}
