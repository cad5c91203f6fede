/// The surroundings of a command.
struct CommandContext: Sendable {
  /// The command line without the program's path.
  var arguments: [String]
  var console: Console
  var environment: [String: String]

  init(arguments: [String], console: Console, environment: [String: String]) {
    self.arguments = arguments
    self.console = console
    self.environment = environment
  }

  /// Whether stdout is a terminal whose user has not asked for plain text: https://no-color.org.
  var usesColor: Bool {
    console.isOutputTerminal && environment["NO_COLOR"].map(\.isEmpty) ?? true
  }
}
