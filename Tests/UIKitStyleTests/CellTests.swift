import Testing
import UIKit

/// Tests the cells that a view makes on request: their places, and what they and the view are told.
@Suite struct CellTests {
  private final class Cell: UICollectionViewCell {
    var applied: [CGFloat] = []
    var layouts = 0

    override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) { applied.append(layoutAttributes.alpha) }
    override func layoutSubviews() { layouts += 1 }
  }

  /// A layout of two cards at half their size, of which the second follows the offset of the view.
  private final class Cards: UICollectionViewLayout {
    override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { true }
    override var collectionViewContentSize: CGSize { CGSize(width: 320, height: 5_000) }
    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
      (0..<2).map {
        let attributes = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: $0, section: 0))
        attributes.size = CGSize(width: 200, height: 300)
        attributes.center = CGPoint(x: 150, y: 200 + ($0 == 1 ? rect.minY : 0))
        attributes.transform = CGAffineTransform(scaleX: 0.5, y: 0.5)
        attributes.alpha = 0.25
        return attributes
      }
    }
  }

  private final class Source: NSObject, UICollectionViewDataSource {
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 2 }
    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    { Cell(frame: .zero) }
  }

  private final class Counting: UICollectionView {
    var layouts = 0

    override func layoutSubviews() {
      super.layoutSubviews()
      layouts += 1
    }
  }

  @Test func aCellHasTheAttributesOfItsItem() throws {
    let (source, list) = (Source(), Counting(frame: phone, collectionViewLayout: Cards()))
    list.dataSource = source
    let cells = list.visibleCells.compactMap { $0 as? Cell }
    let cell = try #require(cells.last)
    #expect(cell.bounds.size == CGSize(width: 200, height: 300) && cell.frame.size == CGSize(width: 100, height: 150))
    #expect(cell.alpha == 0.25 && cell.applied == [0.25])
    #expect(cell.contentView.superview === cell && cell.contentView.frame == cell.bounds)
    list.layoutIfNeeded()
    let layouts = list.layouts
    #expect(cells.map(\.layouts) == [1, 1])
    list.contentOffset.y = 40
    list.layoutIfNeeded()
    list.layoutIfNeeded()
    #expect(cell.center.y == 240 && cells.map(\.applied.count) == [1, 2] && list.layouts == layouts + 1)
  }

  @Test func aCellOutsideAViewIsMeasuredByItsContent() {
    let cell = UICollectionViewCell(frame: CGRect(x: 0, y: 0, width: 320, height: 44))
    let label = UIView()
    label.translatesAutoresizingMaskIntoConstraints = false
    cell.contentView.addSubview(label)
    NSLayoutConstraint.activate([
      label.leadingAnchor.constraint(equalTo: cell.contentView.leadingAnchor, constant: 20),
      label.trailingAnchor.constraint(equalTo: cell.contentView.trailingAnchor, constant: -20),
      label.topAnchor.constraint(equalTo: cell.contentView.topAnchor),
      label.bottomAnchor.constraint(equalTo: cell.contentView.bottomAnchor),
    ])
    cell.bounds.size.width = 200
    cell.layoutIfNeeded()
    #expect(label.frame == CGRect(x: 20, y: 0, width: 160, height: 44))
  }

  private final class Menu: UICollectionViewController {
    var calls: [String] = []
    var allowed = true

    override func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 9 }
    override func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt path: IndexPath) -> Bool {
      calls.append("may \(path.item)")
      return allowed
    }
    override func collectionView(_ collectionView: UICollectionView, didHighlightItemAt path: IndexPath) {
      calls.append("light \(collectionView.cellForItem(at: path)?.isHighlighted == true)")
    }
    override func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
      calls.append("may select")
      return true
    }
    override func collectionView(_ collectionView: UICollectionView, didSelectItemAt path: IndexPath) {
      calls.append("selected")
    }
    override func collectionView(_ collectionView: UICollectionView, didUnhighlightItemAt path: IndexPath) {
      calls.append("dark \(collectionView.cellForItem(at: path)?.isHighlighted == false)")
    }
    override func collectionView(
      _ collectionView: UICollectionView, willDisplaySupplementaryView view: UICollectionReusableView,
      forElementKind elementKind: String, at indexPath: IndexPath
    ) { calls.append("header") }
  }

  @Test func aTapHighlightsAnItemAndSelectsIt() throws {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 320, height: 100)
    layout.headerReferenceSize.height = 10
    let menu = Menu(collectionViewLayout: layout)
    let list = try #require(menu.collectionView)
    list.layoutIfNeeded()
    #expect(menu.calls == ["header"])
    func tap(_ moves: CGPoint...) -> [String] {
      menu.calls = []
      for place in [CGPoint(x: 10, y: 50)] + moves { list.touch(place) }
      list.touch()
      return menu.calls
    }
    #expect(tap() == ["may 0", "light true", "may select", "selected", "dark true"])
    // A finger that moves does not select.
    #expect(tap(CGPoint(x: 10, y: 70), CGPoint(x: 10, y: 50)) == ["may 0", "light true", "dark true"])
    menu.allowed = false
    list.selectItem(at: nil, animated: false, scrollPosition: [])
    #expect(tap() == ["may 0"] && list.indexPathsForSelectedItems == [])
  }

  private final class Headers: NSObject, UICollectionViewDataSource {
    var made: [IndexPath] = []

    func numberOfSections(in collectionView: UICollectionView) -> Int { 3 }
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 1 }
    func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
      made.append(indexPath)
      return UICollectionReusableView(frame: .zero)
    }
  }

  @Test func supplementaryViewsAreMadeForThoseWhoAsk() throws {
    let (layout, headers) = (UICollectionViewFlowLayout(), Headers())
    layout.itemSize = CGSize(width: 320, height: 400)
    layout.headerReferenceSize = CGSize(width: 320, height: 30)
    let (list, kind) = (
      UICollectionView(frame: phone, collectionViewLayout: layout), UICollectionView.elementKindSectionHeader
    )
    list.dataSource = headers
    func header(_ section: Int) -> UICollectionReusableView? {
      list.supplementaryView(forElementKind: kind, at: IndexPath(item: 0, section: section))
    }
    let second = try #require(header(1))
    #expect(second.frame == CGRect(x: 0, y: 430, width: 320, height: 30) && header(2) == nil && header(1) === second)
    #expect(
      list.visibleSupplementaryViews(ofKind: kind).map(\.frame.minY) == [0, 430]
        && headers.made.map(\.section) == [1, 0])
    layout.headerReferenceSize.height = 50
    list.layoutIfNeeded()
    #expect(second.frame.minY == 450 && second.superview === list)
    list.contentOffset.y = 600
    list.layoutIfNeeded()
    #expect(second.superview == nil && list.visibleSupplementaryViews(ofKind: kind).count == 1)
    list.reloadData()
    #expect(list.subviews.isEmpty)
  }
}
