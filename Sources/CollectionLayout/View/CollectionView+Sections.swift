import Dynamics

// UIKit's calls about items and their index paths.
extension CollectionView {
  /// A view without items: they come with its data source, or are inserted (UIKit:
  /// `init(frame:collectionViewLayout:)`).
  /// - Precondition: The frame has a size. Its origin is ignored.
  public convenience init(frame: Rect, collectionViewLayout layout: CollectionViewLayout) {
    do throws(LayoutError) {
      try self.init(layout: layout, itemCount: 0, size: frame.size)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  public var numberOfSections: Int { layout.view.pointee.sections?.count ?? 1 }

  /// - Precondition: There is such a section.
  public func numberOfItems(inSection section: Int) -> Int {
    precondition((0..<numberOfSections).contains(section), "section \(section), of \(numberOfSections)")
    return layout.view.pointee.sections?.items(of: section).count ?? itemCount
  }

  /// Paths of the items that `visibleAttributes()` returns, in ascending order.
  public var indexPathsForVisibleItems: [IndexPath] {
    visibleAttributes().map { layout.indexPath(at: $0.index) }
  }

  /// The path of the item that covers a point of the content; nil if there is none.
  public func indexPathForItem(at point: Point) -> IndexPath? {
    let item: Int? = indexForItem(at: point)
    return item.map { layout.indexPath(at: $0) }
  }

  /// Nil for a path that has no item, or whose item the layout does not show; or if the layout cannot be prepared.
  public func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    do { try prepareLayout() } catch { return nil }
    return layout.layoutAttributesForItem(at: indexPath)
  }

  /// Reloads the items of the data source, without animation. If the layout cannot place them,
  /// `prepareLayout()` reports it.
  /// - Precondition: No transition between layouts is in progress.
  public func reloadData() {
    precondition(transition == nil, LayoutError.transitionUnderWay.description)
    animations.removeAll()
    let layout = layout
    let map = IndexMap(oldCount: itemCount, newCount: dataSource?.itemCount(in: self) ?? itemCount)
    let oldSections = layout.view.pointee.sections
    if let dataSource { layout.view.pointee.sections = dataSource.sections(in: self) }
    do throws(LayoutError) {
      try layout.apply(map, sizeForItem: nil)
    } catch {
      layout.view.pointee.sections = oldSections
      layout.fail(error)
    }
    layout.invalidateLayout()
    animationsChanged()
    // A failure is thrown again by the next `prepareLayout()`.
    try? prepareLayout()
  }
}

extension CollectionViewLayout {
  /// The view that the layout belongs to; nil if there is none yet.
  public final var collectionView: CollectionView? { owner as? CollectionView }
}
