import CInstructionCounter
import CStackProfiler

/// Records frames and phases in the pass that profiles.
final class ProfileKeeper: FrameObserver {
  private struct Span {
    var frame: Int32
    /// Slot of the phase; -1: the frame.
    var phase: Int32
    var start: UInt64
    var end: UInt64
  }

  /// Number of the recorded frame that runs now; nil if it is not profiled.
  var frame: Int?

  private let kind: ProfileRequest.Kind
  private let clock: FrameClock
  private var startTicks: UInt64 = 0
  /// Room for the timeline, made before the first frame.
  private let spans: UnsafeMutableBufferPointer<Span>
  private var spanCount = 0
  private(set) var lostSpanCount = 0

  /// - Parameter spanCapacity: Spans that a timeline has room for.
  init(_ kind: ProfileRequest.Kind, _ clock: FrameClock, spanCapacity: Int) {
    self.kind = kind
    self.clock = clock
    spans = .allocate(capacity: spanCapacity)
  }

  deinit { spans.deallocate() }

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
    case .timeline: append(frame, phase: -1, start: startTicks, end: clock.endTicks())
    case .callgrind: instruction_counter_toggle_collection()
    }
  }

  func beginPhase(_ slot: Int) -> PhaseStart {
    guard frame != nil else { return (0, 0) }
    switch kind {
    case .samples, .allocations:
      return (UInt64(bitPattern: Int64(stack_profiler_set_phase(Int32(truncatingIfNeeded: slot)))), 0)
    case .timeline: return (clock.startTicks(), 0)
    case .callgrind: return (0, 0)
    }
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    guard let frame else { return }
    switch kind {
    case .samples, .allocations: _ = stack_profiler_set_phase(Int32(truncatingIfNeeded: Int64(bitPattern: start.first)))
    case .timeline: append(frame, phase: slot, start: start.first, end: clock.endTicks())
    case .callgrind: break
    }
  }

  private func append(_ frame: Int, phase: Int, start: UInt64, end: UInt64) {
    guard spanCount < spans.count else {
      lostSpanCount += 1
      return
    }
    spans.initializeElement(at: spanCount, to: Span(frame: Int32(frame), phase: Int32(phase), start: start, end: end))
    spanCount += 1
  }

  var timeline: [TimelineSpan] {
    let origin = spans.prefix(spanCount).map(\.start).min() ?? 0
    let rate = clock.nanosecondsPerTick
    return spans.prefix(spanCount).map { span in
      TimelineSpan(
        frame: Int(span.frame), phase: span.phase < 0 ? nil : Int(span.phase),
        start: inTenths(Double(span.start &- origin) * rate), end: inTenths(Double(span.end &- origin) * rate))
    }
  }
}
