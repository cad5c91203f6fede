/// One whole number per frame, stored as runs of equal values. Steady frames mostly repeat a value, so a thousand zeros
/// become one pair. The JSON is `[[value, repetitions], …]`.
public struct CountSeries: Codable, Sendable, Equatable {
  /// Runs of equal values, in the order of the frames. Neighboring runs have different values.
  public private(set) var runs: [Run] = []
  /// The number of values, which is also the number of frames.
  public private(set) var count = 0

  /// A value and the number of consecutive frames that have it.
  public struct Run: Sendable, Equatable {
    public var value: Int
    /// The number of consecutive frames that have the value, at least 1.
    public var repetitions: Int
  }

  /// Creates a series from one value per frame, in the order of the frames.
  public init(_ values: some Sequence<Int> = []) { for value in values { append(value) } }

  /// Appends a value for `repetitions` consecutive frames, at least one.
  public mutating func append(_ value: Int, repetitions: Int = 1) {
    precondition(repetitions > 0, "a run of \(repetitions) values")
    count += repetitions
    if let last = runs.indices.last, runs[last].value == value {
      runs[last].repetitions += repetitions
    } else {
      runs.append(Run(value: value, repetitions: repetitions))
    }
  }

  /// Sum over all frames; 0 for an empty series.
  public var total: Int { runs.reduce(0) { $0 + $1.value * $1.repetitions } }
  /// The largest value; nil for an empty series.
  public var maximum: Int? { runs.map(\.value).max() }
  /// Arithmetic mean of the values; nil for an empty series.
  public var mean: Double? { count == 0 ? nil : Double(total) / Double(count) }
  /// All `count` values, one per frame, in the order of the frames.
  public var values: [Int] { runs.flatMap { repeatElement($0.value, count: $0.repetitions) } }

  /// Returns the index of the first value for which the predicate is true; nil if there is none.
  public func firstIndex(where predicate: (Int) -> Bool) -> Int? {
    var start = 0
    for run in runs {
      if predicate(run.value) { return start }
      start += run.repetitions
    }
    return nil
  }

  /// Decodes pairs of a value and its repetitions.
  /// - Throws: `DecodingError` if a pair is malformed, or if the number of values or their sum does not fit into 64
  ///   bits. Without this check, `total` could overflow, which would crash the program.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    var magnitude = 0
    while !container.isAtEnd {
      var pair = try container.nestedUnkeyedContainer()
      let value = try pair.decode(Int.self)
      let repetitions = try pair.decode(Int.self)
      guard repetitions > 0, pair.isAtEnd else {
        throw DecodingError.dataCorruptedError(
          in: pair, debugDescription: "a run is [value, repetitions], and repetitions start at 1")
      }
      let product = repetitions.multipliedReportingOverflow(by: value == .min ? .max : abs(value))
      let sum = magnitude.addingReportingOverflow(product.partialValue)
      guard !product.overflow, !sum.overflow, !count.addingReportingOverflow(repetitions).overflow else {
        throw DecodingError.dataCorruptedError(
          in: pair, debugDescription: "the sum of the series does not fit into 64 bits")
      }
      magnitude = sum.partialValue
      append(value, repetitions: repetitions)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try runs.map { [$0.value, $0.repetitions] }.encode(to: encoder)
  }
}
