import CInstructionCounter
import CStackProfiler

/// What happens around frames and phases in the pass that profiles.
struct FrameProfiler {
  /// Nil in every other pass.
  var kind: ProfileRequest.Kind?
  /// Number of the recorded frame that runs now; nil where it is not looked at.
  var frame: Int?
  /// There in a timeline.
  var spans: SpanBuffer?
  private var startTicks: UInt64 = 0

  init(kind: ProfileRequest.Kind? = nil, spans: SpanBuffer? = nil) {
    self.kind = kind
    self.spans = spans
  }

  mutating func beginFrame(_ clock: FrameClock) {
    guard let kind, let frame else { return }
    switch kind {
    case .samples, .allocations: stack_profiler_begin_frame(UInt32(frame))
    case .timeline: startTicks = clock.startTicks()
    case .callgrind: instruction_counter_toggle_collection()
    }
  }

  func endFrame(_ clock: FrameClock) {
    guard let kind, let frame else { return }
    switch kind {
    case .samples, .allocations: stack_profiler_end_frame()
    case .timeline: spans?.append(frame: frame, phase: nil, start: startTicks, end: clock.endTicks())
    case .callgrind: instruction_counter_toggle_collection()
    }
  }

  /// - Returns: What `endPhase` wants to know.
  func beginPhase(_ slot: Int, _ clock: FrameClock) -> UInt64 {
    guard let kind, frame != nil else { return 0 }
    switch kind {
    case .samples, .allocations:
      return UInt64(bitPattern: Int64(stack_profiler_set_phase(Int32(truncatingIfNeeded: slot))))
    case .timeline: return clock.startTicks()
    case .callgrind: return 0
    }
  }

  func endPhase(_ slot: Int, _ begun: UInt64, _ clock: FrameClock) {
    guard let kind, let frame else { return }
    switch kind {
    case .samples, .allocations:
      _ = stack_profiler_set_phase(Int32(truncatingIfNeeded: Int64(bitPattern: begun)))
    case .timeline: spans?.append(frame: frame, phase: slot, start: begun, end: clock.endTicks())
    case .callgrind: break
    }
  }
}

extension FrameTimer {
  @usableFromInline @inline(never)
  func beginProfiling(_ phase: Phase) -> Mark {
    let slot = phaseIndex(phase.name)
    return Mark(slot: slot, ticks: state.pointee.profiler.beginPhase(slot, clock), allocations: .init())
  }

  @usableFromInline @inline(never)
  func endProfiling(_ mark: Mark) { state.pointee.profiler.endPhase(mark.slot, mark.ticks, clock) }

  @usableFromInline @inline(never)
  func endProfiledFrame() { state.pointee.profiler.endFrame(clock) }
}

/// Room for spans, made before the first frame.
final class SpanBuffer {
  private struct Span {
    var frame: Int32
    /// -1: the frame.
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
    spans.initializeElement(
      at: count,
      to: Span(frame: Int32(frame), phase: Int32(phase ?? -1), start: start, end: end))
    count += 1
  }

  func values(nanosecondsPerTick rate: Double) -> [TimelineSpan] {
    let origin = spans.prefix(count).map(\.start).min() ?? 0
    return spans.prefix(count).map { span in
      TimelineSpan(
        frame: Int(span.frame), phase: span.phase < 0 ? nil : Int(span.phase),
        start: inTenths(Double(span.start &- origin) * rate), end: inTenths(Double(span.end &- origin) * rate)
      )
    }
  }
}
