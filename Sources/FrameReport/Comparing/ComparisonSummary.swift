import Comparing
import Measurements
import TextFormat

/// A comparison in one sentence, and its rows in words.
package struct ComparisonSummary {
  let document: ComparisonDocument

  package init(_ document: ComparisonDocument) {
    self.document = document
  }

  package var headline: String {
    guard document.method.source != .identicalPrograms else {
      return "Identical program: no code and no data differs, so nothing was measured."
    }
    let counts = ChangeVerdict.allCases.map { verdict in (verdict, rows(verdict).count) }
    let worse = [ChangeVerdict.behaviorChanged, .regressed].flatMap(rows)
    let better = rows(.improved)
    let benchmarks = Format.plural(Set(document.rows.map(\.id)).count, "benchmark")
    let opening: String
    switch document.outcome {
    case .failed: opening = "\(Format.plural(document.failures.count, "benchmark")) could not be measured"
    case .behaviorChanged where !rows(.behaviorChanged).isEmpty:
      opening = "Behavior changed in \(subjects(rows(.behaviorChanged)))"
    case .behaviorChanged: opening = "Missing: \(subjects(document.rows.filter(\.isLost)))"
    case .regressed: opening = "Regression: \(worse.prefix(1).map(sentence).joined())"
    case .inconclusive, .passed:
      opening = better.isEmpty ? "No regression in \(benchmarks)" : "Improvement: \(sentence(better[0]))"
    }
    let named = document.outcome == .regressed || !better.isEmpty && worse.isEmpty ? 1 : 0
    let rest = counts.compactMap { verdict, count -> String? in
      switch verdict {
      case .regressed: count > (worse.isEmpty ? 0 : named) ? Format.plural(count, "regression") : nil
      case .improved: count > (worse.isEmpty ? named : 0) ? Format.plural(count, "improvement") : nil
      case .inconclusive: count > 0 ? "\(count) inconclusive" : nil
      case .unchanged, .missing, .behaviorChanged: nil
      }
    }
    return opening + (rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")) in all)") + "."
  }

  func rows(_ verdict: ChangeVerdict) -> [ComparisonRow] { document.rows.filter { $0.verdict == verdict } }

  private func subjects(_ rows: [ComparisonRow]) -> String {
    let names = rows.prefix(3).map { "\($0.id)" }
    return Format.list(names) + (rows.count > 3 ? " and \(rows.count - 3) more" : "")
  }

  private func sentence(_ row: ComparisonRow) -> String {
    switch row.metric {
    case .frameTime:
      let word = (row.change ?? 0) > 0 ? "slower" : "faster"
      let size = row.change.map { Self.percent(abs($0)) } ?? ""
      return "\(row.subject) is \(size) \(word)"
    case .checksum: return "\(row.id) shows something else"
    default:
      return
        "\(row.subject) \(row.metric.name) \(Self.value(row.baseline, row)) → \(Self.value(row.candidate, row))"
    }
  }

  // MARK: Cells

  static func value(_ value: FlatRow.Value?, _ row: ComparisonRow) -> String {
    switch value {
    case nil: Format.absent
    case .text(let text): text
    case .number(let number):
      FigureText.text(number, row.metric.unit)
    }
  }

  /// `+2.1% (+1.8 to +2.4%)`
  static func change(_ row: ComparisonRow) -> String {
    guard let change = row.change else { return Format.absent }
    guard let low = row.low, let high = row.high else { return signed(change) + "%" }
    return "\(signed(change))% (\(signed(low)) to \(signed(high))%)"
  }

  static func percent(_ fraction: Double) -> String {
    let decimals = abs(fraction) < 0.1 ? 2 : abs(fraction) < 1 ? 1 : 0
    return Format.fixed(fraction * 100, decimals: decimals) + "%"
  }

  private static func signed(_ fraction: Double) -> String {
    (fraction > 0 ? "+" : "") + percent(fraction).dropLast()
  }

  /// `frame`, `solve`, `solve allocationCount`
  static func figure(_ row: ComparisonRow) -> String {
    let place = row.phase ?? "frame"
    switch row.metric {
    case .frameTime: return "\(place) time"
    case .checksum: return "what is shown"
    default: return row.phase == nil ? row.metric.name : "\(place) \(row.metric.name)"
    }
  }
}
