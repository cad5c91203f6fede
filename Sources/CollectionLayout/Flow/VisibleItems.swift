import Dynamics

/// The result of a query while items are being added to it.
struct VisibleItems {
  var attributes: [LayoutAttributes]
  let axis: Axis

  /// Adds an item if it overlaps `visible`.
  @inline(__always) mutating func append(_ index: Int, _ center: MainCross, _ size: MainCross, ifIn visible: Stretch) {
    guard visible.shows(center, size) else { return }
    attributes.append(LayoutAttributes(index: index, center: center.point(axis), size: size.size(axis)))
  }
}

/// A rectangle as ranges along the scroll axis and across it. The rectangle is shrunk by `visibilityTolerance` at each
/// edge, so that items that only touch an edge are invisible.
struct Stretch {
  var main: Range<Double>
  var cross: Range<Double>

  @inline(__always) init(_ rect: Rect, _ axis: Axis) {
    let origin = MainCross(rect.origin, axis)
    let size = MainCross(rect.size, axis)
    let hair = FlowLayout.visibilityTolerance
    main = Self.shrunk(origin.main, size.main, by: hair)
    cross = Self.shrunk(origin.cross, size.cross, by: hair)
  }

  @inline(__always) private static func shrunk(_ start: Double, _ length: Double, by hair: Double) -> Range<Double> {
    let low = start + hair
    let high = max(low, start + length - hair)
    // If a bound is NaN, the range is empty, so that no item overlaps it.
    return low <= high ? Range(uncheckedBounds: (low, high)) : .infinity ..< .infinity
  }

  @inline(__always) func shows(_ center: MainCross, _ size: MainCross) -> Bool {
    center.main - size.main / 2 < main.upperBound && center.main + size.main / 2 > main.lowerBound
      && center.cross - size.cross / 2 < cross.upperBound && center.cross + size.cross / 2 > cross.lowerBound
  }
}
