/// The shift of a springy list's items by a scroll, before the springs pull them back. If r = |Δx| + |Δy| is the
/// distance of an item's anchor from the touch, the item moves by `delta < 0 ? max(delta, delta·r/resistance) :
/// min(delta, delta·r/resistance)`. This is the rule of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013).
public struct ScrollShift: Hashable, Sendable {
  /// The movement of the scroll view's bounds along the scroll axis, points.
  public var delta: Double
  /// The position of the touch in the coordinates of the content, points.
  public var touch: Point
  /// The distance from the touch, in points, beyond which items move as far as the bounds.
  public var resistance: Double

  @inlinable public init(delta: Double, touch: Point, resistance: Double) {
    (self.delta, self.touch, self.resistance) = (delta, touch, resistance)
  }

  /// A shift in the coordinates of a list: along its axis (main) and across it (cross).
  struct Projected {
    var delta: Double
    var touchMain: Double
    var touchCross: Double
    var inverseResistance: Double

    /// Returns the movement of an item with this anchor, points.
    func distance(anchorMain: Double, anchorCross: Double) -> Double {
      let ratio = (abs(touchMain - anchorMain) + abs(touchCross - anchorCross)) * inverseResistance
      return delta * (ratio < 1 ? ratio : 1)
    }
  }

  func projected(on axis: Axis) -> Projected {
    let (main, cross) = axis.coordinates(of: touch)
    return Projected(delta: delta, touchMain: main, touchCross: cross, inverseResistance: 1 / resistance)
  }
}
