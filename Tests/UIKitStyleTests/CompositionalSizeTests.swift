import Testing
import UIKit

/// Tests the sizes of items, groups and sections of compositional layouts by UIKit's rules, in a view of 320×480.
@Suite struct CompositionalSizeTests {
  private static func size(_ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension)
    -> NSCollectionLayoutSize
  { NSCollectionLayoutSize(widthDimension: width, heightDimension: height) }

  private static func item(_ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension)
    -> NSCollectionLayoutItem
  { NSCollectionLayoutItem(layoutSize: size(width, height)) }

  /// Returns a row of 50 points whose items have the width `share` of the row.
  private static func row(
    _ share: CGFloat, spacing: CGFloat, height: NSCollectionLayoutDimension = .fractionalHeight(1)
  ) -> NSCollectionLayoutGroup {
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(50)), subitems: [item(.fractionalWidth(share), height)])
    group.interItemSpacing = .fixed(spacing)
    return group
  }

  /// Returns a column of 100 points whose items are `length` points high.
  private static func column(of length: CGFloat, spacing: CGFloat = 0) -> NSCollectionLayoutGroup {
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(1), .absolute(100)), subitems: [item(.fractionalWidth(1), .absolute(length))])
    group.interItemSpacing = .fixed(spacing)
    return group
  }

  /// Returns the frames of all items of the first section, and the size of the content.
  private func place(
    _ group: NSCollectionLayoutGroup, _ counts: [Int], _ change: (NSCollectionLayoutSection) -> Void = { _ in }
  ) -> (frames: [CGRect], content: CGSize) {
    let section = NSCollectionLayoutSection(group: group)
    change(section)
    let numbers = Numbers()
    numbers.counts = counts
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 480),
      collectionViewLayout: UICollectionViewCompositionalLayout(section: section))
    view.dataSource = numbers
    view.layoutIfNeeded()
    let frames = (0..<counts[0]).compactMap { view.layoutAttributesForItem(at: IndexPath(item: $0, section: 0))?.frame }
    return withExtendedLifetime(numbers) { (frames, view.contentSize) }
  }

  @Test func fractionsAreThoseOfTheLengthThatTheSpacingsLeave() {
    #expect(place(Self.row(0.5, spacing: 10), [3]).frames.map(\.minX) == [0, 165, 0])
    #expect(place(Self.row(0.5, spacing: 10), [3]).frames.map(\.width) == [155, 155, 155])
    #expect(place(Self.row(1 / 3, spacing: 10), [4]).frames.map(\.minX) == [0, 110, 220, 0])
    #expect(place(Self.row(0.25, spacing: 10), [5]).frames.map(\.minX) == [0, 82.5, 165, 247.5, 0])
    #expect(place(Self.row(0.25, spacing: 10), [5]).frames[3].width == 72.5)
  }

  @Test func aHeightInFractionsOfTheWidthIsThatOfTheLengthThatTheSpacingsLeave() {
    let frames = place(Self.row(0.5, spacing: 10, height: .fractionalWidth(0.1)), [3]).frames
    #expect(frames.map(\.minX) == [0, 165, 0] && frames.map(\.height) == [31, 31, 31])
  }

  @Test func itemsOfAFixedWidthFillARowAsBefore() {
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(50)),
      subitems: [Self.item(.absolute(100), .fractionalHeight(1))])
    group.interItemSpacing = .fixed(10)
    #expect(place(group, [4]).frames.map(\.minX) == [0, 110, 220, 0])
    group.interItemSpacing = .fixed(11)
    #expect(place(group, [4]).frames.map(\.minX) == [0, 111, 0, 111])
  }

  @Test func fractionsAreWholePixels() {
    let frames = place(Self.row(1 / 3, spacing: 0), [4]).frames
    #expect(frames.map(\.minX) == [0, 106.5, 213, 0] && frames.map(\.width) == [106.5, 106.5, 106.5, 106.5])
  }

  @Test func insetsOfASectionDoNotShortenGroupsAlongTheScroll() {
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(1), .fractionalHeight(0.5)),
      subitems: [Self.item(.fractionalWidth(1), .fractionalHeight(1))])
    let (frames, content) = place(group, [1]) {
      $0.contentInsets = NSDirectionalEdgeInsets(top: 10, leading: 4, bottom: 30, trailing: 6)
    }
    #expect(frames == [CGRect(x: 4, y: 10, width: 310, height: 240)] && content.height == 280)
  }

  @Test func insetsDoNotShortenGroupsOfASectionThatScrollsAcross() {
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(0.8), .absolute(50)),
      subitems: [Self.item(.fractionalWidth(1), .fractionalHeight(1))])
    let frames = place(group, [2]) {
      $0.contentInsets = NSDirectionalEdgeInsets(top: 0, leading: 4, bottom: 0, trailing: 6)
      $0.orthogonalScrollingBehavior = .continuous
    }.frames
    #expect(frames.map(\.minX) == [4, 260] && frames[0].width == 256)
  }

  @Test func aSectionWithoutItemsHasInsetsOnlyIfItHasAHeader() {
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(20)),
      subitems: [Self.item(.fractionalWidth(1), .fractionalHeight(1))])
    func insets(_ section: NSCollectionLayoutSection) {
      (section.contentInsets.top, section.contentInsets.bottom) = (3, 5)
    }
    // Seven items of 20 points, and two sections with insets.
    #expect(place(group, [3, 0, 4], insets).content.height == 156)
    let content = place(group, [3, 0, 4]) {
      insets($0)
      $0.boundarySupplementaryItems = [
        NSCollectionLayoutBoundarySupplementaryItem(
          layoutSize: Self.size(.fractionalWidth(1), .absolute(10)), elementKind: "head", alignment: .top)
      ]
    }.content
    #expect(content.height == 194)
  }

  @Test func theLastGroupIsOnlyAsLongAsItsItemsNeed() {
    #expect(place(Self.column(of: 30), [5]).content.height == 170)
    #expect(place(Self.column(of: 30), [6]).content.height == 200)
    #expect(place(Self.column(of: 30, spacing: 10), [5]).content.height == 260)
    // In a row, all items are as high as the row, so the last row is as high as the others.
    #expect(place(Self.row(0.5, spacing: 0), [3]).content.height == 100)
  }

  @Test func aGroupThatIsTooShortForItsFirstItemShowsNothing() {
    let (frames, content) = place(Self.column(of: 101), [3]) { $0.contentInsets.top = 7 }
    #expect(frames.isEmpty && content.height == 0)
    #expect(place(Self.column(of: 100), [3]).content.height == 300)
  }

  @Test func edgeSpacingAloneDoesNotHideAGroup() {
    let item = Self.item(.fractionalWidth(1), .fractionalHeight(1))
    item.edgeSpacing = NSCollectionLayoutEdgeSpacing(leading: nil, top: .fixed(5), trailing: nil, bottom: .fixed(5))
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(50)), subitems: [item])
    #expect(place(group, [2]).frames.map(\.minY) == [5, 55])
  }

  @Test func aNegativeLengthIsKeptAndCountsAsZero() {
    let dimension = NSCollectionLayoutDimension.absolute(-5)
    #expect(dimension.dimension == -5)
    #expect(place(Self.row(0.5, spacing: -10), [2]).frames.count == 2)
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(100)), subitems: [Self.item(.absolute(50), dimension)])
    #expect(place(group, [1]).frames == [CGRect(x: 0, y: 0, width: 50, height: 0)])
  }

  @Test func aGroupKeepsCopiesOfItsItems() {
    let item = Self.item(.fractionalWidth(1), .fractionalHeight(1))
    let inner = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(50)), subitem: item, count: 2)
    let outer = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(100)), subitems: [inner])
    item.contentInsets.leading = 7
    inner.interItemSpacing = .fixed(20)
    #expect(place(outer, [2]).frames.map(\.minX) == [0, 160])
    outer.subitems[0].contentInsets.leading = 10
    #expect(place(outer, [2]).frames.map(\.minX) == [10, 165])
  }

  @Test func aSectionWithoutItemsNeedsNoDescription() {
    let group = Self.column(of: 50)
    let layout = UICollectionViewCompositionalLayout { number, _ in
      number == 1 ? nil : NSCollectionLayoutSection(group: group)
    }
    let numbers = Numbers(2, 0, 2)
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    view.layoutIfNeeded()
    #expect(view.contentSize.height == 200 && view.visibleAttributes().count == 4)
  }
}
