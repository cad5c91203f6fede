import FrameBench

/// One figure of one benchmark in two builds.
public struct ComparisonRow: Codable, Sendable, Hashable {
  public var id: BenchmarkID
  /// As in the rows of a run: `frameNanoseconds`, `allocationCount`, `checksum`, …
  public var metric: String
  /// Nil for the whole frame.
  public var phase: String?
  /// Times are means of a frame, nanoseconds; counts are totals of a run. Nil where the build has none.
  public var baseline: FlatRow.Value?
  /// As `baseline`.
  public var candidate: FlatRow.Value?
  /// Candidate ÷ baseline − 1: 0.012 is 1.2% more. Nil where there is no ratio.
  public var change: Double?
  /// Where the change lies with a confidence of 98%; nil for an exact figure.
  public var low: Double?
  /// The upper end; a fraction, as `change` and `low` are.
  public var high: Double?
  /// One-sided, corrected for all figures of the comparison; nil for an exact figure.
  public var pValue: Double?
  /// On this figure alone.
  public var verdict: ChangeVerdict
  /// What the same measurement showed between the baseline and itself, as a fraction.
  public var control: Double?
  /// How far another link order alone moves the baseline's time, as a fraction: two of three orders lie within ±
  /// so much. Nil for an exact figure, and where only one order was measured.
  public var layout: Double?
  /// Where the difference lies: one sentence without a full stop.
  public var note: String?

  public init(
    id: BenchmarkID, metric: String, phase: String? = nil, baseline: FlatRow.Value?,
    candidate: FlatRow.Value?, change: Double? = nil, low: Double? = nil, high: Double? = nil,
    pValue: Double? = nil, verdict: ChangeVerdict, control: Double? = nil,
    layout: Double? = nil, note: String? = nil
  ) {
    self.id = id
    self.metric = metric
    self.phase = phase
    self.baseline = baseline
    self.candidate = candidate
    self.change = change
    self.low = low
    self.high = high
    self.pValue = pValue
    self.verdict = verdict
    self.control = control
    self.layout = layout
    self.note = note
  }

  /// As one line of JSON: eleven keys in the order in which they are documented, all of them always there.
  /// - Parameter profile: Adds the page, what moved most, and why there is no page.
  func json(profile: RegressionProfile? = nil) -> String {
    func number(_ value: Double?) -> String { value.map(JSONText.number) ?? "null" }
    func text(_ value: String?) -> String { value.map(JSONText.string) ?? "null" }
    var fields = [
      ("id", JSONText.string(id.description)), ("metric", JSONText.string(metric)),
      ("phase", text(phase)), ("baseline", baseline?.json ?? "null"),
      ("candidate", candidate?.json ?? "null"), ("change", number(change)), ("low", number(low)),
      ("high", number(high)), ("pValue", number(pValue)), ("verdict", JSONText.string(verdict.rawValue)),
      ("layout", number(layout)),
    ]
    if let profile {
      fields += [
        ("profile", text(profile.page)), ("largestMover", text(profile.largest(self)?.function)),
        ("largestMoverCaller", text(profile.largest(self)?.caller)),
        ("profileProblem", text(profile.problem)),
      ]
    }
    return JSONText.object(fields)
  }

  /// `springs/naive/1000 solve`
  var subject: String { phase.map { "\(id) \($0)" } ?? "\(id)" }
}
