import Testing
import UIKit

/// Tests the compositional layout on a phone of 320×568 points.
@Suite struct CompositionalTests {
  private static func size(_ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension)
    -> NSCollectionLayoutSize
  { NSCollectionLayoutSize(widthDimension: width, heightDimension: height) }

  /// Returns a section whose rows have `columns` items side by side.
  private func grid(_ columns: Int, height: CGFloat = 100) -> NSCollectionLayoutSection {
    let item = NSCollectionLayoutItem(
      layoutSize: Self.size(.fractionalWidth(1 / CGFloat(columns)), .fractionalHeight(1)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(height)), subitems: [item])
    return NSCollectionLayoutSection(group: group)
  }

  /// Calls `body` with a view that shows the layout. Retains the data source meanwhile, because the view does not.
  private func withView(_ layout: UICollectionViewLayout, _ counts: [Int], _ body: (UICollectionView) -> Void) {
    let numbers = Numbers()
    numbers.counts = counts
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    view.layoutIfNeeded()
    body(view)
    withExtendedLifetime(numbers) {}
  }

  private func frame(_ view: UICollectionView, _ item: Int, _ section: Int = 0) -> CGRect? {
    view.layoutAttributesForItem(at: IndexPath(item: item, section: section))?.frame
  }

  private func isNear(_ one: CGRect?, _ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> Bool {
    guard let one else { return false }
    return abs(one.minX - x) < 1e-6 && abs(one.minY - y) < 1e-6 && abs(one.width - width) < 1e-6
      && abs(one.height - height) < 1e-6
  }

  @Test func itemsAreRepeatedAsOftenAsTheyFit() {
    for columns in [1, 3, 5] {
      withView(UICollectionViewCompositionalLayout(section: grid(columns)), [17]) { view in
        // Fractions are rounded down to whole pixels.
        let width = (640 / CGFloat(columns)).rounded(.down) / 2
        #expect(isNear(frame(view, 0), 0, 0, width, 100))
        #expect(isNear(frame(view, columns), 0, 100, width, 100))
        #expect(isNear(frame(view, columns - 1), width * CGFloat(columns - 1), 0, width, 100))
        #expect(view.contentSize.height == CGFloat((16 / columns + 1) * 100))
      }
    }
  }

  @Test func spacingsAndInsetsAreKept() {
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(1), .fractionalHeight(1)))
    item.contentInsets = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(50)), subitem: item, count: 3)
    group.interItemSpacing = .fixed(15)
    let section = NSCollectionLayoutSection(group: group)
    section.interGroupSpacing = 7
    section.contentInsets = NSDirectionalEdgeInsets(top: 20, leading: 10, bottom: 30, trailing: 10)
    withView(UICollectionViewCompositionalLayout(section: section), [4]) { view in
      // Three items of 90 points with two gaps of 15 fill the 300 points between the insets.
      #expect(isNear(frame(view, 1), 10 + 105 + 2, 20 + 1, 84, 46))
      #expect(isNear(frame(view, 3), 10 + 2, 20 + 57 + 1, 84, 46))
      // The height consists of two rows, the spacing between them and the insets.
      #expect(view.contentSize.height == 157)
    }
  }

  @Test func flexibleSpacingsShareWhatIsLeft() {
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.absolute(50), .absolute(40)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(100)), repeatingSubitem: item, count: 3)
    group.interItemSpacing = .flexible(8)
    withView(UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)), [3]) { view in
      #expect(isNear(frame(view, 1), 135, 0, 50, 40) && isNear(frame(view, 2), 270, 0, 50, 40))
    }
    group.subitems[0].edgeSpacing = NSCollectionLayoutEdgeSpacing(
      leading: nil, top: .flexible(0), trailing: nil, bottom: .fixed(10))
    withView(UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)), [3]) { view in
      #expect(isNear(frame(view, 0), 0, 50, 50, 40))
    }
  }

  /// Uses the nested groups of Apple's sample code: a large item next to two small ones.
  @Test func groupsNestInGroups() {
    let leading = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(0.7), .fractionalHeight(1)))
    let small = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(1), .fractionalHeight(0.3)))
    let trailing = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(0.3), .fractionalHeight(1)), subitem: small, count: 2)
    let nested = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .fractionalHeight(0.4)), subitems: [leading, trailing])
    withView(UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: nested)), [7]) { view in
      // 0.4 of 568 points, and half of this, are rounded down to whole pixels.
      let height: CGFloat = 227
      #expect(isNear(frame(view, 0), 0, 0, 224, height))
      #expect(isNear(frame(view, 2), 224, 113.5, 96, 113.5))
      #expect(isNear(frame(view, 3), 0, height, 224, height))
      #expect(abs(view.contentSize.height - 3 * height) < 1e-6)
    }
  }

  @Test func anEstimatedGroupIsAsLargeAsItsItems() {
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(1), .absolute(70)))
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.fractionalWidth(1), .estimated(44)), subitems: [item, item])
    group.interItemSpacing = .fixed(5)
    withView(UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)), [3]) { view in
      #expect(isNear(frame(view, 2), 0, 145, 320, 70) && view.contentSize.height == 215)
    }
  }

  @Test func aCustomGroupHasThePlacesOfItsProvider() {
    let group = NSCollectionLayoutGroup.custom(layoutSize: Self.size(.fractionalWidth(1), .absolute(90))) {
      let width = $0.container.effectiveContentSize.width
      return [
        NSCollectionLayoutGroupCustomItem(frame: CGRect(x: 0, y: 0, width: width / 2, height: 90), zIndex: 3),
        NSCollectionLayoutGroupCustomItem(frame: CGRect(x: width / 2, y: 30, width: width / 2, height: 60)),
      ]
    }
    withView(UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)), [5]) { view in
      #expect(isNear(frame(view, 3), 160, 120, 160, 60))
      #expect(view.layoutAttributesForItem(at: IndexPath(item: 2, section: 0))?.zIndex == 3)
    }
  }

  private func header(_ alignment: NSRectAlignment, _ kind: String) -> NSCollectionLayoutBoundarySupplementaryItem {
    NSCollectionLayoutBoundarySupplementaryItem(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(40)), elementKind: kind, alignment: alignment)
  }

  @Test func headersLieBeforeTheInsetsAndStayInViewIfPinned() {
    let section = grid(1)
    section.contentInsets = NSDirectionalEdgeInsets(top: 10, leading: 20, bottom: 10, trailing: 20)
    section.boundarySupplementaryItems = [header(.top, "head"), header(.bottom, "foot")]
    section.boundarySupplementaryItems[0].pinToVisibleBounds = true
    withView(UICollectionViewCompositionalLayout(section: section), [10, 10]) { view in
      func boundary(_ kind: String, _ section: Int) -> CGRect? {
        view.layoutAttributesForSupplementaryElement(ofKind: kind, at: IndexPath(item: 0, section: section))?.frame
      }
      #expect(isNear(frame(view, 0), 20, 50, 280, 100) && view.contentSize.height == 2 * 1100)
      #expect(isNear(boundary("head", 0), 20, 0, 280, 40) && isNear(boundary("foot", 0), 20, 1060, 280, 40))
      view.scroll(to: CGPoint(x: 0, y: 500))
      #expect(isNear(boundary("head", 0), 20, 500, 280, 40) && isNear(boundary("head", 1), 20, 1100, 280, 40))
      view.scroll(to: CGPoint(x: 0, y: 1090))
      #expect(isNear(boundary("head", 0), 20, 1060, 280, 40))
      #expect(view.indexPathsForVisibleSupplementaryElements(ofKind: "head").count == 2)
    }
  }

  @Test func theWholeLayoutHasBoundariesAndDistancesToo() {
    let configuration = UICollectionViewCompositionalLayoutConfiguration()
    configuration.interSectionSpacing = 25
    configuration.boundarySupplementaryItems = [header(.top, "title")]
    let layout = UICollectionViewCompositionalLayout(
      sectionProvider: { number, _ in self.grid(number + 1) }, configuration: configuration)
    withView(layout, [2, 2]) { view in
      #expect(isNear(frame(view, 0, 0), 0, 40, 320, 100) && isNear(frame(view, 1, 1), 160, 265, 160, 100))
      #expect(view.contentSize.height == 365)
      let title = layout.layoutAttributesForSupplementaryView(ofKind: "title", at: IndexPath(index: 0))
      #expect(isNear(title?.frame, 0, 0, 320, 40))
    }
  }

  @Test func aBadgeIsFixedToTheCornerOfItsItem() {
    let badge = NSCollectionLayoutSupplementaryItem(
      layoutSize: Self.size(.absolute(20), .absolute(20)), elementKind: "badge",
      containerAnchor: NSCollectionLayoutAnchor(edges: [.top, .trailing], fractionalOffset: CGPoint(x: 0.3, y: -0.3)))
    let item = NSCollectionLayoutItem(
      layoutSize: Self.size(.fractionalWidth(0.5), .fractionalHeight(1)), supplementaryItems: [badge])
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(100)), subitems: [item])
    withView(UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)), [5]) { view in
      let path = IndexPath(item: 2, section: 0)
      let place = view.layoutAttributesForSupplementaryElement(ofKind: "badge", at: path)?.frame
      #expect(isNear(place, 160 - 20 + 6, 100 - 6, 20, 20))
      let visible = view.visibleAttributes().filter { $0.representedElementKind == "badge" }
      #expect(visible.map(\.indexPath.item) == [0, 1, 2, 3, 4] && visible[2].frame == place)
    }
  }

  @Test func onlyGroupsThatExistHaveABadge() {
    let badge = NSCollectionLayoutSupplementaryItem(
      layoutSize: Self.size(.absolute(20), .absolute(20)), elementKind: "badge",
      containerAnchor: NSCollectionLayoutAnchor(edges: [.top, .trailing]))
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(0.5), .fractionalHeight(1)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.fractionalWidth(1), .absolute(100)), subitems: [item])
    group.supplementaryItems = [badge]
    withView(UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)), [10]) { view in
      let badges = (0..<10).map {
        view.layoutAttributesForSupplementaryElement(ofKind: "badge", at: IndexPath(item: $0, section: 0))
      }
      #expect(badges.map { $0 != nil } == (0..<10).map { $0 < 5 })
    }
  }

  @Test func aBackgroundCoversItsSection() {
    let section = grid(2)
    let background = NSCollectionLayoutDecorationItem.background(elementKind: "card")
    background.contentInsets = NSDirectionalEdgeInsets(top: 5, leading: 5, bottom: 5, trailing: 5)
    (section.decorationItems, section.contentInsets.top) = ([background], 30)
    withView(UICollectionViewCompositionalLayout(section: section), [4]) { view in
      let card = view.visibleAttributes().first { $0.representedElementKind == "card" }
      #expect(isNear(card?.frame, 5, 5, 310, 220) && card?.zIndex == -1)
    }
    section.boundarySupplementaryItems = [
      NSCollectionLayoutBoundarySupplementaryItem(
        layoutSize: Self.size(.fractionalWidth(1), .absolute(20)), elementKind: "card", alignment: .top)
    ]
    withView(UICollectionViewCompositionalLayout(section: section), [4]) { view in
      #expect(view.visibleAttributes().count { $0.representedElementKind == "card" } == 2)
    }
  }

  @Test func aSectionWithoutALengthHasNoBackground() {
    let section = grid(2)
    section.decorationItems = [.background(elementKind: "card")]
    withView(UICollectionViewCompositionalLayout(section: section), [2, 0]) { view in
      let layout = view.collectionViewLayout
      let cards = (0..<2).map {
        layout.layoutAttributesForDecorationView(ofKind: "card", at: IndexPath(item: 0, section: $0))
      }
      #expect(cards[0] != nil && cards[1] == nil)
    }
  }

  private func shelf(_ behavior: UICollectionLayoutSectionOrthogonalScrollingBehavior) -> NSCollectionLayoutSection {
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(1), .fractionalHeight(1)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: Self.size(.absolute(200), .absolute(120)), subitems: [item])
    let section = NSCollectionLayoutSection(group: group)
    (section.orthogonalScrollingBehavior, section.interGroupSpacing) = (behavior, 10)
    return section
  }

  @Test func aSectionScrollsAcrossTheLayout() {
    let layout = UICollectionViewCompositionalLayout(section: shelf(.continuous))
    withView(layout, [10, 3]) { view in
      #expect(view.contentSize == CGSize(width: 320, height: 240))
      #expect(view.indexPathsForVisibleItems.map(\.item) == [0, 1, 0, 1])
      layout.scrollSection(0, to: 500)
      #expect(view.indexPathsForVisibleItems.map(\.item) == [2, 3, 0, 1])
      #expect(isNear(frame(view, 3), 130, 0, 200, 120) && isNear(frame(view, 1, 1), 210, 120, 200, 120))
      layout.scrollSection(0, to: 1e6)
      #expect(layout.offset(ofSection: 0) == 1770)
    }
  }

  @Test func aScrollAcrossEndsWhereItsBehaviorSays() {
    func end(_ behavior: UICollectionLayoutSectionOrthogonalScrollingBehavior, from start: CGFloat, _ velocity: CGFloat)
      -> CGFloat
    {
      let layout = UICollectionViewCompositionalLayout(section: shelf(behavior))
      var end = CGFloat(-1)
      withView(layout, [10]) { _ in
        layout.scrollSection(0, to: start)
        layout.endScrollingSection(0, withVelocity: velocity)
        end = layout.offset(ofSection: 0)
      }
      return end
    }
    #expect(end(.continuous, from: 100, 0) == 100 && abs(end(.continuous, from: 100, 1) - 599) < 1e-6)
    #expect(end(.continuousGroupLeadingBoundary, from: 330, 0) == 420)
    #expect(end(.paging, from: 330, 0.1) == 640 && end(.paging, from: 330, 0) == 320)
    #expect(end(.groupPaging, from: 220, 0.1) == 420 && end(.groupPaging, from: 220, -0.1) == 210)
    #expect(end(.groupPagingCentered, from: 10_000, 0) == 1890)
  }

  @Test func aCentredGroupIsInTheMiddle() {
    let layout = UICollectionViewCompositionalLayout(section: shelf(.groupPagingCentered))
    withView(layout, [10]) { view in
      #expect(frame(view, 0)?.midX == 160)
      layout.scrollSection(0, to: 9 * 210)
      #expect(frame(view, 9)?.midX == 160)
    }
  }

  /// The handler makes a carousel: items are smaller the further they are from the middle.
  @Test func aHandlerChangesWhatIsVisible() {
    let section = shelf(.groupPagingCentered)
    section.visibleItemsInvalidationHandler = { items, offset, environment in
      for item in items {
        let distance = abs(item.frame.midX - offset.x - environment.container.contentSize.width / 2)
        let scale = max(0.5, 1 - distance / 840)
        item.transform = CGAffineTransform(scaleX: scale, y: scale)
      }
    }
    let layout = UICollectionViewCompositionalLayout(section: section)
    withView(layout, [10]) { view in
      layout.scrollSection(0, to: 420)
      let visible = view.visibleAttributes()
      #expect(visible.map(\.indexPath.item) == [1, 2, 3] && visible[1].transform == .identity)
      #expect(visible[0].transform.a == 0.75 && visible[1].center.x == 160)
    }
  }

  @Test func aHorizontalLayoutIsTheSameTurned() {
    let item = NSCollectionLayoutItem(layoutSize: Self.size(.fractionalWidth(1), .fractionalHeight(0.25)))
    let group = NSCollectionLayoutGroup.vertical(
      layoutSize: Self.size(.absolute(80), .fractionalHeight(1)), subitems: [item])
    let configuration = UICollectionViewCompositionalLayoutConfiguration()
    configuration.scrollDirection = .horizontal
    let layout = UICollectionViewCompositionalLayout(
      section: NSCollectionLayoutSection(group: group), configuration: configuration)
    withView(layout, [10]) { view in
      #expect(isNear(frame(view, 5), 80, 142, 80, 142) && view.contentSize == CGSize(width: 240, height: 568))
    }
  }

  /// A query anywhere must find the same items as a search through all items.
  @Test func queriesFindWhatOverlaps() {
    let group = NSCollectionLayoutGroup.custom(layoutSize: Self.size(.fractionalWidth(1), .absolute(150))) { _ in
      (0..<7).map {
        NSCollectionLayoutGroupCustomItem(
          frame: CGRect(x: $0 * 45, y: ($0 * 5 % 7) * 20 - 10, width: 40, height: 25 + $0 * 13))
      }
    }
    let section = NSCollectionLayoutSection(group: group)
    section.interGroupSpacing = 4
    let layout = UICollectionViewCompositionalLayout(section: section)
    withView(layout, [500, 0, 120]) { view in
      var script = Script(seed: 5)
      let paths = [(0, 500), (2, 120)].flatMap { part in (0..<part.1).map { IndexPath(item: $0, section: part.0) } }
      let frames = paths.map { layout.layoutAttributesForItem(at: $0)?.frame ?? .null }
      for _ in 0..<100 {
        let rect = CGRect(
          x: script.next(-20...300), y: script.next(-50...14_000), width: script.next(1...200),
          height: script.next(1...900))
        let found = Set((layout.layoutAttributesForElements(in: rect) ?? []).map(\.indexPath))
        #expect(found == Set(zip(paths, frames).filter { $0.1.intersects(rect) }.map(\.0)))
      }
    }
  }

  private final class Counted: UICollectionViewLayoutAttributes {
    nonisolated(unsafe) static var made = 0
    required init() {
      super.init()
      Self.made += 1
    }
  }

  private final class CountingLayout: UICollectionViewCompositionalLayout {
    override class var layoutAttributesClass: AnyClass { Counted.self }
  }

  @Test func aScrollThroughTenThousandItemsMakesOnlyWhatItShows() {
    var sections = 0
    let layout = CountingLayout(sectionProvider: { _, _ in
      sections += 1
      return self.grid(4, height: 80)
    })
    withView(layout, [10_000]) { view in
      Counted.made = 0
      for frame in 0..<120 {
        view.scroll(to: CGPoint(x: 0, y: CGFloat(frame) * 1600))
        view.step(by: 1 / 60)
        #expect(view.visibleAttributes().count <= 36)
      }
      #expect(sections == 1 && Counted.made <= 120 * 36 * 3)
    }
  }

  @Test func aProviderWithoutASectionEndsTheProgramWithAMessage() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let numbers = Numbers(1)
      let layout = UICollectionViewCompositionalLayout { _, _ in nil }
      let view = UICollectionView(frame: phone, collectionViewLayout: layout)
      view.dataSource = numbers
      view.layoutIfNeeded()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("the section provider returned nothing for section 0"))
  }

  @Test func itemsComeAndGo() {
    let layout = UICollectionViewCompositionalLayout(section: grid(2))
    let numbers = Numbers(4)
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    view.layoutIfNeeded()
    numbers.counts = [6]
    view.performBatchUpdates { view.insertItems(at: [IndexPath(item: 0, section: 0), IndexPath(item: 1, section: 0)]) }
    for _ in 0..<60 { view.step(by: 1 / 60) }
    #expect(view.contentSize.height == 300 && view.visibleAttributes().count == 6)
  }
}
