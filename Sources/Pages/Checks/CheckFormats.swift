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
      let place = check.place.map { "\nrequired by \($0.path):\($0.line)" } ?? ""
      let text = "\(check.sentence)\(place)\nto repeat it: \(report.repeating(check.benchmarks))"
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

  /// A command a line, for each cause one: what failed as errors, then what is noted, but for uncertain times, as
  /// warnings; empty where there is neither.
  package func render() -> String {
    [("error", report.failedGroups), ("warning", report.notedGroups)].map { level, groups in
      let commands = groups.map { group in
        WorkflowCommand(
          title: "\(group.kind.words): \(Self.title(group))",
          message: "\(group.text.plainText); to repeat it: \(report.repeating(group.repeated))",
          path: group.place?.path, line: group.place?.line)
      }
      return WorkflowCommand.render(level, commands) { count in
        WorkflowCommand(title: report.title, message: "\(count) more; the report has all of them")
      }
    }.joined()
  }

  private static func title(_ group: CheckGroup) -> String {
    let subjects = Set(group.checks.map(\.subject)).count
    return group.checks[0].subject + (subjects > 1 ? " and \(subjects - 1) more" : "")
  }
}
