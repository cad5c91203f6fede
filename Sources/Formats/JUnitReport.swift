import FrameBench
import Judging
import Measurements
import Pages
import TextFormat

/// A file of JUnit XML that follows the schema published for Jenkins (junit-10.xsd). Each scenario is a test suite.
package struct JUnitFile {
  package typealias Failure = (type: String, message: String, text: String)

  package struct Case {
    package var suite: String
    package var name: String
    /// The text of a finding that is no reason to fail. JUnit shows such a case as skipped. Nil for other cases.
    package var skipped: String?
    package var failure: Failure?
    package var output: [String] = []
  }

  package var title: String
  package var startedAt: String
  package var durationSeconds: Double
  /// The test cases. The file groups them by suite, in the order in which the suites first appear.
  package var cases: [Case]
  /// The properties of each suite, by the suite's name.
  package var properties: [String: [(name: String, value: String)]] = [:]

  package func render() -> String {
    // The schema allows neither exponents nor commas.
    let time = Format.fixed(max(0, durationSeconds), decimals: 3).filter { $0 != "," }
    let root = XMLText.element(
      "testsuites",
      [
        ("name", title), ("tests", "\(cases.count)"), ("failures", "\(cases.count { $0.failure != nil })"),
        ("errors", "0"), ("time", durationSeconds.isFinite ? time : nil),
      ], content: cases.grouped(by: \.suite).map(suite))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root)\n"
  }

  private func suite(_ name: String, _ own: [Case]) -> String {
    let properties = (properties[name] ?? []).map {
      XMLText.element("property", [("name", $0), ("value", $1)], indentation: 3)
    }
    return XMLText.element(
      "testsuite",
      [
        ("name", name), ("tests", "\(own.count)"), ("failures", "\(own.count { $0.failure != nil })"), ("errors", "0"),
        ("skipped", "\(own.count { $0.skipped != nil })"),
        // A timestamp of JUnit has no time zone, and is read as UTC.
        ("timestamp", startedAt.hasSuffix("Z") ? String(startedAt.dropLast()) : startedAt),
      ],
      content: (properties.isEmpty ? [] : [XMLText.element("properties", content: properties, indentation: 2)])
        + own.map(text), indentation: 1)
  }

  private func text(_ testCase: Case) -> String {
    let output = testCase.output.joined(separator: "\n")
    let content = [
      testCase.skipped.map { XMLText.element("skipped", [("message", $0)], indentation: 3) },
      testCase.failure.map { type, message, text in
        XMLText.element("failure", [("type", type), ("message", message)], text: text, indentation: 3)
      }, testCase.output.isEmpty ? nil : XMLText.element("system-out", text: output, indentation: 3),
    ]
    return XMLText.element(
      "testcase", [("name", testCase.name), ("classname", "\(title).\(testCase.suite)")],
      content: content.compactMap(\.self), indentation: 2)
  }
}

extension RunDocument {
  /// Returns the run as JUnit XML, with a test case for each benchmark. Figures are properties of the suite, with names
  /// such as `tiled/100 frameNanoseconds p50`.
  package func junit() -> String {
    let failed: [(BenchmarkID, JUnitFile.Failure)] =
      failures.map { ($0.id, ("notMeasured", $0.briefReason, $0.standardError)) }
      + contradictionChecks(fail: true).map { ($0.benchmarks[0], ($0.kind.rawValue, $0.sentence, "")) }
    let firstFailures = Dictionary(failed, uniquingKeysWith: { first, _ in first })
    let warnings = Dictionary(grouping: warnings, by: \.benchmark)
    let cases = allIDs.map { id in
      JUnitFile.Case(
        suite: id.scenario, name: id.nameInScenario, failure: firstFailures[id],
        output: (warnings[id] ?? []).map(\.message))
    }
    var file = JUnitFile(title: suite, startedAt: startedAt, durationSeconds: durationSeconds, cases: cases)
    let properties = facts.filter { !["suite", "kernel", "clock"].contains($0.name) }
    for id in allIDs { file.properties[id.scenario] = properties }
    for row in FlatRows(self).rows {
      let parts = [row.id.nameInScenario, row.metric, row.phase, row.statistic.rawValue]
      let number = row.value.number.map { $0.isFinite ? JSONText.number($0) : "" }
      file.properties[row.id.scenario]?.append(
        (parts.compactMap(\.self).joined(separator: " "), "\(number ?? row.value.text ?? "") \(row.unit)"))
    }
    return file.render()
  }
}

extension CheckReport {
  package func junit() -> String {
    let cases = checks.map { check in
      var testCase = JUnitFile.Case(
        suite: String(check.subject.prefix { $0 != "/" }), name: "\(check.subject) \(check.figure)")
      switch check.outcome {
      case .passed: break
      case .noted: testCase.skipped = check.sentence
      case .failed:
        let place = check.place.map { "\nrequired by \($0.path):\($0.line)" } ?? ""
        let text = "\(check.sentence)\(place)\nto repeat it: \(repeating(check.benchmarks))"
        testCase.failure = (check.kind.rawValue, check.sentence, text)
      }
      return testCase
    }
    return JUnitFile(title: title, startedAt: startedAt, durationSeconds: durationSeconds, cases: cases).render()
  }
}
