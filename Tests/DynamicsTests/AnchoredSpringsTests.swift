import CAllocationCounter
import Statistics
import Testing

@testable import Dynamics

/// Tests adding, updating and removing many items with one spring each, and items that call their animator.
@Suite struct AnchoredSpringsTests {
  private func attachment(_ item: any DynamicItem, damping: Double = 0.8) -> AttachmentBehavior {
    AttachmentBehavior(item: item, attachedToAnchor: item.center, damping: damping, frequency: 1)
  }

  /// Compares each item with a twin that has an animator of its own.
  @Test(arguments: [1, 2, 3] as [UInt64]) func itemsThatAreUpdatedInAnyOrderMoveAsIfTheyWereAlone(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let together = DynamicAnimator()
    let places = (0..<40).map { Point(x: 0, y: 10 * Double($0)) }
    var pairs = try places.enumerated().map { index, place in
      let (item, twin) = (Box("item \(index)", at: place), Box(at: place))
      let alone = DynamicAnimator()
      let damping = index.isMultiple(of: 3) ? 0.8 : 0.5
      let behavior = attachment(item, damping: damping)
      try together.addBehavior(behavior)
      try alone.addBehavior(attachment(twin, damping: damping))
      return (item: item, behavior: behavior, twin: twin, alone: alone)
    }
    var travel = 0.0
    for frame in 0..<200 {
      if random.next().isMultiple(of: 2) { random.shuffle(&pairs) }
      for pair in pairs where !random.next().isMultiple(of: 3) {
        let push = random.number(-20...20)
        pair.item.center.y += push
        pair.twin.center.y += push
        try together.updateItem(usingCurrentState: pair.item)
        try pair.alone.updateItem(usingCurrentState: pair.twin)
      }
      if frame.isMultiple(of: 5) {
        let gone = pairs.remove(at: Int(random.next() % UInt64(pairs.count)))
        try together.removeBehavior(gone.behavior)
        #expect(throws: DynamicsError.self) { try together.updateItem(usingCurrentState: gone.item) }
        if frame.isMultiple(of: 10) {
          let damping = gone.behavior.damping
          gone.behavior.anchorPoint = gone.item.center
          let alone = DynamicAnimator()
          gone.twin.center = gone.item.center
          try alone.addBehavior(attachment(gone.twin, damping: damping))
          try together.addBehavior(gone.behavior)
          pairs.append((gone.item, gone.behavior, gone.twin, alone))
        }
      }
      together.step(by: 1 / 60)
      for pair in pairs {
        pair.alone.step(by: 1 / 60)
        #expect(distance(pair.item.center, pair.twin.center) < 1e-6)
        travel += abs(pair.item.center.y)
      }
    }
    #expect(pairs.count == 20 && travel > 0)
  }

  @Test func anItemKeepsItsPlaceToTheLastBitWhereItIsNotMoved() throws {
    let (item, twin) = (Box(at: Point(x: 0.1, y: 0.7)), Box(at: Point(x: 0.1, y: 0.7)))
    let (animator, untouched) = (DynamicAnimator(), DynamicAnimator())
    try animator.addBehavior(
      AttachmentBehavior(item: item, attachedToAnchor: Point(x: 1e3, y: 1e3), length: 0, damping: 0.8, frequency: 1))
    try untouched.addBehavior(
      AttachmentBehavior(item: twin, attachedToAnchor: Point(x: 1e3, y: 1e3), length: 0, damping: 0.8, frequency: 1))
    for _ in 0..<100 {
      animator.step(by: 1 / 60)
      untouched.step(by: 1 / 60)
      try animator.updateItem(usingCurrentState: item)
      #expect(item.center == twin.center)
    }
    #expect(item.center.x > 500)
  }

  /// An item that calls its animator while the animator moves it.
  private final class Meddler: DynamicItem {
    let size = Size(width: 10, height: 10)
    var whenMoved: (() -> Void)?
    var center: Point { didSet { whenMoved?() } }

    init(at center: Point) { self.center = center }
  }

  @Test func anItemMayRemoveItselfOrAllOthersWhileItIsMoved() throws {
    for removesAll in [false, true] {
      let animator = DynamicAnimator()
      var items: [Meddler]? = (0..<50).map { Meddler(at: Point(x: Double($0), y: 0)) }
      for item in items ?? [] {
        try animator.addBehavior(attachment(item))
        item.center.y = 10
        try animator.updateItem(usingCurrentState: item)
      }
      items?[20].whenMoved = { [unowned animator] in
        if removesAll { animator.removeAllBehaviors() } else { try? animator.removeBehavior(animator.behaviors[20]) }
      }
      items = nil
      animator.step(by: 1 / 60)
      #expect(animator.behaviors.count == (removesAll ? 0 : 49))
      animator.step(by: 1 / 60)
    }
  }

  @Test func anItemMayAddOthersWhileItIsMoved() throws {
    let animator = DynamicAnimator()
    let item = Meddler(at: .zero)
    var added: [Box] = []
    try animator.addBehavior(attachment(item))
    item.whenMoved = { [unowned animator] in
      guard added.count < 500 else { return }
      for index in 0..<50 {
        let box = Box(at: Point(x: Double(index), y: 0))
        added.append(box)
        try? animator.addBehavior(
          AttachmentBehavior(item: box, attachedToAnchor: box.center, damping: Double(index % 7), frequency: 1))
      }
    }
    item.center.x = 40
    try animator.updateItem(usingCurrentState: item)
    for _ in 0..<20 { animator.step(by: 1 / 60) }
    #expect(added.count == 500 && animator.behaviors.count == 501)
    #expect(item.center.x < 40)
  }

  private class Plain: DynamicItem {
    let size = Size(width: 10, height: 10)
    var center = Point.zero
  }

  private final class Counting: Plain {
    private(set) var moveCount = 0
    override var center: Point { didSet { moveCount += 1 } }
  }

  @Test func itemsOfSeveralTypesAreMovedByTheirOwnSetters() throws {
    var random = SplitMix64(seed: 5)
    let animator = DynamicAnimator()
    let items: [any DynamicItem] = (0..<100).map { _ in
      switch random.next() % 3 {
      case 0: Plain()
      case 1: Counting()
      default: Meddler(at: .zero)
      }
    }
    for item in items {
      try animator.addBehavior(attachment(item))
      item.center = Point(x: 3, y: 40)
      try animator.updateItem(usingCurrentState: item)
    }
    for _ in 0..<10 { animator.step(by: 1 / 60) }
    #expect(items.allSatisfy { $0.center == items[0].center } && items[0].center.y < 40)
    let counts = items.compactMap { ($0 as? Counting)?.moveCount }
    #expect(counts.count > 20 && counts.allSatisfy { $0 == 11 })
  }

  @Test func aTableFindsWhatItHoldsHoweverItemsComeAndGo() {
    var random = SplitMix64(seed: 7)
    let behaviors = (0..<300).map { attachment(Box(at: Point(x: Double($0), y: 0))) }
    var table = BehaviorTable()
    var held: Set<Int> = []
    for _ in 0..<5_000 {
      let index = Int(random.next() % 300)
      if held.remove(index) != nil {
        table.remove(behaviors[index])
      } else {
        held.insert(index)
        table.insert(behaviors[index])
      }
    }
    #expect(held.count > 50 && !table.isEmpty)
    for index in behaviors.indices {
      let found = table[ObjectIdentifier(behaviors[index].item)]?.takeUnretainedValue()
      #expect((found === behaviors[index]) == held.contains(index))
      #expect((found == nil) == !held.contains(index))
    }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func framesOfItemsAllocateNothing() throws {
    let animator = DynamicAnimator()
    let items = (0..<200).map { Box(at: Point(x: 0, y: Double($0))) }
    for item in items { try animator.addBehavior(attachment(item)) }
    func frame(_ push: Double) throws {
      for index in items.indices {
        items[index].center.y += push
        try animator.updateItem(usingCurrentState: items[index])
      }
      animator.step(by: 1 / 60)
    }
    try frame(1)
    let before = allocation_counter_this_thread().count
    for index in 0..<100 { try frame(Double(index % 3)) }
    let allocated = allocation_counter_this_thread().count - before
    #expect(allocated == 0 && animator.isRunning)
  }
}
