import Measurements
import TextFormat

/// Workflow commands for the log of a GitHub job: an error for each benchmark that could not be measured, a
/// warning for each doubt.
///
/// GitHub shows ten errors and ten warnings a step and drops the rest without a word, so the tenth says how
/// many more there are.
package struct GitHubAnnotations: Sendable {
  /// Annotations of one level that a step may have.
  package static let gitHubLimit = 10

  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// A command a line, errors before warnings; empty for a run in good order.
  package func render() -> String {
    let errors = document.failures.map { failure in
      (title: "\(failure.id) could not be measured", message: failure.reason)
    }
    let warnings =
      Verdict(document).caveats.map { (title: document.suite, message: $0) }
      + document.warnings.map { warning in
        (title: warning.benchmark?.description ?? document.suite, message: warning.message)
      }
    return (commands("error", errors) + commands("warning", warnings)).map { $0 + "\n" }.joined()
  }

  private func commands(_ level: String, _ annotations: [(title: String, message: String)]) -> [String] {
    var shown = annotations
    if annotations.count > Self.gitHubLimit {
      let rest = annotations.count - Self.gitHubLimit + 1
      shown =
        annotations.prefix(Self.gitHubLimit - 1) + [
          (document.suite, "\(Format.integer(rest)) more; all of them are in the run's report.md")
        ]
    }
    return shown.map { WorkflowCommand.text(level, title: $0.title, message: $0.message) }
  }
}
