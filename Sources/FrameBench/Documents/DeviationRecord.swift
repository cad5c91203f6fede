/// How far what one strategy shows strays from what another shows, over all recorded frames.
public struct DeviationRecord: Codable, Sendable, Equatable {
  /// The strategy that is compared with.
  public var reference: String
  /// Largest and mean distance of an item from where the reference shows it in the same frame, in the
  /// scenario's units of length; over items that both show. Nil where there is no such item.
  public var largestDistance: Double?
  /// Over the same items as `largestDistance`, in its unit; nil where that is nil.
  public var meanDistance: Double?
  /// The first recorded frame of the largest distance.
  public var largestDistanceFrame: Int?
  /// Items shown by the reference alone, and by this strategy alone, summed over frames.
  public var missingCount: Int
  /// Items shown by this strategy alone, summed over frames.
  public var extraCount: Int
  /// Frames in which not the same items are shown.
  public var differingFrameCount: Int
  /// Frames that were compared.
  public var frameCount: Int

  public init(
    reference: String, largestDistance: Double?, meanDistance: Double?, largestDistanceFrame: Int?,
    missingCount: Int, extraCount: Int, differingFrameCount: Int, frameCount: Int
  ) {
    self.reference = reference
    self.largestDistance = largestDistance
    self.meanDistance = meanDistance
    self.largestDistanceFrame = largestDistanceFrame
    self.missingCount = missingCount
    self.extraCount = extraCount
    self.differingFrameCount = differingFrameCount
    self.frameCount = frameCount
  }
}

/// Where a frame shows an item.
@usableFromInline
struct Observation: Equatable {
  var item: Int
  var x: Double
  var y: Double

  @usableFromInline
  init(item: Int, x: Double, y: Double) {
    self.item = item
    self.x = x
    self.y = y
  }
}

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

  /// Nil where neither strategy said what it shows.
  var record: DeviationRecord? {
    guard sharedCount + missingCount + extraCount > 0 else { return nil }
    return DeviationRecord(
      reference: reference, largestDistance: largest?.distance,
      meanDistance: sharedCount > 0 ? sum / Double(sharedCount) : nil,
      largestDistanceFrame: largest?.frame, missingCount: missingCount, extraCount: extraCount,
      differingFrameCount: differingFrameCount, frameCount: frameCount)
  }
}
