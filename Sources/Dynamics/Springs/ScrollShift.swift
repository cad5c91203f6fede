/// The shift of a springy list's items by a scroll, before the springs pull them back. An item at distance r = |Δx| +
/// |Δy| of its anchor from the touch moves by `delta < 0 ? max(delta, delta·r/resistance) : min(delta,
/// delta·r/resistance)`, the rule of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013).
public struct ScrollShift: Hashable, Sendable {
  /// Movement of the bounds along the scroll axis, points.
  public var delta: Double
  /// Position of the touch, points, in the coordinates of the content.
  public var touch: Point
  /// Distance from the touch at which an item moves as far as the bounds, points.
  public var resistance: Double

  @inlinable public init(delta: Double, touch: Point, resistance: Double) {
    (self.delta, self.touch, self.resistance) = (delta, touch, resistance)
  }

  /// A shift in the coordinates of a list along one axis.
  struct Projected {
    var delta: Double
    var touchMain: Double
    var touchCross: Double
    var inverseResistance: Double

    /// Movement of an item with this anchor, points.
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
