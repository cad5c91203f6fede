import CollectionLayout
import Foundation

// The delegate receives blank views, because the data source creates cells only on request.
extension UICollectionView {
  /// Notifies the delegate of the views that have appeared or disappeared since the last call.
  final func noteDisplayed() {
    let pass = current.engineLayout?.passCount ?? 0
    guard transition == nil, displayedFor.map({ $0.pass == pass && $0.bounds == bounds }) != true, let delegate else {
      return
    }
    displayedFor = (pass, bounds)
    // Unlike `visibleAttributes()`, this does not prepare the layout. For a layout that invalidates itself whenever it
    // is prepared, preparing it here would never end.
    let visible = attributesInView()
    var gone = displayed
    for attributes in visible where attributes.representedElementCategory != .decorationView {
      let element = attributes.element
      guard gone.removeValue(forKey: element) == nil else { continue }
      let cell = UICollectionViewCell(frame: attributes.frame)
      displayed[element] = cell
      if let kind = element.kind {
        delegate.collectionView(self, willDisplaySupplementaryView: cell, forElementKind: kind, at: element.indexPath)
      } else {
        delegate.collectionView(self, willDisplay: cell, forItemAt: element.indexPath)
      }
    }
    guard !gone.isEmpty else { return }
    endDisplaying { gone[$0] == nil ? $0.indexPath : nil }
    displayedFor = (pass, bounds)
  }

  /// Changes the index paths of the displayed views. Tells the delegate that the views for which `newPath` returns nil
  /// have disappeared.
  final func endDisplaying(_ newPath: (Element) -> IndexPath?) {
    guard !displayed.isEmpty else { return }
    let before = displayed.sorted { $0.key.indexPath < $1.key.indexPath }
    (displayed, displayedFor) = ([:], nil)
    var gone: [(Element, UICollectionReusableView)] = []
    for (element, view) in before {
      if let path = newPath(element) {
        displayed[Element(kind: element.kind, indexPath: path)] = view
      } else {
        gone.append((element, view))
      }
    }
    guard let delegate else { return }
    for (element, view) in gone {
      if let kind = element.kind {
        delegate.collectionView(
          self, didEndDisplayingSupplementaryView: view, forElementOfKind: kind, at: element.indexPath)
      } else if let cell = view as? UICollectionViewCell {
        delegate.collectionView(self, didEndDisplaying: cell, forItemAt: element.indexPath)
      }
    }
  }
}
