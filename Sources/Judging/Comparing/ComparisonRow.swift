import FrameBench
import Measurements

/// One figure of one benchmark in two builds.
package struct ComparisonRow: Sendable, Hashable {
  package var id: BenchmarkID
  /// As in the rows of a run: `frameNanoseconds`, `allocationCount`, `checksum`, …
  package var metric: Metric
  /// Nil for the whole frame.
  package var phase: String?
  /// Times are means of a frame, nanoseconds; counts are totals of a run. Nil where the build has none.
  package var baseline: FlatRow.Value?
  /// As `baseline`.
  package var candidate: FlatRow.Value?
  /// Candidate ÷ baseline − 1: 0.012 is 1.2% more. Nil where there is no ratio.
  package var change: Double?
  /// The 98% confidence interval of the change; nil for an exact figure.
  package var low: Double?
  /// The upper end; a fraction, as `change` and `low` are.
  package var high: Double?
  /// Of the same measurements as the interval: two-sided, not corrected for the number of figures. The verdict rests
  /// on a test that is (`ComparisonRule`). Nil for an exact figure.
  package var pValue: Double?
  /// On this figure alone.
  package var verdict: ChangeVerdict
  /// The difference between the baseline and itself in the same measurement, as a fraction.
  package var control: Double?
  /// How far another link order alone moves the baseline's time, as a fraction: two of three orders are
  /// within ± this. Nil for an exact figure, or if only one order was measured.
  package var layout: Double?
  /// Where the difference lies: one sentence without a full stop.
  package var note: String?

  package init(
    id: BenchmarkID, metric: Metric, phase: String? = nil, baseline: FlatRow.Value?,
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

  /// `springs/naive/1000 solve`
  package var subject: String { phase.map { "\(id) \($0)" } ?? "\(id)" }
}
