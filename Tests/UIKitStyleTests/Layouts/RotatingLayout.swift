import UIKit

/// The layout that objc.io's "Animating Collection Views" (issue 12, 2014) uses for rotations. Inserted and deleted
/// items fly in and out. Items that a rotation of the device moves do not.
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
