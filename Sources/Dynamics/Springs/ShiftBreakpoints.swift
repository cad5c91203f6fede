import CSpringKernels

/// How far a shift of the scroll moves a spring is a function of the spring's anchor. Springs far from the touch move
/// by the whole shift. Nearer springs move by less, in proportion to their distance. The breakpoints are the three
/// positions of anchors at which the function changes its slope. They do not depend on the age of the shift, so they
/// stay sorted, and a search only adds the breakpoints of newer shifts.
///
/// Across the axis, anchors may lie anywhere in an interval. In that case each shift has separate breakpoints for the
/// point of the interval that is nearest to the touch and for the point that is furthest from it.
struct ShiftBreakpoints: ~Copyable {
  private enum Kind: Int64, CaseIterable { case start, touch, end }

  private(set) var sorted = Buffer<SpringBreakpoint>()
  private var fresh = Buffer<SpringBreakpoint>()
  private var cross = 0.0...0.0
  private var inverseResistance = 0.0
  /// The number of the first remembered shift whose breakpoints have not been added yet.
  private var knownEntries = 0

  /// Adds the breakpoints of the shifts since the last call. Breakpoints of forgotten shifts are removed once there are
  /// many of them.
  /// - Parameter touch: Returns the touch of a shift, or nil for an entry of the history that moves no spring.
  mutating func update(
    cross newCross: ClosedRange<Double>, inverseResistance newResistance: Double, entries: Range<Int>,
    touch: (_ entry: Int) -> (main: Double, cross: Double)?
  ) {
    if newCross != cross || newResistance != inverseResistance {
      (cross, inverseResistance, knownEntries) = (newCross, newResistance, 0)
      sorted.removeAll()
    }
    fresh.removeAll()
    let first = max(entries.lowerBound, knownEntries)
    // Adds one kind at a time, so the breakpoints are almost sorted: in a long scroll, the touch rarely moves on the
    // screen, so its position in the content changes in one direction.
    for kind in Kind.allCases {
      for entry in first..<max(first, entries.upperBound) { if let touch = touch(entry) { add(kind, touch, entry) } }
    }
    knownEntries = entries.upperBound
    let largestCount = (cross.lowerBound < cross.upperBound ? 6 : 3) * entries.count
    if sorted.count > largestCount + largestCount / 8 {
      var kept = 0
      for index in 0..<sorted.count where sorted[index].code >> 3 >= entries.lowerBound {
        sorted[kept] = sorted[index]
        kept += 1
      }
      sorted.truncate(to: kept)
    }
    merge()
  }

  private mutating func add(_ kind: Kind, _ touch: (main: Double, cross: Double), _ entry: Int) {
    let near = max(cross.lowerBound - touch.cross, touch.cross - cross.upperBound, 0)
    add(kind, touch.main, distanceAcross: near, entry, isFurthest: false)
    guard cross.lowerBound < cross.upperBound else { return }
    let far = max(abs(touch.cross - cross.lowerBound), abs(touch.cross - cross.upperBound))
    add(kind, touch.main, distanceAcross: far, entry, isFurthest: true)
  }

  private mutating func add(_ kind: Kind, _ touchMain: Double, distanceAcross: Double, _ entry: Int, isFurthest: Bool) {
    let reach = 1 / inverseResistance - distanceAcross
    guard reach > 0, touchMain.isFinite else { return }
    let position =
      switch kind {
      case .start: touchMain - reach
      case .touch: touchMain
      case .end: touchMain + reach
      }
    let code = Int64(entry) << 3 | kind.rawValue << 1 | (isFurthest ? 1 : 0)
    fresh.append(SpringBreakpoint(position: position, code: code))
  }

  /// Merges from the end, so each older breakpoint is moved only once, as part of a block.
  private mutating func merge() {
    var added = fresh.elements
    added.sort { $0.position < $1.position }
    var (end, target) = (sorted.count, sorted.count + fresh.count)
    sorted.extend(by: fresh.count)
    let sorted = sorted.base
    for breakpoint in added.reversed() {
      let place = (0..<end).partitioningIndex { sorted[$0].position > breakpoint.position }
      target -= end - place
      (sorted + target).update(from: sorted + place, count: end - place)
      target -= 1
      sorted[target] = breakpoint
      end = place
    }
  }
}
