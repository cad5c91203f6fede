package struct TurnOptions: Codable, Sendable, Equatable {
  /// The core for set-up and warm-up, so that they do not disturb the process whose turn it is. Nil means
  /// `WorkerRequest.core`.
  package var preparationCore: Int?
  /// Seed for the random place of the scenario's state on the heap. Processes that take turns get the same seed.
  package var layoutSeed: UInt64
  /// Nanoseconds per tick of the processor's time stamp counter. If nil, the worker measures the rate. Measuring it
  /// takes longer than most set-ups and warm-ups.
  package var nanosecondsPerTick: Double?
  package var planting: PlantingOptions?
  /// What an earlier process of this build and benchmark reported when it was ready, so that the worker need not
  /// measure it again. Nil if there was no such process.
  package var earlier: TurnReadiness?

  package init(
    preparationCore: Int? = nil, layoutSeed: UInt64, nanosecondsPerTick: Double? = nil,
    planting: PlantingOptions? = nil, earlier: TurnReadiness? = nil
  ) {
    (self.preparationCore, self.layoutSeed, self.nanosecondsPerTick) = (preparationCore, layoutSeed, nanosecondsPerTick)
    (self.planting, self.earlier) = (planting, earlier)
  }
}

/// Extra work to do inside a phase. `springbench calibrate` measures how often a comparison finds this slow-down.
package struct PlantingOptions: Codable, Sendable, Hashable {
  /// The name of the phase. Set-up fails if the frames do not run this phase.
  package var phase: String
  /// The extra work as a fraction of the phase's own time. With 0, the same code runs but does no extra work.
  package var fraction: Double

  package init(phase: String, fraction: Double) { (self.phase, self.fraction) = (phase, fraction) }
}

/// The message with which a worker says that it is ready to run frames in turns.
package struct TurnReadiness: Codable, Sendable, Equatable {
  /// The names of the phases, in the order in which they first ran.
  package var phases: [String]
  /// Mean time of the frames that ran before the worker was ready. It includes the cost of timing the phases.
  package var frameNanoseconds: Double
  /// Mean time between two clock reads with nothing between them.
  package var pairCostNanoseconds: Double
  /// Mean time of the measured part of a warm-up frame, with phases timed. Nil if there was no warm-up.
  package var measuredNanoseconds: Double?
  /// Whether each frame is a call of the measured function, not a part of a scroll.
  package var isFunction = false
  /// The number of calls of the function in a frame. If there are several, frame times are the time of one call plus
  /// `pairCostNanoseconds`.
  package var callCount = 1
  /// Whether the worker's threads use all cores, so that no other process can be set up during this worker's turn. Nil
  /// means false.
  package var usesAllCores: Bool?

  /// Returns the cost of reading the clock, which frame times include. If a frame calls the function several times,
  /// this is the cost that the worker added to the times. Otherwise it is `pairCost`, the mean over all processes.
  package func clockCost(mean pairCost: Double) -> Double { callCount > 1 ? pairCostNanoseconds : pairCost }

  /// A limit of 0.1 s. If a frame takes longer in the warm-up, the worker runs no extra frames to measure its time.
  package static let longFrameNanoseconds = 1e8
}

/// A command to a ready worker. It is sent as eight bytes: two 32-bit words in the byte order of the machine.
package enum TurnCommand: Equatable, Sendable {
  /// Run this many frames and measure the time of each whole frame.
  case frames(Int)
  /// Run this many frames and measure the times of their phases and of the whole frames. Whole frames then include the
  /// clock reads of the phases.
  case phases(Int)
  /// Run this many frames and note which items they show.
  case observe(Int)

  package static let byteCount = 8

  /// Decodes a command. Nil if the number of bytes is wrong, the command is unknown, or the number of frames is 0.
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

  /// The command as the worker reads it from its stdin. The number of frames must fit into 32 bits.
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
