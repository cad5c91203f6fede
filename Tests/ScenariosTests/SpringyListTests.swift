import CAllocationCounter
import Testing

@testable import FrameBench
@testable import Measurements
@testable import Scenarios

/// Tests that the catalogue's springy list has the same work at every size and the same output in every run.
@Suite struct SpringyListTests {
  private func options(hertz: Int = 60, seed: UInt64 = 1) -> RunOptions {
    var options = RunOptions()
    options.refreshRateHertz = hertz
    options.frameCount = 1000 * hertz / 60
    options.warmUpFrameCount = 120
    options.seed = seed
    return options
  }

  private func run(_ strategy: String, _ size: Int, pass: MeasurementPass = .phases, _ options: RunOptions) throws
    -> RunMeasurement
  {
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "springs", strategy: strategy, size: size), pass: pass, options: options)
    switch Worker(.standard).reply(to: request).outcome {
    case .measured(let measurement): return measurement
    case .failed, .ready:
      Issue.record("not a measurement: \(request)")
      throw CancellationError()
    }
  }

  private func counter(_ name: String, _ measurement: RunMeasurement) throws -> [Int] {
    try #require(measurement.counters[name]).values
  }

  @Test(arguments: [60, 90, 120], [1, 2, 99] as [UInt64]) func everySizeIsScrolledByTheSameDeltasPastWholeRows(
    hertz: Int, seed: UInt64
  ) throws {
    let options = options(hertz: hertz, seed: seed)
    let small = try SpringyList.placement(.springs("tiled", 100, options))
    #expect(small.clampedFrameCount == 0)
    for size in [101, 1_000, 10_000, 123_457, 10_000_000] {
      let large = try SpringyList.placement(.springs("tiled", size, options))
      #expect(large.clampedFrameCount == 0)
      for (a, b) in zip(small.trace.frames, large.trace.frames) {
        let rows = (b.contentOffset - a.contentOffset) / SpringyList.rowPitch
        #expect(rows == rows.rounded() && a.touchX == b.touchX && a.touchY == b.touchY)
      }
      #expect(small.trace.frames.indices.allSatisfy { small.trace.delta(at: $0) == large.trace.delta(at: $0) })
    }
  }

  @Test func theEndsOfTheContentAreNeverMetFromAHundredRowsOn() throws {
    for size in [100, 1_000] {
      let trace = try SpringyList.placement(.springs("tiled", size, options())).trace
      // The tiled list simulates items up to 100 points outside of the view. This padding must also stay within the
      // content.
      #expect(trace.extent.lowerBound > 100)
      #expect(trace.extent.upperBound < SpringyList.scrollRange(size: size) - 100)
    }
  }

  @Test(arguments: [1, 2, 99] as [UInt64]) func everyFrameIsADragAFlingOrARest(seed: UInt64) throws {
    let context = ScenarioContext.springs("naive", 1_000, options(seed: seed))
    let names = try SpringyList.stretches(context)
    #expect(names.count == context.totalFrameCount && Set(names) == ["drag", "fling", "rest"])
    let trace = try SpringyList.placement(context).trace
    for index in names.indices.dropFirst() where names[index] == "rest" && names[index - 1] == "rest" {
      #expect(trace.delta(at: index) == 0)
    }
  }

  @Test func aListTooShortForTheScrollIsWarnedOf() throws {
    let warnings = try SpringyList.warnings(.springs("tiled", 10, options()))
    #expect(warnings.count == 1 && warnings[0].message.contains("10 rows"))
    #expect(try SpringyList.warnings(.springs("tiled", 100, options())).isEmpty)
    #expect(try counter("visibleItems", run("tiled", 10, options())).allSatisfy { (5...10).contains($0) })
  }

  @Test(arguments: ["tiled", "exact"]) func theWorkOfATileIsTheSameAtEverySize(strategy: String) throws {
    let small = try run(strategy, 100, options())
    #expect(try counter("activeItems", small).max() ?? 100 < 60)
    for size in [1_000, 10_000] {
      let large = try run(strategy, size, options())
      for name in ["activeItems", "visibleItems", "tileChurn", "springEvaluations"] {
        #expect(try counter(name, large) == counter(name, small))
      }
    }
  }

  @Test func exactShowsAsManyItemsAsNaive() throws {
    let (naive, exact) = (try run("naive", 1_000, options()), try run("exact", 1_000, options()))
    #expect(try counter("visibleItems", naive) == counter("visibleItems", exact))
    #expect(try counter("activeItems", naive) == Array(repeating: 1_000, count: 1000))
  }

  @Test func restingSpringsAreNotEvaluated() throws {
    let measurement = try run("naive", 1_000, options())
    let evaluations = try counter("springEvaluations", measurement)
    #expect(evaluations.contains(0) && evaluations.contains(1_000))
  }

  @Test(.enabled(if: allocation_counter_is_active()), arguments: SpringyList.Strategy.allCases, [100, 1_000, 10_000])
  func noSteadyFrameAllocates(_ strategy: SpringyList.Strategy, size: Int) throws {
    let measurement = try run(strategy.rawValue, size, pass: .allocations, options())
    let allocations = try #require(measurement.allocations)
    #expect(allocations.firstAllocatingFrame == nil)
    #expect(allocations.frameThread.count.count == 1000)
    if strategy != .naive { #expect(try counter("tileChurn", measurement).reduce(0, +) > 100) }
  }

  @Test func theSameSeedShowsTheSameFramesAndAnotherOneOthers() throws {
    for strategy in SpringyList.Strategy.allCases {
      let first = try run(strategy.rawValue, 100, options()).checksum
      #expect(try run(strategy.rawValue, 100, pass: .frames, options()).checksum == first)
      #expect(try run(strategy.rawValue, 100, options(seed: 2)).checksum != first)
    }
  }

  @Test(arguments: ["springs", "springs-objects", "spring-updates"]) func aTouchThatLiftsToTheOriginMovesRowsOtherwise(
    scenario: String
  ) throws {
    var lifted = options()
    lifted.tracePath = "lifted=origin"
    let id = BenchmarkID(scenario: scenario, strategy: "tiled", size: 1_000)
    let checksums = [options(), lifted].map { options in
      guard
        case .measured(let measurement) = Worker(.standard).reply(
          to: WorkerRequest(benchmark: id, pass: .frames, options: options)
        ).outcome
      else { return "" }
      return measurement.checksum
    }
    #expect(checksums[0] != checksums[1] && !checksums.contains(""))
  }

  @Test func exactShowsWhatNaiveShowsAlsoWhereTheTouchLiftsToTheOrigin() throws {
    var options = options()
    options.tracePath = "lifted=origin"
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "springs", strategy: "exact", size: 1_000), pass: .output, options: options,
      reference: "naive")
    guard case .measured(let measurement) = Worker(.standard).reply(to: request).outcome else {
      Issue.record("not a measurement: \(request)")
      return
    }
    let deviation = try #require(measurement.deviation)
    #expect(try #require(deviation.largestDistance) < 1e-6 && deviation.differingFrameCount == 0)
  }

  @Test func debugAndReleaseShowTheSameFrames() throws {
    let checksums = [
      try run("naive", 100, options()).checksum, try run("tiled", 1_000, options()).checksum,
      try run("exact", 10_000, options()).checksum,
    ]
    #expect(checksums == ["726632a182ee8f1f", "b6e24ee328673ca4", "cd869fe14b3917a2"])
  }

  @Test func theMemoryOfANaiveListIsEstimatedWithoutOverflow() {
    #expect(SpringyList.memoryEstimate(.springs("naive", 10_000, options())) == 320_000)
    #expect(SpringyList.memoryEstimate(.springs("naive", .max, options())) == .max)
  }
}

extension ScenarioContext {
  /// Returns the context of a run of the springy list.
  static func springs(_ strategy: String, _ size: Int, _ options: RunOptions) -> ScenarioContext {
    ScenarioContext(BenchmarkID(scenario: "springs", strategy: strategy, size: size), options)
  }
}
