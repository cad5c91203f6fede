import TextFormat

/// Limit of a counter's values: up to 2^53 every reader of JSON has the number exactly.
enum CounterLimit {
  static let largest = 1 << 53

  /// - Throws: `PassError`, which names the first counter, by name, whose value in a frame or sum over the
  ///   frames
  ///   exceeds the limit.
  static func check(_ counters: [String: CountSeries]) throws {
    for (name, series) in counters.sorted(by: { $0.key < $1.key }) {
      var frame = 0
      // A sum of frames within the limit cannot overflow here: it is refused long before.
      var magnitude = 0.0
      for run in series.runs {
        guard run.value.magnitude <= UInt(largest) else {
          throw PassError(
            "counter \"\(name)\" is \(Format.integer(run.value)) in recorded frame \(frame), and \(Self.remedy)")
        }
        magnitude += Double(run.value.magnitude) * Double(run.repetitions)
        frame += run.repetitions
      }
      guard magnitude <= Double(largest) else {
        throw PassError(
          "counter \"\(name)\" adds up to some \(Format.significant(magnitude)) over the frames, and \(Self.remedy)")
      }
    }
  }

  private static let remedy = "counters go up to 2^53 (\(Format.integer(largest))); count in a larger unit"
}
