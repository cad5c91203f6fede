/// A request to a worker process for one run of a benchmark. One line of JSON on its stdin.
package struct WorkerRequest: ProtocolLine, Sendable, Equatable {
  /// Rises when a worker of the older version would misread the newer request, or the other way round.
  package static let currentProtocolVersion = 2

  package var protocolVersion = WorkerRequest.currentProtocolVersion
  /// The benchmark to run. If the suite does not have it, the reply says so.
  package var benchmark: BenchmarkID
  package var pass: MeasurementPass
  /// Options of the whole measurement; a request is one run, whatever their `runCount`.
  package var options: RunOptions
  /// The strategy to compare the output with; nil: the scenario's reference strategy.
  package var reference: String?
  /// The recorded frames whose instructions are counted, after which the run ends; nil: all.
  package var countedFrameCount: Int?
  package var profile: ProfileRequest?
  /// The core to run on; nil lets the system choose.
  package var core: Int?
  /// Process id of the parent; the worker dies with it.
  package var parentProcess: Int32?
  /// Seconds until the parent stops waiting; a run that cannot end by then fails early.
  package var secondsLimit: Double?
  /// Options for running frames turn by turn, as the parent calls for them, instead of a pass.
  package var turns: TurnOptions?

  package init(
    benchmark: BenchmarkID, pass: MeasurementPass, options: RunOptions, reference: String? = nil,
    countedFrameCount: Int? = nil, profile: ProfileRequest? = nil, core: Int? = nil, parentProcess: Int32? = nil,
    turns: TurnOptions? = nil
  ) {
    self.benchmark = benchmark
    self.pass = pass
    self.options = options.of(scenario: benchmark.scenario)
    self.reference = reference
    self.countedFrameCount = countedFrameCount
    self.profile = profile
    self.core = core
    self.parentProcess = parentProcess
    self.turns = turns
  }
}

/// What one run measures. Reading a clock costs about as much as a small phase, and counting allocations more, so each
/// has a run of its own.
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

/// A worker's answer. One line of JSON on its stdout.
package struct WorkerReply: ProtocolLine, Sendable, Equatable {
  package enum Outcome: Codable, Sendable, Equatable {
    case measured(RunMeasurement)
    /// The run could not be done; one line that says why.
    case failed(reason: String)
    /// A worker that was asked for turns is set up, and waits for the first.
    case ready(TurnReadiness)
  }

  package var protocolVersion = WorkerRequest.currentProtocolVersion
  package var outcome: Outcome
}
