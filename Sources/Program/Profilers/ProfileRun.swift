import Foundation
import FrameBench
import Measurements

/// Collects the parts of a profile one after the other.
struct ProfileRun: Sendable {
  var profiler: Profiler
  var choice: FrameChoice
  /// What to compare with; nil: nothing.
  var baseline: DifferentialProfiler.Side?
  var candidateName = "candidate"

  /// Runs of which the timeline is the quickest: that with the least noise.
  private static let timelineRunCount = 3

  struct Found: Sendable {
    var profile: FrameProfile
    var difference: DifferentialProfile?
    var callgrind: String?
    var clock: ClockRecord
  }

  /// Throws `RunError`, `CancellationError`.
  func run(countsInstructions: Bool, progress: (String) -> Void) async throws -> Found {
    progress("timing frames")
    var runs: [RunMeasurement] = []
    var baselineRuns: [RunMeasurement] = []
    for run in 0..<Profiler.timingRunCount {
      runs.append(try await profiler.timeFrames(run: run))
      if let baseline { baselineRuns.append(try await baseline.timeFrames(run: run)) }
    }
    let timed = try Profiler.frames(runs)
    var (frames, worst) = (Array(0..<profiler.options.frameCount), [Int]?.none)
    switch choice {
    case .all: break
    case .range(let range): frames = Array(range)
    case .worst(let count):
      worst = timed.worst(count)
      frames = timed.worst(count).sorted()
    }
    var profile = FrameProfile(id: profiler.id, options: profiler.options, frames: frames, worstFrames: worst)
    var checksums = ChecksumCheck(expected: timed.checksum)
    let counted = try await profiler.measure(
      WorkerRequest(
        benchmark: profiler.id, work: .allocations, options: profiler.options, core: profiler.core,
        parentProcess: getpid())
    ).allocations
    profile.timeline = try await timeline(timed, counted, frames, worst, &checksums, progress)
    progress("sampling stacks")
    profile.cpu = try await profiler.sampled(
      frames: frames, frameNanoseconds: timed.mean(of: frames), checksums: &checksums)
    progress("recording allocations")
    if counted == nil {
      profile.notes.append("Allocations were not recorded: this build does not count them.")
    } else {
      profile.allocations = try await profiler.allocations(frames: frames, checksums: &checksums)
    }
    profile.notes += notes(profile)
    var found = Found(profile: profile, clock: runs[0].clock)
    if let baseline {
      progress("sampling \(baseline.name)")
      found.difference = try await difference(baseline, baselineRuns, found.profile, frames)
    }
    if countsInstructions {
      progress("counting instructions")
      try await countInstructions(&found, checksums)
    }
    return found
  }

  private func notes(_ profile: FrameProfile) -> [String] {
    var notes = [profiler.symbolizer.note].compactMap(\.self)
    if let cpu = profile.cpu, cpu.sampleCount < ProfileRequest.fewestSamples,
      cpu.sampleCount + cpu.harnessCount < profiler.sampleTarget
    {
      notes.append(
        "Only \(cpu.sampleCount) samples were taken within \(Int(profiler.timeLimitSeconds * 3)) seconds: shares are rough."
      )
    }
    return notes
  }

  private func timeline(
    _ timed: Profiler.Frames, _ allocations: AllocationRecord?, _ frames: [Int], _ worst: [Int]?,
    _ checksums: inout ChecksumCheck,
    _ progress: (String) -> Void
  ) async throws -> Timeline {
    progress("recording the timeline")
    let all = Array(0..<profiler.options.frameCount)
    var best: (profile: ProfileMeasurement, total: Double, counters: [String: CountSeries])?
    for _ in 0..<Self.timelineRunCount {
      let measurement = try await profiler.profile(.timeline, frames: all)
      let profile = try checksums.checked(measurement, profiler.id)
      let total = profile.spans.filter { $0.phase == nil }.reduce(0) { $0 + $1.end - $1.start }
      if total < best?.total ?? .infinity { best = (profile, total, measurement.counters) }
    }
    guard let best else { throw RunError("\(profiler.id): no timeline was recorded") }
    let options = profiler.options
    let shown = worst == nil ? Set(frames) : Set(all)
    return Timeline(
      name: "\(profiler.id)",
      spans: best.profile.spans.filter { shown.contains($0.frame) }.map { span in
        Timeline.Span(
          frame: span.frame, phase: span.phase.map { best.profile.phaseNames[$0] }, start: span.start,
          end: span.end)
      },
      budgetNanoseconds: 1e9 / Double(options.refreshRateHertz) * (options.budgetShare ?? 1),
      counters: counters(best.counters, allocations), alignedNanoseconds: timed.alignedNanoseconds,
      worstFrames: worst)
  }

  private func counters(
    _ series: [String: CountSeries], _ allocations: AllocationRecord?
  ) -> [(name: String, values: [Int])] {
    var counters = series.sorted { $0.key < $1.key }.map {
      (name: Self.title($0.key), values: $0.value.values)
    }
    if let allocations {
      let (own, other) = (allocations.frameThread, allocations.otherThreads)
      counters.append(("allocations", zip(own.count.values, other.count.values).map(+)))
      counters.append(("allocated bytes", zip(own.bytes.values, other.bytes.values).map(+)))
    }
    return counters
  }

  /// `activeItems` → `active items`
  private static func title(_ name: String) -> String {
    name.reduce(into: "") { title, letter in
      title += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
  }

  private func difference(
    _ baseline: DifferentialProfiler.Side, _ runs: [RunMeasurement], _ profile: FrameProfile,
    _ frames: [Int]
  ) async throws -> DifferentialProfile? {
    guard let cpu = profile.cpu else { return nil }
    let timed = try Profiler.frames(runs)
    let other = try await baseline.sampled(frames: frames, timed: timed)
    return DifferentialProfile(
      id: profiler.id, baselineName: baseline.name, baseline: other, candidateName: candidateName,
      candidate: cpu)
  }

  private func countInstructions(_ found: inout Found, _ checksums: ChecksumCheck) async throws {
    do {
      let limit = CallgrindRunner.countedFrameCount(profiler.options, size: profiler.id.size)
      let frames = Array(found.profile.frames.prefix(limit))
      let runner = try await CallgrindRunner(executable: profiler.executablePath, timeout: .seconds(600))
      let (functions, profile) = try await runner.functions(
        profiler.id, options: profiler.options, frames: frames)
      var checksums = checksums
      try checksums.check(profile, profiler.id)
      let names = try await profiler.demangler.names(of: Set(functions.functions.map(\.mangled)))
      found.profile.instructions = functions.profile(names: names, frameCount: frames.count)
      found.callgrind = functions.text(names: names)
    } catch let failure as InstructionFailure {
      found.profile.notes.append("Instructions were not counted: \(failure).")
    } catch let error as RunError {
      found.profile.notes.append("Instructions were not counted: \(error).")
    }
  }
}
