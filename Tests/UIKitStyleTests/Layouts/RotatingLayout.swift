import UIKit

/// The layout for rotations of objc.io's "Animating Collection Views" (2014): only inserted and deleted items fly.
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
