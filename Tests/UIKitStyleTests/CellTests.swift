import Testing
import UIKit

/// Tests the cells that a view makes on request: where they are, and which of their methods are called.
@Suite struct CellTests {
  private final class Cell: UICollectionViewCell {
    var applied: [CGFloat] = []
    var layouts = 0
    var highlights = 0

    override var isHighlighted: Bool { didSet { highlights += 1 } }
    override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) { applied.append(layoutAttributes.alpha) }
    override func layoutSubviews() { layouts += 1 }
  }

  /// A layout of two cards, each scaled to half its width and height. The second card moves along with the view.
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

  @Test func aCellIsHitOnlyWhereItIsSeen() throws {
    let (source, list) = (Source(), UICollectionView(frame: phone, collectionViewLayout: Cards()))
    list.dataSource = source
    let cell = try #require(list.visibleCells.last)
    #expect(cell.convert(cell.bounds, to: list) == CGRect(x: 100, y: 125, width: 100, height: 150))
    #expect(list.convert(CGPoint(x: 200, y: 275), to: cell) == CGPoint(x: 200, y: 300))
    #expect(cell.convert(list.bounds, from: list) == CGRect(x: -200, y: -250, width: 640, height: 1136))
    #expect(list.hitTest(CGPoint(x: 101, y: 126), with: nil) === cell)
    #expect(list.hitTest(CGPoint(x: 99, y: 126), with: nil) === list)
  }

  @Test func aCellKeepsTheHighlightThatTheAppGaveIt() throws {
    let (source, list) = (Source(), UICollectionView(frame: phone, collectionViewLayout: Cards()))
    list.dataSource = source
    let cell = try #require(list.visibleCells.first as? Cell)
    #expect(cell.highlights == 0 && cell.subviews.isEmpty)
    cell.isHighlighted = true
    #expect(list.visibleCells.first === cell && cell.isHighlighted && cell.highlights == 1)
  }

  private final class Label: UIView {
    var solutions = 0
    override var intrinsicContentSize: CGSize {
      solutions += 1
      return super.intrinsicContentSize
    }
  }

  @Test func theConstraintsOfACellAreSolvedOnceInAPass() throws {
    let (root, source, label) = (UIView(frame: phone), Source(), Label())
    let list = UICollectionView(frame: phone, collectionViewLayout: Cards())
    root.addSubview(list)
    list.dataSource = source
    let content = try #require(list.visibleCells.first?.contentView)
    label.translatesAutoresizingMaskIntoConstraints = false
    content.addSubview(label)
    NSLayoutConstraint.activate([
      label.leadingAnchor.constraint(equalTo: content.leadingAnchor, constant: 20),
      label.trailingAnchor.constraint(equalTo: content.trailingAnchor, constant: -20),
    ])
    root.layoutIfNeeded()
    let solutions = label.solutions
    root.layoutIfNeeded()
    #expect(label.solutions == solutions + 1 && label.frame.minX == 20 && label.frame.width == 160)
    list.layoutIfNeeded()
    #expect(label.solutions == solutions + 2)
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
    var sections = 3

    func numberOfSections(in collectionView: UICollectionView) -> Int { sections }
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 1 }
    func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
      made.append(indexPath)
      return UICollectionReusableView(frame: .zero)
    }
  }

  private final class Sectioned: UICollectionView {
    let flow = UICollectionViewFlowLayout()
    var requests = 0

    init() {
      flow.itemSize = CGSize(width: 320, height: 400)
      flow.headerReferenceSize = CGSize(width: 320, height: 30)
      super.init(frame: phone, collectionViewLayout: flow)
    }

    required init?(coder: NSCoder) { nil }

    override func supplementaryView(forElementKind elementKind: String, at indexPath: IndexPath)
      -> UICollectionReusableView?
    {
      requests += 1
      return super.supplementaryView(forElementKind: elementKind, at: indexPath)
    }
  }

  @Test func aHeaderIsNotThatOfAnotherSection() throws {
    let (list, headers, kind) = (Sectioned(), Headers(), UICollectionView.elementKindSectionHeader)
    list.dataSource = headers
    let old = list.visibleSupplementaryViews(ofKind: kind)
    headers.sections = 2
    list.deleteSections([0])
    let new = try #require(list.supplementaryView(forElementKind: kind, at: IndexPath(item: 0, section: 0)))
    #expect(old.count == 2 && !old.contains(new) && old.allSatisfy { $0.superview == nil } && list.requests == 1)
  }

  @Test func supplementaryViewsAreMadeForThoseWhoAsk() throws {
    let (list, headers, kind) = (Sectioned(), Headers(), UICollectionView.elementKindSectionHeader)
    list.dataSource = headers
    func header(_ section: Int) -> UICollectionReusableView? {
      list.supplementaryView(forElementKind: kind, at: IndexPath(item: 0, section: section))
    }
    let second = try #require(header(1))
    #expect(second.frame == CGRect(x: 0, y: 430, width: 320, height: 30) && header(2) == nil && header(1) === second)
    #expect(
      list.visibleSupplementaryViews(ofKind: kind).map(\.frame.minY) == [0, 430]
        && headers.made.map(\.section) == [1, 0])
    list.flow.headerReferenceSize.height = 50
    list.layoutIfNeeded()
    #expect(second.frame.minY == 450 && second.superview === list)
    list.contentOffset.y = 600
    list.layoutIfNeeded()
    #expect(second.superview == nil && list.visibleSupplementaryViews(ofKind: kind).count == 1)
    list.reloadData()
    #expect(list.subviews.isEmpty)
  }
}
