import FrameBench
import TextFormat

/// The results of profiling one benchmark. If a requested result could not be measured, a note says why.
package struct FrameProfile: Sendable {
  package var id: BenchmarkID
  /// Options of the profiled runs, such as the number of frames and the refresh rate.
  package var options: RunOptions
  /// The numbers of the profiled frames, ascending. Recorded frames (those after the warm-up) are numbered from 0.
  package var frames: [Int]
  /// The numbers of the most expensive frames, the worst first. Nil if frames were not chosen by cost.
  package var worstFrames: [Int]?
  /// The sampled call stacks, which show where frames spend their time. Nil if stacks were not sampled.
  package var cpu: SampledProfile?
  /// The allocations. Nil if they were not recorded, or if the build does not count them.
  package var allocations: AllocationProfile?
  /// The timeline. Nil if it was not recorded, as in the profile of a regression.
  package var timeline: Timeline?
  /// The instructions. Nil if they were not counted.
  package var instructions: InstructionProfile?
  /// Remarks for the reader, in whole sentences.
  package var notes: [String] = []

  package init(id: BenchmarkID, options: RunOptions, frames: [Int], worstFrames: [Int]? = nil) {
    (self.id, self.options, self.frames, self.worstFrames) = (id, options, frames, worstFrames)
  }

  /// The profiled frames in words: `frames 10 to 19 of 1,200`.
  package var frameText: String {
    let all = Format.integer(options.frameCount)
    if let worstFrames {
      let names = worstFrames.prefix(8).map(Format.integer)
      return worstFrames.count > names.count
        ? "the \(Format.integer(worstFrames.count)) worst of \(all) frames"
        : "the \(worstFrames.count == 1 ? "worst" : "\(worstFrames.count) worst") of \(all) frames (\(Format.list(names)))"
    }
    guard frames.count < options.frameCount, let first = frames.first, let last = frames.last else {
      return "all \(Format.plural(options.frameCount, "frame"))"
    }
    return first == last
      ? "frame \(Format.integer(first)) of \(all)"
      : "frames \(Format.integer(first)) to \(Format.integer(last)) of \(all)"
  }
}

/// Call stacks that were sampled while frames ran.
package struct SampledProfile: Sendable {
  /// The stacks, without those of the harness.
  package var stacks: [ProfileStack] = []
  /// Number of samples that hit the harness's own code, which begins and ends phases.
  package var harnessCount = 0
  /// Number of samples whose callers could not be traced to the end.
  package var incompleteCount = 0
  /// How many times the profiled frames were run.
  package var repetitionCount = 0
  /// The mean of the frames' times, nanoseconds. A frame's time is its minimum over runs without a profiler.
  package var frameNanoseconds: Double
  /// The standard error of `frameNanoseconds`; 0 if it is negligible.
  package var frameError = 0.0

  /// Number of samples in `stacks`, without those of the harness.
  package var sampleCount: Int { stacks.reduce(0) { $0 + $1.count } }
  /// How many nanoseconds of a frame one sample represents.
  package var nanosecondsPerSample: Double { sampleCount == 0 ? 0 : frameNanoseconds / Double(sampleCount) }
  /// Mean cost of a stack per frame, nanoseconds.
  package func nanoseconds(_ stack: ProfileStack) -> Double { Double(stack.count) * nanosecondsPerSample }
}

extension SampledProfile {
  package init(frameNanoseconds: Double) { self.init(stacks: [], frameNanoseconds: frameNanoseconds) }

  /// Merges stacks with the same functions and lines. Sorts the stacks by phase, in the order of `phases`; within a
  /// phase, the most frequent come first.
  package mutating func merge(phases: [String]) {
    var merged: [[CallFrame]: Int] = [:]
    for stack in stacks { merged[stack.frames, default: 0] += stack.count }
    let keyed = merged.map { frames, count in
      let phase = frames.first.flatMap { $0.origin == .phase ? phases.firstIndex(of: $0.function) : nil }
      let name = frames.map(\.function).joined(separator: ";")
      return (phase: phase ?? phases.count, name: name, stack: ProfileStack(frames: frames, count: count))
    }
    stacks = keyed.sorted { ($0.phase, $1.stack.count, $0.name) < ($1.phase, $0.stack.count, $1.name) }.map(\.stack)
  }
}

/// Allocations of frames, by stack. The numbers are exact.
package struct AllocationProfile: Sendable {
  /// The stacks, including those of the harness. Those with the most allocations come first, and among equal numbers of
  /// allocations those with the most bytes.
  package var stacks: [ProfileStack]
  /// Number of profiled frames, including those that do not allocate.
  package var frameCount: Int
  /// Number of allocations whose stacks were lost, because the memory for stacks was full.
  package var lostCount: Int

  package init(stacks: [ProfileStack], frameCount: Int, lostCount: Int) {
    self.stacks = stacks.sorted {
      ($1.count, $1.bytes, $0.firstFrame, $0.frames.map(\.function).joined()) < (
        $0.count, $0.bytes, $1.firstFrame, $1.frames.map(\.function).joined()
      )
    }
    (self.frameCount, self.lostCount) = (frameCount, lostCount)
  }

  /// Number of allocations in all frames, including those whose stacks were lost.
  package var count: Int { stacks.reduce(0) { $0 + $1.count } + lostCount }
  /// Bytes requested in all frames, without allocations whose stacks were lost.
  package var bytes: Int { stacks.reduce(0) { $0 + $1.bytes } }

  /// A summary in one line, which also says if there were no allocations.
  package var verdict: String {
    guard count > 0 else { return "no allocations in \(Format.plural(frameCount, "frame"))" }
    return "\(Format.plural(count, "allocation")) of \(ByteUnit.text(Double(bytes))) in "
      + "\(Format.plural(frameCount, "frame")), at \(Format.plural(stacks.count, "place"))"
  }

  /// A text that lists every stack that allocates.
  package func text(name: String) -> String {
    var text = "\(name): \(verdict)\n"
    if lostCount > 0 { text += "\(Format.plural(lostCount, "allocation")) had stacks that did not fit into memory\n" }
    for (index, stack) in stacks.enumerated() {
      let site = stack.site ?? .unknown
      text +=
        "\n\(index + 1). \(site.function)\(site.fullPosition.map { "  \($0)" } ?? "")"
        + "\n   \(figures(stack)), first in frame \(Format.integer(stack.firstFrame))\n"
      for frame in stack.frames.reversed() {
        let place = (frame.fullPosition ?? frame.library).map { "  \($0)" } ?? ""
        text += "     \(frame.origin == .phase ? "phase \(frame.function)" : frame.function)\(place)\n"
      }
    }
    return text
  }

  private func figures(_ stack: ProfileStack) -> String {
    let perFrame = Format.count(Double(stack.count) / Double(max(1, frameCount)))
    let bytesPerFrame = Format.count(Double(stack.bytes) / Double(max(1, frameCount)))
    return "\(Format.plural(stack.count, "allocation")), \(Format.integer(stack.bytes)) B;"
      + " per frame \(perFrame) of \(bytesPerFrame) B on average, at most \(Format.integer(stack.mostInFrame));"
      + " in \(Format.plural(stack.frameCount, "frame")) of \(Format.integer(frameCount))"
  }
}

/// Instructions by function, as counted by callgrind.
package struct InstructionProfile: Sendable {
  /// The functions, sorted by their own instructions, the most expensive first.
  package var functions: [FunctionCost]
  /// Instructions of all functions in all frames, including those of the harness.
  package var total: Int { Int(functions.reduce(0) { $0 + $1.own }) }
  /// Number of frames in which callgrind counted instructions. If more frames are profiled than callgrind can count in
  /// reasonable time, it counts only the earliest ones.
  package var frameCount: Int
  /// Version of callgrind according to the file that it wrote; nil if the file does not contain a version.
  package var version: String?

  /// - Parameter costs: The functions with their own instructions and their instructions including callees, sorted as
  ///   in `functions`.
  package init(_ costs: [(frame: CallFrame, own: Int, total: Int)], frameCount: Int, version: String?) {
    functions = costs.map { FunctionCost(frame: $0.frame, own: Double($0.own), total: Double($0.total)) }
    (self.frameCount, self.version) = (frameCount, version)
  }
}

/// Frames and phases over time, for a viewer such as Perfetto.
package struct Timeline: Sendable {
  /// Name of the benchmark; the viewer shows it as a process.
  package var name: String
  /// Frames and their phases, nanoseconds since the first frame began.
  package var spans: [Span]
  /// Time budget of a frame, nanoseconds.
  package var budgetNanoseconds: Double
  /// The scenario's counters and the allocations, with one value for each recorded frame.
  package var counters: [(name: String, values: [Int])]
  /// The minimum time of each recorded frame over the runs, nanoseconds.
  package var alignedNanoseconds: [Double]
  /// Numbers of the worst frames. Only frames near a worst frame contain phases. Nil means that all frames do.
  package var worstFrames: [Int]?

  /// A frame, or one of its phases.
  package struct Span: Sendable {
    /// The number of the frame among the recorded frames, from 0.
    package var frame: Int
    /// Name of the phase; nil for the frame as a whole.
    package var phase: String?
    /// Nanoseconds since the first frame began.
    package var start: Double
    /// Nanoseconds since the first frame began. The last phase may seem to end after its frame, because reading the
    /// clock takes time.
    package var end: Double
  }

  /// The number of frames before and after each worst frame for which the timeline contains phases.
  private static let detailRadius = 5

  package func keepsDetail(_ frame: Int) -> Bool {
    worstFrames?.contains { abs($0 - frame) <= Self.detailRadius } ?? true
  }

  /// Whether the minimum cost of the frame over the runs exceeds the budget.
  package func misses(_ frame: Int) -> Bool {
    alignedNanoseconds.indices.contains(frame) && alignedNanoseconds[frame] > budgetNanoseconds
  }

  /// Numbers of the recorded frames that miss the budget, in ascending order, including frames without spans.
  package var missedFrames: [Int] { alignedNanoseconds.indices.filter(misses) }
}

extension Timeline {
  /// - Parameter frames: The numbers of the frames whose spans the timeline contains.
  package init(
    of id: BenchmarkID, _ measured: ProfileMeasurement, frames: Set<Int>, _ options: RunOptions,
    counters: [(name: String, values: [Int])], alignedNanoseconds: [Double], worstFrames: [Int]?
  ) {
    self.init(
      name: "\(id)",
      spans: measured.spans.filter { frames.contains($0.frame) }.map { span in
        Span(frame: span.frame, phase: span.phase.map { measured.phaseNames[$0] }, start: span.start, end: span.end)
      }, budgetNanoseconds: options.frameBudget.budgetNanoseconds, counters: counters,
      alignedNanoseconds: alignedNanoseconds, worstFrames: worstFrames)
  }
}
