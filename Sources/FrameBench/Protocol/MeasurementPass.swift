/// What one run measures. Each kind of figure has runs of its own, since reading a clock costs about as
/// much as a small phase, and counting allocations more.
package enum MeasurementPass: String, Codable, Sendable, CaseIterable {
  /// The time of whole frames: one pair of clock reads around a frame.
  case frames
  /// The time of phases: one pair of clock reads around each.
  case phases
  /// Heap allocations of phases and of whole frames; no clock.
  case allocations
  /// What the frames show, beside what another strategy shows; no clock and no counting.
  case output
  /// Instructions of phases and of whole frames, where the worker runs under callgrind.
  case instructions
  /// Instructions of whole frames by the processor's own counter.
  case hardwareInstructions
  /// Where the time, the allocations or the instructions of some frames go, as the request says.
  case profile
}
