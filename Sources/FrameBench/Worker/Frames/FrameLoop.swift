import CAllocationCounter
import TextFormat

/// One run of a benchmark, frame by frame: first the warm-up frames, then the recorded frames.
struct FrameLoop {
  let recorder: FrameRecorder
  /// Hash over the checksums of the recorded frames so far.
  private(set) var checksum = Checksum()

  private let context: ScenarioContext
  private let body: Scenario.FrameBody
  private let timer: FrameTimer
  /// Nanoseconds of the first frame of the warm-up, without the time during which other processes had the core; nil if
  /// `runFirstWarmUp` has not run it.
  private(set) var firstFrameNanoseconds: Int?
  /// Nanoseconds of the measured parts of the warm-up frames that `runAll` ran; nil if it ran none.
  private(set) var warmUpNanoseconds: Int?
  /// The bytes on the heap after the last frame, before FrameBench computes its results.
  private(set) var liveHeapBytes = 0
  private var index = 0
  private let totalCount: Int

  init(_ body: @escaping Scenario.FrameBody, _ context: ScenarioContext, _ recorder: FrameRecorder) {
    self.body = body
    self.context = context
    self.recorder = recorder
    timer = recorder.timer
    totalCount = context.warmUpFrameCount + recorder.frameCount
  }

  var isFinished: Bool { index == totalCount }

  /// The number of the next frame among the recorded ones; nil in the warm-up.
  var nextRecordedFrame: Int? { index < context.warmUpFrameCount ? nil : index - context.warmUpFrameCount }

  @discardableResult @inline(__always) mutating func runFrame() throws(PassError) -> UInt64 {
    let isWarmUp = index < context.warmUpFrameCount
    recorder.beginFrame()
    let frameChecksum: UInt64
    do { frameChecksum = try body(Frame(index: index, timestep: context.timestep, isWarmUp: isWarmUp), timer) } catch {
      throw PassError(thrownBy: error, inFrame: index, context)
    }
    recorder.finishFrame(isWarmUp: isWarmUp)
    if !isWarmUp { checksum.combine(frameChecksum) }
    index += 1
    return frameChecksum
  }

  /// Runs the first frame if it belongs to the warm-up.
  mutating func runFirstWarmUp() throws(PassError) {
    guard index == 0, context.warmUpFrameCount > 0 else { return }
    let stopwatch = ThreadStopwatch()
    try runFrame()
    firstFrameNanoseconds = stopwatch.ownNanoseconds()
  }

  /// Runs the remaining frames and returns the measurements.
  /// - Parameters:
  ///   - seconds: The most seconds that the run should take; nil means no limit.
  ///   - remedy: Advice for the error message if the run would take longer.
  /// - Throws: If a frame throws, or if the warm-up shows that the run would take more than twice `seconds`.
  mutating func runAll(within seconds: Double? = nil, orElse remedy: String? = nil) throws(PassError) -> RunMeasurement
  {
    let first = recorder.warmUpNanoseconds
    let start = ContinuousClock.now
    let remaining = index..<max(index, context.warmUpFrameCount)
    // The first frame may take much longer than the others, so its time is checked only if it is the only warm-up
    // frame.
    if let seconds, let firstFrameNanoseconds, remaining.isEmpty {
      try checkLength(frameSeconds: Double(firstFrameNanoseconds) / 1e9, 1, seconds, remedy)
    }
    for (count, _) in zip(1..., remaining) {
      try runFrame()
      guard let seconds else { continue }
      let elapsed = start.duration(to: .now) / .seconds(1)
      try checkLength(frameSeconds: elapsed / Double(count), count, seconds, remedy)
    }
    if !remaining.isEmpty { warmUpNanoseconds = Int((recorder.warmUpNanoseconds - first).rounded()) }
    while !isFinished { try runFrame() }
    liveHeapBytes = allocation_counter_live_heap_bytes()
    return recorder.measurement(checksum: checksum)
  }

  /// - Parameters:
  ///   - frameSeconds: The mean time of some frames of the warm-up.
  ///   - count: The number of these frames.
  private func checkLength(frameSeconds: Double, _ count: Int, _ seconds: Double, _ remedy: String?) throws(PassError) {
    // Some frames may take longer than the others, so their mean is checked only after a tenth of `seconds` has passed.
    guard frameSeconds * Double(count) > seconds / 10, frameSeconds * Double(totalCount) > 2 * seconds else { return }
    throw PassError(
      "each takes some \(TimeUnit.text(frameSeconds * 1e9)), and there are \(Format.integer(totalCount)) to run"
        + (remedy.map { ": \($0)" } ?? ""))
  }
}
