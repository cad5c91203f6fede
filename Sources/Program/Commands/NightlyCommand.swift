import ArgumentParser
import Foundation
import Judging
import TextFormat

struct NightlyCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightly",
    abstract: "Runs the suite, appends it to the history, and reports what changed.",
    discussion: """
      Measures and writes what `springbench run` does, with nightly.md beside it: what moved beyond its noise \
      since the night before and since a week ago, new change points, what failed and what is missing. Appends \
      one document to DIR/<machine>/ and rewrites the pages. See docs/history.md.

      EXAMPLES
        springbench nightly
        springbench nightly --history history --site public
        springbench nightly --filter '^springs/' --instructions

      EXIT STATUS
        0  nothing is wrong
        1  a benchmark failed, nothing was measured, or a file was not written
        2  a new regression
        5  a benchmark is missing, or its behavior changed
      """)

  @OptionGroup var run: RunCommand
  @OptionGroup(title: "History") var options: HistoryOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await run.building.enterSandbox(context)
    let site = try options.siteFolder(output: run.results.output)
    let writer = try await NightlyWriter(
      try run.settings(context, layouts: .nightly),
      history: options.historyFolder(output: run.results.output),
      site: site, budgets: options.budgetFile(), context)
    let (night, siteProblems) = try await writer.run { night in
      for problem in night.problems { context.console.warn(problem) }
      context.console.report(night.failures)
      if run.json {
        try context.console.write(try night.events.json())
      } else {
        try context.console.write(
          (night.sentences + ["\(night.runFolder)/nightly.md"]).map { oneLine($0) + "\n" }.joined())
      }
    }
    for problem in siteProblems { context.console.warn(problem) }
    if !run.json { try context.console.write(oneLine("\(site)/index.html") + "\n") }
    writer.confirmDelivery()
    return night.exitStatus
  }
}
