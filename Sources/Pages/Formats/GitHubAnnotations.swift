import Measurements
import TextFormat

/// `::error file=…,line=…,title=…::message`, escaped as the runner's own toolkit does.
struct WorkflowCommand {
  var title: String
  var message: String
  var path: String?
  var line: Int?

  /// Maximum number of annotations per level that GitHub shows for a step; it silently drops the rest.
  private static let limit = 10

  /// One command per line, errors before warnings; if there are too many of a level, the last says how many more.
  static func render(errors: [WorkflowCommand], warnings: [WorkflowCommand], rest: (_ count: Int) -> WorkflowCommand)
    -> String
  {
    [("error", errors), ("warning", warnings)].flatMap { level, commands in
      let left = commands.count - limit
      let shown = left > 0 ? commands.prefix(limit - 1) + [rest(left + 1)] : commands
      return shown.map { $0.text(level) + "\n" }
    }.joined()
  }

  private func text(_ level: String) -> String {
    let properties = [("file", path), ("line", line.map(String.init)), ("title", title)].compactMap { name, value in
      value.map { "\(name)=\(Self.escape($0).escaped([":": "%3A", ",": "%2C"]))" }
    }
    return "::\(level) \(properties.joined(separator: ","))::\(Self.escape(message))"
  }

  private static func escape(_ text: String) -> String {
    text.escaped(["%": "%25", "\r": "%0D", "\n": "%0A", "\t": "\t"]) {
      $0.properties.generalCategory == .control ? " " : String($0)
    }
  }
}

extension RunDocument {
  /// An error for each benchmark that could not be measured, a warning for each doubt; empty if there are neither.
  func githubAnnotations() -> String {
    WorkflowCommand.render(
      errors: failures.map { WorkflowCommand(title: "\($0.id) could not be measured", message: $0.briefReason) },
      warnings: caveats.map { WorkflowCommand(title: suite, message: $0) }
        + warnings.map { WorkflowCommand(title: $0.benchmark?.description ?? suite, message: $0.message) }
    ) { count in
      WorkflowCommand(title: suite, message: "\(Format.integer(count)) more; all of them are in the run's report.md")
    }
  }
}

extension CheckReport {
  /// One for each cause, at the line of the budget file if there is one: failures, then notes except uncertain times.
  package func githubAnnotations() -> String {
    WorkflowCommand.render(errors: failedGroups.map(command), warnings: notedGroups.map(command)) { count in
      WorkflowCommand(title: title, message: "\(count) more; the report has all of them")
    }
  }

  private func command(_ group: CheckGroup) -> WorkflowCommand {
    let others = Set(group.checks.map(\.subject)).count - 1
    return WorkflowCommand(
      title: "\(group.kind.words): \(group.checks[0].subject)" + (others > 0 ? " and \(others) more" : ""),
      message: "\(group.text.plainText); to repeat it: \(repeating(group.repeated))", path: group.place?.path,
      line: group.place?.line)
  }
}
