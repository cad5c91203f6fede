import Pages

/// What a gate judges, and by what.
struct GateSettings: Sendable {
  /// How to measure, and which benchmarks count.
  var run: RunSettings
  /// A run to judge instead of measuring; nil: one is measured.
  var storedRun: String?
  /// As given; nil for the default file, if it exists.
  var budgets: String?
  /// One that the budget file names; nil: its own speed and refresh rate.
  var device: String?
  /// A saved baseline, a run document, or a revision.
  var baseline: String?
  /// What fails the gate.
  var kinds: Set<Check.Kind> = GateOutcome.defaultKinds
  /// Whether times of another environment are compared.
  var isForced = false
  /// A change of a time within ± this fraction is none.
  var tolerance: Double?
  /// Of the comparison with a revision; nil: drawn.
  var seed: UInt64?
  /// Whether what regressed against a revision is profiled.
  var profiles = false
  var requests: [ReportRequest] = []
  /// Files for GitLab's metrics report.
  var metricPaths: [String] = []
  /// Names of the given options that apply only to a measured run.
  var optionsOfRun: [String] = []
  /// The same for options that apply only to a comparison with a stored baseline.
  var optionsOfStoredBaseline: [String] = []
  /// The same for any comparison.
  var optionsOfBaseline: [String] = []

  init(run: RunSettings) { self.run = run }

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
