import Foundation
import FrameBench
import Measurements
import Platform

/// Profiles one benchmark of one program. Each kind of figure is recorded by a separate worker.
package struct Profiler: Sendable {
  /// The name of the build for readers, such as a revision, if two builds are compared.
  package var name: String?
  package var id: BenchmarkID
  package var options: RunOptions
  package var executablePath: String
  /// The paths of the program in other link orders. They are used in turn, so that no function looks expensive merely
  /// because of its address.
  package var linkOrders: [String]
  /// The core that workers run on. Nil lets the system choose.
  package var core: Int?
  package let symbolizer = Symbolizer.installed()
  package let demangler = Demangler.installed()
  package var sampleTarget: Int
  package var timeLimitSeconds: Double
  /// The advice in the error message if the frames take too long.
  package var remedy = "ask for fewer in the scenario's options"

  package init(
    name: String? = nil, id: BenchmarkID, options: RunOptions, executablePath: String, linkOrders: [String] = [],
    core: Int? = nil, sampleTarget: Int = 4_000, timeLimitSeconds: Double = 60
  ) {
    (self.name, self.id, self.options, self.executablePath) = (name, id, options, executablePath)
    (self.linkOrders, self.core, self.sampleTarget, self.timeLimitSeconds) = (
      linkOrders, core, sampleTarget, timeLimitSeconds
    )
  }

  package static let timingRunCount = 5

  /// The frames as measured without a profiler: their costs, and the checksums that every profile must reproduce.
  package struct Frames: Sendable {
    /// The cost of each recorded frame, in nanoseconds.
    package var alignedNanoseconds: [Double]
    /// The costs of the frames in every second run, and in the other runs. Empty if there is only one run.
    var halves: [[Double]] = []
    /// The hash over the checksums of all recorded frames.
    package var checksum: String
    /// The checksum of each frame. Empty until the first profile has reported it.
    package private(set) var checksums: [UInt64] = []

    package func mean(of frames: [Int]) -> Double { Self.mean(alignedNanoseconds, frames) }

    private static func mean(_ costs: [Double], _ frames: [Int]) -> Double {
      frames.isEmpty ? 0 : frames.reduce(0) { $0 + costs[$1] } / Double(frames.count)
    }

    /// Returns an estimate of the error of `mean(of:)`: by how much half of the runs miss the least costs of all runs.
    fileprivate func error(of frames: [Int]) -> Double {
      guard !halves.isEmpty else { return 0 }
      let means = halves.map { Self.mean($0, frames) }
      return abs(means.reduce(0, +) / Double(means.count) - mean(of: frames))
    }

    /// Returns the numbers of the most expensive frames, the most expensive first. Equally expensive frames are in
    /// ascending order.
    package func worst(_ count: Int) -> [Int] {
      let order = alignedNanoseconds.indices.sorted { (alignedNanoseconds[$1], $0) < (alignedNanoseconds[$0], $1) }
      return Array(order.prefix(count))
    }

    /// Checks that a profiler changed no checksum, and returns its profile. The first profile must be of a whole run,
    /// which gives the checksums of all frames.
    package mutating func checked(_ measurement: RunMeasurement, _ id: BenchmarkID) throws(RunError)
      -> ProfileMeasurement
    {
      guard let profile = measurement.profile else {
        throw RunError("\(id): the worker's reply holds no profile; it is from another version")
      }
      let whole = profile.frameChecksums.reduce(into: Checksum()) { $0.combine($1) }
      if checksums.isEmpty, whole.hexadecimal == checksum { checksums = profile.frameChecksums }
      guard profile.isRepeatable, checksums.starts(with: profile.frameChecksums) else {
        throw RunError(
          "\(id) shows something different under the profiler than without it; seed randomness from the context,"
            + " and read no clock")
      }
      return profile
    }
  }

  private var programs: [String] { linkOrders.isEmpty ? [executablePath] : linkOrders }

  package static func frames(_ runs: [RunMeasurement]) throws(RunError) -> Frames {
    guard let first = runs.first, runs.allSatisfy({ $0.checksum == first.checksum }) else {
      throw RunError("not deterministic: runs of the same frames show something different each time")
    }
    guard let times = TimeRuns(framesOf: runs) else { throw RunError("the runs did not time the same frames") }
    let halves = [0, 1].compactMap { half in
      TimeRuns(framesOf: runs.enumerated().filter { $0.offset % 2 == half }.map(\.element))?.aligned()
    }
    return Frames(alignedNanoseconds: times.aligned(), halves: halves.count > 1 ? halves : [], checksum: first.checksum)
  }

  /// - Parameter share: The number of profiles to combine. Each takes an equal part of the samples and of the time.
  package func profile(_ kind: ProfileRequest.Kind, frames: [Int], share: Int = 1, with program: String? = nil)
    async throws -> RunMeasurement
  {
    let request = ProfileRequest(
      kind: kind, frames: frames, sampleTarget: (sampleTarget + share - 1) / share,
      timeLimitSeconds: timeLimitSeconds / Double(share))
    return try await measure(.profile, request, with: program)
  }

  /// - Parameter frames: Numbers of recorded frames, ascending.
  package func sampled(_ frames: [Int], of timed: inout Frames) async throws -> SampledProfile {
    var sampled = SampledProfile(frameNanoseconds: timed.mean(of: frames))
    sampled.frameError = timed.error(of: frames)
    var phases: [String] = []
    for program in programs {
      let measurement = try await profile(.samples, frames: frames, share: programs.count, with: program)
      let profile = try timed.checked(measurement, id)
      let naming = try await StackNaming(profile, executable: program, symbolizer: symbolizer, demangler: demangler)
      for recorded in profile.stacks {
        guard let stack = naming.stack(recorded, endsInAllocation: false) else {
          sampled.harnessCount += recorded.count
          continue
        }
        if recorded.isIncomplete { sampled.incompleteCount += recorded.count }
        sampled.stacks.append(stack)
      }
      sampled.repetitionCount += profile.repetitionCount
      phases = profile.phaseNames
    }
    sampled.merge(phases: phases)
    return sampled
  }

  package func allocations(_ frames: [Int], of timed: inout Frames) async throws -> AllocationProfile {
    let profile = try timed.checked(try await profile(.allocations, frames: frames), id)
    let naming = try await StackNaming(
      profile, executable: executablePath, symbolizer: symbolizer, demangler: demangler)
    let stacks = profile.stacks.map { recorded in
      naming.stack(recorded, endsInAllocation: true)
        ?? ProfileStack([CallFrame(function: "[harness]", origin: .harness)], of: recorded)
    }
    return AllocationProfile(stacks: stacks, frameCount: frames.count, lostCount: profile.lostCount)
  }

  package func measure(_ pass: MeasurementPass, _ profile: ProfileRequest? = nil, with program: String? = nil)
    async throws -> RunMeasurement
  {
    let request = WorkerRequest(benchmark: id, pass: pass, options: options, profile: profile, core: core)
    var limit = WorkerProcess.defaultTimeout(options, size: id.size)
    // Profiles get more time: unwinding a stack takes microseconds, and a frame may allocate thousands of times.
    if pass == .profile { limit += .seconds(timeLimitSeconds * 3) + limit * 5 }
    var worker = WorkerProcess(executablePath: program ?? executablePath, timeout: limit)
    worker.remedy = remedy
    do { return try await worker.measure(request) } catch let failure as WorkerProcess.Failure {
      throw RunError("\(id): \(failure.reason)\(lastLine(ofStandardError: failure.standardError))")
    }
  }

  /// Times the frames of all builds in turn, so that a slowdown of the machine affects all builds alike.
  package static func timings(of builds: [Profiler]) async throws -> [[RunMeasurement]] {
    var runs = [[RunMeasurement]](repeating: [], count: builds.count)
    for run in 0..<timingRunCount {
      for (index, build) in builds.enumerated() {
        let program = build.programs[run % build.programs.count]
        runs[index].append(try await build.naming { try await build.measure(.frames, with: program) })
      }
    }
    return runs
  }

  package func sampled(_ frames: [Int], timedBy runs: [RunMeasurement]) async throws -> SampledProfile {
    try await naming {
      var timed = try Self.frames(runs)
      // This profile of a whole run sets the checksums that the sampled frames must have.
      _ = try timed.checked(try await profile(.timeline, frames: allFrames), id)
      return try await sampled(frames, of: &timed)
    }
  }

  package func allocations() async throws -> AllocationProfile {
    try await naming {
      var timed = try Self.frames([try await measure(.frames)])
      return try await allocations(allFrames, of: &timed)
    }
  }

  /// Profiles some recorded frames of both builds, and returns the difference.
  /// - Parameter change: The change of these frames' time, as a fraction, if the builds were compared in turns. It is
  ///   more precise than the times of the few runs that are made here.
  package static func difference(_ frames: [Int], baseline: Profiler, candidate: Profiler, change: Double? = nil)
    async throws -> DifferentialProfile
  {
    let runs = try await timings(of: [baseline, candidate])
    var before = try await baseline.sampled(frames, timedBy: runs[0])
    var after = try await candidate.sampled(frames, timedBy: runs[1])
    if let change {
      after.frameNanoseconds = before.frameNanoseconds * (1 + change)
      (before.frameError, after.frameError) = (0, 0)
    }
    return DifferentialProfile(
      id: baseline.id, baselineName: baseline.name ?? "baseline", baseline: before,
      candidateName: candidate.name ?? "candidate", candidate: after)
  }

  package var allFrames: [Int] { Array(0..<options.frameCount) }

  private func naming<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as RunError {
      guard let name else { throw error }
      throw RunError("\(name) cannot be profiled: \(error); both sides need a harness that supports profiles")
    }
  }
}
