import Foundation
import FrameBench
import Measurements
import Pages
import Platform
import TextFormat

/// Collects the parts of a profile one after the other.
package struct ProfileRun {
  private let profiler: Profiler
  /// The clock that timed the frames.
  package let clock: ClockRecord
  private var profile: FrameProfile
  private var difference: DifferentialProfile?
  private var callgrind: String?

  /// The number of runs that record the timeline. The quickest run is used, because it has the least noise.
  private static let timelineRunCount = 3

  /// - Parameters:
  ///   - range: The recorded frames to profile. Nil means all frames.
  ///   - worst: How many of the most expensive frames to profile. Nil means that `range` applies.
  ///   - coreCount: The number of cores that the scenario asks for.
  package init(
    _ profiler: Profiler, against baseline: Profiler?, frames range: ClosedRange<Int>?, worst: Int?,
    countsInstructions: Bool, coreCount: Int, progress: (String) -> Void
  ) async throws {
    self.profiler = profiler
    progress("timing frames")
    let runs = try await Profiler.timings(of: [profiler] + [baseline].compactMap(\.self))
    clock = runs[0][0].clock
    var timed = try Profiler.frames(runs[0])
    let worst = worst.map(timed.worst)
    let frames = worst?.sorted() ?? range.map(Array.init) ?? profiler.allFrames
    profile = FrameProfile(id: profiler.id, options: profiler.options, frames: frames, worstFrames: worst)
    let unprofiled = try await profiler.measure(.allocations)
    let counted = unprofiled.allocations
    progress("recording the timeline")
    profile.timeline = try await timeline(&timed, counted)
    progress("sampling stacks")
    let cpu = try await profiler.sampled(frames, of: &timed)
    profile.cpu = cpu
    progress("recording allocations")
    if counted == nil {
      profile.notes.append("Allocations were not recorded: this build does not count them.")
    } else {
      profile.allocations = try await profiler.allocations(frames, of: &timed)
    }
    if let note = profiler.symbolizer.note { profile.notes.append(note) }
    if cpu.sampleCount + cpu.harnessCount < profiler.sampleTarget {
      let isFew = cpu.sampleCount < ProfileRequest.fewestSamples
      profile.notes.append(
        cpu.sampleCount == 0
          ? "No sample hit a frame: only the measuring thread is sampled. Frames that suspend and ask for several cores run"
            + " on other threads; profile them with cores: 1."
          : "Only \(cpu.sampleCount) samples were taken within \(Int(profiler.timeLimitSeconds * (isFew ? 3 : 1))) seconds"
            + (isFew ? ": shares are rough." : "."))
    }
    if let baseline, let name = baseline.name {
      progress("sampling \(name)")
      difference = DifferentialProfile(
        id: profiler.id, baselineName: name, baseline: try await baseline.sampled(frames, timedBy: runs[1]),
        candidateName: "the working tree", candidate: cpu)
    }
    if countsInstructions, coreCount > 1 {
      profile.notes.append(
        "Instructions were not counted: the frames use several cores, and callgrind counts one thread.")
    } else if countsInstructions {
      progress("counting instructions")
      try await countInstructions(&timed)
      if profile.instructions != nil, let share = unprofiled.otherThreadShare {
        profile.notes.append(
          "Other threads did \(Format.percent(share)) of the work, and their instructions were not counted.")
      }
    }
  }

  package func files(_ environment: Environment) -> [(name: String, data: Data)] {
    var files = profile.files(
      environment: environment, difference: difference, exporter: "springbench@\(springBenchVersion)")
    if let callgrind { files.append((ProfileFile.callgrind.rawValue, Data(callgrind.utf8))) }
    return files
  }

  private mutating func timeline(_ timed: inout Profiler.Frames, _ allocations: AllocationRecord?) async throws
    -> Timeline
  {
    let all = profiler.allFrames
    var best: (profile: ProfileMeasurement, total: Double, counters: [String: CountSeries])?
    for _ in 0..<Self.timelineRunCount {
      let measurement = try await profiler.profile(.timeline, frames: all)
      let profile = try timed.checked(measurement, profiler.id)
      let total = profile.spans.filter { $0.phase == nil }.reduce(0) { $0 + $1.end - $1.start }
      if total < best?.total ?? .infinity { best = (profile, total, measurement.counters) }
    }
    guard let best else { throw RunError("\(profiler.id): no timeline was recorded") }
    if case let lost = best.profile.lostSpanCount, lost > 0 {
      profile.notes.append(
        "The timeline ends early: \(Format.plural(lost, "span")) (frames and phases) at its end did not fit into memory."
      )
    }
    let worst = profile.worstFrames
    return Timeline(
      of: profiler.id, best.profile, frames: Set(worst == nil ? profile.frames : all), profiler.options,
      counters: counters(best.counters, allocations), alignedNanoseconds: timed.alignedNanoseconds, worstFrames: worst)
  }

  private func counters(_ series: [String: CountSeries], _ allocations: AllocationRecord?) -> [(
    name: String, values: [Int]
  )] {
    var counters = series.sorted { $0.key < $1.key }.map { (name: Self.title($0.key), values: $0.value.values) }
    if let allocations {
      let (own, other) = (allocations.frameThread, allocations.otherThreads)
      counters.append(("allocations", zip(own.count.values, other.count.values).map(+)))
      counters.append(("allocated bytes", zip(own.bytes.values, other.bytes.values).map(+)))
    }
    return counters
  }

  /// Returns `active items` for `activeItems`.
  private static func title(_ name: String) -> String {
    name.reduce(into: "") { title, letter in title += letter.isUppercase ? " " + letter.lowercased() : String(letter) }
  }

  private mutating func countInstructions(_ timed: inout Profiler.Frames) async throws {
    do {
      let limit = CallgrindRunner.countedFrameCount(profiler.options, size: profiler.id.size)
      let request = ProfileRequest(kind: .callgrind, frames: Array(profile.frames.prefix(limit)))
      let runner = try await CallgrindRunner(executable: profiler.executablePath, timeout: .seconds(600))
      let (measurement, data) = try await runner.run(
        WorkerRequest(benchmark: profiler.id, pass: .profile, options: profiler.options, profile: request),
        collecting: "--collect-atstart=no")
      let costs = try CallgrindCosts(data)
      _ = try timed.checked(measurement, profiler.id)
      let names = try await profiler.demangler.names(of: Set(costs.functions.keys))
      profile.instructions = costs.profile(names: names, frameCount: request.frames.count)
      callgrind = CallgrindCosts.text(data, names: names)
    } catch let error where error is InstructionFailure || error is RunError {
      profile.notes.append("Instructions were not counted: \(error).")
    }
  }

  /// A row of the JSON output for scripts: a function, or a place that allocates.
  private struct Row: Encodable {
    var id: String
    /// The kind of the row: `time`, `allocation`, `instructions` or `difference`.
    var kind: String
    var function: String
    var file: String?
    var line: Int?
    /// The cost of the function itself, in `unit`, as a mean per frame. `total` includes its callees.
    var own: Double?
    var total: Double?
    /// `own` as a fraction of the cost of all functions.
    var share: Double?
    var unit: String
    var count: Int?
    var bytes: Int?
    var firstFrame: Int?
    var baseline: Double?
  }

  private var rows: [Row] {
    var rows: [Row] = []
    let id = profile.id.description
    if let cpu = profile.cpu {
      let whole = Double(max(1, cpu.sampleCount))
      rows += FunctionCost.costs(of: cpu.stacks).map { cost in
        Row(
          id: id, kind: "time", function: cost.frame.function, file: cost.frame.file, line: cost.frame.line,
          own: cost.own * cpu.nanosecondsPerSample, total: cost.total * cpu.nanosecondsPerSample,
          share: cost.own / whole, unit: "ns")
      }
    }
    if let allocations = profile.allocations {
      rows += allocations.stacks.map { stack in
        Row(
          id: id, kind: "allocation", function: stack.site?.function ?? "[unknown]", file: stack.site?.file,
          line: stack.site?.line, own: Double(stack.count) / Double(max(1, allocations.frameCount)), unit: "count",
          count: stack.count, bytes: stack.bytes, firstFrame: stack.firstFrame)
      }
    }
    if let instructions = profile.instructions {
      let frames = Double(max(1, instructions.frameCount))
      rows += instructions.functions.map { cost in
        Row(
          id: id, kind: "instructions", function: cost.frame.function, own: cost.own / frames,
          total: cost.total / frames, share: cost.own / Double(max(1, instructions.total)), unit: "count")
      }
    }
    return rows
      + (difference?.movers ?? []).map { mover in
        Row(
          id: id, kind: "difference", function: mover.frame.function, file: mover.frame.file, line: mover.frame.line,
          own: mover.candidate, unit: "ns", baseline: mover.baseline)
      }
  }

  package func json() throws -> String { try JSONText.indented(rows) }

  package var text: String {
    var lines: [String] = []
    if let cpu = profile.cpu {
      let whole = Double(max(1, cpu.sampleCount))
      func add(_ costs: [FunctionCost], _ title: String) {
        lines.append(title)
        for cost in costs where cost.own > 0 {
          let place = cost.frame.position.map { "  \($0)" } ?? ""
          lines.append(String(format: "%7.1f%%  ", cost.own / whole * 100) + cost.frame.function + place)
        }
      }
      let own = FunctionCost.costsInProgram(of: cpu.stacks)
      if !own.isEmpty { add(Array(own.prefix(5)), "time in the program's own functions, with what they call") }
      add(Array(FunctionCost.costs(of: cpu.stacks).prefix(8)), "time, \(cpu.sampleCount) samples")
    }
    if let allocations = profile.allocations {
      lines.append(allocations.verdict)
      for stack in allocations.stacks.prefix(5) {
        let place = stack.site?.position.map { "  \($0)" } ?? ""
        let callee = stack.engineSite.map { ", in \($0.function)" } ?? ""
        lines.append(String(format: "%8ld  ", stack.count) + "\(stack.site?.function ?? "[unknown]")\(place)\(callee)")
      }
    }
    lines += profile.notes.map { "note: \($0)" }
    return lines.map { $0 + "\n" }.joined()
  }
}
