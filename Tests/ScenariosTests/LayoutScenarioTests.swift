import CAllocationCounter
import Testing

@testable import FrameBench
@testable import Measurements
@testable import Scenarios

/// Tests the animated layouts of the catalogue, and the springy list under updates.
@Suite struct LayoutScenarioTests {
  private func options(hertz: Int = 60, seed: UInt64 = 1, frames: Int = 300) -> RunOptions {
    var options = RunOptions()
    options.refreshRateHertz = hertz
    options.frameCount = frames
    options.warmUpFrameCount = 120
    options.seed = seed
    return options
  }

  private func run(_ id: (String, String, Int), pass: MeasurementPass = .phases, _ options: RunOptions) throws
    -> RunMeasurement
  {
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: id.0, strategy: id.1, size: id.2), pass: pass, options: options)
    switch Worker(.standard).reply(to: request).outcome {
    case .measured(let measurement): return measurement
    case let outcome:
      Issue.record("\(outcome)")
      throw CancellationError()
    }
  }

  private func counter(_ name: String, _ measurement: RunMeasurement) throws -> [Int] {
    try #require(measurement.counters[name]).values
  }

  static let animated = ["updates", "rotation", "pinch", "layout-transition"]
  static let added = animated + ["view-transition", "spring-updates"]

  private func scenario(_ name: String) throws -> Scenario {
    try #require(Suite.standard.scenarios.first { $0.name == name })
  }

  @Test(arguments: added) func theSameSeedShowsTheSameFramesInEveryPass(_ name: String) throws {
    let scenario = try scenario(name)
    for strategy in scenario.strategies {
      let id = (name, strategy, 100)
      let first = try run(id, options(frames: 120)).checksum
      #expect(try run(id, pass: .frames, options(frames: 120)).checksum == first)
    }
  }

  @Test(arguments: ["updates", "pinch", "spring-updates"]) func anotherSeedShowsOtherFrames(_ name: String) throws {
    let id = (name, try scenario(name).strategies[1], 100)
    #expect(try run(id, options(frames: 120)).checksum != run(id, options(seed: 2, frames: 120)).checksum)
  }

  @Test(arguments: ["updates", "rotation", "pinch", "layout-transition"], [60, 120])
  func whatIsVisibleLooksTheSameThoughOnlyItIsAnimated(_ name: String, hertz: Int) throws {
    let options = options(hertz: hertz)
    #expect(try run((name, "naive", 1_000), options).checksum == run((name, "visible", 1_000), options).checksum)
  }

  @Test func exactShowsAsManyItemsAsNaiveWhileRowsComeAndGo() throws {
    let naive = try run(("spring-updates", "naive", 1_000), options())
    let exact = try run(("spring-updates", "exact", 1_000), options())
    #expect(try counter("visibleItems", naive) == counter("visibleItems", exact))
    #expect(try counter("activeItems", naive).allSatisfy { $0 == 1_000 })
    #expect(try counter("activeItems", exact).allSatisfy { $0 < 150 })
  }

  @Test(arguments: ["tiled", "exact"]) func theWorkOfAnUpdatedTileIsTheSameAtEverySize(strategy: String) throws {
    let small = try run(("spring-updates", strategy, 1_000), options())
    let large = try run(("spring-updates", strategy, 100_000), options())
    for name in ["activeItems", "visibleItems", "springEvaluations"] {
      #expect(try counter(name, large) == counter(name, small))
    }
  }

  @Test(arguments: animated) func whatIsVisibleIsFewHoweverLongTheList(_ name: String) throws {
    let large = try run((name, "visible", 5_000), options())
    let animated = try counter("animatedItems", large)
    #expect(animated.contains { $0 > 0 } && animated.allSatisfy { $0 < 200 })
    #expect(try counter("visibleItems", large).allSatisfy { $0 > 0 && $0 < 200 })
  }

  @Test func aTransitionBetweenViewsMovesAllOrTheShownOrTheSnapshots() throws {
    func moved(_ strategy: String) throws -> Int {
      try counter("animatedItems", run(("view-transition", strategy, 1_000), options())).reduce(0, +) / 300
    }
    let (all, shown, snapshots) = (try moved("naive"), try moved("attributes"), try moved("snapshots"))
    #expect(all == 1_000 && shown < 100 && snapshots < shown && snapshots > 4)
  }

  @Test(.enabled(if: allocation_counter_is_active()), arguments: added) func onlyFramesInWhichSomethingBeginsAllocate(
    _ name: String
  ) throws {
    let scenario = try scenario(name)
    for strategy in scenario.strategies {
      #if DEBUG
        // In debug builds, closures that access the springs' memory allocate.
        if strategy == "exact" { continue }
      #endif
      let measurement = try run((name, strategy, 100), pass: .allocations, options(frames: 600))
      let counts = try #require(measurement.allocations).frameThread.count.values
      let allocating = counts.count { $0 > 0 }
      // At most one frame in twelve has a batch of updates, and only such frames may allocate.
      #expect(counts.count == 600 && allocating <= 60, "\(name)/\(strategy): \(allocating) frames")
    }
  }

  @Test(arguments: added) func listsOfAFewItemsRunToo(_ name: String) throws {
    let scenario = try scenario(name)
    for strategy in scenario.strategies {
      for size in [1, 2, 7, 30] {
        let measurement = try run((name, strategy, size), options(frames: 120))
        #expect(try counter("visibleItems", measurement).count == 120)
      }
    }
  }

  @Test func debugAndReleaseShowTheSameFrames() throws {
    let ids = [
      ("spring-updates", "naive", 100), ("spring-updates", "tiled", 1_000), ("spring-updates", "exact", 1_000),
      ("updates", "visible", 100), ("rotation", "visible", 100), ("rotation", "naive", 100), ("pinch", "visible", 100),
      ("layout-transition", "visible", 100), ("view-transition", "snapshots", 100),
      ("view-transition", "attributes", 100),
    ]
    let checksums = try ids.map { try run($0, options()).checksum }
    #expect(
      checksums == [
        "2b87e2a4159ba652", "9c4ba008bfd2356d", "56b75201997a4dc8", "68bfd5311a86d33f", "e421e8998a982cd7",
        "e421e8998a982cd7", "c93dfd043653948c", "4d5568e2aaa620b1", "3f9edf2f2511dcad", "57ac9694ea891005",
      ])
  }
}
