import Markup
import Measurements
import Pages
import TextFormat

/// The output formats of `springbench report --format`.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  case markdown
  case html
  case json
  case csv
  case junit
  /// The report in markdown, small enough for `$GITHUB_STEP_SUMMARY`.
  case github
  /// Failures and warnings as workflow commands, which GitHub shows next to the job.
  case githubAnnotations = "github-annotations"
  /// The JSON that github-action-benchmark reads with the setting `tool: customSmallerIsBetter`.
  case githubBenchmark = "github-benchmark"
  /// The JSON of Google's Benchmark library for C++, which its `compare.py` reads.
  case googleBenchmark = "google-benchmark"
  case bmf
  /// Go's benchmark format, which benchstat reads.
  case benchfmt
  case openmetrics
  case influx

  /// Returns the run in this format. The same document always gives the same text.
  package func render(_ document: RunDocument) throws -> String {
    switch self {
    case .markdown: document.report(detail: .linked).markdown()
    case .html: document.htmlReport()
    case .json: FlatRows(document).json()
    case .csv: document.csv()
    case .junit: document.junit()
    case .github: document.report(detail: .folded).gitHubSummary()
    case .githubAnnotations: document.githubAnnotations()
    case .githubBenchmark: document.githubBenchmark()
    case .googleBenchmark: document.googleBenchmark()
    case .bmf: try document.bencherMetrics()
    case .benchfmt: document.goBenchmark()
    case .openmetrics: try document.openMetrics()
    case .influx: try document.influx()
    }
  }
}

/// Why a run cannot be written in a format.
package typealias ReportFormatError = MessageError<ReportFormat>

extension RunDocument {
  /// Returns the run as comma-separated values (RFC 4180), with a line for each row of `FlatRows`. The column `value`
  /// contains only numbers, `text` all other values.
  package func csv() -> String {
    let lines = FlatRows(self).rows.map { row in
      row.cells(number: { $0.isFinite ? JSONText.number($0) : nil }, text: \.self).map { $0 ?? "" }
    }
    return ([FlatRow.columns] + lines).map(CSVText.line).joined()
  }

  /// Facts about the machine and the build that were measured, each with the name that output formats use for it.
  package var facts: [(name: String, value: String)] {
    let facts: [(String, String?)] = [
      ("suite", suite), ("machine", environment.machine), ("cpu", environment.cpuModel), ("kernel", environment.kernel),
      ("commit", environment.commit), ("dirty", environment.isDirty.map(String.init)),
      ("toolchain", environment.toolchain), ("build", environment.buildConfiguration),
      ("allocator", environment.allocator), ("clock", environment.clock.source),
    ]
    return facts.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension RecordedFigure {
  /// The figure as one number: the mean of a count per frame, or the first statistic of a figure of the whole run. Nil
  /// for times and text, and for a value that is not finite.
  package var single: Double? {
    let value: Double? =
      switch values {
      case .counts(let series): series.mean
      case .figures(let figures): figures.first?.value
      case .times, .distribution, .text: nil
      }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}

package typealias JSONMembers = [(key: String, value: JSONTree)]

/// Spells names with the characters that a format allows. If two names would become equal, the second gets a number.
package struct UniqueNames {
  private var spellings: [String: String] = [:]
  private var taken: Set<String>
  private let spell: (String) -> String
  private let separator: String

  /// - Parameters:
  ///   - taken: Spellings that are already in use.
  ///   - separator: The text between a spelling and its number.
  package init(taken: Set<String> = [], separator: String, spell: @escaping (String) -> String) {
    (self.taken, self.separator, self.spell) = (taken, separator, spell)
  }

  /// Returns the spelling of a name. Later calls with the same name and kind return the same spelling. Equal names of
  /// different kinds have different spellings.
  package mutating func callAsFunction(_ name: String, kind: String = "") -> String {
    let key = "\(kind)/\(name)"
    if let known = spellings[key] { return known }
    let spelling = taken.insertNumbered(spell(name), separator: separator)
    spellings[key] = spelling
    return spelling
  }

  /// Returns the name as words of letters a to z and digits, joined by single hyphens: `otherThreadCPUNanoseconds`
  /// becomes `other-thread-cpu-nanoseconds`.
  package static func slug(_ name: String) -> String {
    let words = name.matches(of: #/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/#.matchingSemantics(.unicodeScalar))
    return words.isEmpty ? "unnamed" : words.map(\.output).joined(separator: "-").lowercased()
  }
}
