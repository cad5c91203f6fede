/// How often a frame calls the measured function, so that the frame is long enough for the clock.
package struct Repetition: Sendable, Equatable {
  /// The number of calls. It is a power of two, so that most runs find the same number.
  package var count = 1
  /// Nanoseconds that calling the function costs, without its work.
  package var callNanoseconds = 0.0

  /// The minimum time of a frame: a thousand steps of a clock that ticks every 10 ns.
  static let frameNanoseconds = 10_000.0
  /// The maximum number of calls, which is more than any frame needs.
  static let limit = 1 << 16

  /// Returns the nanoseconds of one call, given the nanoseconds of a frame. The result includes the cost of one pair of
  /// clock reads, as if the two reads enclosed only this call.
  func call(_ nanoseconds: Double, pairCost: Double) -> Double {
    guard count > 1 else { return nanoseconds }
    return max(0, (nanoseconds - pairCost) / Double(count) - callNanoseconds) + pairCost
  }

  /// Doubles the number of calls until the frame is long enough. A frame that calls `startFrame()` is one call.
  static func find(_ body: Scenario.FrameBody, _ context: ScenarioContext, _ timer: FrameTimer) throws(PassError)
    -> Repetition
  {
    let frame = Frame(index: 0, timestep: context.timestep, isWarmUp: true)
    var repetition = Repetition()
    repetition.callNanoseconds = emptyCallNanoseconds(timer)
    while repetition.count < limit {
      do {
        var nanoseconds = try timer.nanoseconds(of: body, frame, repetition.count)
        if timer.state.pointee.measuresPart { return Repetition() }
        // An interruption may have made a short frame look long enough, so the frame is run again, unless it took
        // longer than any interruption.
        if nanoseconds >= frameNanoseconds, nanoseconds < TurnReadiness.longFrameNanoseconds {
          nanoseconds = try timer.nanoseconds(of: body, frame, repetition.count)
        }
        if nanoseconds >= frameNanoseconds { break }
      } catch { throw PassError(thrownBy: error, inFrame: 0, context) }
      repetition.count *= 2
    }
    return repetition
  }

  /// Measures the time of a call of an empty function: the minimum of several means.
  private static func emptyCallNanoseconds(_ timer: FrameTimer) -> Double {
    let empty = Suite.repeating {}
    let frame = Frame(index: 0, timestep: 0, isWarmUp: true)
    let times = (0..<20).compactMap { _ in try? timer.nanoseconds(of: empty, frame, 1 << 12) }
    return (times.min() ?? 0) / Double(1 << 12)
  }
}

extension FrameTimer {
  fileprivate func nanoseconds(of body: Scenario.FrameBody, _ frame: Frame, _ repetitionCount: Int) throws -> Double {
    state.pointee.repetitionCount = repetitionCount
    defer {
      state.pointee.repetitionCount = 1
      state.pointee.reset()
    }
    state.pointee.startTicks = clock.startTicks()
    _ = try body(frame, self)
    if !state.pointee.isEnded { endFrame() }
    let ticks = state.pointee.endTicks &- state.pointee.startTicks
    return max(0, Double(ticks) * clock.nanosecondsPerTick - clock.pairCostNanoseconds)
  }
}
