/// How far what one build shows strays from what another shows, from their answers to
/// `TurnCommand.observe`.
public struct BuildDeviation {
  private var meter: DeviationMeter

  /// - Parameter reference: What the build that is compared with is called.
  public init(reference: String) {
    meter = DeviationMeter(reference: reference)
  }

  /// Adds the same frames of both builds.
  /// - Parameter frames: Numbers of the frames.
  public mutating func add(expected: [Double], found: [Double], frames: Range<Int>) {
    let (expected, found) = (Self.byFrame(expected), Self.byFrame(found))
    for frame in frames { meter.add(expected[frame] ?? [], found[frame] ?? []) }
  }

  /// Nil where neither build said what it shows.
  public var record: DeviationRecord? { meter.record }

  private static func byFrame(_ values: [Double]) -> [Int: [Observation]] {
    precondition(values.count % 4 == 0, "\(values.count) values are no observations")
    return stride(from: 0, to: values.count, by: 4).reduce(into: [:]) { frames, start in
      frames[Int(values[start]), default: []].append(
        Observation(item: Int(values[start + 1]), x: values[start + 2], y: values[start + 3]))
    }
  }
}
