import UIKit

/// The article's layout for rotations of the device. Only inserted and deleted items fly.
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
