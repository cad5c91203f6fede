/// How far the output of one build strays from that of another.
package struct BuildDeviation {
  private var meter: DeviationMeter

  /// - Parameter reference: Name of the build that is compared with.
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

  /// Nil if neither build observed any item.
  package var record: DeviationRecord? { meter.record }
}
