import Foundation

// Cells are created only on request, so cells that nobody requests cost nothing.
extension UICollectionView {
  /// Returns an item's cell, or nil if the item is not in view. The data source creates a cell at the first request.
  public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    if isAsking { return cells[indexPath] }
    return visibleAttributes().first { $0.representedElementCategory == .cell && $0.indexPath == indexPath }.map(cell)
  }

  /// The cells of all items in view.
  public var visibleCells: [UICollectionViewCell] {
    if isAsking { return cells.sorted { $0.key < $1.key }.map(\.value) }
    return visibleAttributes().filter { $0.representedElementCategory == .cell }.map(cell)
  }

  public func indexPath(for cell: UICollectionViewCell) -> IndexPath? { cells.first { $0.value === cell }?.key }

  private func cell(_ attributes: UICollectionViewLayoutAttributes) -> UICollectionViewCell {
    let path = attributes.indexPath
    let cell =
      cells[path] ?? dataSource?.collectionView(self, cellForItemAt: path) ?? UICollectionViewCell(frame: .zero)
    cells[path] = cell
    cell.place(attributes)
    if cell.isSelected != selection.contains(path) { cell.isSelected.toggle() }
    if path == highlighted, !cell.isHighlighted { cell.isHighlighted = true }
    if cell.superview !== self { addSubview(cell) }
    return cell
  }

  /// The supplementary views of this kind that are in view.
  public func visibleSupplementaryViews(ofKind elementKind: String) -> [UICollectionReusableView] {
    if isAsking {
      return supplementaryViews.filter { $0.key.kind == elementKind }.sorted { $0.key.indexPath < $1.key.indexPath }
        .map(\.value)
    }
    return visibleAttributes().filter { $0.isSupplementary(elementKind) }.map(supplementaryView)
  }

  final func supplementaryView(_ attributes: UICollectionViewLayoutAttributes) -> UICollectionReusableView {
    let (element, path) = (attributes.element, attributes.indexPath)
    let view =
      supplementaryViews[element] ?? dataSource?.collectionView(
        self, viewForSupplementaryElementOfKind: element.kind ?? "", at: path) ?? UICollectionReusableView(frame: .zero)
    supplementaryViews[element] = view
    view.place(attributes)
    if view.superview !== self { addSubview(view) }
    return view
  }

  final func keepSupplementaryViews(where isKept: (Element) -> Bool) {
    for (element, view) in supplementaryViews where !isKept(element) {
      supplementaryViews[element] = nil
      view.removeFromSuperview()
    }
  }

  /// Places the existing cells and supplementary views, and removes those that have left the view. During a transition,
  /// it only removes the cells of items that are no longer visible.
  final func placeCells() {
    var gone = cells
    if transition == nil {
      var seen: Set<Element> = []
      for attributes in elementsInView {
        switch attributes.representedElementCategory {
        case .cell: gone.removeValue(forKey: attributes.indexPath)?.place(attributes)
        case .supplementaryView:
          seen.insert(attributes.element)
          supplementaryViews[attributes.element]?.place(attributes)
        case .decorationView: break
        }
      }
      keepSupplementaryViews { seen.contains($0) }
    } else {
      for item in engine.visibleAttributes() { gone[sections.indexPath(at: item.index)] = nil }
    }
    for (path, cell) in gone {
      cells[path] = nil
      cell.removeFromSuperview()
    }
  }

  /// Changes the index paths of the cells. Removes cells for which `newPath` returns nil.
  final func moveCells(_ newPath: (IndexPath) -> IndexPath?) {
    let before = cells
    cells = [:]
    for (path, cell) in before {
      if let path = newPath(path) { cells[path] = cell } else { cell.removeFromSuperview() }
    }
  }

  /// Handles a finger that comes down at a point of the content: highlights the item there if the delegate allows it.
  final func beginTap(at place: CGPoint) {
    guard allowsSelection, let path = indexPathForItem(at: place),
      delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
    else { return }
    highlighted = path
    delegate?.collectionView(self, didHighlightItemAt: path)
  }

  /// Handles the end of a touch. If it was a tap on the highlighted item, the selection of this item changes.
  /// - Parameter place: Where the finger was lifted, a point of the content. Nil if the touch was no tap.
  final func endTap(at place: CGPoint?) {
    if let place, let path = highlighted, indexPathForItem(at: place) == path { tap(path) }
    guard let path = highlighted else { return }
    highlighted = nil
    delegate?.collectionView(self, didUnhighlightItemAt: path)
  }

  private func tap(_ path: IndexPath) {
    let delegate = delegate
    let isDeselected = allowsMultipleSelection && selection.contains(path)
    let isAllowed =
      isDeselected
      ? delegate?.collectionView(self, shouldDeselectItemAt: path)
      : delegate?.collectionView(self, shouldSelectItemAt: path)
    guard isAllowed ?? true else { return }
    let gone = allowsMultipleSelection ? selection.intersection([path]) : selection.subtracting([path])
    selection = selection.union(isDeselected ? [] : [path]).subtracting(gone)
    for path in gone.sorted() { delegate?.collectionView(self, didDeselectItemAt: path) }
    if selection.contains(path) { delegate?.collectionView(self, didSelectItemAt: path) }
  }
}
