import Testing

@testable import FrameBench
@testable import Measurements

/// Tests the distances between the items that two strategies show.
@Suite struct DeviationTests {
  private func shown(_ items: (Int, Double, Double)...) -> [Observation] {
    items.map { Observation(item: $0.0, x: $0.1, y: $0.2) }
  }

  @Test func distancesAreOverItemsThatBothShow() {
    var meter = DeviationMeter(reference: "naive")
    meter.add(shown((1, 0, 0), (2, 10, 10)), shown((2, 13, 14), (1, 0, 0)))
    meter.add(shown((1, 0, 0)), shown((1, 0, 1)))
    let record = meter.record
    #expect(record?.largestDistance == 5 && record?.largestDistanceFrame == 0)
    #expect(record?.meanDistance == 2)
    #expect(record?.differingFrameCount == 0 && record?.frameCount == 2)
  }

  @Test func itemsShownByOneAloneAreCountedOnEitherSide() {
    var meter = DeviationMeter(reference: "naive")
    meter.add(shown((1, 0, 0), (2, 0, 0), (3, 0, 0)), shown((2, 0, 0), (9, 0, 0)))
    meter.add(shown((1, 0, 0)), [])
    meter.add([], [])
    #expect(meter.record?.missingCount == 3 && meter.record?.extraCount == 1)
    #expect(meter.record?.differingFrameCount == 2 && meter.record?.frameCount == 3)
  }

  @Test func anItemWithoutAFinitePositionIsNotVisible() {
    var meter = DeviationMeter(reference: "naive")
    meter.add(shown((1, .nan, 0), (2, 0, 0), (3, .infinity, 0)), shown((1, 0, 0), (2, 0, .nan), (3, .nan, 0)))
    #expect(meter.record?.missingCount == 2 && meter.record?.extraCount == 1)
    #expect(meter.record?.differingFrameCount == 1 && meter.record?.meanDistance == nil)
  }

  @Test func whereNothingIsEverShownThereIsNoDeviation() {
    var meter = DeviationMeter(reference: "naive")
    meter.add([], [])
    #expect(meter.record == nil)
  }

  @Test func aWorkerComparesRecordedFramesOfBothStrategies() throws {
    var suite = Suite("test")
    suite.add("list", strategies: ["whole", "half"], sizes: [4]) { _, context in
      let size = context.size
      return { frame, timer in
        let count = context.strategy == "half" && frame.index == 7 ? size / 2 : size
        for item in 0..<count {
          timer.observe(item: item, x: 0, y: context.strategy == "half" && !frame.isWarmUp ? 3 : 0)
        }
        timer.record(.visibleItems, count)
        return UInt64(count)
      }
    }
    var options = RunOptions()
    options.warmUpFrameCount = 2
    options.frameCount = 10
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "list", strategy: "half", size: 4), pass: .output, options: options,
      reference: "whole")
    guard case .measured(let measurement) = Worker(suite).reply(to: request).outcome else {
      Issue.record("the worker measured nothing")
      return
    }
    let deviation = try #require(measurement.deviation)
    #expect(deviation.reference == "whole" && deviation.frameCount == 10)
    #expect(deviation.largestDistance == 3 && deviation.meanDistance == 3)
    #expect(deviation.missingCount == 2 && deviation.extraCount == 0 && deviation.differingFrameCount == 1)
    #expect(measurement.counters["visibleItems"]?.count == 10)
  }

  @Test func otherPassesDoNotObserve() {
    var suite = Suite("test")
    suite.add("list", strategies: ["one"], sizes: [1]) { _, _ in { _, timer in timer.isObserving ? 1 : 0 } }
    var checksums: Set<String> = []
    for pass in [MeasurementPass.frames, .phases, .allocations, .profile] {
      let request = WorkerRequest(
        benchmark: BenchmarkID(scenario: "list", strategy: "one", size: 1), pass: pass, options: RunOptions(),
        profile: ProfileRequest(kind: .timeline, frames: [0, 1]))
      guard case .measured(let measurement) = Worker(suite).reply(to: request).outcome else {
        Issue.record("\(pass) measured nothing")
        continue
      }
      // The profiled run ends after the last frame that the request selects, so its checksum covers fewer frames.
      if pass == .profile {
        #expect(measurement.profile?.frameChecksums == [0, 0])
      } else {
        checksums.insert(measurement.checksum)
      }
    }
    #expect(checksums.count == 1)
  }
}
