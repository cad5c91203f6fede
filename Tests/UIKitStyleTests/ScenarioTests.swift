import Testing
import UIKit
import UIKitScenarios

@testable import FrameBench

/// Tests scenarios made from an app's layout.
@Suite struct ScenarioTests {
  private func checksum(_ suite: Suite, _ id: BenchmarkID) throws -> UInt64 {
    var options = RunOptions()
    options.frameCount = 120
    options.warmUpFrameCount = 20
    switch Worker(suite).reply(to: WorkerRequest(benchmark: id, pass: .phases, options: options)).outcome {
    case .measured(let measurement):
      #expect(try #require(measurement.counters["visibleItems"]).values.allSatisfy { $0 > 5 })
      return try #require(UInt64(measurement.checksum, radix: 16))
    case .failed, .ready:
      Issue.record("not measured: \(id)")
      throw CancellationError()
    }
  }

  @Test func aLayoutOfAnAppIsAScenarioByOneLine() throws {
    var suite = Suite("app")
    suite.add(layout: SpringyLayout(), items: [100, 1_000])
    let one = try checksum(suite, BenchmarkID(scenario: "SpringyLayout", strategy: "default", size: 1_000))
    let again = try checksum(suite, BenchmarkID(scenario: "SpringyLayout", strategy: "default", size: 1_000))
    #expect(one == again)
  }

  /// Returns the phases of the scenario that updates a layout, each with the number of recorded frames that contain it.
  private func phases(
    ofUpdates layout: @autoclosure @escaping @Sendable () -> UICollectionViewLayout,
    setUp: @escaping @Sendable (UICollectionView) -> AnyObject? = { _ in nil }
  ) throws -> [String: Int] {
    var suite = Suite("app")
    suite.add("list", layout: layout(), items: [50], setUp: setUp)
    var options = RunOptions()
    options.frameCount = 240
    options.warmUpFrameCount = 0
    let id = BenchmarkID(scenario: "list-updates", strategy: "default", size: 50)
    let reply = Worker(suite).reply(to: WorkerRequest(benchmark: id, pass: .phases, options: options))
    guard case .measured(let measurement) = reply.outcome else {
      Issue.record("not measured: \(reply.outcome)")
      throw CancellationError()
    }
    return Dictionary(
      uniqueKeysWithValues: measurement.phases.map { ($0.name, $0.clockPairs?.values.count { $0 > 0 } ?? 0) })
  }

  /// Some layouts ask a delegate for the sizes of their items, and take 0 without one.
  private final class FlatLayout: UICollectionViewFlowLayout {
    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
      super.layoutAttributesForElements(in: rect)?.map { attributes in
        let flat = UICollectionViewLayoutAttributes(forCellWith: attributes.indexPath)
        flat.frame = CGRect(origin: attributes.frame.origin, size: CGSize(width: attributes.frame.width, height: 0))
        return flat
      }
    }
  }

  @Test(arguments: [false, true]) func aLayoutThatShowsNoItemsIsNotMeasured(isFlat: Bool) throws {
    var suite = Suite("app")
    suite.add("list", layout: isFlat ? FlatLayout() : UICollectionViewLayout(), items: [50])
    for scenario in ["list", "list-updates"] {
      let id = BenchmarkID(scenario: scenario, strategy: "default", size: 50)
      let request = WorkerRequest(benchmark: id, pass: .phases, options: RunOptions())
      guard case .failed(let reason) = Worker(suite).reply(to: request).outcome else {
        Issue.record("\(scenario) was measured")
        continue
      }
      #expect(reason.contains("Layout shows none of its 50 items with a size; if it needs a delegate"), "\(reason)")
    }
  }

  @Test func whatALayoutDoesBesideScrollingHasPhases() throws {
    let plain = try phases(ofUpdates: NaiveList())
    #expect(["batch", "rotation", "snap"].allSatisfy { plain[$0] == 4 }, "\(plain)")
    #expect(plain["prepare"] == 240 && plain["selfSizing"] == nil, "\(plain)")
    let own = try phases(ofUpdates: UICollectionViewFlowLayout()) { view in
      (view.collectionViewLayout as? UICollectionViewFlowLayout)?.estimatedItemSize = CGSize(width: 300, height: 40)
      view.preferredLayoutAttributesFitting = { attributes in
        attributes.size = CGSize(width: 300, height: 30 + CGFloat(attributes.indexPath.item % 5) * 10)
        return attributes
      }
      return nil
    }
    #expect(own["selfSizing"] == 4, "\(own)")
  }

  @Test func layoutsAreComparedAsStrategies() throws {
    var suite = Suite("app")
    suite.add("list", layouts: ["naive": { NaiveList() }, "tiled": { TiledLayout() }], items: [200])
    // The two strategies show items in different places, because only the tiled list has springs.
    let checksums = try ["naive", "tiled"].map {
      try checksum(suite, BenchmarkID(scenario: "list", strategy: $0, size: 200))
    }
    #expect(checksums[0] != checksums[1])
  }

  @Test func aScenarioBeginsWhereItsScrollBegins() throws {
    var suite = Suite("app")
    suite.add(layout: JumpList(), items: [10_000])
    _ = try checksum(suite, BenchmarkID(scenario: "JumpList", strategy: "default", size: 10_000))
    #expect((1...100).contains(JumpList.largestDelta))
  }

  @Test func theListOfTheArticlesStraysByTheSameAtEverySize() throws {
    var options = RunOptions()
    options.frameCount = 120
    options.warmUpFrameCount = 30
    let distances = try [100, 1_000].map { size in
      let id = BenchmarkID(scenario: "springs-uikit", strategy: "tiled", size: size)
      let request = WorkerRequest(benchmark: id, pass: .output, options: options, reference: "naive")
      guard case .measured(let measurement) = Worker(.uikit).reply(to: request).outcome else {
        Issue.record("not measured: \(id)")
        throw CancellationError()
      }
      return try #require(measurement.deviation?.largestDistance)
    }
    #expect(distances[0] > 10 && abs(distances[0] - distances[1]) < 1e-6)
  }
}

/// A list that records the largest distance scrolled in a frame, which must not exceed that of a fling: 100 points.
private final class JumpList: UICollectionViewFlowLayout {
  nonisolated(unsafe) static var largestDelta: CGFloat = 0

  override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    Self.largestDelta = max(Self.largestDelta, abs(newBounds.minY - (collectionView?.bounds.minY ?? 0)))
    return super.shouldInvalidateLayout(forBoundsChange: newBounds)
  }
}

/// A list with the rows of the tiled list, but without springs.
private final class NaiveList: UICollectionViewFlowLayout {
  override func prepare() {
    itemSize = CGSize(width: 310, height: 60)
    minimumLineSpacing = 5
    super.prepare()
  }
}
