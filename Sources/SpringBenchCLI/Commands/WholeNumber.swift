/// Whole numbers of the command line.
enum WholeNumber {
  /// - Parameters:
  ///   - flag: The option that was given the text, for the error.
  ///   - example: A number that the remedy can name.
  static func parse<Number: FixedWidthInteger>(
    _ text: String, _ flag: String, _ range: ClosedRange<Number>, example: Number
  ) throws(UsageError) -> Number {
    guard let number = Number(text), range.contains(number) else {
      throw UsageError(
        flag, "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)",
        remedy: "give one as in \(flag) \(example)")
    }
    return number
  }

  /// Of what is drawn at random, the value of `--seed`.
  static func seed(_ text: String) throws(UsageError) -> UInt64 {
    try parse(text, "--seed", 0...UInt64.max, example: 1)
  }
}
