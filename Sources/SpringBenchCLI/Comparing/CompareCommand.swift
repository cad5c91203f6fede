import ArgumentParser
import Foundation
import FrameBench
import FrameReport

struct CompareCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compares two revisions in lock step, with verdicts.",
    discussion: """
      Each revision is built once, outside your checkout. Both run on one core and take turns within each
      millisecond. A change counts where fresh processes confirm it and its interval lies beyond the
      tolerance. Allocations and counts are exact: any increase is a regression.
      Two run documents are compared as they are; their times only where they are of one environment.
      With --profile the worst regressions are profiled in both builds: the report names the functions that
      grew, and links a flame graph of the difference, in a folder beside the report or below results/.

      EXAMPLES
        springbench compare main                          the working tree against main
        springbench compare v1.2 feature --filter tiled
        springbench compare main --tolerance 0.3% --report junit=checks.xml --report html=compare.html
        springbench compare main --profile --report html=compare.html --report markdown=compare.md
        springbench compare old/run.json new/run.json

      EXIT STATUS
        0 nothing is worse, 1 a benchmark failed, 2 regression, 4 not comparable, 5 behaviour changed or a
        benchmark vanished, 6 inconclusive, with --strict
      """)

  @Argument(
    help: ArgumentHelp("A git revision; or a run.json, the folder of a run, \"latest\".", valueName: "base"))
  var base: String?

  @Argument(
    help: ArgumentHelp("Likewise (default: the working tree).", valueName: "candidate"))
  var candidate: String?

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Measuring") var measuring: ComparingOptions
  @OptionGroup(title: "Building") var building: RevisionOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("An executable of the baseline.", valueName: "path", visibility: .hidden))
  var baseExecutable: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("An executable of the candidate.", valueName: "path", visibility: .hidden))
  var candidateExecutable: String?

  @Flag(help: "Compare times of documents though their environments differ.") var force = false
  @Flag(help: "End with status 6 where a time is uncertain.") var strict = false
  @Flag(help: "Profile what regressed (at most three benchmarks), and link it in the reports.")
  var profile = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples to take of each build at least.", valueName: "n", visibility: .hidden))
  var profileSamples: Int?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Also write markdown, html, json, junit, github or github-annotations; several can be given.",
      valueName: "format=file"))
  var report: [String] = []
  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false
  @Flag(help: "Print markdown to stdout.") var markdown = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let requests = try ReportRequest.parse(
      report + (json ? ["json"] : []) + (markdown ? ["markdown"] : []))
    let pair = try pair()
    _ = try measuring.parsedSeconds()
    let document = try await compare(pair, context, try profileFolder(pair, requests, context))
    let delivery = ReportDelivery(
      requests: requests,
      markdown: { link in ComparisonMarkdown(document) { link?($0) }.render() },
      json: document.flatRowsJSON(), checks: report(of: document))
    let isSilent = try delivery.deliver(context)
    if !isSilent {
      try context.console.write(ComparisonText(document, usesColor: context.usesColor).render())
    }
    // The table above has told of them.
    for failure in document.failures where isSilent {
      context.console.report(
        "\(failure.id): \(failure.reason)\(RunCommand.lastWords(failure.standardError))")
    }
    return ExitStatus(document.outcome, isStrict: strict)
  }

  private func pair() throws(UsageError) -> ComparedPair {
    if let baseExecutable, let candidateExecutable {
      for (flag, path) in [
        ("--base-executable", baseExecutable), ("--candidate-executable", candidateExecutable),
      ] where !FileManager.default.isExecutableFile(atPath: path) {
        throw UsageError(flag, "\"\(path)\" is no program that can be run", remedy: "give the path of one")
      }
      return .executables(baseExecutable, candidateExecutable)
    }
    guard let base else {
      throw UsageError("compare with what? Name a revision, as in springbench compare main")
    }
    return try ComparedPair(base: base, candidate: candidate)
  }

  /// Nil where no profile is wanted.
  private func profileFolder(
    _ pair: ComparedPair, _ requests: [ReportRequest], _ context: CommandContext
  ) throws(UsageError) -> String? {
    guard profile else { return nil }
    if case .documents = pair {
      throw UsageError(
        "--profile", "a run document holds no program that could be profiled",
        remedy: "compare two revisions, or leave it out")
    }
    return try ProfileFolders.place(
      requests,
      otherwise: "results/"
        + ProfileFolders.name(
          machine: nil, context, start: Timestamp(date: Date()), command: "compare"))
  }

  private func compare(
    _ pair: ComparedPair, _ context: CommandContext, _ profileFolder: String?
  ) async throws -> ComparisonDocument {
    let tolerance = try measuring.parsedTolerance()
    let comparison = RevisionComparison(
      rule: ComparisonRule(tolerance: tolerance), seed: try measuring.parsedSeed(), options: measuring,
      selection: selection.arguments, arguments: context.arguments, profileFolder: profileFolder,
      profileSampleCount: profileSamples.map { max(1, $0) })
    let building = building
    let console = context.console
    switch pair {
    case .documents(let old, let new):
      let stored = StoredComparison(tolerance: tolerance, isForced: force, arguments: context.arguments)
      return try stored.compare(
        baseline: Baseline(name: old.path, documents: [(old.path, try old.read())]).documents,
        named: old.path, with: try new.read(), named: new.path)
    case .revisions(let base, let candidate):
      return try await Interruption.cancelling {
        try await comparison.compare(base, with: candidate, building: building, console: console)
      }
    case .executables(let base, let candidate):
      return try await Interruption.cancelling {
        try await comparison.compare(
          [base, candidate], names: [base, candidate].map { BuildName(name: $0) }, console: console)
      }
    }
  }

  private func report(of document: ComparisonDocument) -> CheckReport {
    let line = "springbench compare \(ShellWord.quoted([base, candidate].compactMap { $0 }))"
    let tolerance = measuring.tolerance.map { " --tolerance \($0)" } ?? ""
    return CheckReport(
      title: "springbench compare", headline: ComparisonSummary(document).headline,
      checks: document.checks(failsInconclusive: strict), startedAt: document.startedAt,
      durationSeconds: document.durationSeconds
    ) { subject in "\(line) --filter '^\(subject)$'\(tolerance)" }
  }
}

/// Words of a command line, quoted for a shell where they need to be.
enum ShellWord {
  static func quoted(_ words: [String]) -> String {
    words.map { word in
      word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,@%+".contains($0)) }
        ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }.joined(separator: " ")
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
