import FrameBench
import Testing

@testable import HistoryPages
@testable import Judging
@testable import Markup
@testable import Measurements

/// Tests that a benchmark's first allocation is reported as a regression, however short its history is.
@Suite struct FirstAllocationTests {
  private let made = MadeUpNights()

  private func analysis(_ counts: [Double], of metric: String = "allocationCount.mean") -> HistoryAnalysis {
    HistoryAnalysis(
      counts.enumerated().map { number, count in
        var night = made.night(number, 1_000 + Double(number % 3))
        night.metrics.append(metric)
        night.benchmarks[0].values.append(count)
        return night
      })
  }

  private func state(_ analysis: HistoryAnalysis) throws -> (text: String, tone: Tone?) {
    let part = Site.Part(machine: "m", suite: "s", analysis: analysis)
    let state = part.state(of: try #require(analysis.mainTrend(of: made.id)))
    return (state.text, state.tone)
  }

  @Test(arguments: [2, 3, 8]) func theNightThatFirstAllocatesIsNotSteadyOrGreen(_ count: Int) throws {
    var analysis = analysis(Array(repeating: 0, count: count - 1) + [3])
    analysis.announce()
    #expect(analysis.tone != .good)
    #expect(!analysis.sentences.joined().contains("No level changed"), "\(analysis.sentences)")
    #expect(try state(analysis).text == "allocates since \(analysis.nights[count - 1].day)")
    #expect(try state(analysis).tone == .bad)
    let events = NightEvent.all(of: analysis).filter { $0.kind == .unconfirmed }
    #expect(events.map(\.metric) == (analysis.risenCounts.isEmpty ? [] : ["allocationCount.mean"]))
    if count < 5 {
      #expect(events.map { [$0.before, $0.after] } == [[0, 3]])
      #expect(
        analysis.sentences == [
          "s/a/10: allocations a frame rose from 0 to 3, more than in any earlier night of this environment."
        ])
    }
  }

  @Test(arguments: [
    ("allocatedBytes", 29_912.0, 29_915.5, "29,912 B to 29,920 B"), ("allocationCount", 14.21, 14.23, "14.21 to 14.23"),
  ]) func valuesThatLookAlikeHaveMoreDigits(metric: String, before: Double, after: Double, words: String) {
    let sentences = analysis([before, after], of: "\(metric).mean").sentences
    #expect(sentences.contains { $0.contains(" rose from \(words), more than") }, "\(sentences)")
  }

  @Test func aRegressionThatStandsIsNamedInNightsWithoutNews() throws {
    let analysis = analysis(Array(repeating: 0, count: 10) + Array(repeating: 3, count: 10))
    #expect(analysis.tone == nil && !analysis.isRed)
    #expect(
      analysis.sentences.first?.hasPrefix("No level changed, but earlier regressions are still there: 1 figure") == true
    )
    #expect(try state(analysis).text == "allocates since \(analysis.nights[10].day)")
  }

  @Test func nightsWithoutNewsAreGreen() throws {
    let analysis = analysis(Array(repeating: 2, count: 20))
    #expect(analysis.sentences == ["No level changed."])
    #expect(analysis.tone == .good)
    #expect(try state(analysis).text == "steady")
  }

  @Test func fewerAllocationsAreNoRise() {
    #expect(analysis([3, 3, 0]).risenCounts.isEmpty)
    #expect(analysis([3, 0, 2]).risenCounts.isEmpty)
  }

  @Test(arguments: [(1_001.0, false), (1_003, true)]) func instructionsOfCodeThatMovedAreNoChange(
    count: Double, isChange: Bool
  ) throws {
    let metric = "instructionCount.mean"
    let trend = analysis(Array(repeating: 1_000, count: 10) + [count], of: metric).trend(made.id, metric)
    #expect(try #require(trend).findings.isEmpty != isChange)
    #expect(analysis([1_000, count], of: metric).risenCounts.isEmpty != isChange)
  }

  @Test(arguments: [Counter.Unit.count, .nanoseconds]) func aCounterThatHoldsATimeHasNoise(unit: Counter.Unit) {
    let nights = [300.0, 301].enumerated().map { number, value in
      var night = made.night(number, 1_000)
      night.metrics.append("stall.mean")
      night.benchmarks[0].values.append(value)
      night.counterKinds = ["stall": CounterKind(unit: unit)]
      return night
    }
    #expect(HistoryAnalysis(nights).risenCounts.isEmpty == (unit == .nanoseconds))
  }

  @Test func theTerminalShowsAllocationsWhereThereAreAny() {
    let some = analysis([0, 0, 3]).overview(usesColor: false)
    #expect(some.contains("\n  allocations a frame"))
    let none = analysis([0, 0, 0]).overview(usesColor: false)
    #expect(!none.contains("allocations a frame") && none.hasSuffix("no benchmark allocates in its frames\n"))
  }
}
