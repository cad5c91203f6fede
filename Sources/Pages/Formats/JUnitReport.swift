import FrameBench
import Measurements
import TextFormat

/// JUnit XML, in the dialect that Jenkins publishes a schema of (junit-10.xsd): a test suite for each
/// scenario, a test case for each benchmark, a failure for each that could not be measured.
///
/// The figures are properties of the suite, `tiled/100 frameNanoseconds p50`, since that schema knows none
/// of a test case. A case has no time: what one benchmark took is not recorded.
package struct JUnitReport: Sendable {
  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// A whole file. In each suite, what could not be measured stands behind what was.
  package func render() -> String {
    let suites = self.suites
    let caseCount = suites.reduce(0) { $0 + $1.cases.count }
    let failureCount = suites.reduce(0) { $0 + $1.failureCount }
    let root = XMLText.element(
      "testsuites",
      [
        ("name", document.suite), ("tests", String(caseCount)), ("failures", String(failureCount)),
        ("errors", "0"), ("time", time),
      ], content: suites.map { $0.render(environment: environment, startedAt: startedAt) })
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root)\n"
  }

  private var suites: [Suite] {
    let rows = Dictionary(grouping: FlatRows(document).rows, by: \.id)
    let failures = Dictionary(document.failures.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var suites: [Suite] = []
    for id in document.allIDs {
      let testCase = Suite.Case(
        id: id, className: "\(document.suite).\(id.scenario)", rows: rows[id] ?? [], failure: failures[id],
        warnings: document.warnings.filter { $0.benchmark == id }.map(\.message))
      if let index = suites.firstIndex(where: { $0.name == id.scenario }) {
        suites[index].cases.append(testCase)
      } else {
        suites.append(Suite(name: id.scenario, cases: [testCase]))
      }
    }
    return suites
  }

  /// Wall time of the run, seconds; the schema takes no exponent.
  private var time: String? {
    guard document.durationSeconds.isFinite else { return nil }
    return Format.fixed(max(0, document.durationSeconds), decimals: 3).filter { $0 != "," }
  }

  /// JUnit's times bear no zone, and are read as UTC.
  private var startedAt: String {
    document.startedAt.hasSuffix("Z") ? String(document.startedAt.dropLast()) : document.startedAt
  }

  private var environment: [(String, String)] {
    let environment = document.environment
    let pairs: [(String, String?)] = [
      ("machine", environment.machine), ("cpu", environment.cpuModel), ("commit", environment.commit),
      ("dirty", environment.isDirty.map(String.init)), ("toolchain", environment.toolchain),
      ("build", environment.buildConfiguration), ("allocator", environment.allocator),
    ]
    return pairs.compactMap { key, value in value.map { (key, $0) } }
  }

  /// One scenario.
  private struct Suite {
    let name: String
    var cases: [Case]

    struct Case {
      var id: BenchmarkID
      var className: String
      var rows: [FlatRow]
      var failure: BenchmarkFailure?
      var warnings: [String]

      /// Within the scenario: `tiled/100`.
      var name: String { "\(id.strategy)/\(id.size)" }
    }

    var failureCount: Int { cases.count { $0.failure != nil } }

    func render(environment: [(String, String)], startedAt: String) -> String {
      let figures = cases.flatMap { testCase in
        testCase.rows.map { row in
          let parts = [testCase.name, row.metric, row.phase, row.statistic.rawValue].compactMap { $0 }
          return (parts.joined(separator: " "), "\(row.value.spelling) \(row.unit)")
        }
      }
      let properties = (environment + figures).map { name, value in
        XMLText.element("property", [("name", name), ("value", value)], indentation: 3)
      }
      return XMLText.element(
        "testsuite",
        [
          ("name", name), ("tests", String(cases.count)), ("failures", String(failureCount)),
          ("errors", "0"), ("skipped", "0"), ("timestamp", startedAt),
        ],
        content: [XMLText.element("properties", content: properties, indentation: 2)] + cases.map(render),
        indentation: 1)
    }

    private func render(_ testCase: Case) -> String {
      var content: [String] = []
      if let failure = testCase.failure {
        content.append(
          XMLText.element(
            "failure", [("type", "notMeasured"), ("message", failure.reason)], text: failure.standardError,
            indentation: 3))
      }
      if !testCase.warnings.isEmpty {
        let text = testCase.warnings.joined(separator: "\n")
        content.append(XMLText.element("system-out", text: text, indentation: 3))
      }
      return XMLText.element(
        "testcase", [("name", testCase.name), ("classname", testCase.className)], content: content,
        indentation: 2)
    }
  }
}

extension FlatRow.Value {
  /// Empty for what is not a finite number.
  fileprivate var spelling: String {
    switch self {
    case .number(let number): number.isFinite ? JSONText.number(number) : ""
    case .text(let text): text
    }
  }
}
