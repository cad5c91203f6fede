import Foundation
import FrameBench
import Measurements

/// Profiles one benchmark of one program, each kind of figure by a worker of its own.
struct Profiler: Sendable {
  /// The build for readers, such as a revision, if two are compared.
  var name: String?
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
      let order = alignedNanoseconds.indices.sorted { (alignedNanoseconds[$1], $0) < (alignedNanoseconds[$0], $1) }
      return Array(order.prefix(count))
    }
  }

  /// The same program in each link order, or the one as built.
  private var programs: [String] { linkOrders.isEmpty ? [executablePath] : linkOrders }

  /// - Parameter run: From 0; selects the link order. Throws `RunError`, `CancellationError`.
  func timeFrames(run: Int = 0) async throws -> RunMeasurement {
    try await naming { try await measure(.frames, with: programs[run % programs.count]) }
  }

  static func frames(_ runs: [RunMeasurement]) throws(RunError) -> Frames {
    guard let first = runs.first, runs.allSatisfy({ $0.checksum == first.checksum }) else {
      throw RunError("not deterministic: runs of the same frames show something different each time")
    }
    guard let times = TimeRuns(framesOf: runs) else { throw RunError("the runs did not time the same frames") }
    return Frames(alignedNanoseconds: times.aligned(), checksum: first.checksum)
  }

  /// - Parameters:
  ///   - frames: Numbers of recorded frames, ascending.
  ///   - share: Number of profiles that will be combined.
  ///   - program: Nil: as built.
  func profile(_ kind: ProfileRequest.Kind, frames: [Int], share: Int = 1, with program: String? = nil) async throws
    -> RunMeasurement
  {
    let request = ProfileRequest(
      kind: kind, frames: frames, sampleTarget: (sampleTarget + share - 1) / share,
      timeLimitSeconds: timeLimitSeconds / Double(share))
    return try await measure(.profile, request, with: program)
  }

  /// - Parameter frameNanoseconds: Cost of a frame without a profiler.
  func sampled(frames: [Int], frameNanoseconds: Double, checksums: inout ChecksumCheck) async throws -> SampledProfile {
    var (stacks, harness, incomplete, repetitions) = ([ProfileStack](), 0, 0, 0)
    var phases: [String] = []
    for program in programs {
      let measurement = try await profile(.samples, frames: frames, share: programs.count, with: program)
      let profile = try checksums.checked(measurement, id)
      let naming = try await StackNaming(profile, executable: program, symbolizer: symbolizer, demangler: demangler)
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
      merging: stacks, phases: phases, harnessCount: harness, incompleteCount: incomplete, repetitionCount: repetitions,
      frameNanoseconds: frameNanoseconds)
  }

  func allocations(frames: [Int], checksums: inout ChecksumCheck) async throws -> AllocationProfile {
    let profile = try checksums.checked(try await profile(.allocations, frames: frames), id)
    let naming = try await StackNaming(
      profile, executable: executablePath, symbolizer: symbolizer, demangler: demangler)
    let stacks = profile.stacks.map { recorded in
      naming.stack(recorded, endsInAllocation: true)
        ?? ProfileStack([CallFrame(function: "[harness]", origin: .harness)], of: recorded)
    }
    return AllocationProfile(stacks: stacks, frameCount: frames.count, lostCount: profile.lostCount)
  }

  /// - Parameter program: Nil: as built.
  func measure(_ pass: MeasurementPass, _ profile: ProfileRequest? = nil, with program: String? = nil) async throws
    -> RunMeasurement
  {
    let request = WorkerRequest(
      benchmark: id, pass: pass, options: options, profile: profile, core: core, parentProcess: getpid())
    var limit = timeout ?? WorkerProcess.defaultTimeout(options, size: id.size)
    // Unwinding a stack takes microseconds, and a frame may allocate thousands of times.
    if pass == .profile { limit += .seconds(timeLimitSeconds * 3) + limit * 5 }
    do {
      return try await WorkerProcess(executablePath: program ?? executablePath, timeout: limit).measure(request)
    } catch let failure as WorkerProcess.Failure {
      throw RunError("\(id): \(failure.reason)\(lastLine(ofStandardError: failure.standardError))")
    }
  }
}

/// Profiles of two builds of a benchmark, whose differences matter.
extension Profiler {
  /// Times the frames of all builds in turns, so that a machine that slows down meanwhile affects all alike.
  static func timings(of builds: [Profiler]) async throws -> [[RunMeasurement]] {
    var runs = [[RunMeasurement]](repeating: [], count: builds.count)
    for run in 0..<timingRunCount {
      for index in builds.indices { runs[index].append(try await builds[index].timeFrames(run: run)) }
    }
    return runs
  }

  /// - Parameters:
  ///   - runs: Timings of this build.
  ///   - frames: Numbers of recorded frames, ascending.
  func sampled(_ runs: [RunMeasurement], frames: [Int]) async throws -> SampledProfile {
    try await naming {
      let timed = try Self.frames(runs)
      var checksums = ChecksumCheck(expected: timed.checksum)
      // The reference for the sampled frames.
      _ = try checksums.checked(try await profile(.timeline, frames: allFrames), id)
      return try await sampled(frames: frames, frameNanoseconds: timed.mean(of: frames), checksums: &checksums)
    }
  }

  func allocations() async throws -> AllocationProfile {
    try await naming {
      var checksums = ChecksumCheck(expected: try Self.frames([try await measure(.frames)]).checksum)
      return try await allocations(frames: allFrames, checksums: &checksums)
    }
  }

  /// Profiles all recorded frames of both builds, which have names.
  ///
  /// - Throws: `RunError`, `CancellationError`.
  static func difference(baseline: Profiler, candidate: Profiler) async throws -> DifferentialProfile {
    let runs = try await timings(of: [baseline, candidate])
    return DifferentialProfile(
      id: baseline.id, baselineName: baseline.name ?? "baseline",
      baseline: try await baseline.sampled(runs[0], frames: baseline.allFrames),
      candidateName: candidate.name ?? "candidate",
      candidate: try await candidate.sampled(runs[1], frames: baseline.allFrames))
  }

  var allFrames: [Int] { Array(0..<options.frameCount) }

  private func naming<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as RunError {
      guard let name else { throw error }
      throw RunError("\(name) cannot be profiled: \(error); both sides need a harness that supports profiles")
    }
  }
}

/// Makes sure that frames have the same output under every profiler as without one.
struct ChecksumCheck: Sendable {
  /// Hash of all recorded frames, without a profiler.
  let expected: String
  private var frameChecksums: [UInt64] = []

  init(expected: String) { self.expected = expected }

  mutating func checked(_ measurement: RunMeasurement, _ id: BenchmarkID) throws(RunError) -> ProfileMeasurement {
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
    guard profile.isRepeatable, found.count <= frameChecksums.count, found == Array(frameChecksums.prefix(found.count))
    else { throw Self.failure(id) }
  }

  private static func failure(_ id: BenchmarkID) -> RunError {
    RunError(
      "\(id) shows something different under the profiler than without it; seed randomness from the context,"
        + " and read no clock")
  }
}
