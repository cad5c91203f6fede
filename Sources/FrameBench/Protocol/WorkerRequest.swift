/// A request to a worker process to run a benchmark once: one line of JSON on its stdin.
package struct WorkerRequest: ProtocolLine, Sendable, Equatable {
  /// The version of the protocol. It rises with each change after which programs with different versions would misread
  /// each other's messages.
  package static let currentProtocolVersion = 2

  package var protocolVersion = WorkerRequest.currentProtocolVersion
  /// The benchmark to run. If the suite does not contain it, the reply reports that.
  package var benchmark: BenchmarkID
  package var pass: MeasurementPass
  /// Options of the whole measurement. A request is always for one run, so `runCount` is ignored.
  package var options: RunOptions
  /// The strategy with which the output is compared. Nil means the scenario's reference strategy.
  package var reference: String?
  /// The number of recorded frames whose instructions are counted. The run ends after these frames. Nil means all
  /// frames.
  package var countedFrameCount: Int?
  package var profile: ProfileRequest?
  /// The core to run on. If nil, the system chooses.
  package var core: Int?
  /// Seconds that the parent waits for the reply. A run that would take more than twice as long fails in its warm-up.
  package var secondsLimit: Double?
  /// Advice for the error message of a run that would take too long.
  package var remedy: String?
  /// Options for a worker that runs a few frames whenever the parent commands it. If not nil, the worker ignores
  /// `pass`.
  package var turns: TurnOptions?

  package init(
    benchmark: BenchmarkID, pass: MeasurementPass, options: RunOptions, reference: String? = nil,
    countedFrameCount: Int? = nil, profile: ProfileRequest? = nil, core: Int? = nil, turns: TurnOptions? = nil
  ) {
    (self.benchmark, self.pass, self.options, self.reference) = (benchmark, pass, options.of(benchmark), reference)
    (self.countedFrameCount, self.profile, self.core, self.turns) = (countedFrameCount, profile, core, turns)
  }
}

/// What one run measures. Reading a clock takes about as long as a small phase, and counting allocations takes longer.
/// So each kind of measurement has its own run.
package enum MeasurementPass: String, Codable, Sendable, CaseIterable {
  /// The time of whole frames: one pair of clock reads around a frame.
  case frames
  /// The time of phases: one pair of clock reads around each phase.
  case phases
  /// Heap allocations of phases and of whole frames, without reading a clock.
  case allocations
  /// Output of the frames, compared with another strategy's output. No clock is read and nothing is counted.
  case output
  /// Instructions of phases and of whole frames. The worker runs under callgrind, which counts them.
  case instructions
  /// Instructions of whole frames, counted by the processor's own counter.
  case hardwareInstructions
  /// A profile of the time, the allocations or the instructions of the frames that the request selects.
  case profile
}

/// A worker's answer to a `WorkerRequest`: one line of JSON on its stdout.
package struct WorkerReply: ProtocolLine, Sendable, Equatable {
  package enum Outcome: Codable, Sendable, Equatable {
    case measured(RunMeasurement)
    /// The run failed. The reason is one line.
    case failed(reason: String)
    /// The worker is set up for turns and waits for the first command.
    case ready(TurnReadiness)
  }

  package var protocolVersion = WorkerRequest.currentProtocolVersion
  package var outcome: Outcome
}
