import Dynamics
import Foundation
import Statistics
import Testing

@testable import CollectionLayout

@Suite struct FlowLayoutTests {
  private func view(_ options: FlowOptions, _ count: Int) throws -> CollectionView {
    try CollectionView(layout: FlowLayout(options), itemCount: count, size: phone)
  }

  @Test(arguments: FlowOptions.varied, [1, 2, 7, 100, 1000]) func everyItemLiesWhereAPlainFlowPutsIt(
    _ flow: FlowOptions.Named, count: Int
  ) throws {
    let view = try view(flow.options, count)
    let plain = PlainFlow(flow.options, itemCount: count, viewSize: phone)
    for index in 0..<count {
      let frame = try #require(view.layout.layoutAttributesForItem(at: index)).frame
      #expect(abs(frame.minX - plain.frames[index].minX) < 1e-9)
      #expect(abs(frame.minY - plain.frames[index].minY) < 1e-9)
      #expect(frame.size == plain.frames[index].size)
    }
    let size = view.layout.collectionViewContentSize
    let length = flow.options.scrollDirection == .vertical ? size.height : size.width
    #expect(abs(length - plain.contentLength) < 1e-9)
    #expect(view.layout.layoutAttributesForItem(at: count) == nil)
    #expect(view.layout.layoutAttributesForItem(at: -1) == nil)
  }

  @Test(arguments: FlowOptions.varied) func aRectangleIsAnsweredWithTheItemsThatShareMoreThanAnEdge(
    _ flow: FlowOptions.Named
  ) throws {
    let view = try view(flow.options, 700)
    let plain = PlainFlow(flow.options, itemCount: 700, viewSize: phone)
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let rect = Rect(
        x: .random(in: -200...9000, using: &random), y: .random(in: -200...9000, using: &random),
        width: .random(in: 0...700, using: &random), height: .random(in: 0...700, using: &random))
      let expected = plain.frames.indices.filter { plain.frames[$0].grown(by: -1e-6).intersects(rect) }
      #expect(view.layout.layoutAttributes(in: rect).map(\.index) == expected)
    }
  }

  @Test func anItemThatOnlyTouchesTheRectangleIsNotShown() throws {
    let view = try view(.messages, 100)
    // Rows start at 5 + 65·i and are 60 high.
    let rows = view.layout.layoutAttributes(in: Rect(x: 0, y: 65, width: 320, height: 5))
    #expect(rows.isEmpty)
    let more = view.layout.layoutAttributes(in: Rect(x: 0, y: 64, width: 320, height: 7))
    #expect(more.map(\.index) == [0, 1])
  }

  @Test func theGridHasFiveColumnsOnAPhoneAndTheMessagesOne() throws {
    let grid = try view(FlowOptions(), 12)
    for index in 0..<12 {
      #expect(grid.layout.layoutAttributesForItem(at: index)?.center.x == 32 + 54 * Double(index % 5))
    }
    let messages = try view(.messages, 3)
    #expect((0..<3).map { messages.layout.layoutAttributesForItem(at: $0)?.frame.minY } == [5, 70, 135])
  }

  @Test(arguments: FlowOptions.varied) func appendingIsTheSameAsHavingBegunWithAllItems(_ flow: FlowOptions.Named)
    throws
  {
    let grown = try view(flow.options, 0)
    for count in [1, 2, 3, 50, 1, 143] {
      try grown.appendItems(count)
      try grown.prepareLayout()
    }
    let whole = try view(flow.options, 200)
    #expect(grown.layout.collectionViewContentSize == whole.layout.collectionViewContentSize)
    for index in 0..<200 {
      #expect(grown.layout.layoutAttributesForItem(at: index) == whole.layout.layoutAttributesForItem(at: index))
    }
  }

  @Test func tenMillionUniformItemsOpenWithoutBeingVisited() throws {
    let view = try view(.messages, 10_000_000)
    #expect(view.layout.collectionViewContentSize.height == 10 - 5 + 65 * 10_000_000)
    let last = view.layout.layoutAttributes(in: Rect(x: 0, y: view.maximumContentOffset, width: 320, height: 568))
    #expect(last.last?.index == 9_999_999)
  }

  static let senseless: [(@Sendable (inout FlowOptions) -> Void, String)] = [
    ({ $0.itemSize = Size(width: 0, height: 44) }, "itemSize"),
    ({ $0.itemSize = Size(width: 44, height: .nan) }, "itemSize"),
    ({ $0.minimumLineSpacing = -1 }, "minimumLineSpacing"),
    ({ $0.minimumInteritemSpacing = .infinity }, "minimumInteritemSpacing"),
    ({ $0.sectionInset.left = -3 }, "sectionInset.left"),
  ]

  @Test(arguments: senseless.indices) func senselessOptionsAreRefusedByName(_ index: Int) {
    let (spoil, name) = Self.senseless[index]
    var options = FlowOptions()
    spoil(&options)
    let error = #expect(throws: LayoutError.self) { try view(options, 10) }
    #expect(error?.description.contains(name) == true)
  }

  @Test func aViewWithoutAreaOrWithANegativeNumberOfItemsIsRefused() {
    #expect(throws: LayoutError.invalidViewSize(.zero)) {
      try CollectionView(layout: FlowLayout(), itemCount: 1, size: .zero)
    }
    #expect(throws: LayoutError.invalidItemCount(-1)) {
      try CollectionView(layout: FlowLayout(), itemCount: -1, size: phone)
    }
  }

  @Test func aQueryWhoseAnswerIsHeldDoesNotChangeIt() throws {
    let view = try view(.messages, 100)
    let first = view.visibleAttributes()
    view.scroll(to: 3000)
    let second = view.visibleAttributes()
    #expect(first[0].index == 0 && second[0].index == 46)
  }
}
