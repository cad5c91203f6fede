import ArgumentParser
import Foundation
import FrameBench
import Judging
import Pages
import TextFormat

struct GateCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate", abstract: "Checks a run against budgets and a baseline, for CI.",
    discussion: """
      Measures, unless --run names a run, and fails if a limit of springbench.yml is exceeded or a figure \
      is worse than in the baseline. Against a saved baseline exact figures count, and times only in the same \
      environment; against a revision both builds are compared in lock step. See docs/budgets.md, docs/ci.md.

      EXAMPLES
        springbench gate                          the limits of springbench.yml
        springbench gate --baseline origin/main   and no worse than main
        springbench gate --baseline main --run latest --report junit=gate.xml
        springbench gate --explain springs/tiled/10000 --run latest
        springbench gate --suggest --run latest > springbench.yml

      EXIT STATUS
        0  passed
        1  the run failed
        2  regression
        3  over budget
        4  no comparable baseline, or it lacks a benchmark
        5  behavior changed, or something is missing
        6  inconclusive, with --strict
        If several apply, the first of 1 5 2 3 4 6.
      """)

  @OptionGroup var measuring: RunCommand
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The budget file (default: springbench.yml, if there is one).", valueName: "file"))
  var budgets: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Judge for this device from the budget file.", valueName: "name"))
  var device: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A saved baseline, a run document, or a git revision.", valueName: "name"))
  var baseline: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Check this run instead of measuring: a run.json, its folder, \"latest\".", valueName: "run"))
  var run: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What fails the gate: regression,budget,missing,behaviorChanged,inconclusive (default: all but the last).",
      valueName: "list"),
    transform: Self.kinds)
  var failOn: Set<Check.Kind>?
  @Flag(help: "Inconclusive times fail the gate, too.") var strict = false
  @Flag(help: "Compare times even if the environments differ.") var force = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Ignore changes of a time within ± this (default: 1%).", valueName: "percent"),
    transform: Percentage.init)
  var tolerance: Percentage?
  @Flag(help: "Profile what regressed against a revision, as compare does.") var profile = false
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Also write markdown, html, json, junit, github, github-comment, github-annotations, or gitlab (metrics of the \
      run).
      """,
      valueName: "format=file"))
  var report: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show which limits apply to a benchmark, and how it does.", valueName: "id"),
    transform: OptionValue.benchmark)
  var explain: BenchmarkID?
  @Flag(help: "Print a budget file made from the run, with headroom.") var suggest = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await measuring.building.enterSandbox(context)
    let settings = try settings(context)
    if suggest {
      try refuse(
        optionsOfJudging + (explain == nil ? [] : ["--explain"]), because: "--suggest judges nothing",
        remedy: "leave out one of them")
      let document = try await GateJob(settings, context, needsBudgets: false).document(context)
      try context.console.write(document.suggestedBudgets())
      return .success
    }
    if let explain {
      try refuse(optionsOfJudging, because: "--explain judges nothing", remedy: "leave out one of them")
      return try await GateJob(settings, context).explain(explain, context)
    }
    return try await GateJob(settings, context).judge(context)
  }

  private var optionsOfJudging: [String] {
    [
      baseline.map { _ in "--baseline" }, suggest ? device.map { _ in "--device" } : nil,
      failOn.map { _ in "--fail-on" }, strict ? "--strict" : nil,
      force ? "--force" : nil, tolerance.map { _ in "--tolerance" }, profile ? "--profile" : nil,
      report.isEmpty ? nil : "--report", measuring.json ? "--json" : nil,
    ].compactMap(\.self)
  }

  private func settings(_ context: CommandContext) throws(UsageError) -> GateSettings {
    var settings = GateSettings(run: try measuring.settings(context))
    let display = measuring.measuring.display
    if run != nil {
      try refuse(
        measuring.optionsOfRun + measuring.optionsOfFrames,
        because: "--run names a finished run",
        remedy: "leave out one of them")
    }
    settings.storedRun = run
    settings.budgets = budgets
    settings.device = device
    settings.baseline = baseline
    settings.kinds = (failOn ?? GateOutcome.defaultKinds).union(strict ? [.inconclusive] : [])
    settings.isForced = force
    if let tolerance { settings.tolerance = tolerance.fraction }
    settings.seed = display.seed
    settings.profiles = profile
    let gitLab = report.filter { $0.hasPrefix("gitlab=") }
    settings.metricPaths = gitLab.map { String($0.dropFirst("gitlab=".count)) }
    for path in settings.metricPaths { try OutputFile(path: path, option: "--report").checkWritable() }
    settings.requests = try ReportRequest.parse(
      report.filter { !gitLab.contains($0) } + (measuring.json ? ["json"] : []))
    settings.run.otherOutputs = settings.requests.compactMap(\.path) + settings.metricPaths
    settings.optionsOfRun = measuring.optionsOfRun + (gitLab.isEmpty ? [] : ["--report gitlab"])
    settings.optionsOfStoredBaseline = force ? ["--force"] : []
    settings.optionsOfBaseline =
      (tolerance == nil ? [] : ["--tolerance"]) + (profile ? ["--profile"] : [])
    return settings
  }

  private static func kinds(_ text: String) throws -> Set<Check.Kind> {
    Set(
      try OptionValue.list(text).map { name in
        // As it was spelled before; CI files still have it.
        let name = ["behaviour", "behavior"].contains(name) ? Check.Kind.behaviorChanged.rawValue : name
        guard let kind = GateOutcome.kinds.first(where: { $0.rawValue == name }) else {
          throw ValueError(
            Suggestion.remedy(
              for: name, among: GateOutcome.kinds.map(\.rawValue), called: "there are"))
        }
        return kind
      })
  }
}
