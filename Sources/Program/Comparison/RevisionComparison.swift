import Foundation
import FrameBench
import Judging

/// Builds two revisions and compares them in lock step.
struct RevisionComparison: Sendable {
  var settings: ComparisonSettings
  var selection: BenchmarkSelection
  var arguments: [String]
  /// Where profiles of what regressed go; nil: none are made.
  var profileFolder: String?
  /// Samples of each build; nil: as many as usual.
  var profileSampleCount: Int?

  init(
    settings: ComparisonSettings, selection: BenchmarkSelection, arguments: [String],
    profileFolder: String? = nil, profileSampleCount: Int? = nil
  ) {
    self.settings = settings
    self.selection = selection
    self.arguments = arguments
    self.profileFolder = profileFolder
    self.profileSampleCount = profileSampleCount
  }

  /// Builds both revisions, and compares the programs of one name with each other.
  ///
  /// - Throws: `RevisionError`, `RunError`, `UsageError`, `CancellationError`.
  func compare(
    _ base: String, with candidate: Revision, building: BuildSettings, console: Console
  ) async throws -> ComparisonDocument {
    let builder = try await building.builder(console: console)
    try await builder.check([.revision(base), candidate])
    let candidates = try await builder.executables(for: candidate)
    guard !candidates.isEmpty else { throw RevisionError.noBenchmarks(candidate.name) }
    try await BenchmarkLists.check(selection, in: candidates.map(\.url.path))
    let bases = try await builder.executables(for: .revision(base))
    let builds = bases + candidates
    for note in Set(builds.flatMap(\.notes)).sorted() { console.note(note) }
    if bases.isEmpty { console.note("\(base) has no benchmarks, so all of them are new") }
    let names = [(Revision.revision(base), bases.first), (candidate, candidates.first)].map {
      revision, build in
      BuildName(
        name: build?.isDirty ?? false ? "\(revision.name), with uncommitted changes" : revision.name,
        commit: build?.commit)
    }
    var programs = Self.paired(bases, candidates).map { ComparedPrograms($0, $1, store: builder.store) }
    let document = try await compare(&programs, names: names, console: console)
    builder.store.evict()
    // The leases keep the programs there until the last worker has ended.
    return withExtendedLifetime(builds) { document }
  }

  /// By name; where both have only one, these two.
  private static func paired(
    _ bases: [BuiltRevision], _ candidates: [BuiltRevision]
  ) -> [(BuiltRevision?, BuiltRevision?)] {
    if bases.count == 1, candidates.count == 1 { return [(bases[0], candidates[0])] }
    let names = candidates.map(\.product)
    return candidates.map { build in (bases.first { $0.product == build.product }, build) }
      + bases.filter { !names.contains($0.product) }.map { ($0, nil) }
  }

  /// Compares two programs that are built already.
  func compare(_ paths: [String], console: Console) async throws -> ComparisonDocument {
    var programs = [ComparedPrograms(paths: paths)]
    return try await compare(&programs, names: paths.map { BuildName(name: $0) }, console: console)
  }

  private func compare(
    _ programs: inout [ComparedPrograms], names: [BuildName], console: Console
  ) async throws -> ComparisonDocument {
    try await select(in: &programs)
    let selected = programs.filter { !$0.lists.allSatisfy(\.isEmpty) }
    var documents: [ComparisonDocument] = []
    for program in selected {
      // Each is a family of tests, and together they are to be as sure as one.
      documents.append(
        try await compare(program, familyShare: 1 / Double(selected.count), names: names, console: console))
    }
    return ComparisonDocument(parts: documents)
  }

  /// Asks the programs for their benchmarks, and deals out those of a shard over all programs of both builds: a
  /// scenario that one of them lacks must not shift the shards of the other.
  private func select(in programs: inout [ComparedPrograms]) async throws {
    let lists = try await BenchmarkLists.read(from: programs.flatMap(\.paths), selection)
    for index in programs.indices { programs[index].lists = Array(lists[(2 * index)...(2 * index + 1)]) }
    guard let shard = selection.shard else { return }
    var ids: [BenchmarkID] = []
    for id in lists.flatMap({ $0.map(\.id) }) where !ids.contains(id) { ids.append(id) }
    let part = shard.part(of: ids)
    guard !part.isEmpty else { throw BenchmarkSelection.emptyShard(shard) }
    for index in programs.indices {
      programs[index].lists = programs[index].lists.map { $0.filter { part.contains($0.id) } }
    }
  }

  private func compare(
    _ programs: ComparedPrograms, familyShare: Double, names: [BuildName], console: Console
  ) async throws -> ComparisonDocument {
    let ids = programs.lists.map { $0.map(\.id) }
    guard let executables = programs.both else {
      let build: Build = programs.paths[0] == nil ? .baseline : .candidate
      let rows = (ids[0] + ids[1]).map { ExecutableComparison.missing($0, from: build) }
      return .unmeasured(rows, .lockStep, names: names, settings: settings, arguments: arguments)
    }
    if try ProgramFiles.areIdentical(executables) {
      return .unmeasured(
        ids[0].map(ComparisonRow.identical), .identicalPrograms, names: names, settings: settings,
        arguments: arguments)
    }
    var settings = settings
    settings.options.takeFrames(of: programs.lists[1])
    var plan = settings.plan(executables: executables)
    plan.orders = programs.pool
    var rule = ComparisonRule(tolerance: settings.tolerance)
    rule.familyAlpha *= familyShare
    rule.hasOneLayout = programs.pool == nil
    if settings.namedTolerance == nil {
      for case let (scenario, percent?) in programs.lists[1].map({ ($0.id.scenario, $0.tolerance) }) {
        rule.scenarioTolerances[scenario] = percent / 100
      }
    }
    let comparison = ExecutableComparison(
      plan: plan, rule: rule, seed: settings.seed, names: names, arguments: arguments,
      layoutProblem: programs.layoutProblem)
    var document = try await comparison.run(benchmarks: ids, console: console)
    if let profileFolder {
      let line = ProgressLine(console: console)
      defer { line.clear() }
      var profiler = RegressionProfiler(plan: plan, names: names, folder: profileFolder)
      if let profileSampleCount { profiler.sampleCount = profileSampleCount }
      document.profiles = try await profiler.profiles(of: document, progress: line.show)
    }
    return document
  }
}

/// The two builds of one program.
private struct ComparedPrograms {
  /// By build; nil where it does not have the program.
  var paths: [String?]
  /// Both in other link orders; nil where there are none.
  var pool: LinkOrderPool?
  var layoutProblem = LinkProblem("programs given by path cannot be relinked")
  /// The benchmarks that are compared, by build.
  var lists: [[ListedBenchmark]] = [[], []]

  init(paths: [String]) {
    self.paths = paths
  }

  init(_ base: BuiltRevision?, _ candidate: BuiltRevision?, store: BuildStore) {
    paths = [base?.url.path, candidate?.url.path]
    guard let base, let candidate else { return }
    do {
      pool = try LinkOrderPool([base, candidate], store: store)
    } catch {
      layoutProblem = error as? LinkProblem ?? LinkProblem("\(error)")
    }
  }

  var both: [String]? {
    let there = paths.compactMap(\.self)
    return there.count == paths.count ? there : nil
  }
}
