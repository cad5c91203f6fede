/// Functions return no checksum, so set-up checks that all strategies give the same result.
extension CaseIterable {
  /// Throws `Disagreement` for the first strategy whose result is not the reference strategy's.
  static func checkAgreement<Result: Equatable>(_ work: (Self) throws -> Result) throws {
    var expected: Result?
    for strategy in allCases {
      let result = try work(strategy)
      if let expected, expected != result {
        throw Disagreement(description: "\(strategy) gives another result")
      }
      expected = result
    }
  }
}

/// Ends a benchmark, which is reported as failed with this description.
struct Disagreement: Error, CustomStringConvertible {
  let description: String
}
