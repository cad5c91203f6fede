import Dynamics
import Testing

@testable import CollectionLayout

/// Tests errors for invalid batches, and the state of the view after them.
@Suite struct UpdateErrorTests {
  /// Invalid batches for ten items, each with the number of items that the data source reports after the batch (nil if
  /// it reports none), and with a part of the error message.
  static let broken: [([CollectionViewUpdate], Int?, String)] = [
    ([.delete(at: 10)], nil, "delete at 10, of 10 items"), ([.delete(at: -1)], nil, "delete at -1"),
    ([.insert(at: 11)], nil, "insert at 11, of 11 items"),
    ([.insert(at: 10), .delete(at: 0)], nil, "insert at 10, of 10 items"),
    ([.move(from: 10, to: 0)], nil, "move from 10 to 0"), ([.move(from: 0, to: 10)], nil, "move from 0 to 10"),
    ([.delete(at: 3), .delete(at: 3)], nil, "delete at 3, and delete at 3"),
    ([.delete(at: 3), .move(from: 3, to: 4)], nil, "only once"),
    ([.insert(at: 2), .move(from: 5, to: 2)], nil, "only once"),
    ([.insert(at: 0)], 10, "10 items after the batch; 10 before it, 1 inserted and 0 deleted make 11"),
    ([.delete(at: 0)], 12, "make 9"), ([], 9, "make 10"), ([], -1, "make 10"),
  ]

  @Test(arguments: broken.indices) func aBatchThatCannotBeIsNamedAndChangesNothing(_ index: Int) throws {
    let (batch, count, text) = Self.broken[index]
    let view = try CollectionView(layout: AnimatedFlowLayout(.messages), itemCount: 10, size: phone)
    try view.performBatchUpdates([.delete(at: 2), .insert(at: 0)])
    view.step(by: 0.1)
    let shown = view.presentedAttributes()
    let error = #expect(throws: LayoutError.self) { try view.performBatchUpdates(batch, itemCount: count) }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
    #expect(view.itemCount == 10 && view.presentedAttributes() == shown)
  }

  @Test func aDataSourceWithOtherItemsThanTheBatchSaysIsNamed() throws {
    let source = Numbers(0..<10)
    let view = try CollectionView(layout: FlowLayout(), itemCount: 10, size: phone)
    try view.setDataSource(source)
    #expect(throws: LayoutError.inconsistentItemCount(before: 10, inserted: 1, deleted: 0, after: 10)) {
      try view.performBatchUpdates([.insert(at: 0)])
    }
    source.contents.insert(99, at: 0)
    try view.performBatchUpdates([.insert(at: 0)])
    #expect(view.itemCount == 11)
    #expect(throws: LayoutError.unequalItemCounts(current: 11, next: 3)) { try view.setDataSource(Numbers(0..<3)) }
    #expect(view.dataSource === source)
  }

  @Test func valuesThatAreNoNumbersAreNamedAndChangeNothing() throws {
    let layout = try AnimatedFlowLayout()
    let view = try CollectionView(layout: layout, itemCount: 30, size: phone)
    let shown = view.presentedAttributes()
    var endless = AnimationOptions()
    endless.duration = .infinity
    #expect(throws: LayoutError.invalidOption(name: "duration", value: .infinity)) {
      try view.performBatchUpdates([.delete(at: 0)], options: endless)
    }
    for size in [Size(width: .nan, height: 5), Size(width: 0, height: 5), Size(width: 5, height: -1)] {
      #expect(throws: LayoutError.self) { try view.rotate(to: size) }
    }
    #expect(throws: LayoutError.self) { try view.rotate(to: phone, showing: 30) }
    for distance in [Double.nan, 0, -3, .infinity] {
      #expect(throws: LayoutError.self) { try layout.pinchItem(at: 0, distance: distance) }
    }
    #expect(throws: LayoutError.noSuchItem(index: 30, count: 30)) { try layout.pinchItem(at: 30, distance: 50) }
    #expect(throws: LayoutError.invalidContentOffset(-.infinity)) {
      try CollectionView(layout: FlowLayout(), itemCount: 1, size: phone, contentOffset: -.infinity)
    }
    #expect(view.presentedAttributes() == shown && view.itemCount == 30 && view.bounds.size == phone)
  }

  @Test func aBatchWithImpossibleOptionsChangesNothing() throws {
    let layout = try FlowLayout()
    let view = try CollectionView(layout: layout, itemCount: 10, size: phone)
    let shown = view.visibleAttributes()
    #expect(throws: LayoutError.self) {
      try view.performBatchUpdates([.insert(at: 0)], changes: { layout.itemSize = .zero })
    }
    try view.prepareLayout()
    #expect(view.itemCount == 10 && view.visibleAttributes() == shown)
    view.scroll(to: .nan)
    #expect(view.visibleAttributes().isEmpty)
    view.scroll(to: 0)
    #expect(throws: LayoutError.self) { try view.appendItems(.max) }
    try view.performBatchUpdates([.insert(at: 0)])
    for timestep in [-1, .nan] { view.step(by: timestep) }
    for _ in 0..<15 { view.step(by: 1 / 60) }
    #expect(view.animatedItemCount == 0)
  }

  @Test func aBatchThatFailsKeepsThePinch() throws {
    let layout = try AnimatedFlowLayout()
    let view = try CollectionView(layout: layout, itemCount: 10, size: phone)
    try layout.pinchItem(at: 3, distance: 90)
    #expect(throws: LayoutError.self) {
      try view.performBatchUpdates(
        [],
        changes: {
          layout.resetPinchedItem()
          layout.itemSize = .zero
        })
    }
    try view.prepareLayout()
    #expect(layout.pinchedItem == 3)
  }

  @Test func anIndexMapAgreesWithAListThatIsChangedByHand() throws {
    for seed in 1...200 {
      var updates = RandomUpdates(seed: UInt64(seed))
      let count = Int.random(in: 1...40, using: &updates.random)
      let batch = updates.batch(count: count, near: count / 2, largest: 12)
      let map = try IndexMap(batch, oldCount: count)
      let gone = Set(batch.compactMap(\.indexBefore))
      var expected: [Int?] = Array(repeating: nil, count: map.newCount)
      let taken = Set(batch.compactMap(\.indexAfter))
      for case .move(let from, let to) in batch { expected[to] = from }
      var rest = (0..<count).filter { !gone.contains($0) }[...]
      for index in expected.indices where !taken.contains(index) { expected[index] = rest.popFirst() }
      #expect(rest.isEmpty)
      for (new, old) in expected.enumerated() {
        #expect(map.oldIndex(ofItemAt: new) == old)
        if let old { #expect(map.newIndex(ofItemAt: old) == new) }
      }
      for update in batch { if case .delete(let old) = update { #expect(map.newIndex(ofItemAt: old) == nil) } }
      #expect(map.oldIndex(ofItemAt: map.newCount) == nil && map.oldIndex(ofItemAt: -1) == nil)
    }
  }
}

final class Numbers: ListDataSource {
  var contents: [Int]

  init(_ contents: some Sequence<Int>) { self.contents = Array(contents) }

  var itemCount: Int { contents.count }
  func contents(ofItemAt index: Int) -> Int { contents[index] }
}
