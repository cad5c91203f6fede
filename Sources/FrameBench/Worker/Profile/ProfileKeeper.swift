import CInstructionCounter
import CStackProfiler

/// Records frames and phases in the pass that profiles.
final class ProfileKeeper: FrameObserver {
  /// Number of the recorded frame that runs now; nil if it is not profiled.
  var frame: Int?

  private let kind: ProfileRequest.Kind
  private let spans: SpanBuffer?
  private let clock: FrameClock
  private var startTicks: UInt64 = 0

  /// - Parameter spans: Buffer for a timeline; otherwise nil.
  init(_ kind: ProfileRequest.Kind, _ spans: SpanBuffer?, _ clock: FrameClock) {
    self.kind = kind
    self.spans = spans
    self.clock = clock
  }

  func beginFrame() {
    guard let frame else { return }
    switch kind {
    case .samples, .allocations: stack_profiler_begin_frame(UInt32(frame))
    case .timeline: startTicks = clock.startTicks()
    case .callgrind: instruction_counter_toggle_collection()
    }
  }

  /// Samples, allocations and instructions so far stay in the profile, which shows whole calls.
  func restartFrame() { if frame != nil, kind == .timeline { startTicks = clock.startTicks() } }

  func endFrame() {
    guard let frame else { return }
    switch kind {
    case .samples, .allocations: stack_profiler_end_frame()
    case .timeline: spans?.append(frame: frame, phase: nil, start: startTicks, end: clock.endTicks())
    case .callgrind: instruction_counter_toggle_collection()
    }
  }

  func beginPhase(_ slot: Int) -> PhaseStart {
    guard frame != nil else { return PhaseStart() }
    switch kind {
    case .samples, .allocations:
      let outer = stack_profiler_set_phase(Int32(truncatingIfNeeded: slot))
      return PhaseStart(UInt64(bitPattern: Int64(outer)))
    case .timeline: return PhaseStart(clock.startTicks())
    case .callgrind: return PhaseStart()
    }
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    guard let frame else { return }
    switch kind {
    case .samples, .allocations: _ = stack_profiler_set_phase(Int32(truncatingIfNeeded: Int64(bitPattern: start.first)))
    case .timeline: spans?.append(frame: frame, phase: slot, start: start.first, end: clock.endTicks())
    case .callgrind: break
    }
  }
}

/// Room for spans, made before the first frame.
final class SpanBuffer {
  private struct Span {
    var frame: Int32
    /// Slot of the phase; -1: the frame.
    var phase: Int32
    var start: UInt64
    var end: UInt64
  }

  private let spans: UnsafeMutableBufferPointer<Span>
  private var count = 0
  private(set) var lostCount = 0

  init(capacity: Int) { spans = .allocate(capacity: capacity) }
  deinit { spans.deallocate() }

  func append(frame: Int, phase: Int?, start: UInt64, end: UInt64) {
    guard count < spans.count else {
      lostCount += 1
      return
    }
    spans.initializeElement(at: count, to: Span(frame: Int32(frame), phase: Int32(phase ?? -1), start: start, end: end))
    count += 1
  }

  func values(nanosecondsPerTick rate: Double) -> [TimelineSpan] {
    let origin = spans.prefix(count).map(\.start).min() ?? 0
    return spans.prefix(count).map { span in
      TimelineSpan(
        frame: Int(span.frame), phase: span.phase < 0 ? nil : Int(span.phase),
        start: inTenths(Double(span.start &- origin) * rate), end: inTenths(Double(span.end &- origin) * rate))
    }
  }
}
