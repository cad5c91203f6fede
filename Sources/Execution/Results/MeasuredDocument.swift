import Judging
import Measurements
import Platform

package enum MeasuredDocument {
  case run(RunDocument)
  case comparison(ComparisonDocument)

  package init(_ path: String) throws(RunError) {
    let data = try attempt(try InputFile(path).read()) { RunError("\(path) \($0)") }
    self = try attempt(
      try RunDocumentError.isComparison(data)
        ? .comparison(ComparisonDocument(contentsOf: data)) : .run(RunDocument(contentsOf: data))
    ) { RunError("\(path): \($0)") }
  }

  /// The seconds that measuring each benchmark took, by id.
  package var seconds: [String: Double] {
    switch self {
    case .run(let run):
      Dictionary(run.benchmarks.compactMap { record in record.durationSeconds.map { ("\(record.id)", $0) } }) { $1 }
    case .comparison(let comparison): comparison.benchmarkSeconds ?? [:]
    }
  }
}
