import Dynamics
import Foundation
import Statistics
import Testing

@testable import CollectionLayout

/// Runs short scripts that combine rare events of a list: changes of the timestep and of options, several changes of
/// the bounds in a frame, updates in the same frame as a jump, large resistances, tiny scrolls.
///
/// `SPRINGBENCH_SCRIPTS=100000 make test ARGS="--filter RandomScriptTests"` runs that number of scripts, with
/// seeds from 1.
@Suite struct RandomScriptTests {
  static var scriptCount: Int {
    if let wanted = ProcessInfo.processInfo.environment["SPRINGBENCH_SCRIPTS"].flatMap(Int.init) { return wanted }
    #if DEBUG
      return 30
    #else
      return 1_500
    #endif
  }

  /// Seeds whose scripts once found a bug.
  private static let onceWrong = [554, 1_914, 11_945, 50_007]

  @Test func exactShowsWhatNaiveShowsInEveryScript() throws {
    var (shown, batches, jumps, optionChanges) = (0, 0, 0, 0)
    for seed in Self.onceWrong + Array(1...Self.scriptCount) {
      var script = try RandomScript(seed: UInt64(seed))
      if let difference = try script.run() { Issue.record("script \(seed): \(difference)") }
      shown += script.shown
      batches += script.batches
      jumps += script.jumps
      optionChanges += script.optionChanges
    }
    #expect(min(shown, batches, jumps, 2 * optionChanges) > Self.scriptCount)
  }
}

/// A naive and an exact list, and the random events that happen to both.
private struct RandomScript {
  private var random: SplitMix64
  private let views: [CollectionView]
  private let steps: [Double]
  private let flow: FlowOptions
  private(set) var shown = 0
  private(set) var batches = 0
  private(set) var jumps = 0
  private(set) var optionChanges = 0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    let varied = FlowOptions.varied
    flow =
      Int.random(in: 0..<3, using: &random) > 0
      ? .messages : varied[Int.random(in: varied.indices, using: &random)].options
    var springs = SpringOptions()
    springs.scrollResistance = [40, 300, 1_500, 1_500, 10_000, 100_000][Int(random.next() % 6)]
    springs.padding = [0, 30, 100, 400][Int(random.next() % 4)]
    if Int.random(in: 0..<3, using: &random) == 0 {
      springs.frequency = [0.3, 0.6, 2, 5][Int(random.next() % 4)]
      springs.damping = [0.25, 0.6, 1, 2][Int(random.next() % 4)]
    }
    let count = Int.random(in: 1...1_500, using: &random)
    let offset = Double.random(in: -200...Double(count) * 40, using: &random).rounded()
    let layouts = [
      try NaiveSpringLayout(flow: flow, springs: springs), try ExactSpringLayout(flow: flow, springs: springs),
    ]
    views = try layouts.map { try CollectionView(layout: $0, itemCount: count, size: phone, contentOffset: offset) }
    let rates = [60.0, 60, 120, 90, 30, 1_000]
    let first = rates[Int(random.next() % 6)]
    let second = Int.random(in: 0..<3, using: &random) > 0 ? rates[Int(random.next() % 6)] : first
    let change = Int.random(in: 1...12, using: &random)
    steps = (0..<Int.random(in: 8...40, using: &random)).map { 1 / ($0 < change ? first : second) }
  }

  /// - Returns: The first difference between the lists. Nil if there is none.
  mutating func run() throws -> String? {
    var pace = Double(Int.random(in: -20...20, using: &random))
    for (frame, step) in steps.enumerated() {
      if Int.random(in: 0..<8, using: &random) == 0 { pace = nextPace() }
      var actions: [(CollectionView) throws -> Void] = []
      for _ in 0..<[1, 1, 1, 2, 3][Int(random.next() % 5)] {
        if chance(12) { actions.append(batch()) }
        actions.append(scroll(by: chance(15) ? jump() : pace))
      }
      if chance(12) { actions.append(batch()) }
      if chance(60) { actions.append { try $0.appendItems(7) } }
      if chance(25) { actions.append(optionChange()) }
      if chance(80) {
        actions.append { try $0.rotate(to: Size(width: $0.bounds.size.height, height: $0.bounds.size.width)) }
      }
      let duration = chance(10) ? Double.random(in: 0.001...0.05, using: &random) : step
      actions.append { $0.step(by: duration) }
      if chance(20) { actions.append(batch()) }
      actions.append { try $0.prepareLayout() }
      if chance(20) { actions.append(batch()) }
      // Both views perform each action before the next one, so both have the same number of rows when a batch is drawn.
      for action in actions { for view in views { try action(view) } }
      if let difference = difference() { return "frame \(frame): \(difference)" }
    }
    return nil
  }

  private mutating func chance(_ outOf: Int) -> Bool { Int.random(in: 0..<outOf, using: &random) == 0 }

  private mutating func nextPace() -> Double {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: 0
    case 1: Double.random(in: -3e-7...3e-7, using: &random)
    case 2: Double(Int.random(in: -3...3, using: &random)) * 65
    default: Double.random(in: -150...150, using: &random)
    }
  }

  private mutating func jump() -> Double {
    jumps += 1
    return Double.random(in: -1...1, using: &random) * [300, 3_000, 60_000][Int(random.next() % 3)]
  }

  private mutating func scroll(by distance: Double) -> (CollectionView) throws -> Void {
    let touch =
      chance(2) ? Point(x: .random(in: 0...320, using: &random), y: .random(in: 0...568, using: &random)) : nil
    return { view in
      let limit = view.maximumContentOffset + 300
      view.scroll(to: min(max(-300, view.scrollOffset + distance), limit), touch: touch)
    }
  }

  private mutating func optionChange() -> (CollectionView) throws -> Void {
    optionChanges += 1
    let (kind, number) = (Int.random(in: 0..<4, using: &random), Double.random(in: 0...1, using: &random))
    return { view in
      try #require(view.layout as? FlowLayout).changeOptions { options in
        switch kind {
        case 0: options.minimumLineSpacing = (20 * number).rounded()
        case 1: options.minimumInteritemSpacing = (20 * number).rounded()
        case 2: options.sectionInset = EdgeInsets(all: (40 * number).rounded())
        default: options.itemSize.height = 20 + (100 * number).rounded()
        }
      }
    }
  }

  /// Returns an action that applies the same batch to both views. The batch is drawn only when the first view applies
  /// it, because it depends on the number of rows at that time.
  private mutating func batch() -> (CollectionView) throws -> Void {
    batches += 1
    let source = BatchSource(RandomUpdates(seed: random.next()))
    return { view in try view.performBatchUpdates(source.batch(for: view)) }
  }

  private mutating func difference() -> String? {
    let (expected, found) = (views[0].visibleAttributes(), views[1].visibleAttributes())
    shown += expected.count
    let places = Dictionary(uniqueKeysWithValues: found.map { ($0.index, $0) })
    let names = Set(expected.map(\.index))
    for item in expected {
      guard let place = places[item.index] else {
        if isOnEdge(item) { continue }
        return "row \(item.index) is missing: \(expected.count) rows, exact \(found.count)"
      }
      let distance = max(abs(place.center.x - item.center.x), abs(place.center.y - item.center.y))
      guard distance < 1e-6, place.size == item.size else { return "row \(item.index) is \(distance) off" }
    }
    for item in found where !names.contains(item.index) && !isOnEdge(item) {
      return "row \(item.index) should not be there"
    }
    guard found.map(\.index) == found.map(\.index).sorted() else { return "the rows are out of order" }
    return nil
  }

  /// Returns whether so little of the item is in view that the lists may disagree on whether it is visible.
  private func isOnEdge(_ item: LayoutAttributes) -> Bool { !item.frame.intersects(views[0].bounds.grown(by: -1e-6)) }
}

/// Gives two views the same batch. The batch is drawn when the first view needs it.
private final class BatchSource {
  private var updates: RandomUpdates
  private var batch: [CollectionViewUpdate]?

  init(_ updates: RandomUpdates) { self.updates = updates }

  func batch(for view: CollectionView) -> [CollectionViewUpdate] {
    if let batch { return batch }
    let middle = view.visibleAttributes().first.map { $0.index + 4 } ?? view.itemCount / 2
    let made = updates.batch(count: view.itemCount, near: middle)
    batch = made
    return made
  }
}
