import FrameReport

/// What a gate judges, and by what.
package struct GateSettings: Sendable {
  /// How to measure, and which benchmarks count.
  package var run: RunSettings
  /// A run to judge instead of measuring; nil: one is measured.
  package var storedRun: String?
  /// As given; nil for the default file, if it exists.
  package var budgets: String?
  /// One that the budget file names; nil: its own speed and refresh rate.
  package var device: String?
  /// A saved baseline, a run document, or a revision.
  package var baseline: String?
  /// What fails the gate.
  package var kinds: Set<Check.Kind> = GateOutcome.defaultKinds
  /// Whether times of another environment are compared.
  package var isForced = false
  /// A change of a time within ± this fraction is none.
  package var tolerance: Double?
  /// Of the comparison with a revision; nil: drawn.
  package var seed: UInt64?
  /// Whether what regressed against a revision is profiled.
  package var profiles = false
  package var requests: [ReportRequest] = []
  /// Files for GitLab's metrics report.
  package var metricPaths: [String] = []
  /// Names of the given options that apply only to a measured run.
  package var optionsOfRun: [String] = []
  /// The same for options that apply only to a comparison with a stored baseline.
  package var optionsOfStoredBaseline: [String] = []
  /// The same for any comparison.
  package var optionsOfBaseline: [String] = []

  package init(run: RunSettings) { self.run = run }

  /// Throws if an option cannot be applied, instead of ignoring it silently.
  func check(_ baseline: GateBaseline?, hasBudgets: Bool) throws(UsageError) {
    switch baseline?.kind {
    case nil:
      try refuse(
        optionsOfBaseline + optionsOfStoredBaseline, because: "without a baseline nothing is compared",
        remedy: "name one with --baseline")
    case .saved, .document:
      try refuse(
        profiles ? ["--profile"] : [],
        because: "only a baseline that is a git revision can be built and profiled",
        remedy: "name one, as in --baseline origin/main")
    case .revision:
      try refuse(
        optionsOfStoredBaseline, because: "builds are measured side by side, in one environment",
        remedy: "leave it out")
      if !hasBudgets {
        try refuse(
          optionsOfRun,
          because: "a revision is compared side by side, and without budgets there is no other run",
          remedy: "leave it out, or name budgets")
      }
    }
  }
}
