import CollectionLayout
import Foundation

// Cells can report preferred sizes, for which the layout then makes room.
extension UICollectionView {
  /// Identifies a cell or another view. The kind of a cell is nil.
  struct Element: Hashable {
    var kind: String?
    var indexPath: IndexPath
    var isDecoration = false
  }

  /// The size that an element had in the layout, and the size that it preferred instead.
  struct Measurement {
    var before: CGSize
    var preferred: CGSize
  }

  /// Asks the elements in view for the sizes they prefer, and prepares the layout for these sizes. Repeats this until
  /// no other elements come into view.
  final func measureElements() {
    guard let preferredLayoutAttributesFitting, transition == nil else { return }
    // Measures an element at most once. Otherwise, a layout that never accepts a size would cause an endless loop.
    var asked: Set<Element> = []
    var isSettled = false
    while !isSettled {
      isSettled = true
      for original in current.elements(in: bounds) {
        let element = original.element
        guard original.representedElementCategory != .decorationView, !original.isHidden,
          original.frame.overlaps(bounds), !isMeasured(element, original.size), asked.insert(element).inserted,
          let copy = original.copy() as? UICollectionViewLayoutAttributes
        else { continue }
        let preferred = preferredLayoutAttributesFitting(copy)
        measured[element] = Measurement(before: original.size, preferred: preferred.size)
        guard current.shouldInvalidateLayout(forPreferredLayoutAttributes: preferred, withOriginalAttributes: original)
        else { continue }
        isSettled = false
        current.invalidate(
          using: current.invalidationContext(forPreferredLayoutAttributes: preferred, withOriginalAttributes: original))
      }
      if !isSettled { prepareLayout() }
    }
  }

  private func isMeasured(_ element: Element, _ size: CGSize) -> Bool {
    guard let measurement = measured[element] else { return false }
    return size == measurement.before || size == measurement.preferred
  }
}
