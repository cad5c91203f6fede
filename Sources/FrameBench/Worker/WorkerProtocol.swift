/// What a worker process is asked to do: one run of one benchmark. One line of JSON on its stdin.
public struct WorkerRequest: Codable, Sendable, Equatable {
  /// Rises when a worker of the older version would misread the newer request, or the other way round.
  public static let currentProtocolVersion = 2

  /// Of the program that wrote the line; `init(line:)` refuses any other than its own.
  public var protocolVersion = WorkerRequest.currentProtocolVersion
  /// What to run; the reply says so if the suite does not have it.
  public var benchmark: BenchmarkID
  /// Not looked at where `turns` is set.
  public var pass: MeasurementPass
  /// Of the whole measurement; a request is one run, whatever their `runCount`.
  public var options: RunOptions
  /// In the pass that looks at output: the strategy that it is compared with.
  public var reference: String?
  /// In the passes that count instructions: how many of the recorded frames are counted. The run ends
  /// after them. Nil: all.
  public var countedFrameCount: Int?
  /// In the pass that profiles: what to find out.
  public var profile: ProfileRequest?
  /// The core to run on; nil: wherever the system likes.
  public var core: Int?
  /// Process id of the one that asks; the worker dies with it.
  public var parentProcess: Int32?
  /// Instead of a pass: to run frames turn by turn, as the parent calls for them.
  public var turns: TurnOptions?

  public init(
    benchmark: BenchmarkID, pass: MeasurementPass, options: RunOptions, reference: String? = nil,
    countedFrameCount: Int? = nil, profile: ProfileRequest? = nil, core: Int? = nil,
    parentProcess: Int32? = nil, turns: TurnOptions? = nil
  ) {
    self.benchmark = benchmark
    self.pass = pass
    self.options = options
    self.reference = reference
    self.countedFrameCount = countedFrameCount
    self.profile = profile
    self.core = core
    self.parentProcess = parentProcess
    self.turns = turns
  }
}

/// What a worker answers. One line of JSON on its stdout.
public struct WorkerReply: Codable, Sendable, Equatable {
  /// How the request went.
  public enum Outcome: Codable, Sendable, Equatable {
    case measured(WorkerMeasurement)
    /// The run could not be done; one line that says why.
    case failed(reason: String)
    /// A worker that was asked for turns is set up, and waits for the first.
    case ready(TurnReadiness)
  }

  /// Of the program that wrote the line; `init(line:)` refuses any other than its own.
  public var protocolVersion = WorkerRequest.currentProtocolVersion
  public var outcome: Outcome

  public init(_ outcome: Outcome) {
    self.outcome = outcome
  }
}

/// What one run measured. Times are as the clock read them, in tenths of nanoseconds.
public struct WorkerMeasurement: Codable, Sendable, Equatable {
  /// Calibrated in this run; the cost of its reads is not yet taken off the times.
  public var clock: ClockRecord
  /// One a recorded frame, from the pass that times frames; otherwise nil.
  public var frameNanoseconds: [Double]?
  /// In the order in which they first ran; empty in the pass that times frames.
  public var phases: [PhaseMeasurement]
  /// From the pass that counts allocations, where the counter works; otherwise nil.
  public var allocations: AllocationRecord?
  /// What the scenario counted, by name, one value for each recorded frame of this run.
  public var counters: [String: CountSeries]
  /// Of this run; all nil in the passes that look at output, count instructions or profile.
  public var memory: MemoryRecord
  /// Over the checksums of all recorded frames, 16 hexadecimal digits.
  public var checksum: String
  /// From the pass that looks at output; otherwise nil.
  public var deviation: DeviationRecord?
  /// From the pass that reads the processor's counter; otherwise nil.
  public var hardwareInstructions: InstructionRecord?
  /// From the pass that profiles; otherwise nil.
  public var profile: ProfileMeasurement?
  /// Whether the run kept to the core that the request named.
  public var isPinned: Bool

  public init(
    clock: ClockRecord, frameNanoseconds: [Double]?, phases: [PhaseMeasurement],
    allocations: AllocationRecord?, counters: [String: CountSeries], memory: MemoryRecord,
    checksum: String, deviation: DeviationRecord? = nil, isPinned: Bool = false
  ) {
    self.clock = clock
    self.frameNanoseconds = frameNanoseconds
    self.phases = phases
    self.allocations = allocations
    self.counters = counters
    self.memory = memory
    self.checksum = checksum
    self.deviation = deviation
    self.isPinned = isPinned
  }
}

/// One phase in one run.
public struct PhaseMeasurement: Codable, Sendable, Equatable {
  /// As in `Phase.name`.
  public var name: String
  /// One a recorded frame, from the pass that times phases; otherwise nil.
  public var nanoseconds: [Double]?
  /// How many pairs of clock reads those nanoseconds contain, frame by frame: as often as the phase ran.
  public var clockPairs: CountSeries?
  /// On the frame's thread, from the pass that counts allocations; otherwise nil.
  public var allocations: AllocationSeries?

  public init(
    name: String, nanoseconds: [Double]? = nil, clockPairs: CountSeries? = nil,
    allocations: AllocationSeries? = nil
  ) {
    self.name = name
    self.nanoseconds = nanoseconds
    self.clockPairs = clockPairs
    self.allocations = allocations
  }
}
