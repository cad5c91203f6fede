/// Something is wrong with the command line; ends in exit status 64.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var description: String

  /// - Parameters:
  ///   - flag: As it is typed: `--sizes`.
  ///   - problem: What is wrong, naming the value.
  ///   - remedy: What to do about it.
  init(_ flag: String, _ problem: String, remedy: String) {
    description = "\(flag): \(problem); \(remedy)"
  }

  init(_ problem: String, remedy: String) {
    description = "\(problem); \(remedy)"
  }

  /// - Parameter message: Says the remedy too.
  init(_ message: String) {
    description = message
  }
}

/// The baseline is missing or not comparable; ends in exit status 4.
struct NotComparable: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A run went wrong through no fault of the command line; ends in exit status 1.
struct RunError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
