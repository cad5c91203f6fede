import FrameBench
import Measurements
import TextFormat

/// JUnit XML, in the dialect of Jenkins' published schema (junit-10.xsd): a test suite for each scenario.
struct JUnitFile {
  typealias Case = (suite: String, name: String, result: Result, output: [String])

  /// Noted checks count as skipped; there are no errors.
  enum Result {
    case passed
    case noted(String)
    case failed(type: String, message: String, text: String)
  }

  var title: String
  var startedAt: String
  var durationSeconds: Double
  /// Grouped by suite, the suites in the order of their first cases.
  var cases: [Case]
  /// Properties of the suites, by name. A case has no time: the duration of one benchmark is not recorded.
  var properties: [String: [(name: String, value: String)]] = [:]

  func render() -> String {
    let failed = String(cases.count(where: Self.isFailed))
    // The schema does not allow an exponent.
    let time = Format.fixed(max(0, durationSeconds), decimals: 3).filter { $0 != "," }
    let root = XMLText.element(
      "testsuites",
      [
        ("name", title), ("tests", String(cases.count)), ("failures", failed), ("errors", "0"),
        ("time", durationSeconds.isFinite ? time : nil),
      ], content: cases.map(\.suite).unique.map(suite))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root)\n"
  }

  private static func isFailed(_ testCase: Case) -> Bool { if case .failed = testCase.result { true } else { false } }

  private func suite(_ name: String) -> String {
    let own = cases.filter { $0.suite == name }
    let noted = own.count { if case .noted = $0.result { true } else { false } }
    let properties = (properties[name] ?? []).map {
      XMLText.element("property", [("name", $0), ("value", $1)], indentation: 3)
    }
    return XMLText.element(
      "testsuite",
      [
        ("name", name), ("tests", String(own.count)), ("failures", String(own.count(where: Self.isFailed))),
        ("errors", "0"), ("skipped", String(noted)),
        // JUnit's times have no zone, and are read as UTC.
        ("timestamp", startedAt.hasSuffix("Z") ? String(startedAt.dropLast()) : startedAt),
      ],
      content: (properties.isEmpty ? [] : [XMLText.element("properties", content: properties, indentation: 2)])
        + own.map(text), indentation: 1)
  }

  private func text(_ testCase: Case) -> String {
    var content: [String] = []
    switch testCase.result {
    case .passed: break
    case .noted(let message): content.append(XMLText.element("skipped", [("message", message)], indentation: 3))
    case .failed(let type, let message, let text):
      content.append(XMLText.element("failure", [("type", type), ("message", message)], text: text, indentation: 3))
    }
    if !testCase.output.isEmpty {
      content.append(XMLText.element("system-out", text: testCase.output.joined(separator: "\n"), indentation: 3))
    }
    return XMLText.element(
      "testcase", [("name", testCase.name), ("classname", "\(title).\(testCase.suite)")], content: content,
      indentation: 2)
  }
}

extension RunDocument {
  /// A test case for each benchmark, a failure for each that could not be measured or whose output is not its
  /// reference's. In each suite, the former follow measured benchmarks.
  ///
  /// The figures are properties of the suite, `tiled/100 frameNanoseconds p50`, since the schema has none
  /// for a test case.
  func junit() -> String {
    let properties = facts.filter { !["suite", "kernel", "clock"].contains($0.name) }
    let failed =
      failures.map {
        ($0.id, JUnitFile.Result.failed(type: "notMeasured", message: $0.briefReason, text: $0.standardError))
      }
      + contradictionChecks(fail: true).map {
        ($0.benchmarks[0], .failed(type: $0.kind.rawValue, message: $0.sentence, text: ""))
      }
    let results = Dictionary(failed, uniquingKeysWith: { first, _ in first })
    var file = JUnitFile(title: suite, startedAt: startedAt, durationSeconds: durationSeconds, cases: [])
    for id in allIDs {
      file.cases.append(
        (
          id.scenario, "\(id.strategy)/\(id.size)", results[id] ?? .passed,
          warnings.filter { $0.benchmark == id }.map(\.message)
        ))
      file.properties[id.scenario] = properties
    }
    for row in FlatRows(self).rows {
      let parts = ["\(row.id.strategy)/\(row.id.size)", row.metric, row.phase, row.statistic.rawValue]
      let number = row.value.number.map { $0.isFinite ? JSONText.number($0) : "" }
      file.properties[row.id.scenario]?.append(
        (parts.compactMap(\.self).joined(separator: " "), "\(number ?? row.value.text ?? "") \(row.unit)"))
    }
    return file.render()
  }
}

extension CheckReport {
  /// A test case for each check.
  package func junit() -> String {
    JUnitFile(
      title: title, startedAt: startedAt, durationSeconds: durationSeconds,
      cases: checks.map { check in
        let result: JUnitFile.Result
        switch check.outcome {
        case .passed: result = .passed
        case .noted: result = .noted(check.sentence)
        case .failed:
          let place = check.place.map { "\nrequired by \($0.path):\($0.line)" } ?? ""
          result = .failed(
            type: check.kind.rawValue, message: check.sentence,
            text: "\(check.sentence)\(place)\nto repeat it: \(repeating(check.benchmarks))")
        }
        return (check.scenario, "\(check.subject) \(check.figure)", result, [])
      }
    ).render()
  }
}
