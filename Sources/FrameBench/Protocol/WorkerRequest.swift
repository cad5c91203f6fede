/// A request to a worker process about one benchmark. One line of JSON on its stdin.
package struct WorkerRequest: Sendable, Equatable {
  /// Rises when a worker of the older version would misread the newer request, or the other way round.
  package static let currentProtocolVersion = 2

  package var benchmark: BenchmarkID
  /// The benchmark's pass; the reply says so if the suite does not have the benchmark.
  package var work: Work
  /// Options of the whole measurement; a request is one run, whatever their `runCount`.
  package var options: RunOptions
  /// The core to run on; nil lets the system choose.
  package var core: Int?
  /// Process id of the parent; the worker dies with it.
  package var parentProcess: Int32?
  /// Seconds until the parent stops waiting; a run that cannot end by then fails early.
  package var secondsLimit: Double?

  /// One kind of figure a run: reading a clock costs about as much as a small phase, and counting
  /// allocations more.
  package enum Work: Sendable, Equatable {
    /// The time of whole frames: one pair of clock reads around a frame.
    case frames
    /// The time of phases: one pair of clock reads around each.
    case phases
    /// Heap allocations of phases and of whole frames; no clock.
    case allocations
    /// Output of the frames, compared with that of `reference` (nil: the scenario's reference strategy).
    case output(reference: String?)
    /// Instructions of phases and of whole frames; the worker runs under callgrind. The run ends after
    /// `frameCount` recorded frames; nil: all.
    case instructions(frameCount: Int?)
    /// Instructions of whole frames by the processor's own counter.
    case hardwareInstructions(frameCount: Int?)
    /// Profile of the time, the allocations or the instructions of some frames.
    case profile(ProfileRequest)
    /// Frames turn by turn, as the parent calls for them.
    case turns(TurnOptions)
  }

  package init(
    benchmark: BenchmarkID, work: Work, options: RunOptions, core: Int? = nil, parentProcess: Int32? = nil
  ) {
    self.benchmark = benchmark
    self.work = work
    self.options = options.of(scenario: benchmark.scenario)
    self.core = core
    self.parentProcess = parentProcess
  }
}

extension WorkerRequest: Codable {
  /// Flat on the wire, since workers of earlier builds read it so.
  private enum CodingKeys: String, CodingKey {
    case protocolVersion, benchmark, pass, options, reference, countedFrameCount, profile, core
    case parentProcess, secondsLimit, turns
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    benchmark = try values.decode(BenchmarkID.self, forKey: .benchmark)
    options = try values.decode(RunOptions.self, forKey: .options)
    core = try values.decodeIfPresent(Int.self, forKey: .core)
    parentProcess = try values.decodeIfPresent(Int32.self, forKey: .parentProcess)
    secondsLimit = try values.decodeIfPresent(Double.self, forKey: .secondsLimit)
    if let turns = try values.decodeIfPresent(TurnOptions.self, forKey: .turns) {
      work = .turns(turns)
      return
    }
    let frameCount = try values.decodeIfPresent(Int.self, forKey: .countedFrameCount)
    switch try values.decode(MeasurementPass.self, forKey: .pass) {
    case .frames: work = .frames
    case .phases: work = .phases
    case .allocations: work = .allocations
    case .output: work = .output(reference: try values.decodeIfPresent(String.self, forKey: .reference))
    case .instructions: work = .instructions(frameCount: frameCount)
    case .hardwareInstructions: work = .hardwareInstructions(frameCount: frameCount)
    case .profile: work = .profile(try values.decode(ProfileRequest.self, forKey: .profile))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.currentProtocolVersion, forKey: .protocolVersion)
    try values.encode(benchmark, forKey: .benchmark)
    try values.encode(options, forKey: .options)
    try values.encodeIfPresent(core, forKey: .core)
    try values.encodeIfPresent(parentProcess, forKey: .parentProcess)
    try values.encodeIfPresent(secondsLimit, forKey: .secondsLimit)
    var pass = MeasurementPass.frames
    switch work {
    case .frames: break
    case .phases: pass = .phases
    case .allocations: pass = .allocations
    case .output(let reference):
      pass = .output
      try values.encodeIfPresent(reference, forKey: .reference)
    case .instructions(let frameCount):
      pass = .instructions
      try values.encodeIfPresent(frameCount, forKey: .countedFrameCount)
    case .hardwareInstructions(let frameCount):
      pass = .hardwareInstructions
      try values.encodeIfPresent(frameCount, forKey: .countedFrameCount)
    case .profile(let profile):
      pass = .profile
      try values.encode(profile, forKey: .profile)
    case .turns(let turns):
      try values.encode(turns, forKey: .turns)
    }
    try values.encode(pass, forKey: .pass)
  }
}
