package struct TurnOptions: Codable, Sendable, Equatable {
  /// A core for set-up and warm-up, so that they disturb no turn of another process; nil: the core of the request.
  package var preparationCore: Int?
  /// Seeds the place of the state on the heap, which differs from process to process.
  package var layoutSeed: UInt64
  /// Rate of the processor's time stamp counter; nil: the worker finds it, which takes longer than most preparations.
  package var nanosecondsPerTick: Double?
  package var planting: PlantingOptions?
  /// What an earlier process of this build and benchmark found out; nil: the worker finds it out.
  package var earlier: TurnReadiness?
  /// The latest layout of answers that the parent reads; nil: it reads only the first.
  package var answerLayout: Int? = TurnAnswer.currentLayout

  package init(
    preparationCore: Int? = nil, layoutSeed: UInt64, nanosecondsPerTick: Double? = nil,
    planting: PlantingOptions? = nil, earlier: TurnReadiness? = nil
  ) {
    self.preparationCore = preparationCore
    self.layoutSeed = layoutSeed
    self.nanosecondsPerTick = nanosecondsPerTick
    self.planting = planting
    self.earlier = earlier
  }
}

/// Extra work to be done inside a phase, for the calibration of a comparison.
package struct PlantingOptions: Codable, Sendable, Hashable {
  /// The phase's name; set-up fails if the worker's frames do not run it.
  package var phase: String
  /// Fraction of the phase's own time; 0 plants nothing but goes through the same instructions.
  package var fraction: Double

  package init(phase: String, fraction: Double) {
    self.phase = phase
    self.fraction = fraction
  }
}

/// A worker's message before its first turn.
package struct TurnReadiness: Codable, Sendable, Equatable {
  /// The phases in the order in which the frame first ran them.
  package var phases: [String]
  /// Mean time of a frame of the preparation, phases timed.
  package var frameNanoseconds: Double
  /// Mean time that an empty pair of clock reads measures.
  package var pairCostNanoseconds: Double
  /// Mean time of the measured part of a frame of the warm-up, phases timed; nil: there was no warm-up.
  package var measuredNanoseconds: Double?
  /// Whether frames are calls of a function; nil: a worker of an earlier build answers.
  package var isFunction: Bool?
  /// Layout of the worker's answers; nil: the first, which workers of earlier builds have.
  package var answerLayout: Int?
  /// Whether the worker's threads use all cores, so that no process can prepare beside a turn; nil: they do not.
  package var usesAllCores: Bool?

  /// A frame that takes longer is not run more often than needed.
  package static let longFrameNanoseconds = 1e8
}

/// A command to a ready worker: eight bytes, two 32-bit words in the machine's order.
package enum TurnCommand: Equatable, Sendable {
  /// Run `n` frames and time each whole.
  case frames(Int)
  /// Run `n` frames and time their phases, and each whole with the clock reads of its phases.
  case phases(Int)
  /// Run `n` frames and observe their output.
  case observe(Int)

  package static let byteCount = 8

  /// Nil for bytes of another length, an unknown command, or one to run no frames.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    let count = Int(UInt32(bytes: bytes[4..<8]))
    switch UInt32(bytes: bytes[0..<4]) {
    case 1 where count > 0: self = .frames(count)
    case 2 where count > 0: self = .phases(count)
    case 3 where count > 0: self = .observe(count)
    default: return nil
    }
  }

  /// The command as the worker reads it from its stdin. A number of frames must fit 32 bits.
  package var bytes: [UInt8] {
    let (code, count): (UInt32, Int) =
      switch self {
      case .frames(let count): (1, count)
      case .phases(let count): (2, count)
      case .observe(let count): (3, count)
      }
    return code.bytes + UInt32(count).bytes
  }
}

extension FixedWidthInteger {
  var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

  init(bytes: ArraySlice<UInt8>) { self = bytes.withUnsafeBytes { $0.loadUnaligned(as: Self.self) } }
}
