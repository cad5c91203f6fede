import FrameBench
import Measurements
import TextFormat

/// Checks a run against a budget file.
package struct BudgetCheck {
  private let file: BudgetFile
  private let document: RunDocument
  private let known: [BenchmarkID]
  private let expected: [BenchmarkID]
  /// `2026-11-21`, UTC.
  private let today: String
  private let measured: Measured

  /// - Parameters:
  ///   - known: All benchmarks that there are; a pattern that matches none of them is a mistake.
  ///   - expected: The benchmarks that the run should measure.
  ///   - today: UTC, as in `2026-11-21`.
  /// - Throws: If a pattern matches nothing or nothing measures a metric, with its place.
  package static func findings(
    _ file: BudgetFile, _ document: RunDocument, known: [BenchmarkID], expected: [BenchmarkID], today: String
  ) throws(BudgetError) -> [BudgetFinding] {
    try file.checkPatterns(known)
    let check = BudgetCheck(
      file: file, document: document, known: known, expected: expected, today: today,
      measured: Measured(document, slowdown: file.cpuSlowdown, file: file))
    return try check.findings()
  }

  private func findings() throws(BudgetError) -> [BudgetFinding] {
    var found: [BudgetFinding] = []
    for rule in file.rules {
      for limit in rule.limits {
        for subject in subjects(of: limit.key, matching: rule.pattern) {
          let finding = try finding(subject, rule, limit)
          if let earlier = found.firstIndex(where: { $0.subject == subject.name && $0.limit.key == limit.key }
          ) {
            let replaced = found.remove(at: earlier)
            var last = finding
            last.replaced = replaced.replaced + [replaced.limit.place]
            found.append(last)
          } else {
            found.append(finding)
          }
        }
      }
    }
    return found
  }

  /// What a limit is about: a benchmark, or a strategy over its sizes.
  private struct Subject: Hashable {
    var name: String
    var id: BenchmarkID
    /// What it is computed of besides.
    var others: [BenchmarkID] = []
  }

  private func subjects(of key: LimitKey, matching pattern: IDPattern) -> [Subject] {
    let matching = expected.filter(pattern.matches)
    switch key {
    case .figure, .missedFrames, .hitchTimeRatio:
      return matching.map { Subject(name: $0.description, id: $0) }
    case .growthExponent:
      return unique(
        matching.map { one in
          Subject(
            name: one.series, id: one,
            others: expected.filter { $0.isSameSeries(as: one) })
        })
    case .ratio(let above, let below, _):
      return unique(
        matching.filter { $0.strategy == above || $0.strategy == below }.map {
          let id = $0.with(strategy: below)
          let other = $0.with(strategy: above)
          return Subject(name: id.description, id: id, others: [other])
        })
    }
  }

  /// By name: the first of each.
  private func unique(_ subjects: [Subject]) -> [Subject] {
    var names: Set<String> = []
    return subjects.filter { names.insert($0.name).inserted }
  }

  /// Why the selected benchmarks are too few for a limit that needs several, although the suite has others.
  private func leftOut(_ key: LimitKey, _ subject: Subject) -> String? {
    switch key {
    case .figure, .missedFrames, .hitchTimeRatio: return nil
    case .growthExponent:
      let all = known.filter { $0.isSameSeries(as: subject.id) }
      let sizes = [subject.others, all].map { Set($0.map(\.size)).count }
      return sizes[0] < 2 && sizes[1] >= 2 ? "it needs two sizes, and the selection leaves one" : nil
    case .ratio:
      let left = ([subject.id] + subject.others).first { !expected.contains($0) && known.contains($0) }
      return left.map { "it needs \($0), which the selection leaves out" }
    }
  }

  private func finding(
    _ subject: Subject, _ rule: BudgetRule, _ limit: BudgetLimit
  ) throws(BudgetError) -> BudgetFinding {
    var finding = BudgetFinding(
      subject: subject.name, limit: limit, rule: rule.pattern, value: nil, outcome: .passed, expired: nil,
      replaced: [])
    finding.benchmarks = [subject.id] + subject.others.filter { $0 != subject.id }
    (finding.limit, finding.quantity) = try measured.counted(limit, for: subject.id)
    let limit = finding.limit
    if let reason = leftOut(limit.key, subject) {
      finding.outcome = .leftOut(reason)
      return finding
    }
    switch try measured.value(of: limit, for: subject.id) {
    case .absent(let reason):
      finding.outcome = .notMeasured(reason)
      return finding
    case .value(let value): finding.value = value
    }
    guard let value = finding.value, !limit.bound.admits(value) else { return finding }
    finding.outcome = .exceeded
    let (current, expired) = file.acknowledgement(
      of: limit.key, for: [subject.id] + subject.others, on: today)
    if let current { finding.outcome = .acknowledged(current) } else { finding.expired = expired }
    return finding
  }
}

extension BudgetFile {
  /// The acknowledgement that covers a figure: preferably a current one, otherwise an expired one.
  ///
  /// - Parameter ids: Of all benchmarks that the figure is computed of; an entry for any of them covers it.
  package func acknowledgement(
    of key: LimitKey, for ids: [BenchmarkID], on day: String
  ) -> (current: Acknowledgement?, expired: Acknowledgement?) {
    let matching = acknowledgements.filter {
      ids.contains(where: $0.pattern.matches) && $0.covers(key.fullName)
    }
    return (
      matching.last { !$0.hasExpired(on: day) }, matching.last { $0.hasExpired(on: day) }
    )
  }

  /// - Throws: Where a pattern matches none of the benchmarks.
  package func checkPatterns(_ known: [BenchmarkID]) throws(BudgetError) {
    let patterns = rules.map { ($0.pattern, $0.place) } + acknowledgements.map { ($0.pattern, $0.place) }
    for (pattern, place) in patterns where !known.contains(where: pattern.matches) {
      let near = Suggestion.nearest(to: pattern.description, among: known.map(\.description))
      let remedy = near.map { "did you mean \"\($0)\"?" } ?? "`springbench list` shows the ids"
      throw BudgetError(
        path: path, place: place, message: "\"\(pattern)\" matches no benchmark; \(remedy)")
    }
  }
}
