/// How far the output of one build strays from that of another.
package struct BuildDeviation {
  private var meter: DeviationMeter

  /// - Parameter reference: What the build that is compared with is called.
  package init(reference: String) {
    meter = DeviationMeter(reference: reference)
  }

  /// Adds the same frames of both builds.
  /// - Parameter frames: Numbers of the frames.
  package mutating func add(
    expected: [TurnAnswer.ShownItem], found: [TurnAnswer.ShownItem], frames: Range<Int>
  ) {
    let expected = Dictionary(grouping: expected, by: \.frame)
    let found = Dictionary(grouping: found, by: \.frame)
    for frame in frames {
      meter.add((expected[frame] ?? []).map(\.observation), (found[frame] ?? []).map(\.observation))
    }
  }

  /// Nil where neither build said what it shows.
  package var record: DeviationRecord? { meter.record }
}
