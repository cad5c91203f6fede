import Foundation
import FrameBench
import Judging
import Measurements
import TextFormat

/// Profiles the regressions of a comparison, with the two builds that were compared.
///
/// A failed profile is not a verdict: the reason is reported in its place.
struct RegressionProfiler: Sendable {
  /// A profile takes several seconds, and the largest regressions say most.
  static let mostBenchmarks = 3

  var plan: LockStepPlan
  /// Names by build.
  var names: [BuildName]
  /// Gets a folder for each benchmark, once all have been profiled.
  var folder: String
  /// Minimum number of samples of each build.
  var sampleCount = 4_000

  /// - Parameter progress: Called with the next measurement and its position among all.
  /// - Returns: The worst first. Throws `CancellationError`.
  func profiles(
    of document: ComparisonDocument, progress: (_ text: String, _ fraction: Double) -> Void
  ) async throws -> [RegressionProfile] {
    let ids = document.regressedBenchmarks
    let orders = ids.isEmpty ? nil : try await linkOrders()
    var found: [Found] = []
    for (index, id) in ids.prefix(Self.mostBenchmarks).enumerated() {
      progress("profiling \(id)", Double(index) / Double(min(ids.count, Self.mostBenchmarks)))
      found.append(
        try await profile(id, document.rows.filter { $0.id == id && $0.verdict == .regressed }, orders))
    }
    // Writes all at once, so that an interrupted command leaves nothing.
    var folders = ProfileFolders(parent: folder)
    return found.map { $0.written(to: &folders) }
      + ids.dropFirst(Self.mostBenchmarks).map { id in
        RegressionProfile(
          id: id,
          problem: "only the \(Self.mostBenchmarks) most regressed benchmarks are profiled;"
            + " springbench profile ID --against REV profiles any")
      }
  }

  /// Programs by build; nil if there are no link orders, or no room for them: then the programs are used as
  /// built.
  private func linkOrders() async throws -> [[String]]? {
    do {
      return try await plan.orders?.profiled()
    } catch is LinkProblem {
      return nil
    }
  }

  /// - Parameter orders: Programs by build.
  private func profile(
    _ id: BenchmarkID, _ rows: [ComparisonRow], _ orders: [[String]]?
  ) async throws -> Found {
    var found = Found(id: id, options: plan.options)
    let builds = Build.allCases.map { build in
      Profiler(
        name: name(of: build), id: id, options: plan.options, executablePath: plan.executable(build),
        linkOrders: orders?[build.rawValue] ?? [], core: plan.core, sampleTarget: sampleCount)
    }
    if rows.contains(where: { !RegressionProfile.isAllocation($0) }) {
      try await found.keepingProblem {
        $0.time = try await Profiler.difference(baseline: builds[0], candidate: builds[1])
      }
    }
    if rows.contains(where: RegressionProfile.isAllocation) {
      try await found.keepingProblem {
        $0.allocations = AllocationDifference(
          baseline: try await builds[0].allocations(), candidate: try await builds[1].allocations())
      }
    }
    found.builds = builds.compactMap(\.name)
    return found
  }

  /// `main (0123456)`
  private func name(of build: Build) -> String {
    let name = names[build.rawValue]
    return name.name + (name.commit.map { " (\($0.prefix(7)))" } ?? "")
  }
}

extension RegressionProfiler {
  /// The profile of one benchmark, not yet written.
  private struct Found {
    var id: BenchmarkID
    var options: RunOptions
    var builds: [String] = []
    var time: DifferentialProfile?
    var allocations: AllocationDifference?
    var problem: String?

    /// Throws `CancellationError`.
    mutating func keepingProblem(_ body: (inout Found) async throws -> Void) async throws {
      do {
        try await body(&self)
      } catch let error as CancellationError {
        throw error
      } catch {
        let text = oneLine("\(error)")
        // The report names the benchmark itself.
        problem = problem ?? text.replacingOccurrences(of: "\(id): ", with: "")
      }
    }

    func written(to folders: inout ProfileFolders) -> RegressionProfile {
      var profile = RegressionProfile(id: id, problem: problem)
      guard time != nil || allocations != nil else { return profile }
      do throws(RunError) {
        profile.folder = try folders.write(files, for: id)
      } catch {
        profile.problem = error.description
        return profile
      }
      if let time {
        profile.frame = .init(
          function: "frame", baseline: time.baseline.frameNanoseconds,
          candidate: time.candidate.frameNanoseconds, unit: .nanoseconds)
        profile.movers = time.growths.prefix(3).map { growth in
          .init(
            function: growth.mover.frame.function, position: growth.position,
            caller: growth.caller?.function, baseline: growth.mover.baseline,
            candidate: growth.mover.candidate, unit: .nanoseconds)
        }
      }
      profile.allocators = allocations.map { $0.growths.prefix(3).map(\.mover) } ?? []
      return profile
    }

    private var files: [(name: String, data: Data)] {
      var profile = FrameProfile(id: id, options: options, frames: Array(0..<options.frameCount))
      profile.cpu = time?.candidate
      profile.allocations = allocations?.candidate
      profile.notes = notes
      return profile.files(
        environment: nil, difference: time,
        allocationDifference: allocations?.blocks(baselineName: builds[0], candidateName: builds[1]) ?? [],
        exporter: "springbench@\(springBenchVersion)"
      ).map { (name: $0.file.rawValue, data: Data($0.text.utf8)) }
    }

    private var notes: [String] {
      let few = [time?.baseline, time?.candidate].compactMap(\.self).filter {
        $0.sampleCount + $0.harnessCount < ProfileRequest.fewestSamples
      }
      return [Symbolizer.installed().note, problem.map { "Not found: \($0)." }].compactMap(\.self)
        + few.map { "One side has only \($0.sampleCount) samples: shares are rough." }
    }
  }
}

/// Folders of profiles beside a report, one per benchmark.
struct ProfileFolders {
  private let parent: String
  private var taken: Set<String> = []

  init(parent: String) { self.parent = parent }

  /// The folder beside the report that a person reads first: the first page that is a file, or else the
  /// first file.
  /// - Parameter otherwise: The folder if there is no such report.
  static func place(
    _ requests: [ReportRequest], otherwise: @autoclosure () throws(UsageError) -> String
  ) throws(UsageError) -> String {
    let files = requests.compactMap { request in
      request.path.flatMap { path in OutputFile(path: path).isReplaceable ? (request.format, path) : nil }
    }
    let page = files.first { [.markdown, .html].contains($0.0) } ?? files.first
    guard let path = page?.1 else { return try otherwise() }
    return (path as NSString).deletingPathExtension + "-profiles"
  }

  /// Name of the folder below the results for a command without a report.
  static func name(
    machine: String?, _ context: CommandContext, start: Date, command: String
  ) throws(UsageError) -> String {
    let name = try MachineName.resolve(flag: machine, context, of: .current())
    return "\(name)/\(start.compact)-\(command)"
  }

  /// Writes a profile completely or not at all, replacing an earlier one of the benchmark.
  ///
  /// - Returns: The folder.
  mutating func write(
    _ files: [(name: String, data: Data)], for id: BenchmarkID
  ) throws(RunError) -> String {
    let slug = MachineName.slug("\(id)") ?? "benchmark"
    let names = [slug] + (2...1_000).map { "\(slug)-\($0)" }
    let name = names.first { !taken.contains($0) } ?? slug
    taken.insert(name)
    let folder = "\(parent)/\(name)"
    do throws(WholeFile.Problem) {
      try WholeFolder(path: folder).replace(files)
    } catch {
      throw RunError("\"\(folder)\" could not be written: \(error)")
    }
    return folder
  }
}
