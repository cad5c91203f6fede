import Dynamics

/// A data source that receives snapshots of its list and animates the differences between them.
open class UICollectionViewDiffableDataSource<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable>: NSObject,
  UICollectionViewDataSource
{
  public typealias Snapshot = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
  public typealias CellProvider = (
    _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
  ) -> UICollectionViewCell?
  public typealias SupplementaryViewProvider = (
    _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
  ) -> UICollectionReusableView?

  public var supplementaryViewProvider: SupplementaryViewProvider?
  private let cellProvider: CellProvider
  private weak var collectionView: UICollectionView?
  private var current = Snapshot()
  private var paths: [ItemIdentifierType: IndexPath] = [:]

  /// Makes the new object the data source of the view, which does not retain it.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    (self.collectionView, self.cellProvider) = (collectionView, cellProvider)
    super.init()
    collectionView.dataSource = self
  }

  open func snapshot() -> Snapshot { current }

  /// Shows the snapshot by a batch of updates, or by `reloadData()` if the differences are not animated or the list had
  /// no sections before.
  open func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true, completion: (() -> Void)? = nil) {
    guard animatingDifferences, current.numberOfSections > 0, let collectionView else {
      return applySnapshotUsingReloadData(snapshot, completion: completion)
    }
    collectionView.performBatchUpdates(
      {
        collectionView.change { $0.add(from: self.current, self.paths, to: snapshot) }
        self.keep(snapshot)
      }, completion: completion.map { completion in { _ in completion() } })
  }

  open func applySnapshotUsingReloadData(_ snapshot: Snapshot, completion: (() -> Void)? = nil) {
    keep(snapshot)
    collectionView?.reloadData()
    completion?()
  }

  private func keep(_ snapshot: Snapshot) {
    current = snapshot
    (current.reloadedSectionIdentifiers, current.reloadedItemIdentifiers) = ([], [])
    current.reconfiguredItemIdentifiers = []
    paths = snapshot.indexPaths()
  }

  open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
    guard let section = sectionIdentifier(for: indexPath.section) else { return nil }
    let items = current.itemIdentifiers(inSection: section)
    return items.indices.contains(indexPath.item) ? items[indexPath.item] : nil
  }

  open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? { paths[itemIdentifier] }

  open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
    current.sectionIdentifiers.indices.contains(index) ? current.sectionIdentifiers[index] : nil
  }

  open func index(for sectionIdentifier: SectionIdentifierType) -> Int? { current.indexOfSection(sectionIdentifier) }

  open func numberOfSections(in collectionView: UICollectionView) -> Int { current.numberOfSections }

  open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
    sectionIdentifier(for: section).map(current.numberOfItems) ?? 0
  }

  open func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  { itemIdentifier(for: indexPath).flatMap { cellProvider(collectionView, indexPath, $0) } ?? UICollectionViewCell() }

  open func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView {
    supplementaryViewProvider?(collectionView, kind, indexPath) ?? UICollectionReusableView()
  }
}

extension PendingBatch {
  /// Adds the updates that lead from one snapshot to another. Deletions, reloads and origins of moves use old indices.
  /// Insertions and destinations of moves use new ones.
  /// - Parameter paths: The index paths of the old items.
  fileprivate mutating func add<Section, Item>(
    from old: NSDiffableDataSourceSnapshot<Section, Item>, _ paths: [Item: IndexPath],
    to new: NSDiffableDataSourceSnapshot<Section, Item>
  ) {
    func indices(_ sections: [Section]) -> [Section: Int] {
      Dictionary(uniqueKeysWithValues: sections.enumerated().map { ($1, $0) })
    }
    let (before, after) = (indices(old.sectionIdentifiers), indices(new.sectionIdentifiers))
    // A reloaded section counts as new, even if it contained the same items before.
    let anew = Set(new.reloadedSectionIdentifiers).intersection(before.keys)
    deletedSections.formUnion(IndexSet(before.filter { after[$0.key] == nil }.values))
    insertedSections.formUnion(IndexSet(after.filter { before[$0.key] == nil }.values))
    let kept = old.sectionIdentifiers.compactMap { section in
      before[section].flatMap { from in after[section].map { (from: from, to: $0) } }
    }
    for section in Self.movers(kept.map(\.to)).map({ kept[$0] }) {
      if anew.contains(old.sectionIdentifiers[section.from]) {
        deletedSections.insert(section.from)
        insertedSections.insert(section.to)
      } else {
        movedSections.append(section)
      }
    }
    reloadedSections.formUnion(IndexSet(anew.compactMap { before[$0] }).subtracting(deletedSections))
    func isKept(_ section: Section?) -> Bool {
      section.map { before[$0] != nil && after[$0] != nil && !anew.contains($0) } ?? false
    }
    for (item, path) in paths where isKept(old.sectionIdentifiers[path.section]) {
      if !isKept(new.sectionIdentifier(containingItem: item)) { deleted.append(path) }
    }
    for (section, identifier) in new.sectionIdentifiers.enumerated() where isKept(identifier) {
      var staying: [(from: IndexPath, to: IndexPath)] = []
      for (index, item) in new.itemIdentifiers(inSection: identifier).enumerated() {
        let to = IndexPath(item: index, section: section)
        guard let from = paths[item], isKept(old.sectionIdentifiers[from.section]) else {
          inserted.append(to)
          continue
        }
        if from.section == before[identifier] { staying.append((from, to)) } else { moved.append((from, to)) }
      }
      staying.sort { $0.from < $1.from }
      moved += Self.movers(staying.map(\.to.item)).map { staying[$0] }
    }
    let movers = Set(moved.map(\.from))
    func oldPath(_ item: Item) -> IndexPath? {
      guard let from = paths[item], isKept(old.sectionIdentifiers[from.section]),
        isKept(new.sectionIdentifier(containingItem: item))
      else { return nil }
      return from
    }
    for from in new.reloadedItemIdentifiers.compactMap(oldPath) {
      if movers.contains(from) { outdated.append(from) } else { reloaded.append(from) }
    }
    reconfigured += new.reconfiguredItemIdentifiers.compactMap(oldPath)
  }

  /// Returns the positions in `places` that must move. The others stay: they form a longest increasing subsequence
  /// (Schensted, "Longest Increasing and Decreasing Subsequences", Canadian Journal of Mathematics 13, 1961).
  private static func movers(_ places: [Int]) -> [Int] {
    // `ends[n]` is the position of the smallest number that ends an increasing subsequence of length n + 1.
    // `previous[i]` is the position that precedes position i in a longest increasing subsequence ending there.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (position, place) in places.enumerated() {
      let length = ends.indices.partitioningIndex { places[ends[$0]] >= place }
      previous[position] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(position) } else { ends[length] = position }
    }
    var staying: Set<Int> = []
    var next = ends.last
    while let position = next {
      staying.insert(position)
      next = previous[position]
    }
    return places.indices.filter { !staying.contains($0) }
  }
}

// MARK: - Registrations

extension UICollectionView {
  /// A function that sets up cells of the class `Cell`, each for an item.
  public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void
    fileprivate let handler: Handler

    public init(handler: @escaping Handler) { self.handler = handler }
  }

  /// A function that sets up supplementary views of one class and kind.
  public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
    public typealias Handler = (_ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath) ->
      Void
    fileprivate let elementKind: String
    fileprivate let handler: Handler

    public init(elementKind: String, handler: @escaping Handler) {
      (self.elementKind, self.handler) = (elementKind, handler)
    }
  }

  /// Returns a new cell, set up by the registration. Ends the program if `Cell` is a subclass of UIKit's cells, because
  /// Swift cannot create an object from its class alone.
  public func dequeueConfiguredReusableCell<Cell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell {
    let isListCell = Cell.self == UICollectionViewListCell.self
    let cell = Self.made(isListCell ? UICollectionViewListCell() : UICollectionViewCell(), Cell.self)
    if let item { registration.handler(cell, indexPath, item) }
    return cell
  }

  public func dequeueConfiguredReusableSupplementary<Supplementary>(
    using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
  ) -> Supplementary {
    let view = Self.made(UICollectionReusableView(), Supplementary.self)
    registration.handler(view, registration.elementKind, indexPath)
    return view
  }

  private static func made<View: UIView>(_ blank: UIView, _ wanted: View.Type) -> View {
    guard let view = blank as? View else {
      raise("\(wanted) cannot be made by its class here; return a cell that you have made")
    }
    return view
  }
}
