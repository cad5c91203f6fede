import Comparing
import Foundation

/// Builds two revisions and compares them in lock step.
package struct RevisionComparison: Sendable {
  var settings: ComparisonSettings
  var selection: BenchmarkSelection
  var arguments: [String]
  /// Where profiles of what regressed go; nil: none are made.
  var profileFolder: String?
  /// Samples of each build; nil: as many as usual.
  var profileSampleCount: Int?

  package init(
    settings: ComparisonSettings, selection: BenchmarkSelection, arguments: [String],
    profileFolder: String? = nil, profileSampleCount: Int? = nil
  ) {
    self.settings = settings
    self.selection = selection
    self.arguments = arguments
    self.profileFolder = profileFolder
    self.profileSampleCount = profileSampleCount
  }

  /// Throws `CancellationError`, `RevisionError`, `RunError`, `UsageError`.
  package func compare(
    _ base: String, with candidate: Revision, building: BuildSettings, console: Console
  ) async throws -> ComparisonDocument {
    let builder = try await building.builder(console: console)
    try await builder.check([.revision(base), candidate])
    let builds = [
      try await builder.executable(for: .revision(base)), try await builder.executable(for: candidate),
    ]
    for note in Set(builds.flatMap(\.notes)).sorted() {
      console.note(note)
    }
    let names = builds.map { build in
      BuildName(
        name: build.isDirty ? "\(build.revision.name), with uncommitted changes" : build.revision.name,
        commit: build.commit)
    }
    let document = try await compare(builds, store: builder.store, names: names, console: console)
    // The leases keep the programs there until the last worker has ended.
    return withExtendedLifetime(builds) { document }
  }

  private func compare(
    _ builds: [BuiltRevision], store: BuildStore, names: [BuildName], console: Console
  ) async throws -> ComparisonDocument {
    let executables = builds.map(\.url.path)
    do {
      let pool = try LinkOrderPool(builds, store: store)
      let document = try await compare(executables, pool, names: names, console: console)
      store.evict()
      return document
    } catch let problem as LinkProblem {
      return try await compare(executables, problem: problem, names: names, console: console)
    }
  }

  /// - Parameters:
  ///   - pool: Nil: the programs are measured as they are.
  ///   - problem: Why they are.
  package func compare(
    _ executables: [String], _ pool: LinkOrderPool? = nil,
    problem: LinkProblem = LinkProblem("programs given by path cannot be relinked"),
    names: [BuildName], console: Console
  ) async throws -> ComparisonDocument {
    let lists = try await BenchmarkLists.read(from: executables, selection)
    if try ProgramFiles.areIdentical(executables) {
      return IdenticalPrograms.document(
        benchmarks: lists[0].map(\.id), names: names, settings: settings, arguments: arguments)
    }
    var settings = settings
    settings.options.takeFrames(of: lists[1])
    var plan = settings.plan(executables: executables)
    plan.orders = pool
    var rule = ComparisonRule(tolerance: settings.tolerance)
    rule.hasOneLayout = pool == nil
    if settings.namedTolerance == nil {
      for case let (scenario, percent?) in lists[1].map({ ($0.id.scenario, $0.tolerance) }) {
        rule.scenarioTolerances[scenario] = percent / 100
      }
    }
    let comparison = ExecutableComparison(
      plan: plan, rule: rule, seed: settings.seed, names: names, arguments: arguments, layoutProblem: problem)
    var document = try await comparison.run(benchmarks: lists.map { $0.map(\.id) }, console: console)
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
