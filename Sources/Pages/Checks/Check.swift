import FrameBench
import Judging
import TextFormat

/// One thing that a gate or a comparison checked, and the result: the content of CI reports.
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
    /// A time that was measured at another time than the baseline's, without a known spread; never a failure.
    case notJudged
    /// The baseline lacks a benchmark that was run.
    case notInBaseline

    /// For people; the raw value is for scripts.
    package var words: String {
      switch self {
      case .behaviorChanged: ChangeVerdict.behaviorChanged.words
      case .notJudged: ChangeVerdict.notJudged.words
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
  /// It depends on what the command should fail on, not only on `kind`.
  package var outcome: Outcome
  /// What was found, by how much, against what: one sentence without a full stop, including the subject.
  package var sentence: String
  /// A remark at the end of `sentence`, for example that it is acknowledged.
  package private(set) var remark: String?
  /// What has to run to look at it again; empty: everything that ran.
  package var benchmarks: [BenchmarkID] = []
  /// The row of a comparison that it is of.
  package var row: ComparisonRow?
  /// How far beyond its limit it is, as a fraction of that; nil where no limit says.
  package var excess: Double?
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

  /// Adds to the sentence.
  package mutating func add(remark text: String) {
    sentence += "; \(text)"
    remark = [remark, text].compactMap(\.self).joined(separator: "; ")
  }

  var scenario: String { subject.split(separator: "/").first.map(String.init) ?? subject }
}
