import Foundation
import FrameBench
import FrameReport

/// Builds two revisions and compares them in lock step.
struct RevisionComparison: Sendable {
  var rule: ComparisonRule
  var seed: UInt64
  var options: ComparingOptions
  /// Of the selection, as another program of this kind understands them.
  var selection: [String]
  var arguments: [String]
  /// Where profiles of what regressed go; nil: none are made.
  var profileFolder: String?
  /// Samples of each build; nil: as many as usual.
  var profileSampleCount: Int?

  /// Throws `CancellationError`, `RevisionError`, `RunError`, `UsageError`.
  func compare(
    _ base: String, with candidate: Revision, building revisions: RevisionOptions, console: Console
  ) async throws -> ComparisonDocument {
    let builder = try await revisions.builder(console: console)
    let builds = [
      try await builder.executable(for: .revision(base)), try await builder.executable(for: candidate),
    ]
    for note in Set(builds.flatMap(\.notes)).sorted() {
      console.writeError("springbench: note: \(Console.oneLine(note))\n")
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
  func compare(
    _ executables: [String], _ pool: LinkOrderPool? = nil,
    problem: LinkProblem = LinkProblem("programs that are given by their paths cannot be linked anew"),
    names: [BuildName], console: Console
  ) async throws -> ComparisonDocument {
    let lists = try await BenchmarkLists.read(from: executables, arguments: selection)
    if try ProgramFiles.areIdentical(executables) {
      return IdenticalPrograms.document(
        benchmarks: lists[0], names: names, rule: rule, seed: seed, arguments: arguments)
    }
    var plan = try options.plan(executables: executables)
    plan.orders = pool
    var rule = rule
    rule.hasOneLayout = pool == nil
    var comparison = ExecutableComparison(
      plan: plan, rule: rule, seed: seed, names: names, arguments: arguments)
    if pool == nil { comparison.layoutProblem = problem.description }
    var document = try await comparison.run(benchmarks: lists, console: console)
    if let profileFolder {
      let line = ComparisonProgress(console: console)
      defer { line.clear() }
      var profiler = RegressionProfiler(plan: plan, names: names, folder: profileFolder)
      if let profileSampleCount { profiler.sampleCount = profileSampleCount }
      document.profiles = try await profiler.profiles(of: document, progress: line.show)
    }
    return document
  }
}
