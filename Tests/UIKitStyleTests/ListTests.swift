import Testing
import UIKit

/// Tests compositional layouts that are lists.
@Suite struct ListTests {
  private func frames(
    _ configuration: UICollectionLayoutListConfiguration, _ counts: [Int] = [2, 1], scroll: CGFloat = 0,
    _ height: @escaping (UICollectionViewLayoutAttributes) -> CGFloat = { _ in 60 }
  ) -> [String: CGRect] {
    let numbers = Numbers()
    numbers.counts = counts
    let view = UICollectionView(
      frame: phone, collectionViewLayout: UICollectionViewCompositionalLayout.list(using: configuration))
    view.dataSource = numbers
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height = height(attributes)
      return attributes
    }
    view.layoutIfNeeded()
    view.scroll(to: CGPoint(x: 0, y: scroll))
    var frames = ["content": CGRect(origin: .zero, size: view.contentSize)]
    for attributes in view.visibleAttributes() {
      let kind = attributes.representedElementKind.map { $0.contains("Header") ? "header" : "footer" } ?? "row"
      frames["\(kind) \(attributes.indexPath.section) \(attributes.indexPath.item)"] = attributes.frame
    }
    return frames
  }

  private func rect(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CGRect {
    CGRect(x: x, y: y, width: width, height: height)
  }

  @Test func rowsOfAPlainListFollowEachOtherWithoutInsets() {
    let frames = frames(UICollectionLayoutListConfiguration(appearance: .plain)) { 50 + CGFloat($0.indexPath.item) }
    #expect(frames["row 0 0"] == rect(0, 0, 320, 50) && frames["row 0 1"] == rect(0, 50, 320, 51))
    #expect(frames["row 1 0"] == rect(0, 101, 320, 50) && frames["content"] == rect(0, 0, 320, 151))
  }

  @Test func rowsOfAListAreAsHighAsACellByDefaultUntilTheirCellsSayOtherwise() {
    let frames = frames(UICollectionLayoutListConfiguration(appearance: .sidebarPlain)) { $0.size.height }
    #expect(frames["row 0 1"] == rect(0, 44, 320, 44))
  }

  @Test func groupsOfAnInsetListKeepADistanceFromTheScreenAndFromEachOther() {
    let frames = frames(UICollectionLayoutListConfiguration(appearance: .insetGrouped))
    #expect(frames["row 0 0"] == rect(16, 17.5, 288, 60) && frames["row 1 0"] == rect(16, 172.5, 288, 60))
    #expect(frames["content"] == rect(0, 0, 320, 250))
  }

  @Test func headersAndFootersOfAPlainListStayInView() {
    var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
    (configuration.headerMode, configuration.footerMode) = (.supplementary, .supplementary)
    let whole = frames(configuration) { $0.representedElementKind == nil ? 60 : 30 }
    #expect(whole["header 0 0"] == rect(0, 22, 320, 30) && whole["row 0 0"] == rect(0, 52, 320, 60))
    #expect(whole["footer 0 0"] == rect(0, 172, 320, 30) && whole["header 1 0"] == rect(0, 224, 320, 30))
    configuration.headerTopPadding = 0
    let scrolled = frames(configuration, [50], scroll: 500) { $0.representedElementKind == nil ? 60 : 30 }
    #expect(scrolled["header 0 0"] == rect(0, 500, 320, 30) && scrolled["footer 0 0"] == rect(0, 1038, 320, 30))
  }

  @Test func headersOfAGroupedListScrollWithTheirSection() {
    var configuration = UICollectionLayoutListConfiguration(appearance: .grouped)
    configuration.headerMode = .supplementary
    let frames = frames(configuration, [50, 50], scroll: 100)
    #expect(frames["header 0 0"] == nil && frames["row 0 0"] == rect(0, 60, 320, 60))
  }

  @Test func aFirstItemAsHeaderHasThePlaceOfAnItem() {
    var configuration = UICollectionLayoutListConfiguration(appearance: .sidebar)
    configuration.headerMode = .firstItemInSection
    #expect(frames(configuration)["row 0 0"] == rect(16, 0, 288, 60))
  }

  @Test func aSectionOfAnotherLayoutMayBeAList() {
    let layout = UICollectionViewCompositionalLayout { number, environment in
      let section = NSCollectionLayoutSection.list(
        using: UICollectionLayoutListConfiguration(appearance: number == 0 ? .plain : .insetGrouped),
        layoutEnvironment: environment)
      section.interGroupSpacing = 10
      return section
    }
    let (view, numbers) = (UICollectionView(frame: phone, collectionViewLayout: layout), Numbers(2, 1))
    view.dataSource = numbers
    #expect(view.layoutAttributesForItem(at: IndexPath(item: 1, section: 0))?.frame == rect(0, 54, 320, 44))
    #expect(view.layoutAttributesForItem(at: IndexPath(item: 0, section: 1))?.frame == rect(16, 115.5, 288, 44))
  }

  @Test func aRegistrationSetsUpCellsOfALists() {
    let view = UICollectionView(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
    let registration = UICollectionView.CellRegistration<UICollectionViewListCell, Int> { cell, _, level in
      cell.indentationLevel = level
    }
    let cell = view.dequeueConfiguredReusableCell(using: registration, for: IndexPath(item: 0, section: 0), item: 3)
    #expect(cell.indentationLevel == 3)
  }
}
