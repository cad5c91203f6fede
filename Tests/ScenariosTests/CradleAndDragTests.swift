import CAllocationCounter
import Testing

@testable import FrameBench
@testable import Measurements
@testable import Scenarios

/// Tests the scenarios of coupled bodies in the catalogue: cradles, heaps and drags.
@Suite struct CradleAndDragTests {
  private func run(
    _ scenario: String, _ strategy: String, _ size: Int, pass: MeasurementPass = .phases, seed: UInt64 = 1,
    frames: Int = 240
  ) throws -> RunMeasurement {
    var options = RunOptions()
    options.frameCount = frames
    options.warmUpFrameCount = 40
    options.seed = seed
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: scenario, strategy: strategy, size: size), pass: pass, options: options)
    switch Worker(.standard).reply(to: request).outcome {
    case .measured(let measurement): return measurement
    case .failed, .ready:
      Issue.record("not a measurement: \(request)")
      throw CancellationError()
    }
  }

  /// Whether this is a debug build. In debug builds the frames of these scenarios allocate, so the tests of allocations
  /// run only in release builds.
  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  private func counter(_ name: String, _ measurement: RunMeasurement) throws -> [Int] {
    try #require(measurement.counters[name]).values
  }

  @Test(arguments: [10, 100]) func allOfACradleSwingsAndCollides(size: Int) throws {
    let measurement = try run("cradle", "coupled", size)
    #expect(try counter("activeItems", measurement) == Array(repeating: size, count: 240))
    #expect(try counter("contacts", measurement).max() ?? 0 > size / 4)
    #expect(try counter("fallingItems", measurement).allSatisfy { $0 == 0 })
    #expect(try run("cradle", "coupled", size, pass: .frames).checksum == measurement.checksum)
  }

  @Test func itemsComeAndFallWhileACradleIsUpdated() throws {
    let measurement = try run("cradle-updates", "coupled", 10)
    #expect(try counter("fallingItems", measurement).max() ?? 0 >= 1)
    let falling = try counter("fallingItems", measurement)
    #expect(zip(falling, falling.dropFirst()).contains { $1 < $0 })
    let other = try run("cradle-updates", "coupled", 10, seed: 2)
    #expect(other.checksum != measurement.checksum)
  }

  @Test func aDiscThatIsDeletedByTimeFallsForTwoSecondsAndNothingElseComesOrGoes() throws {
    let falling = try counter("fallingItems", run("cradle-updates", "timed", 10, frames: 600))
    #expect(falling.max() == 1)
    let falls = falling.split(separator: 0).map(\.count)
    // The first and the last fall may be cut off by the limits of the recording.
    #expect(falls.count > 2 && falls.dropFirst().dropLast().allSatisfy { $0 == 119 })
  }

  @Test(arguments: ["boxes", "discs", "both"]) func aHeapLandsAndComesToRest(strategy: String) throws {
    let measurement = try run("heap", strategy, 100)
    let (active, contacts) = (try counter("activeItems", measurement), try counter("contacts", measurement))
    #expect(active.first == 100 && contacts.max() ?? 0 > 150)
    #expect(active.last == 0 || active.last == 100)
    let starts = try [1, 2].map { try run("heap", strategy, 100, seed: $0, frames: 10).checksum }
    #expect(starts[0] != starts[1])
  }

  @Test(arguments: [1, 10, 100]) func onlyTheDraggedItemsAreSimulatedUnlessAllAre(size: Int) throws {
    let (naive, dragged) = (try run("drag", "naive", size), try run("drag", "dragged", size))
    #expect(try counter("activeItems", naive).max() ?? 0 >= size)
    #expect(try counter("visibleItems", naive) == counter("visibleItems", dragged))
    #expect(try counter("activeItems", dragged).max() == size)
    // Up to `size` items are dragged out of the view.
    let least = Drag.itemCount - size
    #expect(try counter("visibleItems", dragged).allSatisfy { (least...Drag.itemCount).contains($0) })
    #expect(try run("drag", "dragged", size, seed: 2).checksum != dragged.checksum)
  }

  @Test func bothWaysDragTheItemsAlike() throws {
    let measurement = try run("drag", "dragged", 10, pass: .output)
    let deviation = try #require(measurement.deviation)
    #expect(try #require(deviation.largestDistance) < 1e-6 && deviation.differingFrameCount == 0)
  }

  @Test(
    .enabled(if: allocation_counter_is_active() && !CradleAndDragTests.isDebugBuild),
    arguments: [("cradle", "coupled", 100), ("drag", "naive", 10), ("drag", "dragged", 1), ("drag", "dragged", 100)])
  func noSteadyFrameAllocates(scenario: String, strategy: String, size: Int) throws {
    let measurement = try run(scenario, strategy, size, pass: .allocations)
    #expect(try #require(measurement.allocations).firstAllocatingFrame == nil)
  }

  @Test(.enabled(if: allocation_counter_is_active() && !CradleAndDragTests.isDebugBuild))
  func aHeapAllocatesOnlyWhenMoreItemsTouchThanEverBefore() throws {
    let measurement = try run("heap", "both", 100, pass: .allocations)
    let counts = try #require(measurement.allocations).frameThread.count.values
    #expect(counts.count { $0 > 0 } <= 2, "\(counts.enumerated().filter { $0.element > 0 })")
  }

  /// All frames without an update may together make two allocations, because arrays of contacts grow when more items
  /// touch than ever before.
  @Test(.enabled(if: allocation_counter_is_active() && !CradleAndDragTests.isDebugBuild))
  func anUpdatedCradleAllocatesInItsUpdatesOnly() throws {
    let measurement = try run("cradle-updates", "coupled", 100, pass: .allocations)
    let counts = try #require(measurement.allocations).frameThread.count.values
    let falling = try counter("fallingItems", measurement)
    let others = (1..<counts.count).filter { frame in
      !frame.isMultiple(of: Cradle.updateInterval) && falling[frame] == falling[frame - 1]
    }
    #expect(others.count > counts.count / 2)
    #expect(others.reduce(0) { $0 + counts[$1] } <= 2)
  }
}
