import FrameBench
import Judging
import TextFormat

/// All checks of one command, with what a person needs to read them.
package struct CheckReport: Sendable {
  /// `springbench gate`, `springbench compare main`
  package var title: String
  /// The verdict, one sentence.
  package var headline: String
  /// What was compared with, one sentence; nil where the checks say it.
  package var against: String?
  /// In the order in which reports list them.
  package var checks: [Check]
  /// What the rows of checks are of; nil where nothing was compared.
  package var comparison: ComparisonDocument?
  /// The command line that repeats the checks of some benchmarks; of none: all.
  package var repeating: @Sendable (_ benchmarks: [BenchmarkID]) -> String
  /// UTC, ISO 8601.
  package var startedAt: String
  /// Wall time, seconds.
  package var durationSeconds: Double

  package init(
    title: String, headline: String, against: String? = nil, checks: [Check], startedAt: String,
    durationSeconds: Double, comparison: ComparisonDocument? = nil,
    repeating: @escaping @Sendable (_ benchmarks: [BenchmarkID]) -> String
  ) {
    self.title = title
    self.headline = headline
    self.against = against
    self.checks = checks
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.comparison = comparison
    self.repeating = repeating
  }

  /// In the order of `checks`.
  package var failed: [Check] { checks.filter { $0.outcome == .failed } }
  /// In the order of `checks`.
  package var noted: [Check] { checks.filter { $0.outcome == .noted } }

  /// What failed, a group for each cause, the most serious first.
  package var failedGroups: [CheckGroup] { CheckGroup.all(of: failed, in: comparison) }
  /// What was noted, but for uncertain times: they are many on a busy machine.
  package var notedGroups: [CheckGroup] {
    CheckGroup.all(of: noted.filter { ![.inconclusive, .notJudged].contains($0.kind) }, in: comparison)
  }

  /// Why times of the comparison were not judged, and what else makes it uncertain; a sentence each.
  package var doubts: [String] {
    guard let comparison else { return [] }
    return [ComparisonSummary(comparison).unjudged].compactMap(\.self) + comparison.warnings.map(\.message)
  }

  /// For a person: what failed, how to look at it again, and what else was found.
  package var blocks: [Block] {
    var blocks: [Block] = [.paragraph(.strong(headline, failed.isEmpty ? .good : .bad))]
    if let against { blocks.append(.paragraph("\(against)")) }
    let groups = failedGroups
    if !groups.isEmpty { blocks.append(list(groups)) }
    if let first = groups.first {
      blocks += [
        .paragraph("To look at it again:"), .codeBlock(repeating(first.repeated), language: "sh"),
      ]
    }
    let passed = checks.count { $0.outcome == .passed }
    let unsure = noted.count { $0.kind == .inconclusive }
    let counts = [
      passed > 0 ? "\(Format.plural(passed, "check")) passed" : nil,
      unsure > 0 ? "\(Format.integer(unsure)) inconclusive" : nil,
    ].compactMap(\.self)
    if !counts.isEmpty { blocks.append(.paragraph("\(counts.joined(separator: ", ")).")) }
    blocks += doubts.map { .paragraph("\($0)") }
    let notes = notedGroups
    if !notes.isEmpty {
      blocks.append(.details(summary: "\(notes.count) noted, without failing", [list(notes)]))
    }
    return blocks
  }

  private func list(_ groups: [CheckGroup]) -> Block {
    .list(
      groups.map { group in
        let text: RichText = "\(strong: RichText(group.kind.words)): \(group.text)"
        return group.place.map { "\(text) (\(code: "\($0.path):\($0.line)"))" } ?? text
      })
  }
}
