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
    let document = try await compare(builds.map(\.url.path), names: names, console: console)
    // The leases keep the programs there until the last worker has ended.
    return withExtendedLifetime(builds) { document }
  }

  func compare(_ executables: [String], names: [BuildName], console: Console) async throws
    -> ComparisonDocument
  {
    let lists = try await BenchmarkLists.read(from: executables, arguments: selection)
    let plan = try options.plan(executables: executables)
    var document = try await ExecutableComparison(
      plan: plan, rule: rule, seed: seed, names: names, arguments: arguments
    ).run(benchmarks: lists, console: console)
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
