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

/// Profiles the regressions of a comparison. If a profile fails, the reason is reported in its place.
struct RegressionProfiler: Sendable {
  /// The maximum number of profiled benchmarks. A profile takes seconds, and the largest regressions matter most.
  static let mostBenchmarks = 3
  /// The time limit for profiling only some of the frames, in seconds. The scroll's other frames run in between, so
  /// samples of the profiled frames accumulate slowly.
  private static let secondsForFewFrames = 20.0

  var plan: LockStepPlan
  var names: [BuildName]
  /// The folder with a subfolder for each profiled benchmark. Nothing is written until all benchmarks are profiled.
  var folder: String

  /// Profiles the worst regressions of a comparison.
  /// - Returns: A profile or a problem for each regressed benchmark, the worst first.
  func profiles(of document: ComparisonDocument, progress: (_ text: String, _ fraction: Double) -> Void) async throws
    -> [RegressionProfile]
  {
    let ids = document.regressedBenchmarks
    // If the programs cannot be relinked, they are profiled as built.
    var orders: [[String]]?
    do { orders = ids.isEmpty ? nil : try await plan.orders?.profiled() } catch is LinkProblem {}
    var found: [Found] = []
    for (index, id) in ids.prefix(Self.mostBenchmarks).enumerated() {
      progress("profiling \(id)", Double(index) / Double(min(ids.count, Self.mostBenchmarks)))
      let rows = document.rows.filter { $0.id == id }
      found.append(try await profile(id, rows, document.slowerFrames(of: id), orders))
    }
    // The files are written at the end, so that an interrupted command leaves none behind.
    var folders = ProfileFolders(parent: folder)
    var profiles: [RegressionProfile] = []
    for (var profile, files) in found {
      do throws(RunError) { if !files.isEmpty { profile.folder = try folders.write(files, for: profile.id) } } catch {
        profile = RegressionProfile(id: profile.id, problem: error.description)
      }
      profiles.append(profile)
    }
    return profiles
      + ids.dropFirst(Self.mostBenchmarks).map { id in
        RegressionProfile(
          id: id,
          problem: "only the \(Self.mostBenchmarks) most regressed benchmarks are profiled;"
            + " springbench profile ID --against REV profiles any")
      }
  }

  /// A profile and its files, which are not written yet.
  private typealias Found = (profile: RegressionProfile, files: [WholeFolder.File])

  /// - Parameter frames: The frames whose time is profiled. Nil means the whole scroll.
  private func profile(_ id: BenchmarkID, _ rows: [ComparisonRow], _ frames: FrameSet?, _ orders: [[String]]?)
    async throws -> Found
  {
    var profile = RegressionProfile(id: id, problem: nil)
    var time: DifferentialProfile?
    var allocations: AllocationDifference?
    let builds = zip(Build.allCases, buildNames).map { build, name in
      Profiler(
        name: name, id: id, options: plan.options.of(id), executablePath: plan.executable(build),
        linkOrders: orders?[build.rawValue] ?? [], core: plan.core, sampleTarget: 4_000,
        timeLimitSeconds: frames == nil ? 60 : Self.secondsForFewFrames)
    }
    func keepingProblem(_ body: () async throws -> Void) async throws {
      do { try await body() } catch let error as CancellationError { throw error } catch {
        // The report already names the benchmark, so the error need not repeat its id.
        let text = oneLine("\(error)").replacingOccurrences(of: "\(id): ", with: "")
        profile.problem = profile.problem ?? text
      }
    }
    let worse = rows.filter { $0.verdict == .regressed }
    if worse.contains(where: { !RegressionProfile.isAllocation($0) }) {
      let row = rows.first {
        $0.metric == .frameTime && $0.phase == nil && (frames == nil ? $0.isMean : $0.frames == frames)
      }
      try await keepingProblem {
        time = try await Profiler.difference(
          frames?.frames ?? builds[0].allFrames, baseline: builds[0], candidate: builds[1], change: row?.change)
      }
    }
    if worse.contains(where: RegressionProfile.isAllocation) {
      try await keepingProblem {
        allocations = AllocationDifference(
          baseline: try await builds[0].allocations(), candidate: try await builds[1].allocations())
      }
    }
    if let time {
      profile.frames = frames
      profile.frame = .init(
        function: "frame", baseline: time.baseline.frameNanoseconds, candidate: time.candidate.frameNanoseconds,
        unit: .nanoseconds)
      profile.movers = time.growths.prefix(3).map { growth in
        .init(
          function: growth.frame.function, position: growth.position, caller: growth.caller?.function,
          baseline: growth.baseline, candidate: growth.candidate, unit: .nanoseconds)
      }
    }
    profile.allocators = allocations.map { $0.growths.prefix(3).map(\.mover) } ?? []
    return (profile, files(profile, time, allocations))
  }

  /// The names of both builds, with their commits, such as `main (0123456)`.
  private var buildNames: [String] {
    names.map { name in name.name + (name.commit.map { " (\($0.prefix(7)))" } ?? "") }
  }

  private func files(_ found: RegressionProfile, _ time: DifferentialProfile?, _ allocations: AllocationDifference?)
    -> [WholeFolder.File]
  {
    guard time != nil || allocations != nil else { return [] }
    let options = plan.options.of(found.id)
    let frames = found.frames?.frames ?? Array(0..<options.frameCount)
    var profile = FrameProfile(id: found.id, options: options, frames: frames)
    profile.cpu = time?.candidate
    profile.allocations = allocations?.candidate
    let few = [time?.baseline, time?.candidate].compactMap(\.self).filter {
      $0.sampleCount + $0.harnessCount < ProfileRequest.fewestSamples
    }
    profile.notes =
      [Symbolizer.installed().note, found.problem.map { "Not found: \($0)." }].compactMap(\.self)
      + few.map { "One side has only \($0.sampleCount) samples: shares are rough." }
    let builds = buildNames
    return profile.files(
      environment: nil, difference: time,
      allocationDifference: allocations?.blocks(baselineName: builds[0], candidateName: builds[1]) ?? [],
      exporter: "springbench@\(springBenchVersion)")
  }
}

/// Folders of profiles next to a report, one per benchmark.
struct ProfileFolders {
  private let parent: String
  private var taken: Set<String> = []

  init(parent: String) { self.parent = parent }

  /// Returns the parent folder of the profiles: the folder next to a report (see `place(beside:)`), or else
  /// `<machine>/<time>-<command>` below the folder of results.
  static func place(
    _ requests: [ReportRequest], below results: ResultOptions?, command: String, _ context: CommandContext
  ) throws(UsageError) -> String {
    if let folder = place(beside: requests) { return folder }
    let machine = try MachineName.resolve(flag: results?.machine, context)
    return "\(results?.output ?? ResultOptions.defaultFolder)/\(machine)/\(Date().compact)-\(command)"
  }

  /// Returns the path of the first markdown or HTML report, or else of the first report in any format, with `-profiles`
  /// in place of its extension. Nil if no report is written to a file.
  static func place(beside requests: [ReportRequest]) -> String? {
    let files = requests.filter { $0.path.map { OutputFile(path: $0).isReplaceable } ?? false }
    let page = files.first { [.markdown, .html].contains($0.format) } ?? files.first
    return page?.path.map { ($0 as NSString).deletingPathExtension + "-profiles" }
  }

  /// Writes a profile completely or not at all. Replaces an earlier profile of the benchmark.
  /// - Returns: The path of the profile's folder.
  mutating func write(_ files: [(name: String, data: Data)], for id: BenchmarkID) throws(RunError) -> String {
    let slug = MachineName.slug("\(id)") ?? "benchmark"
    let names = [slug] + (2...1_000).map { "\(slug)-\($0)" }
    let folder = "\(parent)/\(names.first { taken.insert($0).inserted } ?? slug)"
    try attempt(try WholeFolder(path: folder).replace(files)) { RunError("\"\(folder)\" could not be written: \($0)") }
    return folder
  }
}

extension [ReportRequest] {
  /// The paths of the reports, and of the profiles beside them, which `--profile` writes.
  var written: [String] { compactMap(\.path) + [ProfileFolders.place(beside: self)].compactMap(\.self) }
}
