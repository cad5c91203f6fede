/// The surroundings of a command.
package struct CommandContext: Sendable {
  /// The command line without the program's path.
  package var arguments: [String]
  package var console: Console
  package var environment: [String: String]

  package init(arguments: [String], console: Console, environment: [String: String]) {
    self.arguments = arguments
    self.console = console
    self.environment = environment
  }

  /// Whether stdout is a terminal whose user has not asked for plain text: https://no-color.org.
  package var usesColor: Bool {
    console.isOutputTerminal && environment["NO_COLOR"].map(\.isEmpty) ?? true
  }
}
