import FrameBench
import Judging
import Measurements
import TextFormat

/// What one cause changed, in words.
struct FindingText {
  private let finding: ComparisonFinding
  private let document: ComparisonDocument
  private var lead: ComparisonRow { finding.members[0].lead }

  init(_ finding: ComparisonFinding, in document: ComparisonDocument) {
    self.finding = finding
    self.document = document
  }

  /// `0 → 1,200 allocations in solve of 9 benchmarks`: without a full stop, to stand behind "Regression: ".
  var sentence: String {
    let subject = subject
    switch finding.cause {
    case .behavior: return [subject, note(lead)].compactMap(\.self).joined(separator: ": ")
    case .presence:
      let state = finding.isNew ? "not in the baseline" : "gone"
      guard let part else { return "\(subject) \(finding.ids.count == 1 ? "is" : "are") \(state)" }
      return "\(part) is \(state) in \(subject)"
    case .time:
      let word = (lead.change ?? 0) > 0 ? "slower" : "faster"
      guard let phase = lead.phase else {
        return "\(subject) \(finding.ids.count == 1 ? "is" : "are") \(size(\.lead)) \(word)"
      }
      return "\(phase) is \(size(\.lead)) \(word) in \(subject)"
    case .allocations, .otherThreads, .counter, .instructions:
      let time = timeText.map { ", time \($0)" } ?? ""
      return "\(values) \(Self.title(lead))\(place) \(subject)\(time)"
    }
  }

  /// `allocations in solve`, for a column of a table.
  var what: RichText {
    let phase = finding.phase.map(RichText.code)
    switch finding.cause {
    case .behavior: return "what is shown"
    case .presence:
      return "\(part ?? "the benchmark")"
    case .time: return lead.phase.map { "time of \(code: $0)" } ?? "time"
    case .allocations, .otherThreads, .counter, .instructions:
      return phase.map { "\(Self.title(lead)) in \($0)" } ?? "\(Self.title(lead))"
    }
  }

  /// By how much; empty where there is no number.
  var change: String {
    switch finding.cause {
    case .behavior, .presence: return ""
    case .time:
      guard finding.members.count > 1 else {
        return "\(values), \(ComparisonSummary.change(lead))"
      }
      return signedRange(finding.members.compactMap(\.lead.change))
    case .allocations, .otherThreads, .counter, .instructions:
      return values + (timeText.map { "; time \($0)" } ?? "")
    }
  }

  /// Where the difference lies, and what is known about its cause; of several benchmarks, of the one that changed
  /// most.
  var notes: [String] {
    let isTime = finding.cause == .time || finding.members.contains { $0.time != nil }
    let note = finding.cause == .behavior || isTime || lead.note != nil ? note(lead) : nil
    return [note, isTime ? instructions : nil].compactMap(\.self)
  }

  /// `springs/naive/{100,1000,10000} and 6 more`
  var benchmarks: RichText { BenchmarkNames(finding.ids).short }

  /// Of a benchmark, what only one build has; nil for the benchmark itself.
  private var part: String? {
    lead.metric == .checksum ? nil : finding.phase.map { "phase \($0)" } ?? Self.title(lead)
  }

  private var subject: String {
    finding.ids.count == 1 ? "\(lead.id)" : Format.plural(finding.ids.count, "benchmark")
  }

  private var place: String { finding.phase.map { " in \($0) of" } ?? " in" }

  private static func title(_ row: ComparisonRow) -> String { row.metric.title }

  // MARK: Numbers

  /// `0 → 1 to 1,200`, or `+1 to +12` where they do not begin at one value.
  private var values: String {
    let pairs = finding.members.compactMap { member -> (old: Double, new: Double)? in
      guard case .number(let old)? = member.lead.baseline, case .number(let new)? = member.lead.candidate
      else { return nil }
      return (old, new)
    }
    guard let first = pairs.first else { return Format.absent }
    func text(_ value: Double) -> String { FigureText.text(value, lead.metric.unit) }
    guard pairs.allSatisfy({ $0.old == first.old }) else {
      return range(pairs.map { $0.new - $0.old }) { ($0 > 0 ? "+" : "") + text($0) }
    }
    return "\(text(first.old)) → \(range(pairs.map(\.new), text))"
  }

  private func range(_ values: [Double], _ text: (Double) -> String) -> String {
    guard let low = values.min(), let high = values.max() else { return Format.absent }
    return text(low) == text(high) ? text(low) : "\(text(low)) to \(text(high))"
  }

  private var timeText: String? {
    let times = finding.members.compactMap(\.time)
    guard !times.isEmpty else { return nil }
    let some = times.count < finding.members.count ? " in \(times.count) of them" : ""
    return signedRange(times.compactMap(\.change)) + some
  }

  private func size(_ row: (ComparisonFinding.Member) -> ComparisonRow?) -> String {
    let changes = finding.members.compactMap { row($0)?.change.map(abs) }
    guard let low = changes.min(), let high = changes.max() else { return "" }
    let ends = [low, high].map(ComparisonSummary.percent)
    return ends[0] == ends[1] ? ends[0] : "\(ends[0].dropLast()) to \(ends[1])"
  }

  private func signedRange(_ changes: [Double]) -> String {
    guard let low = changes.min(), let high = changes.max() else { return Format.absent }
    let ends = [low, high].map(ComparisonSummary.signed)
    return ends[0] == ends[1] ? "\(ends[0])%" : "\(ends[0]) to \(ends[1])%"
  }

  // MARK: Why

  /// With the benchmark that it is of, where others would have another.
  private func note(_ row: ComparisonRow) -> String? {
    guard let note = row.note else { return nil }
    return finding.members.allSatisfy { $0.lead.note == note } ? note : "in \(row.id) \(note)"
  }

  /// Of times: whether more work explains them.
  private var instructions: String? {
    let same = finding.members.compactMap { $0.time ?? ($0.lead.metric == .frameTime ? $0.lead : nil) }
      .compactMap(document.takesSameInstructions)
    guard !same.isEmpty else { return nil }
    let count = same.count(where: \.self)
    guard count > 0 else { return nil }
    let some = count == finding.members.count ? "" : "in \(count) of them "
    return some + ComparisonSummary.sameInstructions
      + ": look at caches, branches, or code that moved"
  }
}

/// Ids, sizes of one strategy put together.
struct BenchmarkNames {
  private let names: [(text: String, count: Int)]

  private static let shownCount = 3

  init(_ ids: [BenchmarkID]) {
    var series: [(first: BenchmarkID, sizes: [Int])] = []
    for id in ids {
      if let index = series.firstIndex(where: { $0.first.isSameSeries(as: id) }) {
        series[index].sizes.append(id.size)
      } else {
        series.append((id, [id.size]))
      }
    }
    names = series.map { first, sizes in
      let list = sizes.sorted().map(String.init).joined(separator: ",")
      let parts = [first.scenario, first.strategy, sizes.count > 1 ? "{\(list)}" : list]
      return ((parts + first.parameters.map(\.description)).joined(separator: "/"), sizes.count)
    }
  }

  var short: RichText {
    let shown = names.prefix(Self.shownCount)
    let left = names.dropFirst(Self.shownCount).reduce(0) { $0 + $1.count }
    let codes = shown.map { RichText.code($0.text) }
    return (left > 0 ? codes + ["\(left) more"] : codes).list()
  }
}
