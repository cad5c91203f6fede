import Testing
import UIKit

/// Tests layouts of apps whose text runs from right to left.
@Suite struct RightToLeftTests {
  private func withView(_ layout: UICollectionViewLayout, _ counts: Int..., body: (UICollectionView, Numbers) -> Void) {
    let numbers = Numbers()
    numbers.counts = counts
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.semanticContentAttribute = .forceRightToLeft
    view.dataSource = numbers
    view.layoutIfNeeded()
    body(view, numbers)
  }

  private func frame(_ view: UICollectionView, _ item: Int, _ section: Int = 0) -> CGRect? {
    view.layoutAttributesForItem(at: IndexPath(item: item, section: section))?.frame
  }

  private func rect(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CGRect {
    CGRect(x: x, y: y, width: width, height: height)
  }

  @Test func theDirectionOfAViewFollowsItsContent() {
    let view = UIView()
    func direction(_ attribute: UISemanticContentAttribute) -> UIUserInterfaceLayoutDirection {
      view.semanticContentAttribute = attribute
      return view.effectiveUserInterfaceLayoutDirection
    }
    #expect(direction(.forceRightToLeft) == .rightToLeft && direction(.playback) == .leftToRight)
    #expect(direction(.unspecified) == .leftToRight)
    #expect(UIView.userInterfaceLayoutDirection(for: .unspecified, relativeTo: .rightToLeft) == .rightToLeft)
    #expect(UIView.userInterfaceLayoutDirection(for: .spatial, relativeTo: .rightToLeft) == .leftToRight)
  }

  @Test func theLinesOfAFlowLayoutBeginOnTheRight() {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 90, height: 50)
    layout.sectionInset = UIEdgeInsets(top: 0, left: 10, bottom: 0, right: 20)
    layout.headerReferenceSize = CGSize(width: 0, height: 30)
    withView(layout, 4) { view, _ in
      // The layout itself returns the mirrored frames that the view shows, so that subclasses may change these frames.
      #expect(layout.layoutAttributesForItem(at: IndexPath(item: 0, section: 0))?.frame == rect(220, 30, 90, 50))
      #expect(frame(view, 2) == rect(20, 30, 90, 50) && frame(view, 3)?.minX == 220)
      #expect(view.visibleAttributes().filter { $0.frame.minX == 220 }.map(\.indexPath.item) == [0, 3])
      let found = layout.layoutAttributesForElements(in: rect(0, 20, 15, 20)) ?? []
      #expect(found.compactMap(\.representedElementKind).count == 1 && found.count == 1)
      #expect(view.indexPathForItem(at: CGPoint(x: 300, y: 40)) == IndexPath(item: 0, section: 0))
      view.semanticContentAttribute = .unspecified
      #expect(frame(view, 0) == rect(10, 30, 90, 50))
    }
  }

  @Test func aRowThatScrollsBeginsAtItsRightEnd() {
    let layout = UICollectionViewFlowLayout()
    layout.scrollDirection = .horizontal
    layout.itemSize = CGSize(width: 100, height: 568)
    withView(layout, 10) { view, numbers in
      #expect(view.contentSize.width == 1090 && view.contentOffset.x == 770)
      #expect(view.visibleAttributes().map(\.frame.minX) == [990, 880, 770])
      view.scroll(to: .zero)
      #expect(view.indexPathsForVisibleItems.map(\.item) == [7, 8, 9])
      numbers.counts = [11]
      view.reloadData()
      view.layoutIfNeeded()
      // The new item lies on the left, so the visible items have moved to the right.
      #expect(view.contentOffset.x == 110 && view.indexPathsForVisibleItems.map(\.item) == [7, 8, 9])
    }
  }

  private final class Flipped: UICollectionViewFlowLayout {
    override var flipsHorizontallyInOppositeLayoutDirection: Bool { true }
  }

  @Test func aLayoutThatFlipsHasItsOriginAtTheLeadingEdge() {
    let layout = Flipped()
    layout.scrollDirection = .horizontal
    layout.itemSize = CGSize(width: 100, height: 568)
    withView(layout, 10) { view, _ in
      #expect(view.contentOffset.x == 0)
      #expect(layout.layoutAttributesForItem(at: IndexPath(item: 1, section: 0))?.frame.minX == 110)
      #expect(view.visibleAttributes().map(\.frame.minX) == [220, 110, 0])
      view.scroll(to: CGPoint(x: 50, y: 0))
      // The visible items have moved to the right by 50 points.
      #expect(view.visibleAttributes().map { $0.frame.minX - view.contentOffset.x } == [270, 160, 50, -60])
    }
  }

  private func shelf() -> NSCollectionLayoutSection {
    func size(_ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension) -> NSCollectionLayoutSize {
      NSCollectionLayoutSize(widthDimension: width, heightDimension: height)
    }
    let item = NSCollectionLayoutItem(
      layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)),
      supplementaryItems: [
        NSCollectionLayoutSupplementaryItem(
          layoutSize: size(.absolute(20), .absolute(20)), elementKind: "badge",
          containerAnchor: NSCollectionLayoutAnchor(edges: [.top, .trailing]))
      ])
    let group = NSCollectionLayoutGroup.horizontal(layoutSize: size(.absolute(100), .absolute(60)), subitems: [item])
    let section = NSCollectionLayoutSection(group: group)
    section.contentInsets = NSDirectionalEdgeInsets(top: 0, leading: 30, bottom: 0, trailing: 10)
    section.boundarySupplementaryItems = [
      NSCollectionLayoutBoundarySupplementaryItem(
        layoutSize: size(.absolute(80), .absolute(40)), elementKind: "head", alignment: .topLeading)
    ]
    return section
  }

  @Test func leadingIsOnTheRightInACompositionalLayout() {
    let section = shelf()
    let card = NSCollectionLayoutDecorationItem.background(elementKind: "card")
    card.contentInsets.leading = 5
    section.decorationItems = [card]
    withView(UICollectionViewCompositionalLayout(section: section), 3) { view, _ in
      #expect(frame(view, 1) == rect(190, 100, 100, 60))
      var frames: [String: CGRect] = [:]
      for view in view.visibleAttributes() where view.indexPath.item == 0 {
        frames[view.representedElementKind ?? "row"] = view.frame
      }
      #expect(frames["head"] == rect(210, 0, 80, 40) && frames["badge"] == rect(190, 40, 20, 20))
      #expect(frames["row"] == rect(190, 40, 100, 60) && frames["card"] == rect(0, 0, 315, 220))
      let badge = view.layoutAttributesForSupplementaryElement(ofKind: "badge", at: IndexPath(item: 2, section: 0))
      #expect(badge?.frame == rect(190, 160, 20, 20))
    }
  }

  @Test func aSectionThatScrollsAcrossBeginsOnTheRight() {
    let section = shelf()
    section.orthogonalScrollingBehavior = .continuous
    let layout = UICollectionViewCompositionalLayout(section: section)
    withView(layout, 10) { view, _ in
      #expect(view.indexPathsForVisibleItems.map(\.item) == [0, 1, 2] && frame(view, 0) == rect(190, 40, 100, 60))
      layout.scrollSection(0, to: 130)
      #expect(view.indexPathsForVisibleItems.map(\.item) == [1, 2, 3, 4] && frame(view, 1)?.minX == 220)
    }
  }

  @Test func aMirroredRowGrowsToTheLeft() {
    let size = NSCollectionLayoutSize(widthDimension: .estimated(100), heightDimension: .fractionalHeight(1))
    let section = NSCollectionLayoutSection(
      group: .vertical(layoutSize: size, subitems: [NSCollectionLayoutItem(layoutSize: size)]))
    let configuration = UICollectionViewCompositionalLayoutConfiguration()
    configuration.scrollDirection = .horizontal
    let layout = UICollectionViewCompositionalLayout(section: section, configuration: configuration)
    withView(layout, 20) { view, _ in
      #expect(view.contentOffset.x == 1_680)
      view.preferredLayoutAttributesFitting = { attributes in
        attributes.size.width = 150
        return attributes
      }
      func screen() -> [CGFloat] { view.visibleAttributes().map { $0.frame.minX - view.contentOffset.x } }
      #expect(screen() == [170, 20, -130] && view.contentSize.width == 4 * 150 + 16 * 100)
      // A mirrored cell begins at its right edge. If this edge is to the right of the view, the cell grows to the
      // right, so that the visible items stay in place.
      view.scroll(to: CGPoint(x: 830, y: 0))
      #expect(view.indexPathsForVisibleItems.map(\.item) == [8, 9, 10])
      #expect(screen() == [270, 120, -30] && view.visibleAttributes().allSatisfy { $0.size.width == 150 })
    }
  }
}
