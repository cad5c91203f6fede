/// `::error file=…,line=…,title=…::message`, escaped as the runner's own toolkit does.
struct WorkflowCommand {
  var title: String
  var message: String
  var path: String?
  var line: Int?

  /// A command a line. GitHub shows ten per level and step and silently drops the rest, so the tenth says how
  /// many more there are.
  static func render(
    _ level: String, _ commands: [WorkflowCommand], rest: (_ count: Int) -> WorkflowCommand
  ) -> String {
    let limit = GitHubAnnotations.gitHubLimit
    let shown =
      commands.count > limit ? commands.prefix(limit - 1) + [rest(commands.count - limit + 1)] : commands
    return shown.map { $0.text(level) + "\n" }.joined()
  }

  private func text(_ level: String) -> String {
    let properties = [("file", path), ("line", line.map(String.init)), ("title", title)]
      .compactMap { name, value in value.map { "\(name)=\(Self.property($0))" } }
    return "::\(level) \(properties.joined(separator: ","))::\(Self.escape(message, Self.messageCodes))"
  }

  private static let messageCodes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]

  private static func property(_ text: String) -> String {
    escape(text, messageCodes.merging([":": "%3A", ",": "%2C"]) { first, _ in first })
  }

  private static func escape(_ text: String, _ codes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { scalar in
      codes[scalar]
        ?? (scalar.properties.generalCategory == .control && scalar != "\t" ? " " : String(scalar))
    }.joined()
  }
}
