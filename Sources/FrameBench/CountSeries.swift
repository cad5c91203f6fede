/// Whole numbers, one a frame, stored as runs of equal values: steady frames mostly repeat, so a
/// thousand zeros are one pair. In JSON: `[[value, repetitions], …]`.
public struct CountSeries: Sendable, Equatable {
  public private(set) var runs: [Run] = []
  public private(set) var count = 0

  public struct Run: Sendable, Equatable {
    public var value: Int
    public var repetitions: Int
  }

  public init(_ values: some Sequence<Int> = []) {
    for value in values { append(value) }
  }

  public mutating func append(_ value: Int, repetitions: Int = 1) {
    precondition(repetitions > 0, "a run of \(repetitions) values")
    count += repetitions
    if let last = runs.indices.last, runs[last].value == value {
      runs[last].repetitions += repetitions
    } else {
      runs.append(Run(value: value, repetitions: repetitions))
    }
  }

  public var total: Int { runs.reduce(0) { $0 + $1.value * $1.repetitions } }
  public var maximum: Int? { runs.map(\.value).max() }
  /// Nil for an empty series.
  public var mean: Double? { count == 0 ? nil : Double(total) / Double(count) }
  public var values: [Int] { runs.flatMap { repeatElement($0.value, count: $0.repetitions) } }

  /// Index of the first value for which the predicate holds.
  public func firstIndex(where predicate: (Int) -> Bool) -> Int? {
    var start = 0
    for run in runs {
      if predicate(run.value) { return start }
      start += run.repetitions
    }
    return nil
  }
}

extension CountSeries: Codable {
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      var pair = try container.nestedUnkeyedContainer()
      let value = try pair.decode(Int.self)
      let repetitions = try pair.decode(Int.self)
      guard repetitions > 0 else {
        throw DecodingError.dataCorruptedError(
          in: pair, debugDescription: "a run of \(repetitions) values; repetitions start at 1")
      }
      append(value, repetitions: repetitions)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for run in runs {
      var pair = container.nestedUnkeyedContainer()
      try pair.encode(run.value)
      try pair.encode(run.repetitions)
    }
  }
}
