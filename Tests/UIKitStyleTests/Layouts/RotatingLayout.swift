import UIKit

/// The article's layout while the device rotates: nothing flies that is not inserted or deleted.
final class RotatingLayout: FlyingLayout {
  private(set) var announced: [CGRect] = []

  override func prepare(forAnimatedBoundsChange oldBounds: CGRect) {
    super.prepare(forAnimatedBoundsChange: oldBounds)
    announced.append(oldBounds)
  }

  override func finalizeAnimatedBoundsChange() {
    super.finalizeAnimatedBoundsChange()
    announced.append(collectionView?.bounds ?? .zero)
  }
}
