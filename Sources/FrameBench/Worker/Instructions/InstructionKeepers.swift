import CInstructionCounter
import Glibc

/// Makes callgrind write its count where phases begin and end and where frames end. Most instructions of this class
/// itself do not count, because the counter is reset after them.
final class CallgrindKeeper: FrameObserver {
  /// The kind of the next frames: recorded ones, or empty ones that show the cost of counting. It is part of the
  /// `InstructionMark` at the end of each frame. Nil means that frames are not counted and get no marks.
  var kind: InstructionMark.Kind?
  private var isEnded = false

  func beginFrame() { if kind != nil { instruction_counter_discard() } }

  func restartFrame() {
    guard kind != nil else { return }
    instruction_counter_write(InstructionMark.frameRestarts(isEnded: isEnded).name)
    isEnded = false
    instruction_counter_discard()
  }

  func endFrame() {
    guard let kind else { return }
    instruction_counter_write(InstructionMark.frameEnds(kind).name)
    isEnded = true
  }

  func keepFrame(at index: Int?) { isEnded = false }

  func phaseIsComing() { if kind != nil { instruction_counter_write(InstructionMark.phaseBegins.name) } }

  func beginPhase(_ slot: Int) -> PhaseStart {
    if kind != nil { instruction_counter_discard() }
    return (0, 0)
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    if kind != nil { instruction_counter_write(InstructionMark.phaseEnds(slot: slot).name) }
  }
}

final class HardwareKeeper: FrameObserver {
  private let descriptor: Int32
  private var isReliable = true
  private var before: UInt64 = 0
  private var after: UInt64 = 0
  private let table: FrameTable

  /// - Parameter descriptor: The file descriptor of an open instruction counter. The caller closes it.
  init(descriptor: Int32, frameCount: Int) {
    self.descriptor = descriptor
    table = FrameTable(frameCount)
  }

  func beginFrame() { isReliable = instruction_counter_read(descriptor, &before) && isReliable }

  func endFrame() { isReliable = instruction_counter_read(descriptor, &after) && isReliable }

  func keepFrame(at index: Int?) { if let index { table[index] = after &- before } }

  /// The instructions of each recorded frame. Nil if a read failed, or if the counter was not running all the time.
  var counts: [Int]? { isReliable ? table.values().map { Int(truncatingIfNeeded: $0) } : nil }
}

package enum HardwareCounter {
  /// The reason why the counter cannot be read here, with a remedy; nil if it can.
  package static var obstacle: String? {
    let descriptor = instruction_counter_open()
    guard descriptor >= 0 else { return explanation(errorNumber: -descriptor) }
    instruction_counter_close(descriptor)
    return nil
  }

  static func explanation(errorNumber: Int32) -> String {
    switch errorNumber {
    case ENOENT, EOPNOTSUPP, ENODEV: "this machine has no such counter (most virtual machines have none)"
    case EACCES, EPERM:
      "the system does not allow reading it; set kernel.perf_event_paranoid to 2 or less, and in a container"
        + " allow perf_event_open"
    case ENOSYS: "this system has no perf_event_open"
    default: "perf_event_open: \(String(cString: strerror(errorNumber)))"
    }
  }
}
