import TextFormat

/// JUnit XML: a test suite for each scenario, a test case for each check, as `JUnitReport` does for runs.
package struct CheckJUnit: Sendable {
  private let report: CheckReport

  package init(_ report: CheckReport) {
    self.report = report
  }

  /// A whole file. What is noted counts as skipped, what failed as a failure; there are no errors.
  package func render() -> String {
    var scenarios: [String] = []
    for check in report.checks where !scenarios.contains(check.scenario) { scenarios.append(check.scenario) }
    let time = Format.fixed(max(0, report.durationSeconds), decimals: 3).filter { $0 != "," }
    let root = XMLText.element(
      "testsuites",
      [
        ("name", report.title), ("tests", String(report.checks.count)),
        ("failures", String(report.failed.count)), ("errors", "0"), ("time", time),
      ], content: scenarios.map(suite))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root)\n"
  }

  private func suite(_ scenario: String) -> String {
    let checks = report.checks.filter { $0.scenario == scenario }
    // JUnit's times bear no zone, and are read as UTC.
    let start = report.startedAt.hasSuffix("Z") ? String(report.startedAt.dropLast()) : report.startedAt
    return XMLText.element(
      "testsuite",
      [
        ("name", scenario), ("tests", String(checks.count)),
        ("failures", String(checks.count { $0.outcome == .failed })), ("errors", "0"),
        ("skipped", String(checks.count { $0.outcome == .noted })), ("timestamp", start),
      ], content: checks.map(testCase), indentation: 1)
  }

  private func testCase(_ check: Check) -> String {
    let name = "\(check.subject) \(check.figure)"
    let attributes: [(String, String?)] = [
      ("name", name), ("classname", "\(report.title).\(check.scenario)"),
    ]
    let content: [String]
    switch check.outcome {
    case .passed: content = []
    case .noted:
      content = [XMLText.element("skipped", [("message", check.sentence)], indentation: 3)]
    case .failed:
      let place = check.place.map { "\nasked for by \($0.path):\($0.line)" } ?? ""
      let text = "\(check.sentence)\(place)\nto repeat it: \(report.repeating(check.subject))"
      content = [
        XMLText.element(
          "failure", [("type", check.kind.rawValue), ("message", check.sentence)], text: text, indentation: 3)
      ]
    }
    return XMLText.element("testcase", attributes, content: content, indentation: 2)
  }
}

/// Workflow commands for the log of a GitHub job, at the line of the budget file where there is one.
package struct CheckAnnotations: Sendable {
  private let report: CheckReport

  package init(_ report: CheckReport) {
    self.report = report
  }

  /// A command a line: what failed as errors, then what is noted, but for uncertain times, as warnings;
  /// empty where there is neither.
  package func render() -> String {
    // Uncertain times are many on a busy machine: they belong in the report, not beside the code.
    let noted = report.noted.filter { $0.kind != .inconclusive }
    return [("error", report.failed), ("warning", noted)].map { level, checks in
      let commands = checks.map { check in
        WorkflowCommand(
          title: "\(check.kind.words): \(check.subject)",
          message: "\(check.sentence); to repeat it: \(report.repeating(check.subject))",
          path: check.place?.path, line: check.place?.line)
      }
      return WorkflowCommand.render(level, commands) { count in
        WorkflowCommand(title: report.title, message: "\(count) more; the report has all of them")
      }
    }.joined()
  }
}
