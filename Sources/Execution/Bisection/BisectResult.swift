import Builds
import Foundation
import FrameBench
import Judging
import Linking
import Markup
import Measurements
import Pages
import Platform
import TextFormat

package struct BisectResult: Sendable {
  package var benchmark: BenchmarkID
  package var range: CommitRange
  /// The figure whose change is searched for. Nil if no metric was named and nothing differs.
  package var figure: ComparedFigure?
  /// How the figure differs between the good and the bad commit.
  package var whole: ComparisonRow?
  package var finding: Bisection.Finding?
  /// How the figure differs between the culprit and the commit before it.
  package var own: ComparisonRow?
  package var verificationDoubt: Double?

  package init(benchmark: BenchmarkID, range: CommitRange) { (self.benchmark, self.range) = (benchmark, range) }

  /// The commit that changed the figure. Nil if none was found, or if several are possible because some commits were
  /// not measured.
  package var culprit: CommitRange.Commit? {
    guard let finding, finding.candidates.count == 1 else { return nil }
    return range.commits[finding.candidates[0]]
  }

  /// The probability that every decision of the search was right, and that the culprit itself changed the figure.
  package var confidence: Double { (finding?.confidence ?? 0) * (1 - (verificationDoubt ?? 1)) }

  /// The same as `confidence`, but the confidence of the search alone if the culprit could not be compared with the
  /// commit before it, for example for lack of time.
  package var confidenceSoFar: Double { verificationDoubt == nil ? finding?.confidence ?? 0 : confidence }

  /// Takes in the comparison of the culprit with the commit before it. The culprit must have changed the figure in the
  /// same direction as the whole range of commits.
  package mutating func verify(by document: ComparisonDocument, whole: Bisection.Effect) {
    guard let figure else { return }
    own = figure.row(in: document)
    let effect = figure.effect(in: document)
    if case .unmeasurable = effect { return }
    let judged = Bisection(count: range.commits.count, whole: whole).judge(effect, beyond: 0)
    verificationDoubt = judged.map { $0.isBad ? $0.doubt : 1 - $0.doubt } ?? 1
  }

  /// Returns the result in lines of at most `width` columns.
  package func text(width: Int) -> String {
    lines.flatMap { Terminal.wrapped($0, width: width, indent: 2) }.map { oneLine($0) + "\n" }.joined()
  }

  private var lines: [String] {
    guard let figure, let whole else { return ["\(benchmark): no figure changed beyond its tolerance and noise"] }
    let subject = "\(benchmark) \(figure)"
    guard let finding else { return ["\(subject) is the same in both: \(Self.change(whole)) (\(whole.verdict.words))"] }
    guard let culprit else {
      let among = finding.candidates.map { range.commits[$0] }
      return ["\(subject): \(Self.change(whole)), made by one of these; not all of them were measured"]
        + among.map { "- \($0.shortHash) \($0.date) \($0.subject)" }
    }
    let measured = finding.steps.filter { $0.decision != .skipped }
    let compared = Set(measured.map(\.position) + [range.commits.count - 1])
    return [
      "\(culprit.shortHash) \(culprit.date) \(culprit.subject)",
      "\(subject): \(own.map(Self.change) ?? "not measured") by this commit, \(Self.change(whole)) in all",
      "\(Words.certainty(confidence)) sure; \(compared.count) of \(range.commits.count) commits were compared with the good one"
        + (range.isFirstParent ? "" : "; merged branches were searched too"),
    ]
  }

  package func text(of step: Bisection.Step) -> String {
    let commit = range.commits[step.position]
    let words: String
    switch step.effect {
    case .time(let change, let error): words = "\(Words.signed(expm1(change)))% ± \(Words.percent(error * 2))"
    case .exact(let good, let candidate, _):
      let unit = whole?.metric.unit ?? .count
      words = "\(unit.text(good, besides: candidate)) → \(unit.text(candidate, besides: good))"
    case .behavior(let isChanged):
      words =
        switch figure?.fault {
        case nil: isChanged ? "shows something different" : "shows the same"
        case .gone: isChanged ? "does not have it" : "has it"
        case .failure: isChanged ? "fails" : "does not fail"
        }
    case .unchanged: words = "no change"
    case .identical: words = "runs the same code"
    case .unmeasurable(let reason): words = reason
    }
    if step.decision == .again { return "\(commit.shortHash), measured again: \(words); the search begins anew" }
    let sure = step.decision == .skipped ? "" : ", \(Words.certainty(1 - step.doubt)) sure"
    return "\(commit.shortHash) is \(step.decision.rawValue): \(words)\(sure)"
  }

  private static func change(_ row: ComparisonRow) -> String {
    if row.metric == .checksum || row.baseline?.number == nil || row.candidate?.number == nil {
      return row.verdict.words
    }
    return row.change == nil ? "\(row.baselineText) → \(row.candidateText)" : row.changeText
  }

  private struct Row: Encodable {
    var role: String
    var commit: String
    var date: String
    var subject: String
    var metric: String?
    var change: Double?
    var low: Double?
    var high: Double?
    /// The probability that the decision was right. For the culprit, this is `BisectResult.confidence`.
    var confidence: Double?
    var reason: String?
  }

  /// Returns a JSON array with the change from good to bad, the steps in their order, and the culprit.
  package func json() throws -> String { try JSONText.rows(rows.map(JSONText.line)) }

  private var rows: [Row] {
    let last = range.commits[range.commits.count - 1]
    var rows = [row("whole", last, whole)]
    for step in finding?.steps ?? [] {
      var one = row(step.decision.rawValue, range.commits[step.position], nil)
      one.confidence = [.skipped, .again].contains(step.decision) ? nil : 1 - step.doubt
      switch step.effect {
      case .time(let change, let error):
        let ratio = CodeRatio(logarithm: change, variance: error * error)
        (one.change, one.low, one.high) = (ratio.change, ratio.low, ratio.high)
      case .exact(let good, let candidate, _): one.change = candidate.change(from: good)
      case .behavior, .unchanged, .identical: break
      case .unmeasurable(let reason): one.reason = reason
      }
      rows.append(one)
    }
    if let culprit {
      var one = row("culprit", culprit, own)
      one.confidence = confidence
      rows.append(one)
    } else {
      rows += (finding?.candidates ?? []).map { row("candidate", range.commits[$0], nil) }
    }
    return rows
  }

  private func row(_ role: String, _ commit: CommitRange.Commit, _ row: ComparisonRow?) -> Row {
    Row(
      role: role, commit: commit.hash, date: commit.date, subject: commit.subject, metric: figure?.description,
      change: row?.change, low: row?.low, high: row?.high)
  }
}

extension ComparedFigure {
  package func row(in document: ComparisonDocument) -> ComparisonRow? {
    document.rows.first {
      $0.metric.name == name.metric && $0.phase == name.phase
        && (frames != nil ? $0.frames == frames : name.statistic == nil ? $0.isMean : $0.statistic == name.statistic)
    }
  }

  package func effect(in document: ComparisonDocument) -> Bisection.Effect {
    let (isChecksum, isGone) = (name.metric == Metric.checksum.name, self.row(in: document)?.isLost == true)
    if fault == .gone, isGone || isChecksum { return .behavior(isChanged: isGone) }
    if let failure = document.failures.first {
      return fault == .failure && failure.build == .candidate
        ? .behavior(isChanged: true) : .unmeasurable(failure.reason)
    }
    if let missing = document.rows.first(where: { $0.verdict == .missing && $0.metric == .checksum }) {
      return .unmeasurable(missing.note ?? "it does not have the benchmark")
    }
    if fault == .failure { return .behavior(isChanged: false) }
    if document.isUnmeasured { return .identical }
    guard let row = row(in: document) else {
      // A comparison has a row for stalls (`rawFrameTime`) only if they changed.
      return name.metric == Metric.rawFrameTime.name ? .unchanged : .unmeasurable("it has no \(self)")
    }
    if fault == .gone { return .behavior(isChanged: false) }
    if isChecksum { return .behavior(isChanged: row.verdict == .behaviorChanged) }
    if let ratio = CodeRatio(row) { return .time(ratio.logarithm, standardError: ratio.standardError) }
    guard case .number(let good)? = row.baseline, case .number(let candidate)? = row.candidate, row.pValue == nil else {
      return .unmeasurable("its \(self) could not be compared")
    }
    if row.verdict == .notJudged, row.note != nil || !row.metric.isJudgedByAgreement {
      return .unmeasurable(row.note ?? "its \(self) is not judged")
    }
    guard row.verdict == .regressed else { return .exact(good: good, candidate: candidate) }
    let isOfTotal =
      row.metric != .netBytes && !row.metric.isJudgedByAgreement && row.metric.isWorse(candidate, than: good)
    return .exact(good: good, candidate: candidate, isOfTotal ? .ofTotal : .ofVerdict)
  }
}
