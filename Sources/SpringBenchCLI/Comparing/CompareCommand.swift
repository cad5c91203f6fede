import ArgumentParser
import Foundation
import FrameBench
import FrameReport

struct CompareCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compares two builds in lock step, with verdicts.",
    discussion: """
      Both builds run on one core and take turns within each millisecond. A change counts where fresh
      processes confirm it and its interval lies beyond the tolerance. Allocations and counts are exact:
      any increase is a regression.

      EXIT STATUS
        0 nothing is worse, 1 a benchmark failed, 2 regression, 5 behaviour changed or a benchmark vanished,
        6 inconclusive, with --strict
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Measuring") var measuring: ComparingOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("An executable of the baseline.", valueName: "path", visibility: .hidden))
  var baseExecutable: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("An executable of the candidate.", valueName: "path", visibility: .hidden))
  var candidateExecutable: String?

  @Flag(help: "End with status 6 where a time is uncertain.") var strict = false
  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false
  @Flag(help: "Print markdown to stdout.") var markdown = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let paths = try executables()
    let rule = ComparisonRule(tolerance: try measuring.parsedTolerance())
    let seed = try measuring.parsedSeed()
    let plan = try measuring.plan(executables: paths)
    let arguments = context.arguments
    let selectionArguments = selection.arguments
    let document = try await Interruption.cancelling {
      let lists = try await BenchmarkLists.read(from: paths, arguments: selectionArguments)
      return try await ExecutableComparison(
        plan: plan, rule: rule, seed: seed, names: paths.map { BuildName(name: $0) }, arguments: arguments
      ).run(benchmarks: lists, console: context.console)
    }
    try show(document, context)
    for failure in document.failures {
      context.console.report(
        "\(failure.id): \(failure.reason)\(RunCommand.lastWords(failure.standardError))")
    }
    return ExitStatus(document.outcome, isStrict: strict)
  }

  private func executables() throws(UsageError) -> [String] {
    guard let baseExecutable, let candidateExecutable else {
      throw UsageError(
        "compare", "two builds are needed", remedy: "give --base-executable and --candidate-executable")
    }
    for (flag, path) in [
      ("--base-executable", baseExecutable), ("--candidate-executable", candidateExecutable),
    ] where !FileManager.default.isExecutableFile(atPath: path) {
      throw UsageError(flag, "\"\(path)\" is no program that can be run", remedy: "give the path of one")
    }
    return [baseExecutable, candidateExecutable]
  }

  private func show(_ document: ComparisonDocument, _ context: CommandContext) throws {
    if json { return try context.console.write(document.flatRowsJSON()) }
    if markdown { return try context.console.write(ComparisonMarkdown(document).render()) }
    let noColor = context.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let usesColor = context.console.isOutputTerminal && !noColor
    try context.console.write(ComparisonText(document, usesColor: usesColor).render())
  }
}

extension ExitStatus {
  init(_ outcome: ComparisonDocument.Outcome, isStrict: Bool) {
    switch outcome {
    case .failed: self = .failure
    case .behaviorChanged: self = .behaviorChanged
    case .regressed: self = .regression
    case .inconclusive: self = isStrict ? .inconclusive : .success
    case .passed: self = .success
    }
  }
}
