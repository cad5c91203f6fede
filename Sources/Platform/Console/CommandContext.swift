import Foundation

package struct CommandContext: Sendable {
  /// The command line without the program's path.
  package var arguments: [String]
  package var console: Console
  package var environment: [String: String]

  package init(arguments: [String], console: Console, environment: [String: String]) {
    (self.arguments, self.console, self.environment) = (arguments, console, environment)
  }

  /// Whether stdout is a terminal, and its user has not set NO_COLOR to get plain text (https://no-color.org).
  package var usesColor: Bool { console.isOutputTerminal && environment["NO_COLOR"].map(\.isEmpty) ?? true }
}

/// The exit statuses, which are the same for all commands. So a CI job can tell a slower branch from a broken machine.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  case failure = 1
  case regression = 2
  case budgetExceeded = 3
  case notComparable = 4
  case behaviorChanged = 5
  case inconclusive = 6
  case usage = 64
}

/// The version that is written to files and printed by `--version`.
package let springBenchVersion = "0.1.0"
