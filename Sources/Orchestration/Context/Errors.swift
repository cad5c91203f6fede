/// Something is wrong with the command line; ends in exit status 64.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package var description: String

  /// - Parameters:
  ///   - flag: As it is typed: `--sizes`.
  ///   - problem: What is wrong, naming the value.
  ///   - remedy: What to do about it.
  package init(_ flag: String, _ problem: String, remedy: String) {
    description = "\(flag): \(problem); \(remedy)"
  }

  package init(_ problem: String, remedy: String) {
    description = "\(problem); \(remedy)"
  }

  /// - Parameter message: Says the remedy too.
  package init(_ message: String) {
    description = message
  }
}

/// The baseline is missing or not comparable; ends in exit status 4.
package struct NotComparable: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A run went wrong through no fault of the command line; ends in exit status 1.
package struct RunError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
