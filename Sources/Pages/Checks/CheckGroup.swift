import FrameBench
import Judging
import Measurements
import TextFormat

/// Checks that say the same: figures that one change moved, or benchmarks beyond one limit.
package struct CheckGroup: Sendable {
  package let kind: Check.Kind
  /// Never empty.
  package let checks: [Check]
  /// What was found and by how much, without a full stop, short enough for a headline.
  package let sentence: String
  /// The sentence with where it is, in which benchmarks, and what else there is to say.
  package let text: RichText

  /// The file and the line that ask for it.
  package var place: (path: String, line: Int)? { checks.lazy.compactMap(\.place).first }
  /// What has to run to look at it again: the benchmark that changed most.
  package var repeated: [BenchmarkID] { checks[0].benchmarks }

  /// The most serious first, in the order of exit statuses.
  static func all(of checks: [Check], in comparison: ComparisonDocument?) -> [CheckGroup] {
    var groups = ofRows(checks, comparison)
    for limit in ofLimits(checks.filter { $0.row == nil || comparison == nil }) {
      // What made the figures rise also took them beyond their limit.
      if let cause = groups.firstIndex(where: { $0.explains(limit) }) {
        groups[cause] = groups[cause].joined(with: limit)
      } else {
        groups.append(limit)
      }
    }
    return groups.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element)
  }

  private var rank: Int {
    switch kind {
    case .failure: 0
    case .behaviorChanged, .missing: 1
    case .regression: 2
    case .budget: 3
    case .notInBaseline: 4
    case .inconclusive, .notJudged: 5
    }
  }

  /// Whether the same figures of the same benchmarks regressed and are beyond the limit.
  private func explains(_ limit: CheckGroup) -> Bool {
    guard kind == .regression, limit.kind == .budget, limit.checks[0].remark == nil,
      let metric = FigureName(limit.checks[0].figure)?.metric
    else { return false }
    let regressed = Set(checks.filter { $0.row?.metric.name == metric }.flatMap(\.benchmarks))
    return limit.checks.allSatisfy { !$0.benchmarks.isEmpty && regressed.isSuperset(of: $0.benchmarks) }
  }

  private func joined(with limit: CheckGroup) -> CheckGroup {
    CheckGroup(
      kind: kind, checks: checks + limit.checks, sentence: sentence,
      text: "\(text); over budget: \(limit.text)")
  }

  // MARK: Comparisons

  private struct Key: Hashable {
    var kind: Check.Kind
    var remark: String?

    init(_ check: Check) {
      kind = check.kind
      remark = check.remark
    }
  }

  private static func ofRows(_ checks: [Check], _ comparison: ComparisonDocument?) -> [CheckGroup] {
    guard let comparison else { return [] }
    let compared = checks.filter { $0.row != nil }
    var keys: [Key] = []
    for check in compared where !keys.contains(Key(check)) { keys.append(Key(check)) }
    return keys.flatMap { key -> [CheckGroup] in
      let ofKey = compared.filter { Key($0) == key }
      guard key.kind != .inconclusive else { return [uncertain(ofKey)] }
      let changes = ComparisonFinding.all(of: ofKey.compactMap(\.row))
      return changes.map { CheckGroup($0, key, ofKey, comparison) }
    }
  }

  private init(
    _ change: ComparisonFinding, _ key: Key, _ checks: [Check], _ comparison: ComparisonDocument
  ) {
    let words = FindingText(change, in: comparison)
    kind = key.kind
    // In the order of the benchmarks of the change, the worst first.
    self.checks = change.members.flatMap { member in
      checks.filter { check in check.row.map(member.rows.contains) ?? false }
    }
    sentence = words.sentence
    let isNamed = change.members.count == 1
    let numbers = change.cause == .time && isNamed ? words.change : ""
    let notes = change.cause == .behavior ? [] : words.notes
    let subject: RichText = isNamed ? .text(sentence) : "\(sentence) (\(words.benchmarks))"
    let parts: [RichText] =
      [.text(numbers)] + notes.map(RichText.text)
      + [comparison.profileFinding(of: change), key.remark].compactMap { $0.map(RichText.text) }
    text = ([subject] + parts.filter { !$0.isEmpty }).joined(separator: "; ")
  }

  private static func uncertain(_ checks: [Check]) -> CheckGroup {
    guard checks.count > 1 else { return CheckGroup(single: checks[0]) }
    let ids = checks.compactMap { $0.row?.id }.reduce(into: [BenchmarkID]()) { ids, id in
      if !ids.contains(id) { ids.append(id) }
    }
    let sentence =
      "\(Format.plural(checks.count, "time")) may differ, in \(Format.plural(ids.count, "benchmark"))"
    return CheckGroup(
      kind: .inconclusive, checks: checks, sentence: sentence,
      text: "\(sentence): \(BenchmarkNames(ids).short)")
  }

  // MARK: Limits and failures

  private static func ofLimits(_ checks: [Check]) -> [CheckGroup] {
    var groups: [[Check]] = []
    for check in checks {
      let known = groups.firstIndex { group in
        check.place != nil && group[0].kind == check.kind && group[0].remark == check.remark
          && group[0].place?.path == check.place?.path && group[0].place?.line == check.place?.line
      }
      if let known { groups[known].append(check) } else { groups.append([check]) }
    }
    return groups.map { group in
      let sorted = group.enumerated().sorted {
        ($1.element.excess ?? 0, $0.offset) < ($0.element.excess ?? 0, $1.offset)
      }.map(\.element)
      guard sorted.count > 1 else { return CheckGroup(single: sorted[0]) }
      let others = sorted.dropFirst().flatMap(\.benchmarks.first.asArray)
      let tail = sorted[0].remark.map { "; \($0)" } ?? ""
      let first = sorted[0].sentence.dropLast(tail.count)
      let sentence = "\(first), and \(sorted.count - 1) more beyond the same limit"
      let names: RichText = others.isEmpty ? "" : ": \(BenchmarkNames(others).short)"
      return CheckGroup(
        kind: sorted[0].kind, checks: sorted, sentence: sentence, text: "\(sentence)\(names)\(tail)")
    }
  }

  private init(single check: Check) {
    self.init(kind: check.kind, checks: [check], sentence: check.sentence, text: .text(check.sentence))
  }

  private init(kind: Check.Kind, checks: [Check], sentence: String, text: RichText) {
    self.kind = kind
    self.checks = checks
    self.sentence = sentence
    self.text = text
  }
}

extension Optional {
  fileprivate var asArray: [Wrapped] { map { [$0] } ?? [] }
}
