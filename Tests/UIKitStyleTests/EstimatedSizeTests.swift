import Testing
import UIKit

/// Tests compositional layouts with estimated dimensions, and with cells and headers that prefer other sizes.
@Suite struct EstimatedSizeTests {
  static func size(_ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension)
    -> NSCollectionLayoutSize
  { NSCollectionLayoutSize(widthDimension: width, heightDimension: height) }

  /// Returns a section whose rows have `columns` items of equal width. The cells determine the height.
  private static func rows(_ columns: Int = 1, estimate: CGFloat = 100) -> NSCollectionLayoutSection {
    let size = size(.fractionalWidth(1), .estimated(estimate))
    let item = NSCollectionLayoutItem(layoutSize: size)
    return NSCollectionLayoutSection(group: .horizontal(layoutSize: size, subitem: item, count: columns))
  }

  private static func view(_ section: NSCollectionLayoutSection, _ numbers: Numbers) -> UICollectionView {
    let view = UICollectionView(
      frame: phone, collectionViewLayout: UICollectionViewCompositionalLayout(section: section))
    view.dataSource = numbers
    _ = view.numberOfSections  // Counts the items while the data source exists.
    return view
  }

  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  private func frame(_ view: UICollectionView, _ item: Int, _ section: Int = 0) -> CGRect? {
    view.layoutAttributesForItem(at: path(item, section))?.frame
  }

  private static func height(_ item: Int) -> CGFloat { CGFloat(40 + item % 3 * 20) }

  private static func prefer(_ view: UICollectionView, _ height: @escaping (IndexPath) -> CGFloat) {
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height = height(attributes.indexPath)
      return attributes
    }
  }

  @Test func rowsTakeTheHeightsThatTheirCellsPrefer() {
    let numbers = Numbers(1_000)
    let view = Self.view(Self.rows(), numbers)
    var asked = 0
    Self.prefer(view) {
      asked += 1
      return Self.height($0.item)
    }
    // Ten cells of 40, 60 and 80 points are in view. The heights of the others are estimates.
    #expect(view.visibleAttributes().count == 10 && asked == 10)
    #expect(view.contentSize == CGSize(width: 320, height: 580 + 990 * 100))
    #expect(frame(view, 10) == CGRect(x: 0, y: 580, width: 320, height: 100))
    for offset in stride(from: 0.0, through: 3_000, by: 150) {
      view.scroll(to: CGPoint(x: 0, y: offset))
      let shown = view.visibleAttributes()
      #expect(shown.map(\.size.height) == shown.map { Self.height($0.indexPath.item) })
      for (item, next) in zip(shown, shown.dropFirst()) { #expect(item.frame.maxY == next.frame.minY) }
    }
    view.layoutIfNeeded()
    #expect(asked < 70 && view.contentOffset.y == 3_000)
    view.scroll(to: .zero)
    #expect(view.visibleAttributes().first?.frame == CGRect(x: 0, y: 0, width: 320, height: 40))
  }

  @Test func aRowIsAsHighAsItsHighestCell() {
    let view = Self.view(Self.rows(2), Numbers(5))
    Self.prefer(view) { Self.height($0.item) }
    #expect(frame(view, 1) == CGRect(x: 160, y: 0, width: 160, height: 60))
    #expect(frame(view, 2) == CGRect(x: 0, y: 60, width: 160, height: 80))
    // The last row has only one cell. The row is as high as this cell, not as high as the estimate.
    #expect(frame(view, 4) == CGRect(x: 0, y: 140, width: 160, height: 60) && view.contentSize.height == 200)
  }

  @Test func aRowBreaksWhereTheWidthsOfItsCellsSay() {
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.estimated(150), .absolute(30)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .estimated(30)), subitems: [item])
    group.interItemSpacing = .fixed(10)
    let section = NSCollectionLayoutSection(group: group)
    section.interGroupSpacing = 5
    let view = Self.view(section, Numbers(9))
    let widths: [CGFloat] = [100, 90, 80, 200, 110, 50, 60, 300, 20]
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size = CGSize(width: widths[attributes.indexPath.item], height: 99)
      return attributes
    }
    let frames = (0..<9).compactMap { frame(view, $0) }
    #expect(frames.map(\.minX) == [0, 110, 210, 0, 210, 0, 60, 0, 0])
    #expect(frames.map(\.minY) == [0, 0, 0, 35, 35, 70, 70, 105, 140])
    #expect(frames.map(\.width) == widths && frames.allSatisfy { $0.height == 30 })
    #expect(view.contentSize.height == 170)
  }

  @Test func aSideWithoutAnEstimateStaysAsItIs() {
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(0.5), .estimated(50)))
    item.contentInsets = NSDirectionalEdgeInsets(top: 7, leading: 5, bottom: 7, trailing: 5)
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(200)), subitems: [item])
    let view = Self.view(NSCollectionLayoutSection(group: group), Numbers(6))
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size = CGSize(width: 999, height: 70)
      return attributes
    }
    // Two items of 70 points fit into a group. Along an estimated dimension an item has no insets.
    #expect(frame(view, 1) == CGRect(x: 5, y: 70, width: 150, height: 70))
    #expect(frame(view, 2) == CGRect(x: 5, y: 200, width: 150, height: 70) && view.contentSize.height == 600)
  }

  @Test func headersMakeRoomForWhatTheyPrefer() {
    let section = Self.rows()
    let header = NSCollectionLayoutBoundarySupplementaryItem(
      layoutSize: Self.size(.fractionalWidth(1), .estimated(20)), elementKind: "head", alignment: .top)
    header.pinToVisibleBounds = true
    section.boundarySupplementaryItems = [header]
    let view = Self.view(section, Numbers(2, 2))
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height = attributes.representedElementKind == nil ? 60 : 33
      return attributes
    }
    #expect(frame(view, 0) == CGRect(x: 0, y: 33, width: 320, height: 60))
    #expect(frame(view, 0, 1) == CGRect(x: 0, y: 153 + 33, width: 320, height: 60))
    #expect(view.contentSize.height == 306)
    let head = view.layoutAttributesForSupplementaryElement(ofKind: "head", at: path(0, 1))
    #expect(head?.frame == CGRect(x: 0, y: 153, width: 320, height: 33))
  }

  @Test func whatIsInViewStaysWhereItIsIfARowAboveGrows() {
    let view = Self.view(Self.rows(), Numbers(1_000))
    view.scroll(to: CGPoint(x: 0, y: 5_050))
    Self.prefer(view) { _ in 150 }
    view.layoutIfNeeded()
    // Item 50 now covers 5000 to 5150, and the view has moved with the item's lower edge.
    #expect(view.contentOffset.y == 5_100 && frame(view, 50)?.maxY == 5_150)
    #expect(view.contentSize.height == 100_350)
    // Row 49 comes into view and grows by 50 points. The offset grows, too, so that the rows below stay in place.
    view.scroll(to: CGPoint(x: 0, y: 4_990))
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 5_040 && frame(view, 49) == CGRect(x: 0, y: 4_900, width: 320, height: 150))
  }

  @Test func aSectionThatScrollsAcrossIsAsHighAsItsHighestCell() {
    let size = Self.size(.absolute(200), .estimated(50))
    let section = NSCollectionLayoutSection(
      group: .horizontal(layoutSize: size, subitems: [NSCollectionLayoutItem(layoutSize: size)]))
    section.orthogonalScrollingBehavior = .continuous
    let view = Self.view(section, Numbers(4, 1))
    Self.prefer(view) { $0.section == 0 ? 90 - CGFloat($0.item) * 20 : 60 }
    #expect(frame(view, 1) == CGRect(x: 200, y: 0, width: 200, height: 70))
    #expect(frame(view, 0, 1) == CGRect(x: 0, y: 90, width: 200, height: 60) && view.contentSize.height == 150)
  }

  @Test func sizesStayWithTheirItemsWhenTheListChanges() {
    let numbers = Numbers(100, 100)
    let view = Self.view(Self.rows(), numbers)
    var heights = (0..<100).map { Self.height($0) }
    Self.prefer(view) { $0.section == 0 ? heights[$0.item] : 100 }
    for offset in stride(from: 0.0, through: 1_800, by: 150) {
      view.scroll(to: CGPoint(x: 0, y: offset))
      view.layoutIfNeeded()
    }
    let before = frame(view, 29)
    (numbers.counts, heights) = ([101, 100], [44] + heights)
    view.performBatchUpdates({ view.insertItems(at: [path(0)]) })
    for _ in 0..<60 { view.step(by: 1 / 60) }
    // The new item was never in view, so its height is still the estimate.
    #expect(frame(view, 30) == before?.offsetBy(dx: 0, dy: 100) && frame(view, 0)?.height == 100)
    let now = frame(view, 30)
    view.contentInset.top = 5
    #expect(frame(view, 30) == now)
    view.reloadData()
    #expect(frame(view, 3)?.minY == 300)
  }

  /// A query anywhere must find the same items as a search through all items, in whatever order cells were measured.
  @Test func queriesFindWhatOverlapsAmongMeasuredRows() {
    var script = Script(seed: 3)
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.estimated(90), .estimated(40)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .estimated(40)), subitems: [item])
    let section = NSCollectionLayoutSection(group: group)
    section.interGroupSpacing = 4
    let view = Self.view(section, Numbers(300, 40))
    view.preferredLayoutAttributesFitting = { attributes in
      let number = CGFloat(attributes.indexPath.item + attributes.indexPath.section)
      attributes.size = CGSize(width: 40 + (number * 37).truncatingRemainder(dividingBy: 150), height: 20 + number / 9)
      return attributes
    }
    let layout = view.collectionViewLayout
    let paths = [(0, 300), (1, 40)].flatMap { part in (0..<part.1).map { IndexPath(item: $0, section: part.0) } }
    for _ in 0..<40 {
      view.scroll(to: CGPoint(x: 0, y: script.next(0...4_000)))
      view.layoutIfNeeded()
      let frames = paths.map { layout.layoutAttributesForItem(at: $0)?.frame ?? .null }
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.minY > $0.minY || $1.minX > $0.maxX - 1e-6 })
      let rect = CGRect(x: script.next(0...300), y: script.next(-50...9_000), width: 90, height: script.next(1...900))
      let found = Set((layout.layoutAttributesForElements(in: rect) ?? []).map(\.indexPath))
      #expect(found == Set(zip(paths, frames).filter { $0.1.intersects(rect) }.map(\.0)))
      // Placing all items again changes nothing.
      layout.invalidateLayout()
      view.layoutIfNeeded()
      #expect(frames == paths.map { layout.layoutAttributesForItem(at: $0)?.frame ?? .null })
    }
  }
}
