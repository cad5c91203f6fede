import FrameBench

/// Which named stretch of the run each recorded frame of a scenario belongs to, at one size: a drag, a fling, a rest.
/// The same in all strategies.
public struct StretchRecord: Codable, Sendable, Equatable {
  /// As in the ids, with the parameters after it.
  public var scenario: String
  /// Number of items.
  public var size: Int
  /// In the order of their first frames, each once.
  public var names: [String]
  /// For each recorded frame the index of its stretch in `names`.
  public var frames: CountSeries

  /// - Parameters:
  ///   - scenario: As in the ids, with the parameters after it.
  ///   - size: Number of items.
  ///   - frameNames: One for each recorded frame.
  public init(scenario: String, size: Int, frameNames: some Sequence<String>) {
    self.scenario = scenario
    self.size = size
    var indices: [String: Int] = [:]
    var names: [String] = []
    frames = CountSeries(
      frameNames.map { name in
        if let index = indices[name] { return index }
        indices[name] = names.count
        names.append(name)
        return names.count - 1
      })
    self.names = names
  }

  /// The name of a recorded frame's stretch; nil for a frame that was not recorded.
  package func name(ofFrame frame: Int) -> String? {
    guard frame >= 0 else { return nil }
    var end = 0
    for run in frames.runs {
      end += run.repetitions
      if frame < end { return names[run.value] }
    }
    return nil
  }

  /// The stretches one after the other.
  package var runs: [(name: String, frames: Range<Int>)] {
    var start = 0
    return frames.runs.map { run in
      defer { start += run.repetitions }
      return (names[run.value], start..<start + run.repetitions)
    }
  }
}

extension RunDocument {
  /// Nil where the scenario does not name stretches.
  package func stretches(scenario: String, size: Int) -> StretchRecord? {
    stretches?.first { $0.scenario == scenario && $0.size == size }
  }
}
