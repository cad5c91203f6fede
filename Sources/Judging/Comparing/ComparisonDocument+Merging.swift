import Foundation
import FrameBench
import Measurements
import TextFormat

extension ComparisonDocument: MergeableDocument {
  package var allIDs: [BenchmarkID] { (rows.map(\.id) + failures.map(\.id)).unique }

  package var factsOfMerge: [Fact] {
    let builds = [("baseline", baseline), ("candidate", candidate)]
    return builds.map { Fact($0, $1.checksum ?? [$1.name, $1.commit].compactMap(\.self).joined(separator: " ")) } + [
      Fact("compared", method.source == .documents ? "run documents" : "builds"),
      Fact("tolerance", "\(method.tolerance)"),
    ] + options.factsOfWork
  }

  /// All tests become one family. The method is that of the earliest part that was measured.
  package init(joining parts: [ComparisonDocument]) {
    self = parts.first { $0.method.source != .identicalPrograms } ?? parts[0]
    let measured = parts.map(\.method).filter { $0.source != .identicalPrograms }
    startedAt = parts[0].startedAt
    durationSeconds = parts.reduce(0) { $0 + $1.durationSeconds }
    rows = DocumentMerge.inOrder(parts.flatMap(\.rows).grouped(by: \.id), by: \.key).flatMap(\.rows)
    failures = parts.flatMap(\.failures)
    warnings = parts.flatMap(\.warnings).unique
    method.testCount = measured.reduce(0) { $0 + $1.testCount }
    method.screeningSetCounts = Self.hull(measured.compactMap(\.screeningSetCounts))
    method.confirmingSetCounts = Self.hull(measured.compactMap(\.confirmingSetCounts))
    method.layoutCount = measured.compactMap(\.layoutCount).min()
    benchmarkSeconds = parts.compactMap(\.benchmarkSeconds).reduce([:]) { $0.merging($1) { own, _ in own } }
    if parts[0].shard != nil { partCount = parts.count }
    rows.correct(testCount: method.testCount, familyAlpha: method.familyAlpha)
    let worse = Set(regressedBenchmarks)
    let profiles = parts.compactMap(\.profiles).flatMap(\.self).filter { worse.contains($0.id) }
    self.profiles = parts.allSatisfy { $0.profiles == nil } ? nil : profiles
  }

  private static func hull(_ ranges: [ClosedRange<Int>]) -> ClosedRange<Int>? {
    guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max() else { return nil }
    return low...high
  }

  /// The content of a file: one line, keys sorted.
  package func encoded() throws -> Data { try JSONText.file(self) }

  /// Throws a `RunDocumentError`.
  package init(contentsOf data: Data) throws {
    self = try RunDocumentError.decoding(data)
    if let problem { throw RunDocumentError.invalid(path: problem.path, reason: "\(problem.value) is not possible") }
  }

  /// The first number that no comparison has. What computes with a document relies on their bounds.
  private var problem: (path: String, value: String)? {
    let sets = [method.screeningSetCounts, method.confirmingSetCounts].compactMap(\.self)
    let counts =
      [method.testCount, partCount, shard?.index, shard?.count, method.layoutCount, options.frameCount].compactMap(
        \.self) + sets.flatMap { [$0.lowerBound, $0.upperBound] }
    if let wrong = counts.first(where: { !(0...10_000_000).contains($0) }) { return ("a count", "\(wrong)") }
    if let shard, shard.index < 1 || shard.index > shard.count { return ("shard", "\(shard.index)/\(shard.count)") }
    var numbers: [(path: String, value: Double?, range: ClosedRange<Double>)] = [
      ("durationSeconds", durationSeconds, 0...1e12), ("method.tolerance", method.tolerance, 0...1),
      ("method.familyAlpha", method.familyAlpha, 0...1),
    ]
    for (index, row) in rows.enumerated() {
      let values = [row.change, row.low, row.high, row.control, row.layout, row.pValue]
      numbers.append(("rows[\(index)].suspicionPValue", row.suspicionPValue, 0...1))
      numbers += ([row.baseline?.number, row.candidate?.number] + values).map { ("rows[\(index)]", $0, -1e15...1e15) }
    }
    numbers += (benchmarkSeconds ?? [:]).values.map { ("benchmarkSeconds", $0, 0...1e12) }
    return numbers.lazy.compactMap { path, value, range -> (path: String, value: String)? in
      value.flatMap { range.contains($0) ? nil : (path, "\($0)") }
    }.first
  }
}
