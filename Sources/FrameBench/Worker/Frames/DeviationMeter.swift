/// Collects the deviation frame by frame.
struct DeviationMeter {
  let reference: String
  private var largest: (distance: Double, frame: Int)?
  private var sum = 0.0
  private var sharedCount = 0
  private var missingCount = 0
  private var extraCount = 0
  private var differingFrameCount = 0
  private var frameCount = 0

  init(reference: String) {
    self.reference = reference
  }

  /// Compares one frame; items may come in any order.
  mutating func add(_ expected: [Observation], _ found: [Observation]) {
    let (expected, found) = (expected.sorted { $0.item < $1.item }, found.sorted { $0.item < $1.item })
    var (i, j) = (0, 0)
    let (missingBefore, extraBefore) = (missingCount, extraCount)
    while i < expected.count || j < found.count {
      if j == found.count || (i < expected.count && expected[i].item < found[j].item) {
        missingCount += 1
        i += 1
      } else if i == expected.count || found[j].item < expected[i].item {
        extraCount += 1
        j += 1
      } else {
        addDistance(expected[i], found[j])
        i += 1
        j += 1
      }
    }
    if missingCount > missingBefore || extraCount > extraBefore { differingFrameCount += 1 }
    frameCount += 1
  }

  private mutating func addDistance(_ expected: Observation, _ found: Observation) {
    let (dx, dy) = (expected.x - found.x, expected.y - found.y)
    let distance = (dx * dx + dy * dy).squareRoot()
    sum += distance
    sharedCount += 1
    if distance > largest?.distance ?? -1 { largest = (distance, frameCount) }
  }

  /// Nil if neither strategy observed any item.
  var record: DeviationRecord? {
    guard sharedCount + missingCount + extraCount > 0 else { return nil }
    return DeviationRecord(
      reference: reference, largestDistance: largest?.distance,
      meanDistance: sharedCount > 0 ? sum / Double(sharedCount) : nil,
      largestDistanceFrame: largest?.frame, missingCount: missingCount, extraCount: extraCount,
      differingFrameCount: differingFrameCount, frameCount: frameCount)
  }
}
