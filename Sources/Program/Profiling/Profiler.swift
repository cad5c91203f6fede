import Foundation
import FrameBench
import Measurements

/// Profiles one benchmark of one program, each kind of figure by a worker of its own.
struct Profiler: Sendable {
  var id: BenchmarkID
  var options: RunOptions
  var executablePath: String
  /// The same program in other link orders, timed and sampled in turn, so that no function looks expensive
  /// merely because of its address; empty: only the program as built.
  var linkOrders: [String] = []
  /// The core that workers run on; nil lets the system choose.
  var core: Int?
  var symbolizer = Symbolizer.installed()
  var demangler = Demangler.installed()
  /// Minimum number of samples.
  var sampleTarget = 4_000
  var timeLimitSeconds = 60.0
  /// Nil: depends on the amount of work.
  var timeout: Duration?

  /// Runs without a profiler.
  static let timingRunCount = 5

  /// Costs and checksums of frames without a profiler.
  struct Frames: Sendable {
    /// By recorded frame, nanoseconds.
    var alignedNanoseconds: [Double]
    /// Hash over the checksums of all recorded frames.
    var checksum: String

    func mean(of frames: [Int]) -> Double {
      frames.isEmpty ? 0 : frames.reduce(0) { $0 + alignedNanoseconds[$1] } / Double(frames.count)
    }

    /// The most expensive frames first; equal ones in their order.
    func worst(_ count: Int) -> [Int] {
      let order = alignedNanoseconds.indices.sorted {
        (alignedNanoseconds[$1], $0) < (alignedNanoseconds[$0], $1)
      }
      return Array(order.prefix(count))
    }
  }

  /// - Parameter run: From 0; selects the link order. Throws `RunError`, `CancellationError`.
  func timeFrames(run: Int = 0) async throws -> RunMeasurement {
    let programs = linkOrders.isEmpty ? [executablePath] : linkOrders
    return try await measure(
      WorkerRequest(benchmark: id, pass: .frames, options: options, core: core, parentProcess: getpid()),
      with: programs[run % programs.count])
  }

  static func frames(_ runs: [RunMeasurement]) throws(RunError) -> Frames {
    guard let first = runs.first, runs.allSatisfy({ $0.checksum == first.checksum }) else {
      throw RunError("not deterministic: runs of the same frames show something different each time")
    }
    guard let times = TimeRuns(framesOf: runs) else {
      throw RunError("the runs did not time the same frames")
    }
    return Frames(alignedNanoseconds: times.aligned(), checksum: first.checksum)
  }

  /// - Parameters:
  ///   - frames: Numbers of recorded frames, ascending.
  ///   - share: Number of profiles that will be combined.
  ///   - program: Nil: as built.
  func profile(
    _ kind: ProfileRequest.Kind, frames: [Int], share: Int = 1, with program: String? = nil
  ) async throws -> RunMeasurement {
    let request = ProfileRequest(
      kind: kind, frames: frames, sampleTarget: (sampleTarget + share - 1) / share,
      timeLimitSeconds: timeLimitSeconds / Double(share))
    return try await measure(
      WorkerRequest(
        benchmark: id, pass: .profile, options: options, profile: request, core: core, parentProcess: getpid()
      ),
      with: program)
  }

  /// - Parameter frameNanoseconds: Cost of a frame without a profiler.
  func sampled(frames: [Int], frameNanoseconds: Double, checksums: inout ChecksumCheck) async throws
    -> SampledProfile
  {
    let programs = linkOrders.isEmpty ? [executablePath] : linkOrders
    var (stacks, harness, incomplete, repetitions) = ([ProfileStack](), 0, 0, 0)
    var phases: [String] = []
    for program in programs {
      let measurement = try await profile(.samples, frames: frames, share: programs.count, with: program)
      let profile = try checksums.checked(measurement, id)
      let naming = try await StackNaming(
        profile, executable: program, symbolizer: symbolizer, demangler: demangler)
      for recorded in profile.stacks {
        guard let stack = naming.stack(recorded, endsInAllocation: false) else {
          harness += recorded.count
          continue
        }
        if recorded.isIncomplete { incomplete += recorded.count }
        stacks.append(stack)
      }
      repetitions += profile.repetitionCount
      phases = profile.phaseNames
    }
    return SampledProfile(
      stacks: Self.merged(stacks, phases: phases), harnessCount: harness, incompleteCount: incomplete,
      repetitionCount: repetitions, frameNanoseconds: frameNanoseconds)
  }

  func allocations(frames: [Int], checksums: inout ChecksumCheck) async throws -> AllocationProfile {
    let profile = try checksums.checked(try await profile(.allocations, frames: frames), id)
    let naming = try await StackNaming(
      profile, executable: executablePath, symbolizer: symbolizer, demangler: demangler)
    let stacks = profile.stacks.map { recorded in
      naming.stack(recorded, endsInAllocation: true)
        ?? ProfileStack(
          frames: [CallFrame(function: "[harness]", origin: .harness)], count: recorded.count,
          bytes: recorded.bytes, firstFrame: recorded.firstFrame, frameCount: recorded.frameCount,
          mostInFrame: recorded.mostInFrame)
    }
    return AllocationProfile(stacks: stacks, frameCount: frames.count, lostCount: profile.lostCount)
  }

  /// Merges stacks of the same functions and lines at different addresses; by phase, in the order of the
  /// frame, and then the most frequent first.
  private static func merged(_ stacks: [ProfileStack], phases: [String]) -> [ProfileStack] {
    var merged: [[CallFrame]: Int] = [:]
    for stack in stacks { merged[stack.frames, default: 0] += stack.count }
    let keyed = merged.map { frames, count in
      let phase = frames.first.flatMap { $0.origin == .phase ? phases.firstIndex(of: $0.function) : nil }
      let name = frames.map(\.function).joined(separator: ";")
      return (phase: phase ?? phases.count, name: name, stack: ProfileStack(frames: frames, count: count))
    }
    return keyed.sorted { ($0.phase, $1.stack.count, $0.name) < ($1.phase, $0.stack.count, $1.name) }.map(
      \.stack)
  }

  /// - Parameter program: Nil: as built.
  func measure(_ request: WorkerRequest, with program: String? = nil) async throws -> RunMeasurement {
    let work = timeout ?? WorkerProcess.defaultTimeout(options, size: id.size)
    // Unwinding a stack takes microseconds, and a frame may allocate thousands of times.
    var extra = Duration.zero
    if request.pass == .profile { extra = .seconds(timeLimitSeconds * 3) + work * 5 }
    let worker = WorkerProcess(executablePath: program ?? executablePath, timeout: work + extra)
    do {
      return try await worker.measure(request)
    } catch let failure as WorkerProcess.Failure {
      throw RunError("\(id): \(failure.reason)\(lastLine(ofStandardError: failure.standardError))")
    }
  }
}

/// Makes sure that frames have the same output under every profiler as without one.
struct ChecksumCheck: Sendable {
  /// Hash of all recorded frames, without a profiler.
  let expected: String
  private var frameChecksums: [UInt64] = []

  init(expected: String) { self.expected = expected }

  mutating func checked(
    _ measurement: RunMeasurement, _ id: BenchmarkID
  ) throws(RunError) -> ProfileMeasurement {
    guard let profile = measurement.profile else {
      throw RunError("\(id): the worker's reply holds no profile; it is from another version")
    }
    try check(profile, id)
    return profile
  }

  /// The first profile must be of a whole run, and serves as the reference for shorter ones.
  mutating func check(_ profile: ProfileMeasurement, _ id: BenchmarkID) throws(RunError) {
    let found = profile.frameChecksums
    if frameChecksums.isEmpty {
      var sum = Checksum()
      for word in found { sum.combine(word) }
      guard sum.hexadecimal == expected else { throw Self.failure(id) }
      frameChecksums = found
    }
    guard profile.isRepeatable, found.count <= frameChecksums.count,
      found == Array(frameChecksums.prefix(found.count))
    else { throw Self.failure(id) }
  }

  private static func failure(_ id: BenchmarkID) -> RunError {
    RunError(
      "\(id) shows something different under the profiler than without it; seed randomness from the context,"
        + " and read no clock")
  }
}

/// One of two builds of a benchmark that are profiled for differences.
struct DifferentialProfiler: Sendable {
  /// The name for readers: a revision.
  var name: String
  var profiler: Profiler

  func timeFrames(run: Int) async throws -> RunMeasurement {
    try await named { try await profiler.timeFrames(run: run) }
  }

  /// - Parameter frames: Numbers of recorded frames, ascending.
  func sampled(frames: [Int], timed: Profiler.Frames) async throws -> SampledProfile {
    try await named {
      var checksums = ChecksumCheck(expected: timed.checksum)
      // The reference for the sampled frames.
      let all = Array(0..<profiler.options.frameCount)
      _ = try checksums.checked(try await profiler.profile(.timeline, frames: all), profiler.id)
      return try await profiler.sampled(
        frames: frames, frameNanoseconds: timed.mean(of: frames), checksums: &checksums)
    }
  }

  /// Allocations of all recorded frames.
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

  /// Profiles all recorded frames of both builds.
  ///
  /// - Throws: `RunError`, `CancellationError`.
  static func profile(baseline: DifferentialProfiler, candidate: DifferentialProfiler) async throws
    -> DifferentialProfile
  {
    let sides = [baseline, candidate]
    // In turns, so that a machine that slows down meanwhile affects both alike.
    var runs: [[RunMeasurement]] = [[], []]
    for run in 0..<Profiler.timingRunCount {
      for index in sides.indices { runs[index].append(try await sides[index].timeFrames(run: run)) }
    }
    let frames = Array(0..<baseline.profiler.options.frameCount)
    var profiles: [SampledProfile] = []
    for (side, runs) in zip(sides, runs) {
      profiles.append(try await side.sampled(frames: frames, timed: try Profiler.frames(runs)))
    }
    return DifferentialProfile(
      id: baseline.profiler.id, baselineName: baseline.name, baseline: profiles[0],
      candidateName: candidate.name, candidate: profiles[1])
  }
}
