import FrameBench
import TextFormat

/// The results of a profile of one benchmark. Missing parts are absent, and a note says why.
package struct FrameProfile: Sendable {
  package var id: BenchmarkID
  /// Options of the workers: frames, warm-up, refresh rate.
  package var options: RunOptions
  /// Numbers of the profiled frames among the recorded ones, ascending.
  package var frames: [Int]
  /// The most expensive frames, the worst first; nil: frames were not chosen by cost.
  package var worstFrames: [Int]?
  /// Nil: time was not sampled.
  package var cpu: SampledProfile?
  /// Nil: allocations were not recorded, or the build does not count them.
  package var allocations: AllocationProfile?
  /// Nil: no timeline was recorded, as for a regression.
  package var timeline: Timeline?
  /// Nil: instructions were not counted.
  package var instructions: InstructionProfile?
  /// Remarks in whole sentences.
  package var notes: [String] = []

  package init(id: BenchmarkID, options: RunOptions, frames: [Int], worstFrames: [Int]? = nil) {
    (self.id, self.options, self.frames, self.worstFrames) = (id, options, frames, worstFrames)
  }

  /// `frames 10 to 19 of 1,200`
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

/// Samples of the time of frames.
package struct SampledProfile: Sendable {
  /// Stacks without those of the harness.
  package var stacks: [ProfileStack] = []
  /// Samples of the harness itself inside a frame: its phases.
  package var harnessCount = 0
  /// Samples without a complete call chain.
  package var incompleteCount = 0
  /// How often the frames were run.
  package var repetitionCount = 0
  /// Mean cost of a frame, by the minimum over runs without a profiler, nanoseconds.
  package var frameNanoseconds: Double

  /// Number of samples in `stacks`, so without the harness.
  package var sampleCount: Int { stacks.reduce(0) { $0 + $1.count } }
  /// Time of a frame that one sample stands for.
  package var nanosecondsPerSample: Double { sampleCount == 0 ? 0 : frameNanoseconds / Double(sampleCount) }
  /// Mean cost of a stack in a frame.
  package func nanoseconds(_ stack: ProfileStack) -> Double { Double(stack.count) * nanosecondsPerSample }
}

extension SampledProfile {
  /// A profile without samples.
  package init(frameNanoseconds: Double) { self.init(stacks: [], frameNanoseconds: frameNanoseconds) }

  /// Merges stacks of the same functions and lines; by phase in the order of the frame, then the most frequent first.
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

/// Allocations of frames, by stack. Exact.
package struct AllocationProfile: Sendable {
  /// The most allocations first, then the most bytes; includes those of the harness.
  package var stacks: [ProfileStack]
  /// Profiled frames, including those that do not allocate.
  package var frameCount: Int
  /// Allocations whose stacks did not fit.
  package var lostCount: Int

  package init(stacks: [ProfileStack], frameCount: Int, lostCount: Int) {
    self.stacks = stacks.sorted {
      ($1.count, $1.bytes, $0.firstFrame, $0.frames.map(\.function).joined()) < (
        $0.count, $0.bytes, $1.firstFrame, $1.frames.map(\.function).joined()
      )
    }
    (self.frameCount, self.lostCount) = (frameCount, lostCount)
  }

  /// Allocations in all frames, with those whose stacks were lost.
  package var count: Int { stacks.reduce(0) { $0 + $1.count } + lostCount }
  /// Bytes requested in all frames, without those whose stacks were lost.
  package var bytes: Int { stacks.reduce(0) { $0 + $1.bytes } }

  /// One line, also if there were none.
  package var verdict: String {
    guard count > 0 else { return "no allocations in \(Format.plural(frameCount, "frame"))" }
    return "\(Format.plural(count, "allocation")) of \(ByteUnit.text(Double(bytes))) in "
      + "\(Format.plural(frameCount, "frame")), at \(Format.plural(stacks.count, "place"))"
  }

  /// Every place with its whole stack.
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

/// Instructions by function, by callgrind.
package struct InstructionProfile: Sendable {
  /// Sorted by their own instructions, the most expensive first.
  package var functions: [FunctionCost]
  /// Instructions of all functions in all frames, without the harness.
  package var total: Int { Int(functions.reduce(0) { $0 + $1.own }) }
  /// Frames in which callgrind counted: only the first profiled ones if there are too many.
  package var frameCount: Int
  /// Version of callgrind according to its file; nil if it does not say.
  package var version: String?

  /// - Parameter costs: Instructions of functions themselves, and including callees, in the order of `functions`.
  package init(_ costs: [(frame: CallFrame, own: Int, total: Int)], frameCount: Int, version: String?) {
    functions = costs.map { FunctionCost(frame: $0.frame, own: Double($0.own), total: Double($0.total)) }
    (self.frameCount, self.version) = (frameCount, version)
  }
}

/// Frames and phases over time, for a viewer.
package struct Timeline: Sendable {
  /// Name of the benchmark; the viewer shows it as a process.
  package var name: String
  /// Frames and their phases, nanoseconds since the first frame began.
  package var spans: [Span]
  /// Time budget of a frame, nanoseconds.
  package var budgetNanoseconds: Double
  /// One value of each counter for each recorded frame: active items, tile churn, allocations.
  package var counters: [(name: String, values: [Int])]
  /// Minimum over runs for each recorded frame, nanoseconds.
  package var alignedNanoseconds: [Double]
  /// Numbers of the worst frames, around which all detail is kept; nil: kept everywhere.
  package var worstFrames: [Int]?

  /// A frame, or one of its phases.
  package struct Span: Sendable {
    /// Number among the recorded frames, from 0.
    package var frame: Int
    /// Name of the phase; nil for the frame as a whole.
    package var phase: String?
    /// Nanoseconds since the first frame began.
    package var start: Double
    /// The end on the same clock; the last phase may seem to outlast its frame, since reading the clock takes time.
    package var end: Double
  }

  /// Frames before and after a worst one that keep their phases.
  private static let detailRadius = 5

  package func keepsDetail(_ frame: Int) -> Bool {
    worstFrames?.contains { abs($0 - frame) <= Self.detailRadius } ?? true
  }

  /// Whether the frame misses the budget, by the minimum over runs, as everywhere else.
  package func misses(_ frame: Int) -> Bool {
    alignedNanoseconds.indices.contains(frame) && alignedNanoseconds[frame] > budgetNanoseconds
  }

  /// Numbers of the recorded frames whose minimum cost is above the budget, ascending; includes those without spans.
  package var missedFrames: [Int] { alignedNanoseconds.indices.filter(misses) }
}

extension Timeline {
  /// - Parameter frames: Those whose spans are kept.
  package init(
    of id: BenchmarkID, _ measured: ProfileMeasurement, frames: Set<Int>, _ options: RunOptions,
    counters: [(name: String, values: [Int])], alignedNanoseconds: [Double], worstFrames: [Int]?
  ) {
    self.init(
      name: "\(id)",
      spans: measured.spans.filter { frames.contains($0.frame) }.map { span in
        Span(frame: span.frame, phase: span.phase.map { measured.phaseNames[$0] }, start: span.start, end: span.end)
      }, budgetNanoseconds: 1e9 / Double(options.refreshRateHertz) * (options.budgetShare ?? 1), counters: counters,
      alignedNanoseconds: alignedNanoseconds, worstFrames: worstFrames)
  }
}
