import ArgumentParser
import Budgets
import Foundation
import FrameBench
import FrameReport

struct GateCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate", abstract: "Holds a run against budgets and a baseline, for CI.",
    discussion: """
      Measures, unless --run names a run, and fails where a limit of springbench.yml is exceeded or a figure
      is worse than in the baseline. Against a saved baseline exact figures count, times only in the same
      environment; against a revision both builds are compared in lock step. See docs/budgets.md, docs/ci.md.

      EXAMPLES
        springbench gate                                   the limits of springbench.yml
        springbench gate --baseline origin/main            and no worse than main
        springbench gate --baseline main --run latest --report junit=gate.xml
        springbench gate --explain springs/tiled/10000 --run latest
        springbench gate --suggest --run latest > springbench.yml

      EXIT STATUS
        0 open, 1 the run failed, 2 regression, 3 over budget, 4 no baseline, or none that is comparable,
        5 behaviour changed or something is missing, 6 inconclusive, with --strict; the first of 1 5 2 3 6
      """)

  @OptionGroup var measuring: RunCommand
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The budget file (default: springbench.yml, where there is one).", valueName: "file"))
  var budgets: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A saved baseline, a run document, or a git revision.", valueName: "name"))
  var baseline: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Judge this run instead of measuring: a run.json, its folder, \"latest\".", valueName: "run"))
  var run: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What shuts the gate: regression,budget,missing,behaviour,inconclusive (default: all but the last).",
      valueName: "list"))
  var failOn: String?
  @Flag(help: "Let inconclusive times shut the gate too.") var strict = false
  @Flag(help: "Compare times with a baseline of another environment.") var force = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A change of a time within ± this much is none (default: 1%).", valueName: "percent"))
  var tolerance: String?
  @Flag(help: "Profile what regressed against a revision, as compare does.") var profile = false
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Also write markdown, html, json, junit, github, github-annotations, or gitlab (metrics of the run).",
      valueName: "format=file"))
  var report: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Say which limits apply to a benchmark, and how it fares.", valueName: "id"))
  var explain: String?
  @Flag(help: "Print a budget file made from the run, with headroom.") var suggest = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let job = try GateJob(self, context)
    if suggest {
      try context.console.write(BudgetSuggestion().text(try await job.document(context)))
      return .success
    }
    if let explain { return try await job.explain(explain, context) }
    return try await job.judge(context)
  }
}
