import CSpringKernels

/// A stretch of the axis with anchors.
package struct AnchorStretch {
  /// Points.
  package var anchors: ClosedRange<Double>
  /// Common displacement of all springs that hung there through all shifts, points; nil if it is not the
  /// same.
  package var displacement: Double?
}

// Search for the anchors of the springs that the remembered shifts have moved to some place.

extension ShiftHistory {
  /// Finds the anchors of all springs that are in a stretch now, by inverting the displacement, which is a
  /// piecewise linear function of the anchor.
  ///
  /// - Parameters:
  ///   - shown: Range of the springs along the axis, points.
  ///   - cross: Range of their anchors across the axis, points.
  ///   - stretches: Gets stretches of the axis in ascending order; outside of them there is no such anchor.
  ///   In
  ///     them there may be others, more of them the broader `cross` is.
  /// - Complexity: O(shifts remembered), however many springs there are.
  mutating func findAnchors(
    shown: ClosedRange<Double>, cross: ClosedRange<Double>, into stretches: inout [AnchorStretch]
  ) {
    updateBreakpoints(cross: cross)
    let (total, size) = weighShifts()
    // More than rounding can add on the way along the axis.
    let margin = 0.01 + 1e-12 * size
    anchorStretches.reserve(breakpoints.sorted.count + 1)
    let found = spring_find_anchors(
      breakpoints.sorted.base, breakpoints.sorted.count, Int64(madeCount - count), shiftSizes.base, total,
      shown.lowerBound - margin, shown.upperBound + margin, cross.lowerBound == cross.upperBound ? 1 : 0,
      anchorStretches.base)
    stretches.removeAll(keepingCapacity: true)
    for index in 0..<found {
      let stretch = anchorStretches.base[index]
      stretches.append(
        AnchorStretch(
          anchors: stretch.low...stretch.high, displacement: stretch.displacement.isNaN ? nil : stretch.displacement))
    }
  }

  private mutating func updateBreakpoints(cross: ClosedRange<Double>) {
    let firstEntry = madeCount - count
    let fresh = max(firstEntry, breakpoints.begin(cross: cross, inverseResistance: inverseResistance))
    // Kind by kind, because scrolls are long and touches rarely move: each kind is then almost sorted.
    for kind in [ShiftBreakpoints.Kind.start, .touch, .end] {
      for entry in fresh..<max(fresh, madeCount) where deltas[entry - firstEntry] != 0 {
        breakpoints.add(
          kind, touchMain: touchesMain[entry - firstEntry], touchCross: touchesCross[entry - firstEntry], entry: entry)
      }
      if let pending, fresh <= madeCount {
        breakpoints.add(kind, touchMain: pending.touchMain, touchCross: pending.touchCross, entry: madeCount)
      }
    }
    breakpoints.finish(firstEntry: firstEntry, entryCount: madeCount + (pending == nil ? 0 : 1))
  }

  /// Computes the rest of each shift at full displacement, over the resistance.
  /// - Returns: The sum of the rests, and that of their magnitudes, points.
  private mutating func weighShifts() -> (total: Double, size: Double) {
    shiftSizes.fill(count + 1, with: 0)
    let (sizes, weights, deltas) = (shiftSizes.base, liveWeights.displacement, deltas)
    var (total, size) = (0.0, 0.0)
    func add(_ shift: Double, at slot: Int) {
      sizes[slot] = shift * inverseResistance
      total += shift
      size += abs(shift)
    }
    for slot in 0..<count { add(weights[slot] * deltas[slot], at: slot) }
    if let pending { add(pending.delta, at: count) }
    return (total, size)
  }
}
