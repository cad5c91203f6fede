import Comparing
import TextFormat

/// One thing that a gate or a comparison looked at, and what came out: what CI reports are made of.
package struct Check: Sendable, Hashable {
  /// What was looked at; the names are part of the reports.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A benchmark could not be measured.
    case failure
    case regression
    case budget
    /// A benchmark, or a figure that a limit needs, is not there.
    case missing
    case behaviorChanged
    case inconclusive
    /// The baseline lacks a benchmark that was run.
    case notInBaseline

    /// For people; the raw value is for scripts.
    package var words: String {
      switch self {
      case .behaviorChanged: ChangeVerdict.behaviorChanged.words
      case .notInBaseline: "not in the baseline"
      case .failure, .regression, .budget, .missing, .inconclusive: rawValue
      }
    }
  }

  /// What came out.
  package enum Outcome: Sendable, Hashable {
    case passed
    case failed
    /// Noticed, but not a reason to fail.
    case noted
  }

  /// `springs/tiled/10000`, or `springs/tiled` for all sizes.
  package var subject: String
  /// `solve time`, `allocationCount.max`
  package var figure: String
  /// Of what passed: `regression` for a row of a comparison, `budget` for a limit.
  package var kind: Kind
  /// What the command is told to fail on decides it too, not `kind` alone.
  package var outcome: Outcome
  /// What was found, by how much, against what: one sentence without a full stop, the subject in it.
  package var sentence: String
  /// The file and the line that ask for it.
  package var place: (path: String, line: Int)? {
    guard let path, let line else { return nil }
    return (path, line)
  }
  private var path: String?
  private var line: Int?

  /// Without both `path` and `line` the check has no `place`.
  package init(
    subject: String, figure: String, kind: Kind, outcome: Outcome, sentence: String,
    path: String? = nil, line: Int? = nil
  ) {
    self.subject = subject
    self.figure = figure
    self.kind = kind
    self.outcome = outcome
    self.sentence = sentence
    self.path = path
    self.line = line
  }

  var scenario: String { subject.split(separator: "/").first.map(String.init) ?? subject }
}

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
  /// The command line that repeats the checks of one benchmark.
  package var repeating: @Sendable (_ subject: String) -> String
  /// UTC, ISO 8601.
  package var startedAt: String
  /// Wall time, seconds.
  package var durationSeconds: Double

  package init(
    title: String, headline: String, against: String? = nil, checks: [Check], startedAt: String,
    durationSeconds: Double,
    repeating: @escaping @Sendable (_ subject: String) -> String
  ) {
    self.title = title
    self.headline = headline
    self.against = against
    self.checks = checks
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.repeating = repeating
  }

  /// In the order of `checks`.
  package var failed: [Check] { checks.filter { $0.outcome == .failed } }
  /// In the order of `checks`.
  package var noted: [Check] { checks.filter { $0.outcome == .noted } }

  /// For a person: the failures, what was noted, and how to repeat them.
  package var blocks: [Block] {
    var blocks: [Block] = [.paragraph(.strong(headline))]
    if let against { blocks.append(.paragraph("\(against)")) }
    if !failed.isEmpty { blocks.append(list(failed)) }
    if !noted.isEmpty {
      blocks.append(.details(summary: "\(noted.count) noted, and not failed", [list(noted)]))
    }
    let passed = checks.count { $0.outcome == .passed }
    if passed > 0 { blocks.append(.paragraph("\(Format.plural(passed, "check")) passed.")) }
    if let first = failed.first {
      blocks += [
        .paragraph("To look at it again:"), .codeBlock(repeating(first.subject), language: "sh"),
      ]
    }
    return blocks
  }

  private func list(_ checks: [Check]) -> Block {
    .list(
      checks.map { check in
        let sentence: RichText = "\(strong: RichText(check.kind.words)): \(check.sentence)"
        return check.place.map { "\(sentence) (\(code: "\($0.path):\($0.line)"))" } ?? sentence
      })
  }
}
