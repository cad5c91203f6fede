import Measurements
import TextFormat

/// Workflow commands for the log of a GitHub job: an error for each benchmark that could not be measured, a
/// warning for each doubt.
package struct GitHubAnnotations: Sendable {
  /// Annotations of one level that a step may have.
  package static let gitHubLimit = 10

  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// A command a line, errors before warnings; empty for a run in good order.
  package func render() -> String {
    let errors = document.failures.map {
      WorkflowCommand(title: "\($0.id) could not be measured", message: $0.reason)
    }
    let warnings =
      Verdict(document).caveats.map { WorkflowCommand(title: document.suite, message: $0) }
      + document.warnings.map {
        WorkflowCommand(title: $0.benchmark?.description ?? document.suite, message: $0.message)
      }
    return [("error", errors), ("warning", warnings)].map { level, commands in
      WorkflowCommand.render(level, commands) { count in
        WorkflowCommand(
          title: document.suite,
          message: "\(Format.integer(count)) more; all of them are in the run's report.md")
      }
    }.joined()
  }
}
