import FrameBench
import Measurements

/// Shows where two builds of a benchmark differ, for example for a page about a regression.
enum DifferentialProfiler {
  /// One of the two builds.
  struct Side: Sendable {
    /// As the reader knows it: a revision.
    var name: String
    var profiler: Profiler

    func timeFrames(run: Int) async throws -> RunMeasurement {
      try await named { try await profiler.timeFrames(run: run) }
    }

    /// - Parameter frames: Numbers of recorded frames, ascending.
    func sampled(frames: [Int], timed: Profiler.Frames) async throws -> SampledProfile {
      try await named {
        var checksums = ChecksumCheck(expected: timed.checksum)
        // Speaks for the frames of the samples.
        let all = Array(0..<profiler.options.frameCount)
        _ = try checksums.checked(try await profiler.profile(.timeline, frames: all), profiler.id)
        return try await profiler.sampled(
          frames: frames, frameNanoseconds: timed.mean(of: frames), checksums: &checksums)
      }
    }

    /// Of all recorded frames.
    func allocations() async throws -> AllocationProfile {
      try await named {
        var checksums = ChecksumCheck(
          expected: try Profiler.frames([try await profiler.timeFrames()]).checksum)
        return try await profiler.allocations(
          frames: Array(0..<profiler.options.frameCount), checksums: &checksums)
      }
    }

    private func named<Value>(_ body: () async throws -> Value) async throws -> Value {
      do {
        return try await body()
      } catch let error as RunError {
        throw RunError(
          "\(name) cannot be profiled: \(error); both sides need a harness that supports profiles")
      }
    }
  }

  /// An executable whose `worker` command speaks this protocol.
  struct Program: Sendable {
    /// As the reader knows it.
    var name: String
    var executablePath: String
    /// The same with symbols, in other link orders.
    var linkOrders: [String] = []
  }

  /// Profiles all recorded frames of both builds.
  ///
  /// - Parameters:
  ///   - core: The core that workers run on.
  ///   - sampleTarget: Samples of each build to take at least.
  /// - Throws: `RunError`, `CancellationError`.
  static func profile(
    _ id: BenchmarkID, options: RunOptions, baseline: Program, candidate: Program, core: Int?,
    sampleTarget: Int = 4_000
  ) async throws -> DifferentialProfile {
    var sides = sides(id, options, [baseline, candidate], core)
    for index in sides.indices { sides[index].profiler.sampleTarget = sampleTarget }
    // In turns, so that a machine that grows slower meanwhile hits both alike.
    var runs: [[RunMeasurement]] = [[], []]
    for run in 0..<Profiler.timingRunCount {
      for index in sides.indices { runs[index].append(try await sides[index].timeFrames(run: run)) }
    }
    let frames = Array(0..<options.frameCount)
    var profiles: [SampledProfile] = []
    for (side, runs) in zip(sides, runs) {
      profiles.append(try await side.sampled(frames: frames, timed: try Profiler.frames(runs)))
    }
    return DifferentialProfile(
      id: id, baselineName: baseline.name, baseline: profiles[0], candidateName: candidate.name,
      candidate: profiles[1])
  }

  /// The places that allocate in all recorded frames of both builds.
  ///
  /// - Throws: `RunError`, `CancellationError`.
  static func allocations(
    _ id: BenchmarkID, options: RunOptions, baseline: Program, candidate: Program, core: Int?
  ) async throws -> AllocationDifference {
    let sides = sides(id, options, [baseline, candidate], core)
    return AllocationDifference(
      baseline: try await sides[0].allocations(), candidate: try await sides[1].allocations())
  }

  private static func sides(
    _ id: BenchmarkID, _ options: RunOptions, _ builds: [Program], _ core: Int?
  ) -> [Side] {
    builds.map { build in
      Side(
        name: build.name,
        profiler: Profiler(
          id: id, options: options, executablePath: build.executablePath, linkOrders: build.linkOrders,
          core: core))
    }
  }
}
