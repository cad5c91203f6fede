// Updates of a list move anchors and leave the items where they are, so each item is displaced from its new
// anchor by the distance that the anchor moved. For the spring that is one more shift, with a size of its
// own.

extension ShiftHistory {
  /// Records that anchors were just moved.
  /// - Parameters:
  ///   - displacements: Range of the items' resulting displacements, without exceptional items, points.
  ///   - largest: The largest of all items' displacements, points.
  /// - Returns: The entry with the weights of the move.
  mutating func recordMove(displacements: ClosedRange<Double>, largest: Double) -> Int {
    let (low, high) = (min(displacements.lowerBound, 0), max(displacements.upperBound, 0))
    if let last = moves.last, last.entry == nextEntry {
      moves[moves.count - 1].displacements = last.displacements.lowerBound + low...last.displacements.upperBound + high
      moves[moves.count - 1].largest += largest
    } else {
      moves.append(Move(entry: nextEntry, displacements: low...high, largest: largest))
    }
    hasMoves = true
    widenReach(by: reach(ofEntry: nextEntry, displacements: low...high))
    return nextEntry
  }

  /// The rest of a unit displacement that an item was given with an entry.
  func weight(ofEntry entry: Int) -> (displacement: Double, velocity: Double) {
    guard entry < nextEntry else { return (1, 0) }
    guard let position = position(ofEntry: entry) else { return (0, 0) }
    return (liveWeights.displacement[position], liveWeights.velocity[position])
  }

  /// The maximum effect of an entry's displacements on items from now on, towards larger coordinates and
  /// towards smaller ones, points.
  private func reach(ofEntry entry: Int, displacements: ClosedRange<Double>) -> (forward: Double, backward: Double) {
    let (ahead, behind) = lastingWeights(ofEntry: entry)
    let (low, high) = (displacements.lowerBound, displacements.upperBound)
    return (max(high * ahead, -low * behind), max(-low * ahead, high * behind))
  }

  /// Adds the possible effect of moves of anchors to the reach.
  mutating func addReachOfMoves() {
    // By index: without optimisation, iterating over an array of large elements allocates.
    for index in moves.indices {
      widenReach(by: reach(ofEntry: moves[index].entry, displacements: moves[index].displacements))
    }
  }

  /// Adds the possible effect of a shift that was just applied, including behind the anchors, where springs
  /// swing through them.
  mutating func widenReach(byPending shift: ScrollShift.Projected) {
    let ahead = abs(shift.delta)
    let behind = ahead * largestWeightBehind
    reach.forward += shift.delta > 0 ? ahead : behind
    reach.backward += shift.delta > 0 ? behind : ahead
  }

  private mutating func widenReach(by more: (forward: Double, backward: Double)) {
    reach.forward += more.forward
    reach.backward += more.backward
  }

  /// Range of the remaining displacements of items by an entry, points; 0 is among them.
  func bounds(ofEntry entry: Int, displacements: ClosedRange<Double>) -> ClosedRange<Double> {
    let weight = weight(ofEntry: entry).displacement
    let (a, b) = (displacements.lowerBound * weight, displacements.upperBound * weight)
    return min(a, b, 0)...max(a, b, 0)
  }
}
