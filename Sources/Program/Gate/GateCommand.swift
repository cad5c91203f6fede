import ArgumentParser
import Foundation
import FrameBench
import Markup
import Pages
import Platform
import TextFormat

struct GateCommand: BuildingCommand, RunArguments {
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
        springbench gate --run run-*.json --comparison comparison-*.json
        springbench gate --explain springs/tiled/10000 --run latest
        springbench gate --suggest --run latest > springbench.yml

      EXIT STATUS
        0  passed
        1  the run failed, or a file was not written
        2  regression
        3  over budget
        4  no comparable baseline, or it lacks a benchmark
        5  behavior changed, or a benchmark or a limit's figure is missing
        6  inconclusive, with --strict or --fail-on inconclusive
        If several apply, the first of 1 5 2 3 4 6.
      """)

  @OptionGroup(title: "Selection") var selection: BenchmarkSelection
  @OptionGroup(title: "Measuring") var measuring: MeasuringOptions
  @OptionGroup(title: "Measuring") var display: DisplayOptions
  @OptionGroup(title: "Building") var building: BuildOptions
  @OptionGroup var results: ResultOptions
  @Option("The budget file (default: springbench.yml, if there is one).", "file") var budgets: String?
  @Option("Judge for this device from the budget file.", "name") var device: String?
  @OptionGroup var judging: JudgingOptions
  @Option(
    "Check this run instead of measuring: a run.json, its folder, \"latest\"; or all parts of a run.", "run",
    parsing: .upToNextOption) var run: [String] = []
  @Option(
    "Judge this comparison, from --report document, instead of comparing; or all its parts.", "file",
    parsing: .upToNextOption) var comparison: [String] = []
  @Option("Show which limits apply to a benchmark, and how it does.", "id", OptionValue.benchmark) var explain:
    BenchmarkID?
  @Flag(help: "Print a budget file made from the run, with headroom.") var suggest = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    if suggest {
      let others = judging.given + given.filter(["--budgets", "--device", "--comparison", "--explain"].contains)
      try refuse(others, because: "--suggest judges nothing", remedy: "leave out one of them")
    }
    if explain != nil {
      let others = judging.given + given.filter { $0 == "--comparison" }
      try refuse(others, because: "--explain judges nothing", remedy: "leave out one of them")
    }
    var job = try GateJob(self, context)
    if suggest {
      let document = try await job.document()
      try context.console.write(document.suggestedBudgets())
      context.console.report(document.failures)
      return document.failures.isEmpty ? .success : .failure
    }
    if let explain { return try await job.explain(explain) }
    return try await job.judge()
  }
}

struct JudgingOptions: ParsableArguments {
  @Option("A saved baseline, a run document, or a git revision.", "name") var baseline: String?
  @Option(
    "What fails the gate: regression,budget,missing,behaviorChanged,inconclusive (default: all but the last).", "list",
    Self.kinds) var failOn: Set<Check.Kind>?
  @Flag(help: "Inconclusive times fail the gate, too.") var strict = false
  @Flag(help: "Compare times even if the environments differ.") var force = false
  @Option("Ignore changes of a time within ± this (default: 1%).", "percent", OptionValue.percentage) var tolerance:
    Double?
  @Option(
    "About how long to compare each benchmark with a revision (default: 5).", "s",
    OptionValue.seconds(1...3_600, like: 5)) var seconds: Double?
  @Flag(help: "Profile what regressed against a revision, as compare does.") var profile = false
  @Option(
    """
    Also write markdown, html, json, junit, github, github-comment, github-annotations, document (the comparison, \
    for merge), or gitlab (metrics of the run).
    """, "format=file") var report: [String] = []
  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false

  /// The kinds of checks that fail the gate.
  var kinds: Set<Check.Kind> {
    (failOn ?? Set(Check.Kind.choices).subtracting([.inconclusive])).union(strict ? [.inconclusive] : [])
  }

  private static func kinds(_ text: String) throws -> Set<Check.Kind> {
    Set(
      try OptionValue.list(text).map { name in
        guard let kind = Check.Kind.choices.first(where: { $0.rawValue == name }) else {
          throw ValueError(Suggestion.remedy(for: name, among: Check.Kind.choices.map(\.rawValue), called: "there are"))
        }
        return kind
      })
  }
}
