import Judging
import Measurements
import TextFormat

/// A comparison in one sentence, and its rows in words.
package struct ComparisonSummary {
  let document: ComparisonDocument

  package init(_ document: ComparisonDocument) {
    self.document = document
  }

  /// The verdict: the most serious cause, and how many others there are.
  package var headline: String {
    guard document.method.source != .identicalPrograms else {
      return "Identical program: no code and no data differs, so nothing was measured."
    }
    let changes = document.changes.filter { !$0.isNew }
    let outcome = document.outcome
    let named =
      outcome == .failed
      ? nil
      : changes.first { outcome == .behaviorChanged || outcome == .regressed || $0.verdict == .improved }
    let opening: String
    if outcome == .failed {
      opening = "\(Format.plural(document.failures.count, "benchmark")) could not be measured"
    } else if let named {
      opening = named.verdict.opening + FindingText(named, in: document).sentence
    } else {
      opening = "No regression in \(Format.plural(Set(document.rows.map(\.id)).count, "benchmark"))"
    }
    let others = changes.count { $0 != named }
    let more = named == nil ? "" : "more "
    return opening + (others > 0 ? ", and \(Format.plural(others, "\(more)change"))" : "") + "."
  }

  /// What is uncertain, in a sentence; nil if nothing is.
  var uncertainty: String? {
    let times = document.rows.filter { $0.verdict == .inconclusive }
    guard !times.isEmpty else { return nil }
    let same = times.count { document.takesSameInstructions($0) == true }
    let subject = times.count == 1 ? "1 time is" : "\(Format.integer(times.count)) times are"
    let explained =
      same > 0
      ? "; \(same == times.count ? "all" : Format.integer(same)) of them take \(Self.sameInstructions)" : ""
    return "\(subject) inconclusive: it is not certain whether they changed\(explained)."
  }

  /// What was shown and not judged, in a sentence; nil if nothing was.
  var unjudged: String? {
    let times = document.rows.filter { $0.verdict == .notJudged && $0.metric.isJudged }
    guard !times.isEmpty else { return nil }
    let changed = times.filter { ($0.change ?? 0) != 0 }
    let most = changed.max { abs($0.change ?? 0) < abs($1.change ?? 0) }
    let difference = most.map {
      "; the largest difference is \(Self.signed($0.change ?? 0))% in \($0.id) \(Self.figure($0))"
    }
    return
      "\(Format.plural(times.count, "time")) \(times.count == 1 ? "is" : "are") not judged\(difference ?? "")."
  }

  static let sameInstructions = "as many instructions as before"

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
    let percent = abs(fraction * 100)
    // By what is shown: 9.996 and 10.004 both read 10.0.
    let decimals = percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0
    return Format.fixed(fraction * 100, decimals: decimals) + "%"
  }

  static func signed(_ fraction: Double) -> String {
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
