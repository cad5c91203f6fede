import Builds
import Execution
import Foundation
import FrameBench
import Judging
import Linking
import LockStep
import Measurements
import Platform
import TextFormat

/// Builds two revisions and compares them in lock step: they take turns on one core.
struct RevisionComparison: Sendable {
  var selection: BenchmarkSelection
  /// If set, only the selected benchmarks in this set are compared, and `--shard` is ignored. If nil, all selected
  /// benchmarks are compared, or this machine's part of them with `--shard`.
  var only: Set<BenchmarkID>?
  /// Selected benchmarks that are not compared.
  var except: Set<BenchmarkID> = []
  var context: CommandContext
  /// The largest change of a time that is ignored, as a fraction. Nil means the scenario's tolerance in the baseline,
  /// or else the default tolerance.
  var tolerance: Double?
  /// About how many seconds each benchmark is measured, including the confirmation of changes.
  var seconds = 5.0
  /// The seed that determines the order of benchmarks, processes and turns (see `LockStepSession`).
  var seed = UInt64.random(in: 1...999_999)
  /// The options of both builds. The number of runs is ignored.
  var options = RunOptions()
  var countsInstructions = false
  /// Whether sizes that the baseline marks as slow are left out.
  var isQuick = false
  /// Frames whose times get a verdict even if they do not look changed.
  var frames: FrameSet?
  var measuresSameCode = false
  var profileFolder: String?

  /// Builds both revisions, and compares the programs that have the same name.
  func compare(_ base: String, with candidate: Revision, building: BuildOptions) async throws -> ComparisonDocument {
    let console = context.console
    let builder = try await building.builder(console: console)
    try await builder.check([.revision(base), candidate])
    let candidates = try await builder.executables(for: candidate)
    guard !candidates.isEmpty else { throw RevisionError.noBenchmarks(candidate.name) }
    let bases = try await builder.executables(for: .revision(base))
    // If the baseline has no program, the selection must match a benchmark of the candidate. Otherwise it may match
    // only benchmarks of the baseline, which then count as missing.
    if bases.isEmpty {
      _ = try selection.selected(in: try await Catalogue(of: candidates.map(\.url.path)))
      if building.packagePath == nil { try await builder.location.checkOtherPackage(of: base) }
      console.note("\(base) has no benchmarks, so all of them are new")
    }
    let builds = bases + candidates
    let names = [(Revision.revision(base), bases.first), (candidate, candidates.first)].map {
      revision, build -> BuildName in
      // Working trees with different changes may have the same commit, so a checksum tells them apart.
      let changed = build.flatMap { $0.isDirty ? $0 : nil }
      return BuildName(
        name: revision.name + (changed == nil ? "" : BuildName.dirtyMark), commit: build?.commit,
        checksum: changed?.tree)
    }
    var programs = Self.paired(bases, candidates).map { ComparedPrograms($0, $1, store: builder.store) }
    var document = try await compare(&programs, names: names)
    document.warnings.insert(contentsOf: Set(builds.flatMap(\.notes)).sorted().map { Warning("\($0).") }, at: 0)
    if let old = bases.first?.commit, let new = candidates.first?.commit,
      let (start, count) = try await Git(folder: builder.location.repository).divergence(of: new, from: old)
    {
      let warning =
        start.map { start in
          "\(candidate.name) lacks \(Format.plural(count, "commit")) of \(base), so the verdicts include their effect,"
            + " reversed. To leave it out, merge \(base), or compare with \(start.prefix(10)), where they diverged."
        } ?? "git does not find the commit where \(candidate.name) and \(base) diverged: \(Git.deepening). If"
        + " \(candidate.name) lacks commits of \(base), the verdicts include their effect, reversed."
      document.warnings.insert(Warning(warning), at: 0)
    }
    builder.store.evict()
    // Holds the builds until here, because the store may delete builds that nobody holds.
    return withExtendedLifetime(builds) { document }
  }

  /// Pairs the builds by name. If both revisions have only one program, they are a pair even if their names differ.
  private static func paired(_ bases: [BuiltRevision], _ candidates: [BuiltRevision]) -> [(
    BuiltRevision?, BuiltRevision?
  )] {
    if bases.count == 1, candidates.count == 1 { return [(bases[0], candidates[0])] }
    let names = candidates.map(\.product)
    return candidates.map { build in (bases.first { $0.product == build.product }, build) }
      + bases.filter { !names.contains($0.product) }.map { ($0, nil) }
  }

  func compare(_ paths: [String]) async throws -> ComparisonDocument {
    var programs = [ComparedPrograms(paths: paths)]
    let names = paths.map { path in
      let content = FileManager.default.contents(atPath: path)
      let build = Paths.real(path).flatMap(BuildStore.entry)?.record.key
      return BuildName(
        name: build?.product ?? path, commit: build?.cleanCommit, checksum: content.map { Checksum($0).hexadecimal })
    }
    return try await compare(&programs, names: names)
  }

  private func compare(_ programs: inout [ComparedPrograms], names: [BuildName]) async throws -> ComparisonDocument {
    let (ids, shard, builds) = try await select(in: &programs)
    var documents: [ComparisonDocument] = []
    for program in programs where !program.lists.allSatisfy(\.isEmpty) {
      let own = Set(program.lists.flatMap { $0.map(\.id) })
      // The statistical tests of all programs and shards form one family, whose error probability is limited as a
      // whole. Each program gets a fraction of this limit, in proportion to its benchmarks.
      let share = Double(own.count) / Double(ids.count)
      documents.append(try await compare(program, familyShare: share, names))
    }
    if documents.isEmpty { documents = [unmeasured([], .lockStep, names)] }
    var document = documents.count == 1 ? documents[0] : ComparisonDocument(joining: documents)
    document.shard = shard
    if builds.count == 2 {
      let differences = builds[0].facts.changes(to: builds[1].facts)
      if !differences.isEmpty {
        let list = differences.joined(separator: "; ")
        document.warnings.insert(Warning("The builds differ in more than their code: \(list)."), at: 0)
      }
    }
    Self.nameMoved(in: &document.rows)
    return document
  }

  /// Keeps only one row for a benchmark that moved to another product, instead of one as missing and one as new.
  private static func nameMoved(in rows: inout [ComparisonRow]) {
    let moved = Set(rows.filter(\.isNewBenchmark).map(\.id)).intersection(rows.filter(\.isLost).map(\.id))
    rows.removeAll { $0.isNewBenchmark && moved.contains($0.id) }
    for index in rows.indices where moved.contains(rows[index].id) {
      rows[index].note = "it moved to another product, and only products of the same name are compared"
    }
  }

  /// Asks the programs for their benchmarks, and stores the selected ones in `lists`. A benchmark that is selected in
  /// one build, for example by a new tag, is selected in both. Shards divide the benchmarks of both builds together, so
  /// that both have the same shards even if one build lacks a scenario.
  /// - Returns: The selected benchmarks of all shards, the shard to which `lists` was reduced, and how the builds were
  ///   made. The shard is nil without `--shard`.
  /// - Throws: `UsageError` if the selection matches nothing in either build.
  private func select(in programs: inout [ComparedPrograms]) async throws -> (
    [BenchmarkID], ShardRecord?, [WorkerBuild]
  ) {
    try selection.check()
    let builds = [0, 1].map { build in programs.compactMap { $0.paths[build] } }
    var shared: Set<String> = []
    for paths in builds where programs.count > 1 {
      var suites: [SuiteDescription] = []
      for path in paths { suites.append(try await BenchmarkProgram(path: path).describe()) }
      shared.formUnion(suites.sharedNames)
    }
    var refusal: UsageError?
    var (known, leftOut) = (Set<BenchmarkID>(), Set<BenchmarkID>())
    var catalogues: [Catalogue?] = []
    for paths in builds {
      let catalogue = paths.isEmpty ? nil : try await Catalogue(of: paths, sharing: shared)
      catalogues.append(catalogue)
      guard let catalogue else { continue }
      do throws(UsageError) {
        if isQuick, only == nil {
          // The candidate must not decide which of the baseline's benchmarks are left out.
          let slow = try selection.leftOutByQuick(of: catalogue).map(\.id)
          leftOut.formUnion(slow.filter { !known.contains($0) })
        }
        known.formUnion(try selection.selected(in: catalogue).map(\.id).filter { !leftOut.contains($0) })
      } catch { refusal = refusal ?? error }
    }
    for (build, catalogue) in catalogues.enumerated() {
      let selected = catalogue?.benchmarks(sizes: selection.sizes).filter { known.contains($0.id) } ?? []
      for index in programs.indices {
        programs[index].lists[build] = selected.filter {
          catalogue?.programs.path(of: $0.id) == programs[index].paths[build]
        }
      }
    }
    let ids = programs.flatMap { $0.lists.joined().map(\.id) }.unique
    guard !ids.isEmpty else {
      throw refusal
        ?? UsageError(
          "nothing matched \(selection.arguments.joined(separator: " ")) in either build",
          remedy: "springbench list shows every id")
    }
    let part = only == nil ? try selection.part(of: ids) : nil
    let own = (only ?? part?.ids ?? Set(ids)).subtracting(except)
    for index in programs.indices {
      programs[index].lists = programs[index].lists.map { $0.filter { own.contains($0.id) } }
    }
    return (ids, except.isEmpty ? part?.record : nil, catalogues.compactMap { $0?.build })
  }

  private func compare(_ programs: ComparedPrograms, familyShare: Double, _ names: [BuildName]) async throws
    -> ComparisonDocument
  {
    let ids = programs.lists.map { $0.map(\.id) }
    guard let executables = programs.both else {
      let rows = (ids[0] + ids[1]).map { ComparisonRow.missing($0, isNew: programs.paths[0] == nil) }
      return unmeasured(rows, .lockStep, names)
    }
    if ProgramIdentity.areIdentical(executables) {
      return unmeasured(ids[0].map { .unmeasured($0, ComparisonRow.identicalProgram) }, .identicalPrograms, names)
    }
    var options = options
    // The candidate must not influence how it is measured and judged. So the baseline alone determines the number of
    // frames that both builds run, and the time limit of a run.
    let candidates = Dictionary(programs.lists[1].map { ($0.id, $0.scenario) }) { first, _ in first }
    let common = programs.lists[0].filter { candidates[$0.id] != nil }
    try await Catalogue(of: [executables[0]]).takeFrames(of: common, &options, declaredBy: common)
    var plan = LockStepPlan.onThisMachine(executables, options, seconds: seconds)
    plan.countsInstructions = countsInstructions
    plan.frames = frames
    plan.orders = programs.pool
    plan.familyShare = familyShare
    var rule = ComparisonRule(tolerance)
    for scenario in common.map(\.scenario) {
      rule.allocationTolerances[scenario.name] = scenario.allocationTolerance
      if tolerance == nil { rule.scenarioTolerances[scenario.name] = scenario.tolerancePercent.map { $0 / 100 } }
    }
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    func compared(_ problem: LinkProblem) async throws -> ComparisonDocument {
      rule.hasOneLayout = plan.orders == nil
      return try await ExecutableComparison(
        arguments: context.arguments, seed: seed, measuresSameCode: measuresSameCode, plan: plan, rule: rule,
        names: names, layoutProblem: problem
      ).run(programs.lists, line)
    }
    var document: ComparisonDocument
    do { document = try await compared(programs.layoutProblem) } catch let problem as LinkProblem
      where plan.orders != nil
    {
      plan.orders = nil
      document = try await compared(problem)
    }
    let changes = common.unique(by: \.scenario.name).flatMap { benchmark in
      candidates[benchmark.id].map { RuleChange.all(benchmark.scenario, $0) } ?? []
    }
    document.ruleChanges = (changes + (document.ruleChanges ?? [])).unlessEmpty
    do { try await Self.nameStretches(in: &document, common, of: executables[0], options) } catch let error
      where error is UsageError || error is RunError
    { document.warnings.append(Warning("Changed frames were not named after stretches of the scroll: \(error).")) }
    if let profileFolder {
      let profiler = RegressionProfiler(plan: plan, names: names, folder: profileFolder)
      document.profiles = try await profiler.profiles(of: document, progress: line.show)
    }
    return document
  }

  /// Adds a note to the rows about changed frames. The note names the parts of the scroll to which these frames belong,
  /// such as a fling.
  private static func nameStretches(
    in document: inout ComparisonDocument, _ benchmarks: [PlannedBenchmark], of program: String, _ options: RunOptions
  ) async throws {
    let places = document.rows.indices.filter { document.rows[$0].frames != nil && document.rows[$0].verdict.isChange }
    let ids = Set(places.map { document.rows[$0].id })
    let asked = benchmarks.filter { $0.scenario.namesStretches && ids.contains($0.id) }
    guard !asked.isEmpty else { return }
    let found = try await Catalogue(of: [program]).preflight(asked, withoutChanging: options)
    let stretches = try PreflightChecks(benchmarks: asked, options: options, found: found).stretches()
    for place in places {
      let row = document.rows[place]
      let own = stretches.first { $0.scenario == row.id.variant && $0.size == row.id.size }
      let names = (row.frames?.frames ?? []).compactMap { own?.name(ofFrame: $0) }.unique
      if (1...3).contains(names.count) { document.rows[place].note = "during \(Format.list(names))" }
    }
  }

  private func unmeasured(_ rows: [ComparisonRow], _ source: ComparisonMethod.Source, _ names: [BuildName])
    -> ComparisonDocument
  {
    ComparisonDocument(
      startedAt: Date().iso8601, durationSeconds: 0, arguments: context.arguments, baseline: names[0],
      candidate: names[1], options: options,
      method: ComparisonMethod(source: source, ComparisonRule(tolerance), seed: seed), rows: rows)
  }
}

extension RunArguments {
  /// Returns a comparison with the benchmarks, options, counts and seed that these arguments choose.
  func comparison(_ context: CommandContext) -> RevisionComparison {
    var comparison = RevisionComparison(selection: selection, context: context)
    comparison.isQuick = measuring.quick
    comparison.options = runOptions
    comparison.countsInstructions = measuring.instructions
    if let seed = display.seed { comparison.seed = seed }
    return comparison
  }
}

extension ComparisonRule {
  /// - Parameter tolerance: A fraction. Nil means the default tolerance.
  init(_ tolerance: Double?) { self.init(tolerance: tolerance ?? Self.usualTolerance) }
}

/// The two builds of one program.
private struct ComparedPrograms {
  /// The paths of the program by build; nil if a build does not have the program.
  var paths: [String?]
  /// The link orders of both builds; nil if the program cannot be relinked.
  var pool: LinkOrderPool?
  var layoutProblem = LinkProblem(
    "programs given by path can be relinked only where springbench build-revision put them")
  /// The stored builds. Holding them keeps them from being evicted.
  private var entries: [BuildStore.Entry] = []
  /// The compared benchmarks, by build.
  var lists: [[PlannedBenchmark]] = [[], []]

  init(paths: [String]) {
    self.paths = paths
    let entries = paths.compactMap(Paths.real).compactMap(BuildStore.entry)
    guard entries.count == paths.count else { return }
    link(entries, in: BuildStore(folder: Paths.parent(Paths.parent(entries[0].url.path))))
  }

  init(_ base: BuiltRevision?, _ candidate: BuiltRevision?, store: BuildStore) {
    paths = [base?.url.path, candidate?.url.path]
    if let base, let candidate { link([base.entry, candidate.entry], in: store) }
  }

  private mutating func link(_ entries: [BuildStore.Entry], in store: BuildStore) {
    self.entries = entries
    do { pool = try LinkOrderPool(entries, store: store) } catch {
      layoutProblem = error as? LinkProblem ?? LinkProblem("\(error)")
    }
  }

  var both: [String]? { paths.contains(nil) ? nil : paths.compactMap(\.self) }
}

extension ProgramIdentity {
  /// Whether two programs are the same for the processor (see `areSame`), and have the same files beside them.
  fileprivate static func areIdentical(_ paths: [String]) -> Bool {
    let files = paths.map { [UInt8](FileManager.default.contents(atPath: $0) ?? Data()) }
    return areSame(files[0], files[1]) && haveSameCompanions(paths)
  }
}
