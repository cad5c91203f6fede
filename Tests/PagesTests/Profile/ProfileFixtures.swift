import FrameBench

@testable import Measurements

/// Profiles whose costs are known.
enum ProfileFixtures {
  static let id = BenchmarkID(scenario: "split", strategy: "mine", size: 100)

  static func frame(_ function: String, line: Int? = nil, _ origin: CallFrame.Origin = .program) -> CallFrame {
    CallFrame(function: function, file: line == nil ? nil : "/src/\(function).swift", line: line, origin: origin)
  }

  static let solve = CallFrame(function: "solve", origin: .phase)
  static let query = CallFrame(function: "query", origin: .phase)

  /// Stacks with 700 samples in `heavy` and 300 in `light`. Of these 300, 100 are in a function that `light` calls.
  static var stacks: [ProfileStack] {
    [
      ProfileStack(frames: [solve, frame("body"), frame("heavy", line: 7)], count: 700),
      ProfileStack(frames: [query, frame("body"), frame("light", line: 9)], count: 200),
      ProfileStack(frames: [query, frame("body"), frame("light", line: 9), frame("memcpy", .system)], count: 100),
    ]
  }

  static func sampled(_ stacks: [ProfileStack] = stacks, nanoseconds: Double = 1_000) -> SampledProfile {
    SampledProfile(
      stacks: stacks, harnessCount: 0, incompleteCount: 0, repetitionCount: 3, frameNanoseconds: nanoseconds)
  }

  /// Names that contain markup, separators or escapes of some format.
  static let hostile = "f<T>(\"a\";&b) -> c\\d|`e`\n]]>\u{1}ü"

  static var hostileStacks: [ProfileStack] {
    [ProfileStack(frames: [frame(hostile, line: 3), frame("g<U>")], count: 5, bytes: 80, firstFrame: 2)]
  }

  static func profile(_ stacks: [ProfileStack] = stacks) -> FrameProfile {
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (6, 2)
    var profile = FrameProfile(id: id, options: options, frames: Array(0..<6))
    profile.cpu = sampled(stacks)
    profile.allocations = AllocationProfile(stacks: [], frameCount: 6, lostCount: 0)
    profile.timeline = timeline()
    return profile
  }

  /// Returns a timeline of six frames of 100 ns, 20 ns apart, each with two phases. The aligned time of the fourth
  /// frame, its shortest time in any run, is 300 ns.
  static func timeline(worst: [Int]? = nil, name: String = "split/mine/100") -> Timeline {
    var spans: [Timeline.Span] = []
    for frame in 0..<6 {
      let start = Double(frame) * 120
      spans.append(Timeline.Span(frame: frame, phase: "solve", start: start + 10.04, end: start + 60.3))
      // The last phase ends one read of the clock later than its frame.
      spans.append(Timeline.Span(frame: frame, phase: "query", start: start + 60.5, end: start + 101.2))
      spans.append(Timeline.Span(frame: frame, phase: nil, start: start, end: start + 100))
    }
    return Timeline(
      name: name, spans: spans, budgetNanoseconds: 200,
      counters: [("active items", [1, 2, 3, 4, 5, 6]), ("allocations", [0, 0, 1, 0, 0, 0])],
      alignedNanoseconds: [100, 100, 100, 300, 100, 100], worstFrames: worst)
  }
}
