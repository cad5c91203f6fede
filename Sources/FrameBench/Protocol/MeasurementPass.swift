/// The subject of one run. Each kind of figure has runs of its own, since reading a clock costs about as
/// much as a small phase, and counting allocations more.
package enum MeasurementPass: String, Codable, Sendable, CaseIterable {
  /// The time of whole frames: one pair of clock reads around a frame.
  case frames
  /// The time of phases: one pair of clock reads around each.
  case phases
  /// Heap allocations of phases and of whole frames; no clock.
  case allocations
  /// Output of the frames, compared with another strategy's; no clock and no counting.
  case output
  /// Instructions of phases and of whole frames; the worker runs under callgrind.
  case instructions
  /// Instructions of whole frames by the processor's own counter.
  case hardwareInstructions
  /// Profile of the time, the allocations or the instructions of some frames, as the request says.
  case profile
}
