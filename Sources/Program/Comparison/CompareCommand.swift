import ArgumentParser
import Builds
import Execution
import Foundation
import Judging
import Markup
import Pages
import Platform

struct CompareCommand: BuildingCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compares two revisions in lock step, with verdicts.",
    discussion: """
      Each revision is built once, outside your checkout. Both run on one core and take turns of a \
      quarter of a millisecond, or of one frame. A change counts if fresh processes confirm it and its interval \
      lies beyond the tolerance. Allocations and counts are exact: any change for the worse is a regression.

      Two run documents are compared as they are; their times only if they come from the same environment.

      With --profile the worst regressions are profiled in both builds: the report names the functions that \
      grew, and links a flame graph of the difference, in a folder beside the report or below results/.

      EXAMPLES
        springbench compare main                the working tree against main
        springbench compare v1.2 feature --filter tiled
        springbench compare main --tolerance 0.3% --report junit=checks.xml
        springbench compare main --profile --report html=compare.html
        springbench compare old/run.json new/run.json
        springbench compare --program old/benchmarks new/benchmarks
        springbench compare main --shard 1/3 --report document=part-1.json

      EXIT STATUS
        0  nothing is worse
        1  a benchmark failed
        2  regression
        4  not comparable
        5  behavior changed, or something is missing
        6  inconclusive, with --strict
      """)

  @Argument(help: ArgumentHelp("A git revision; or a run.json, the folder of a run, \"latest\".", valueName: "base"))
  var base: String?
  @Argument(help: ArgumentHelp("Likewise (default: the working tree).", valueName: "candidate")) var candidate: String?
  @OptionGroup(title: "Selection") var selection: BenchmarkSelection
  @OptionGroup(title: "Measuring") var measuring: ComparingOptions
  @OptionGroup(title: "Building") var building: BuildOptions
  @Flag(help: "Compare times of documents even if their environments differ.") var force = false
  @Flag(help: "End with status 6 if the mean time of a frame or of a phase is inconclusive.") var strict = false
  @Flag(help: "Profile what regressed (at most three benchmarks), and link it in the reports.") var profile = false
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Also write markdown, html, json, junit, github, github-comment, github-annotations, or document (for merge and \
      gate --comparison); several can be given.
      """, valueName: "format=file")) var report: [String] = []
  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false
  @Flag(help: "Print markdown to stdout.") var markdown = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let requests = try ReportRequest.parse(report + (json ? ["json"] : []) + (markdown ? ["markdown"] : []))
    let pair = try await pair(context.console)
    try refuseUnusable(pair)
    try selection.check()
    try ReportDelivery.check(context)
    let document = try await compare(pair, requests, context)
    // A seed that the comparison drew by itself must be added to the command line that repeats the comparison.
    let isDrawn = measuring.seed == nil && document.method.source == .lockStep
    let checks = CheckReport(
      title: "springbench compare", headline: document.headline, checks: document.checks(failsInconclusive: strict),
      startedAt: document.startedAt, durationSeconds: document.durationSeconds, comparison: document,
      repeating: context.repeating(adding: isDrawn ? ["--seed", "\(document.method.seed)"] : []))
    let next = checks.next
    let delivery = ReportDelivery(
      requests: requests, blocks: { document.blocks(next: next, link: $0) }, json: document.flatRowsJSON(),
      checks: checks)
    let isSilent = try delivery.deliver(
      context, otherwise: document.text(width: context.console.outputWidth, usesColor: context.usesColor, next: next))
    // Without a report, stdout has the table, which already lists the failures.
    if isSilent { context.console.report(document.failures) }
    return checks.status
  }

  private func pair(_ console: Console) async throws -> ComparedPair {
    let programs = building.program
    if !programs.isEmpty {
      guard programs.count == 2, base == nil else {
        throw UsageError(
          "--program", "two programs are compared, and nothing else",
          remedy: "give a baseline and a candidate, and no revision")
      }
      for path in programs { try BuildOptions.checked(path) }
      return .executables(programs[0], programs[1])
    }
    guard let base else { throw UsageError("compare with what? Name a revision, as in springbench compare main") }
    return try await ComparedPair(base: base, candidate: candidate, console: console)
  }

  private func refuseUnusable(_ pair: ComparedPair) throws(UsageError) {
    let remedy = "compare two revisions, or leave it out"
    if case .documents = pair {
      let ofBuilds = measuring.given.filter { $0 != "--tolerance" } + building.given
      try refuse(
        ofBuilds, because: "run documents are compared as they are, without building or measuring", remedy: remedy)
      try refuse(
        profile ? ["--profile"] : [], because: "a run document holds no program that could be profiled", remedy: remedy)
    } else if force {
      throw UsageError("--force", "builds are measured side by side, in one environment", remedy: "leave it out")
    }
    if case .executables = pair { try building.refuseBuilding() }
  }

  private func compare(_ pair: ComparedPair, _ requests: [ReportRequest], _ context: CommandContext) async throws
    -> ComparisonDocument
  {
    var comparison = measuring.comparison(of: selection, context)
    if profile {
      comparison.profileFolder = try ProfileFolders.place(requests, below: nil, command: "compare", context)
    }
    return try await Interruption.cancelling { [comparison] in
      switch pair {
      case .documents(let old, let new):
        var stored = StoredComparison(tolerance: measuring.tolerance, isForced: force, arguments: context.arguments)
        stored.selection = selection
        return try stored.compare(
          baseline: Baseline([try old.read()]), named: old.path, with: try new.read(), named: new.path)
      case .revisions(let base, let candidate):
        let building = building.writing(requests.written + [ResultOptions.defaultFolder])
        return try await comparison.compare(base, with: candidate, building: building)
      case .executables(let base, let candidate): return try await comparison.compare([base, candidate])
      }
    }
  }
}

struct ComparingOptions: ParsableArguments {
  @Option("Ignore changes of a time within ± this: 1%, 0.3%, 0% (default: 1%).", "percent", OptionValue.percentage)
  var tolerance: Double?

  @Option(
    "About how long to measure each benchmark, confirmation included (default: 5).", "s",
    OptionValue.seconds(1...3_600, like: 5)) var seconds: Double?
  @Option("Seed of the order of benchmarks and turns (default: drawn, and printed).", "n", OptionValue.seed) var seed:
    UInt64?
  @Option(
    "Frames of the scroll, after which it repeats (default: 1200).", "n",
    OptionValue.wholeNumber(8...MeasuringOptions.largestFrameCount, like: 1_200)) var frames: Int?
  @Flag(help: "Also compare the instructions of each phase, counted under valgrind; changes beyond 0.2% count.")
  var instructions = false
  @Flag(help: "Also measure benchmarks that run the same code in both builds.") var all = false

  func comparison(of selection: BenchmarkSelection, _ context: CommandContext) -> RevisionComparison {
    var comparison = RevisionComparison(selection: selection, context: context)
    comparison.tolerance = tolerance
    if let seconds { comparison.seconds = seconds }
    if let seed { comparison.seed = seed }
    comparison.options.setFrameCount(frames)
    comparison.countsInstructions = instructions
    comparison.measuresSameCode = all
    return comparison
  }
}

enum ComparedPair {
  case documents(StoredRun, StoredRun)
  case revisions(String, Revision)
  case executables(String, String)

  init(base: String, candidate: String?, console: Console) async throws {
    var areDocuments = false
    for argument in [base, candidate].compactMap(\.self) where Self.isDocument(argument) {
      if try await Self.isRevision(argument) { console.note(Self.revisionWins(argument)) } else { areDocuments = true }
    }
    guard areDocuments else {
      self = .revisions(base, candidate.map(Revision.revision) ?? .workingTree)
      return
    }
    guard let candidate else {
      throw UsageError(
        "\"\(base)\" is a run document, which can only be compared with another document",
        remedy: "name two documents, or two revisions")
    }
    self = .documents(
      try StoredRun(argument: base, results: ResultOptions.defaultFolder),
      try StoredRun(argument: candidate, results: ResultOptions.defaultFolder))
  }

  /// Whether the argument may name a run document. A git revision of the same name takes precedence over the document.
  static func isDocument(_ argument: String) -> Bool {
    if argument == StoredRun.latest || argument.hasSuffix(".json") { return true }
    return switch Paths.kind(argument) {
    case S_IFDIR: access(Paths.joined(argument, "run.json"), F_OK) == 0
    case S_IFIFO: true
    default: false
    }
  }

  /// Whether git knows the argument as a revision in this folder. An argument that begins with a slash or with `./` or
  /// `../` is never a revision.
  static func isRevision(_ argument: String, in folder: String = FileManager.default.currentDirectoryPath) async throws
    -> Bool
  {
    let isPath = ["/", "./", "../"].contains(where: argument.hasPrefix)
    guard !isPath, !argument.isEmpty, !argument.hasPrefix("-"), argument != StoredRun.latest else { return false }
    return try await Git(folder: folder).knowsCommit(argument)
  }

  static func revisionWins(_ argument: String) -> String {
    "\(argument) is taken as a git revision; for the run document in the checkout write ./\(argument)"
  }
}
