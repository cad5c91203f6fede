import CSpringKernels

/// The places where the displacement of a spring, as a function of its anchor, changes its slope.
///
/// The share of a shift by which a spring is displaced is 1 far from the touch, falls linearly towards it,
/// and rises again behind it: three breakpoints per shift. They depend on the shift alone and not on its age,
/// so they stay sorted from query to query, and a query merges in those of the shifts since the last one.
///
/// Anchors may lie anywhere in an interval across the axis. Each shift then has breakpoints of its own for the
/// end that is nearest to the touch, and for the one that is furthest.
struct ShiftBreakpoints: ~Copyable {
  enum Kind: Int64 { case start, touch, end }

  private(set) var sorted = Buffer<SpringBreakpoint>()
  private var fresh = Buffer<SpringBreakpoint>()
  private var cross = 0.0...0.0
  private var inverseResistance = 0.0
  /// The breakpoints of entries before this one are already known.
  private var knownEntries = 0

  /// Prepares for another query.
  /// - Returns: The first entry to be added.
  mutating func begin(cross newCross: ClosedRange<Double>, inverseResistance newResistance: Double) -> Int {
    if newCross != cross || newResistance != inverseResistance {
      (cross, inverseResistance, knownEntries) = (newCross, newResistance, 0)
      sorted.removeAll()
    }
    fresh.removeAll()
    return knownEntries
  }

  /// Adds the breakpoints of one kind of a shift.
  mutating func add(_ kind: Kind, touchMain: Double, touchCross: Double, entry: Int) {
    let near = max(cross.lowerBound - touchCross, touchCross - cross.upperBound, 0)
    add(kind, touchMain, distanceAcross: near, entry, isFurthest: false)
    guard cross.lowerBound < cross.upperBound else { return }
    let far = max(abs(touchCross - cross.lowerBound), abs(touchCross - cross.upperBound))
    add(kind, touchMain, distanceAcross: far, entry, isFurthest: true)
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

  /// Merges in the added breakpoints. Those of forgotten shifts are removed once they are many.
  mutating func finish(firstEntry: Int, entryCount: Int) {
    knownEntries = entryCount
    let largestCount = (cross.lowerBound < cross.upperBound ? 6 : 3) * (entryCount - firstEntry)
    if sorted.count > largestCount + largestCount / 8 { removeBreakpoints(before: firstEntry) }
    guard fresh.count > 0 else { return }
    var added = fresh.elements
    added.sort { $0.position < $1.position }
    // From the end, so that each of the others is moved once, in blocks.
    var (end, target) = (sorted.count, sorted.count + fresh.count)
    sorted.extend(by: fresh.count)
    for breakpoint in added.reversed() {
      let place = countNotBehind(breakpoint.position, below: end)
      target -= end - place
      (sorted.base + target).update(from: sorted.base + place, count: end - place)
      target -= 1
      sorted[target] = breakpoint
      end = place
    }
  }

  private mutating func removeBreakpoints(before firstEntry: Int) {
    var kept = 0
    for index in 0..<sorted.count where sorted[index].code >> 3 >= firstEntry {
      sorted[kept] = sorted[index]
      kept += 1
    }
    sorted.truncate(to: kept)
  }

  private func countNotBehind(_ position: Double, below end: Int) -> Int {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
