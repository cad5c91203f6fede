import FrameBench
import Measurements

/// One run of a benchmark, frame by frame: first those of the warm-up, then those that are recorded.
struct FrameLoop {
  let recorder: FrameRecorder
  /// Over the checksums of the recorded frames so far.
  private(set) var checksum = Checksum()

  private let context: ScenarioContext
  private let body: Scenario.FrameBody
  private let timer: FrameTimer
  private var index = 0
  private let totalCount: Int

  /// Runs the warm-up of `context` and as many frames as the recorder holds.
  init(_ body: @escaping Scenario.FrameBody, _ context: ScenarioContext, _ recorder: FrameRecorder) {
    self.body = body
    self.context = context
    self.recorder = recorder
    timer = recorder.timer
    totalCount = context.warmUpFrameCount + recorder.frameCount
  }

  var isFinished: Bool { index == totalCount }

  /// Number of the recorded frame that comes next; nil in the warm-up.
  var nextRecordedFrame: Int? { index < context.warmUpFrameCount ? nil : index - context.warmUpFrameCount }

  /// - Returns: The checksum of the frame.
  @discardableResult
  @inline(__always)
  mutating func runFrame() throws(PassError) -> UInt64 {
    let isWarmUp = index < context.warmUpFrameCount
    recorder.beginFrame()
    let frameChecksum: UInt64
    do {
      frameChecksum = try body(Frame(index: index, timestep: context.timestep, isWarmUp: isWarmUp), timer)
    } catch {
      throw PassError(thrownBy: error, inFrame: index, context)
    }
    recorder.finishFrame(isWarmUp: isWarmUp)
    if !isWarmUp { checksum.combine(frameChecksum) }
    index += 1
    return frameChecksum
  }

  /// - Returns: What the recorder kept of all frames.
  mutating func runAll() throws(PassError) -> RunMeasurement {
    while !isFinished { try runFrame() }
    return recorder.measurement(checksum: checksum)
  }
}
