import Foundation
import FrameBench

/// How a run document becomes text; all that the commands know of reports.
enum ReportWriting {
  static func markdown(_ document: RunDocument) -> String {
    "# \(document.suite)\n\n" + table(document, width: 100, usesColor: false)
  }

  static func terminalTable(_ document: RunDocument, width: Int, usesColor: Bool) -> String {
    table(document, width: width, usesColor: usesColor)
  }

  static func flatRows(_ document: RunDocument) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let rows = document.benchmarks.map { StandInRow(id: $0.id, value: $0.frame.pooled.p50) }
    return String(decoding: try encoder.encode(rows), as: UTF8.self) + "\n"
  }

  private struct StandInRow: Encodable {
    var id: BenchmarkID
    var metric = "frameNanoseconds"
    var statistic = "p50"
    var unit = "ns"
    var value: Double

    init(id: BenchmarkID, value: Double) {
      self.id = id
      self.value = value
    }
  }

  private static func table(_ document: RunDocument, width: Int, usesColor: Bool) -> String {
    document.benchmarks.map { benchmark in
      let allocations = benchmark.allocations.map { "\($0.frameThread.count.total)" } ?? "–"
      return "\(benchmark.id)  p50 \(benchmark.frame.pooled.p50) ns  allocations \(allocations)\n"
    }.joined()
  }
}
