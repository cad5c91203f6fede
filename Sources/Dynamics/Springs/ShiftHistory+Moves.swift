// Updates of a list move anchors, and leave the items where they are: each is then displaced from its new
// anchor by the way that the anchor went. To a spring that is one more shift, of a size of its own.

extension ShiftHistory {
  /// Remembers that anchors were moved just now.
  /// - Parameters:
  ///   - displacements: Between which the displacements lie that this gave to the items in general, points.
  ///   - largest: What it gave to any item, those too that are not meant by `displacements`, points.
  /// - Returns: The entry that the move is weighed with.
  mutating func recordMove(displacements: ClosedRange<Double>, largest: Double) -> Int {
    noteMove(upTo: largest)
    let behind = largestWeightBehind
    loosenReach(
      forward: max(displacements.upperBound, -displacements.lowerBound * behind, 0),
      backward: max(-displacements.lowerBound, displacements.upperBound * behind, 0))
    return nextEntry
  }

  /// What is left of a unit displacement that an item was given with an entry.
  func weight(ofEntry entry: Int) -> (displacement: Double, velocity: Double) {
    guard entry < nextEntry else { return (1, 0) }
    guard let position = position(ofEntry: entry) else { return (0, 0) }
    return (liveWeights.displacement[position], liveWeights.velocity[position])
  }

  /// How far displacements of an entry can still carry items from now on, towards larger coordinates and
  /// towards smaller ones, points.
  func reach(ofEntry entry: Int, displacements: ClosedRange<Double>) -> (forward: Double, backward: Double) {
    let (ahead, behind) = lastingWeights(ofEntry: entry)
    let (low, high) = (min(displacements.lowerBound, 0), max(displacements.upperBound, 0))
    return (max(high * ahead, -low * behind), max(-low * ahead, high * behind))
  }

  /// Between which displacements items lie by what is left of those of an entry, points; 0 is among them.
  func bounds(ofEntry entry: Int, displacements: ClosedRange<Double>) -> ClosedRange<Double> {
    let weight = weight(ofEntry: entry).displacement
    let (a, b) = (displacements.lowerBound * weight, displacements.upperBound * weight)
    return min(a, b, 0)...max(a, b, 0)
  }
}
