import UIKit

/// The layout that objc.io's "Animating Collection Views" (issue 12, 2014) uses for rotations: only inserted and
/// deleted items fly, but items that a rotation moves do not.
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
