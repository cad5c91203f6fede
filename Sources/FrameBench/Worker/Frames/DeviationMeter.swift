package struct DeviationMeter {
  private var found: DeviationRecord
  private var sum = 0.0
  private var sharedCount = 0

  package init(reference: String) {
    found = DeviationRecord(reference: reference, missingCount: 0, extraCount: 0, differingFrameCount: 0, frameCount: 0)
  }

  /// Compares the items of one frame. The items may be in any order.
  mutating func add(_ expected: [Observation], _ shown: [Observation]) {
    let (expected, shown) = (expected.sorted { $0.item < $1.item }, shown.sorted { $0.item < $1.item })
    var (i, j) = (0, 0)
    let before = (found.missingCount, found.extraCount)
    while i < expected.count || j < shown.count {
      if j == shown.count || (i < expected.count && expected[i].item < shown[j].item) {
        found.missingCount += 1
        i += 1
      } else if i == expected.count || shown[j].item < expected[i].item {
        found.extraCount += 1
        j += 1
      } else {
        addDistance(expected[i], shown[j])
        i += 1
        j += 1
      }
    }
    if (found.missingCount, found.extraCount) != before { found.differingFrameCount += 1 }
    found.frameCount += 1
  }

  private mutating func addDistance(_ expected: Observation, _ shown: Observation) {
    let (dx, dy) = (expected.x - shown.x, expected.y - shown.y)
    let distance = (dx * dx + dy * dy).squareRoot()
    // An item whose position is NaN or infinite is not visible.
    guard distance.isFinite else {
      let isExpected = expected.x.isFinite && expected.y.isFinite
      if !isExpected, shown.x.isFinite, shown.y.isFinite { found.extraCount += 1 } else { found.missingCount += 1 }
      return
    }
    sum += distance
    sharedCount += 1
    found.meanDistance = sum / Double(sharedCount)
    if distance > found.largestDistance ?? -1 {
      (found.largestDistance, found.largestDistanceFrame) = (distance, found.frameCount)
    }
  }

  package mutating func add(expected: [TurnAnswer.ShownItem], found: [TurnAnswer.ShownItem], frames: Range<Int>) {
    let expected = Dictionary(grouping: expected, by: \.frame)
    let found = Dictionary(grouping: found, by: \.frame)
    for frame in frames { add((expected[frame] ?? []).map(\.observation), (found[frame] ?? []).map(\.observation)) }
  }

  /// The result so far; nil if neither strategy showed an item.
  package var record: DeviationRecord? { sharedCount + found.missingCount + found.extraCount > 0 ? found : nil }
}
