import ArgumentParser
import Builds
import Execution
import Foundation
import FrameBench
import Judging
import Linking
import LockStep
import Pages
import Platform
import Statistics
import TextFormat

struct CalibrateCommand: BuildingCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Measures how small a change compare can find on this machine.",
    discussion: """
      Compares the program of benchmarks with itself many times: unchanged, which must report nothing, and with work \
      planted in one phase of every frame, which should be reported. Suggests a tolerance. Writes \
      DIR/<machine>/calibration-<time>-<commit>/ with calibration.json, calibration.md and its picture.

      EXAMPLES
        springbench calibrate --filter 'tiled/1000$' --trials 20
        springbench calibrate --planted 0%,1%,5% --phase solve --json > power.json
        springbench calibrate --layouts         over link orders, as compare does
        springbench calibrate --read power.json
      """)

  @OptionGroup(title: "Selection") var selection: BenchmarkSelection
  @OptionGroup(title: "Building") var building: BuildOptions
  @Option(
    "Comparisons of each benchmark with each slow-down (default: 20).", "n",
    OptionValue.wholeNumber(1...10_000, like: 20)) var trials: Int?
  @Option(
    "Slow-downs in percent of the phase, 0% for none (default: 0%,0.5%,1%,2%,5%).", "list", OptionValue.percentages)
  var planted: [Double]?
  @Option("Tolerances to judge by (default: 1%,0.3%,0%).", "list", OptionValue.percentages) var tolerances: [Double]?
  @Option("The phase to plant work in (default: solve, or the first that all benchmarks have).", "name") var phase:
    String?
  @Option("Seconds of each comparison (default: 5).", "s", OptionValue.seconds(1...3_600, like: 5)) var seconds: Double?
  @Option("Seed of the order (default: drawn, and printed).", "n", OptionValue.seed) var seed: UInt64?
  @Flag(
    help: "Build the working tree, and compare it with itself over link orders, as compare does with two revisions.")
  var layouts = false
  @OptionGroup var results: ResultOptions
  @Option("Measure nothing: print the page of an earlier calibration.json.", "file") var read: String?
  @Flag(help: "Print the document as JSON to stdout.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    if let read {
      let measuring = given.filter { !(["--read", "--json", "--machine"] + building.given).contains($0) }
      try refuse(measuring, because: "--read measures nothing", remedy: "leave out one of them")
      try show(try Self.document(read), context)
      return .success
    }
    if layouts { try building.settings(context).refuseGiven("--layouts") }
    let catalogue = try await building.catalogue(context)
    let benchmarks = try selection.benchmarks(of: catalogue)
    let ids = benchmarks.map(\.id)
    let programs = Set(ids.map { catalogue.programs.path(of: $0) })
    guard programs.count == 1, let program = programs.first else {
      throw UsageError(
        "the selected benchmarks belong to \(programs.count) programs",
        remedy: "calibrate one of them: --product names it")
    }
    let machine = Machine.current()
    let machineName = try MachineName.resolve(flag: results.machine, context, of: machine)
    let commit = try await building.settings(context).head(in: catalogue.folder)?.commit
    let seconds = seconds ?? 5
    var options = RunOptions()
    try await catalogue.takeFrames(of: benchmarks, &options)
    let plan = LockStepPlan.onThisMachine([program, program], options, seconds: seconds)
    let common = phase == nil ? try await plan.commonPhase(of: ids) : nil
    var document = CalibrationDocument(
      phase: phase ?? common ?? "solve", secondsPerBenchmark: seconds, seed: seed ?? .random(in: 1...999_999), cells: []
    )
    document.conditions = CalibrationConditions(
      startedAt: Date().iso8601, arguments: context.arguments, machine: machineName, cpuModel: machine.cpuModel,
      coreCount: machine.coreCount)
    var calibration = Calibration(
      plan: plan, planted: planted ?? [0, 0.005, 0.01, 0.02, 0.05], tolerances: tolerances ?? [0.01, 0.003, 0],
      trialCount: trials ?? 20, document: document)
    try OutputFolder(path: results.output).checkWritable(machine: machineName)
    let builds = building.writing([results.output])
    let linked = layouts ? try await calibration.spreadOverLinkOrders(builds, console: context.console) : nil
    defer { withExtendedLifetime(linked) {} }
    let (prepared, line) = (calibration, ProgressLine(console: context.console))
    document = try await Interruption.cancelling {
      defer { line.clear() }
      return try await prepared.run(ids, line)
    }
    let folder = try write(document, commit: commit)
    try show(document, context)
    if !json { try context.console.write("\n\(folder)/calibration.md\n") }
    return .success
  }

  private func show(_ document: CalibrationDocument, _ context: CommandContext) throws {
    try context.console.write(try json ? JSONText.indented(document) : document.blocks().markdown())
  }

  private func write(_ document: CalibrationDocument, commit: String?) throws -> String {
    let commit = commit?.prefix(7) ?? "nogit"
    let picture = document.picture()
    let texts: [(String, String?)] = [
      ("calibration.json", try JSONText.indented(document)),
      ("calibration.md", document.blocks(picture: picture.map { _ in "power.svg" }).markdown()), ("power.svg", picture),
    ]
    let files = texts.compactMap { name, text in text.map { (name: name, data: Data($0.utf8)) } }
    return try OutputFolder(path: results.output).write(
      files: files, machine: document.conditions?.machine ?? "unknown", name: "calibration-\(Date().compact)-\(commit)")
  }

  private static func document(_ path: String) throws -> CalibrationDocument {
    let data = try attempt(try InputFile(path).read()) { UsageError("--read: \"\(path)\" \($0)") }
    if let document = CalibrationDocument(contentsOf: data) { return document }
    throw UsageError(
      "--read", "\"\(path)\" is not a calibration that this program can read",
      remedy: "give a calibration.json from `springbench calibrate`")
  }
}

extension LockStepPlan {
  /// Returns the default phase to plant work in: `solve` if all benchmarks have it, or else the first that all have.
  fileprivate func commonPhase(of ids: [BenchmarkID]) async throws -> String {
    let lists = try await Calibration.onOwnThread(self) { plan in
      try ids.map {
        try LockStepSession(plan, id: $0, quota: plan.pace.screening, seed: 1).findOut().readiness[0].phases
      }
    }
    let common = lists.reduce(lists.first ?? []) { common, names in common.filter(names.contains) }
    guard let first = common.contains("solve") ? "solve" : common.first else {
      throw UsageError(
        "the selected benchmarks have no phase in common to plant work in",
        remedy: "select those of one scenario with --filter; a phase is what `timer.measure` times")
    }
    return first
  }
}

/// Compares a program with itself, with and without extra work that was planted in one phase.
struct Calibration: Sendable {
  var plan: LockStepPlan
  /// The amounts of planted work, as fractions of the phase's time; 0 plants nothing.
  var planted: [Double]
  var tolerances: [Double]
  var trialCount: Int
  var document: CalibrationDocument

  func run(_ ids: [BenchmarkID], _ line: ProgressLine) async throws -> CalibrationDocument {
    let conditions = ids.flatMap { id in planted.map { (id, $0) } }
    return try await Self.onOwnThread(plan) { plan in
      var document = self.document
      var random = SplitMix64(seed: document.seed)
      let start = ContinuousClock.now
      var cells = conditions.map { id, fraction in
        tolerances.map { CalibrationCell(id: id, planted: fraction, tolerance: $0) }
      }
      for trial in 0..<trialCount {
        if let load = Machine.current().loadAverage { document.conditions?.loadAverages.append(load) }
        // The conditions are shuffled, so that a busy hour of the machine affects all of them.
        for condition in conditions.indices.shuffled(using: &random) {
          let (id, fraction) = conditions[condition]
          line.show("\(id), \(fraction * 100)% planted", Double(trial) / Double(trialCount))
          let start = ContinuousClock.now
          let rows = try rows(id, fraction, plan, &random)
          let seconds = (ContinuousClock.now - start) / .seconds(1)
          for index in tolerances.indices {
            cells[condition][index].add(rows[index], phase: document.phase, seconds: seconds)
          }
        }
      }
      document.conditions?.durationSeconds = ((ContinuousClock.now - start) / .seconds(1)).rounded()
      document.cells = cells.flatMap(\.self)
      return document
    }
  }

  /// Runs `body` on a thread of its own, because started processes are killed when the thread that started them ends.
  static func onOwnThread<Value: Sendable>(
    _ plan: LockStepPlan, _ body: @escaping @Sendable (LockStepPlan) throws -> Value
  ) async throws -> Value {
    do {
      return try await DedicatedThread.run { isCancelled in
        var plan = plan
        plan.isCancelled = isCancelled
        return try body(plan)
      }
    } catch let failure as WorkerProcess.Failure {
      throw RunError(failure.reason + lastLine(ofStandardError: failure.standardError))
    }
  }

  /// Builds the working tree and links it in many orders, one for each set of processes (see `LockStepSession`).
  /// - Returns: The build, which the caller must hold until the runs have ended.
  mutating func spreadOverLinkOrders(_ building: BuildOptions, console: Console) async throws -> BuiltRevision {
    let builder = try await building.builder(console: console)
    let product = Paths.name(plan.executable(.candidate))
    let build = try await Interruption.cancelling { try await builder.executable(product, for: .workingTree) }
    do {
      let pool = try LinkOrderPool([build.entry, build.entry], store: builder.store)
      plan.executables = [build.url.path, build.url.path]
      plan.orders = pool
      // Links enough orders for 64 statistical tests, which is more than any benchmark has.
      let last = plan.pace.confirming(level: 0.01 / 64).orders.upperBound
      try await Interruption.cancelling { try await pool.link(0..<last) }
    } catch let problem as LinkProblem {
      throw RunError("--layouts: the working tree cannot be linked in several orders: \(problem)")
    }
    builder.store.evict()
    document.conditions?.layoutCount = plan.pace.screening.orders.count
    return build
  }

  /// Compares the program with itself once, with extra work in one phase of the candidate.
  /// - Returns: The rows of the comparison for each tolerance.
  private func rows(_ id: BenchmarkID, _ fraction: Double, _ plan: LockStepPlan, _ random: inout SplitMix64) throws
    -> [[ComparisonRow]]
  {
    var plan = plan
    plan.planting = [0, fraction].map { PlantingOptions(phase: document.phase, fraction: $0) }
    let session = LockStepSession(plan, id: id, quota: plan.pace.screening, seed: random.next())
    let (times, known) = try session.measure(try session.findOut())
    let rules = tolerances.map(ComparisonRule.init(tolerance:))
    var screened = rules.map { Screened(id, times, $0, isFunction: known.isFunction) }
    if let most = screened.map(\.suspicions.count).max(), most > 0 {
      let quota = plan.pace.confirming(level: rules[0].familyAlpha / Double(max(1, most)))
      let confirmation = try LockStepSession(plan, id: id, quota: quota, seed: random.next()).measure(known).times
      for index in screened.indices where !screened[index].suspicions.isEmpty { screened[index].confirm(confirmation) }
    }
    return screened.map { screened in
      var rows = screened.rows
      rows.correct(testCount: screened.suspicions.count, familyAlpha: screened.rule.familyAlpha)
      return rows
    }
  }
}
