import CollectionLayout
import Dynamics
import Testing

@testable import FrameBench
@testable import Measurements
@testable import Scenarios

/// Compares the springy list of objects (`ObjectSpringLayout`) with the batched lists of `SpringyList`.
@Suite struct SpringyObjectsTests {
  private func options() -> RunOptions {
    var options = RunOptions()
    options.frameCount = 600
    options.warmUpFrameCount = 60
    return options
  }

  /// Compares both lists in the scripted scroll. Returns the largest distance between an item's positions in the two
  /// lists, the number of frames in which they show different items, and the largest distance of an item from its
  /// anchor. Distances are in points.
  private func compare(
    _ reach: ObjectSpringLayout.Reach, _ strategy: SpringyList.Strategy, size: Int, liftsTouchToOrigin: Bool = false
  ) throws -> (largest: Double, differingFrames: Int, travel: Double) {
    var context = ScenarioContext.springs(strategy.rawValue, size, options())
    context.liftsTouchToOrigin = liftsTouchToOrigin
    let trace = try SpringyList.placement(context).trace
    let start = trace.frames[0].contentOffset
    let objects = try CollectionView(
      layout: ObjectSpringLayout(.messages, reach), itemCount: size, size: SpringyList.viewSize, contentOffset: start)
    let batched = try CollectionView(
      layout: strategy.layout(), itemCount: size, size: SpringyList.viewSize, contentOffset: start)
    var (largest, differingFrames, travel) = (0.0, 0, 0.0)
    for frame in trace.frames {
      let shown = try [objects, batched].map { view in
        SpringyList.scroll(view, frame)
        view.step(by: 1 / 60)
        try view.prepareLayout()
        return view.visibleAttributes().map(\.self)
      }
      guard shown[0].map(\.index) == shown[1].map(\.index) else {
        differingFrames += 1
        continue
      }
      for (one, other) in zip(shown[0], shown[1]) {
        largest = max(largest, abs(one.center.y - other.center.y), abs(one.center.x - other.center.x))
        travel = max(travel, abs(one.center.y - (SpringyList.rowPitch * Double(one.index) + 35)))
      }
    }
    return (largest, differingFrames, travel)
  }

  @Test(arguments: [100, 1_000]) func allRowsMoveAsInTheBatchedList(size: Int) throws {
    let (largest, differingFrames, travel) = try compare(.everywhere, .naive, size: size)
    #expect(largest < 1e-6 && differingFrames == 0 && travel > 50)
  }

  @Test(arguments: [100, 10_000], [false, true]) func tilesMoveAsInTheBatchedList(size: Int, liftsTouchToOrigin: Bool)
    throws
  {
    let (largest, differingFrames, travel) = try compare(
      .tiled, .tiled, size: size, liftsTouchToOrigin: liftsTouchToOrigin)
    #expect(largest < 1e-6 && differingFrames == 0 && travel > 50)
  }

  private func run(_ strategy: SpringyObjects.Strategy, _ size: Int) throws -> RunMeasurement {
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "springs-objects", strategy: strategy.rawValue, size: size), pass: .phases,
      options: options())
    switch Worker(.standard).reply(to: request).outcome {
    case .measured(let measurement): return measurement
    case .failed, .ready:
      Issue.record("not a measurement: \(request)")
      throw CancellationError()
    }
  }

  @Test func naiveSimulatesAllRowsAndTiledThoseNearTheView() throws {
    let (naive, tiled) = (try run(.naive, 1_000), try run(.tiled, 1_000))
    #expect(try #require(naive.counters["activeItems"]).values == Array(repeating: 1_000, count: 600))
    #expect(try #require(tiled.counters["activeItems"]).values.allSatisfy { (8...16).contains($0) })
    #expect(try #require(tiled.counters["tileChurn"]).values.reduce(0, +) > 100)
    #expect(try run(.tiled, 1_000).checksum == tiled.checksum)
  }

  @Test func theClaimsAreAboutStrategiesAndSizesOfTheScenario() throws {
    let scenario = try #require(Suite.standard.scenarios.first { $0.name == "springs-objects" })
    #expect(scenario.options.claims.map(\.strategy) == scenario.strategies)
    for claim in scenario.options.claims { #expect(scenario.sizes.contains { $0 >= claim.itemCount }) }
  }

  @Test func theMemoryOfAllRowsIsEstimatedWithoutOverflow() {
    #expect(SpringyObjects.memoryEstimate(.springs("naive", 10_000, options())) >= 3_000_000)
    #expect(SpringyObjects.memoryEstimate(.springs("naive", .max, options())) == .max)
  }
}
