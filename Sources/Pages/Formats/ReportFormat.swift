import Measurements
import TextFormat

/// What `springbench report --format` can make of a run.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// A page to read.
  case markdown
  /// The same with pictures, in one file that needs nothing else.
  case html
  /// Flat rows, one a line.
  case json
  /// Flat rows for a spreadsheet.
  case csv
  /// Test results for a CI server.
  case junit
  /// The page, kept small enough for `$GITHUB_STEP_SUMMARY`.
  case github
  /// Failures and warnings as workflow commands, which GitHub shows beside the job.
  case githubAnnotations = "github-annotations"
  /// `customSmallerIsBetter` of github-action-benchmark.
  case githubBenchmark = "github-benchmark"
  /// Bencher Metric Format.
  case bmf
  /// JSON as the Java Microbenchmark Harness writes it.
  case jmh
  /// Go's benchmark format, which benchstat reads.
  case benchfmt
  /// OpenMetrics text, which Prometheus scrapes.
  case openmetrics
  /// InfluxDB line protocol.
  case influx

  /// The run in this format: the same text for the same document.
  ///
  /// - Throws: `ReportFormatError` where the format cannot hold what the document says.
  package func render(_ document: RunDocument) throws -> String {
    switch self {
    case .markdown: RunReport(document, detail: .linked).blocks.markdown()
    case .html: document.htmlReport()
    case .json: FlatRows(document).json()
    case .csv: CSVReport(document).render()
    case .junit: JUnitReport(document).render()
    case .github: GitHubSummary(RunReport(document, detail: .folded).blocks).render()
    case .githubAnnotations: GitHubAnnotations(document).render()
    case .githubBenchmark: GitHubBenchmarkReport(document).render()
    case .bmf: try BencherReport(document).render()
    case .jmh: JMHReport(document).render()
    case .benchfmt: GoBenchmarkReport(document).render()
    case .openmetrics: try OpenMetricsReport(document).render()
    case .influx: try InfluxReport(document).render()
    }
  }
}

/// Why a document cannot be written in a format.
package enum ReportFormatError: Error, Hashable {
  /// The format's reader refuses names of more than `limit` bytes of UTF-8.
  case nameTooLong(ReportFormat, name: String, limit: Int)
  /// The format needs the time of the run, and the document's is not UTC in ISO 8601.
  case unreadableStart(ReportFormat, String)
}

extension ReportFormatError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nameTooLong(let format, let name, let limit):
      "--format \(format.rawValue): the name \"\(name.prefix(40))…\" has \(Format.integer(name.utf8.count)) bytes of"
        + " UTF-8 and this format allows at most \(Format.integer(limit)); give the scenario, strategy, phase or counter a shorter name"
    case .unreadableStart(let format, let text):
      "--format \(format.rawValue): startedAt is \"\(text)\", which is not a time like 2026-11-21T06:47:12Z;"
        + " fix it in the run document"
    }
  }
}
