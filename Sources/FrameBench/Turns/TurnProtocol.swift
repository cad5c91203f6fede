/// How a worker shall prepare for turns.
public struct TurnOptions: Codable, Sendable, Equatable {
  /// The core to set up and warm up on, so that this disturbs no turn of another process; nil: the core
  /// of the request.
  public var preparationCore: Int?
  /// Seeds where on the heap the state comes to lie, which differs from process to process.
  public var layoutSeed: UInt64
  /// A slow-down to plant; nil: none.
  public var planting: PlantingOptions?

  public init(preparationCore: Int? = nil, layoutSeed: UInt64, planting: PlantingOptions? = nil) {
    self.preparationCore = preparationCore
    self.layoutSeed = layoutSeed
    self.planting = planting
  }
}

/// Extra work to be done inside a phase, for the calibration of a comparison.
public struct PlantingOptions: Codable, Sendable, Hashable {
  /// Its name; a worker whose frames do not run such a phase cannot be set up.
  public var phase: String
  /// Of the phase's own time; 0 plants nothing but goes through the same instructions.
  public var fraction: Double

  public init(phase: String, fraction: Double) {
    self.phase = phase
    self.fraction = fraction
  }
}

/// What a worker says before its first turn.
public struct TurnReadiness: Codable, Sendable, Equatable {
  /// In the order in which the frame first ran them.
  public var phases: [String]
  /// Mean time of a frame of the preparation, phases timed, nanoseconds.
  public var frameNanoseconds: Double
  /// Mean time that an empty pair of clock reads measures, nanoseconds.
  public var pairCostNanoseconds: Double

  public init(phases: [String], frameNanoseconds: Double, pairCostNanoseconds: Double) {
    self.phases = phases
    self.frameNanoseconds = frameNanoseconds
    self.pairCostNanoseconds = pairCostNanoseconds
  }
}

/// What a parent asks of a worker that is ready: eight bytes, two 32-bit words in the machine's order.
public enum TurnCommand: Equatable, Sendable {
  /// Run so many frames and time each whole: answers the sum, then the sums of its `TurnPieces`.
  case frames(Int)
  /// Run so many frames and time their phases: answers for each, in the order of `TurnReadiness.phases`,
  /// the sum and the number of pairs of clock reads in it; then for each the same of its `TurnPieces`, piece
  /// by piece.
  case phases(Int)
  /// Run so many frames and look at what they show: answers the number of frame, item, x and y for each
  /// item shown.
  case observe(Int)
  /// Answer what each frame of the scroll cost, and end.
  case finish

  /// Length of every command.
  public static let byteCount = 8

  /// Nil for another length, an unknown command, or one to run no frames.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    let count = Int(UInt32(bytes: bytes[4..<8]))
    switch UInt32(bytes: bytes[0..<4]) {
    case 1 where count > 0: self = .frames(count)
    case 2 where count > 0: self = .phases(count)
    case 3 where count > 0: self = .observe(count)
    case 4: self = .finish
    default: return nil
    }
  }

  /// As the worker reads them from its stdin. A number of frames must fit 32 bits.
  public var bytes: [UInt8] {
    switch self {
    case .frames(let count): UInt32(1).bytes + UInt32(count).bytes
    case .phases(let count): UInt32(2).bytes + UInt32(count).bytes
    case .observe(let count): UInt32(3).bytes + UInt32(count).bytes
    case .finish: UInt32(4).bytes + UInt32(0).bytes
    }
  }
}

/// What a worker answers to a command: the number of values in eight bytes, then the values, each a
/// double of eight bytes in the machine's order. Nanoseconds, the cost of the clock included.
public enum TurnAnswer {
  /// The header is the number of values that follow.
  public static let headerByteCount = 8

  /// Header and body of an answer.
  public static func bytes(_ values: [Double]) -> [UInt8] {
    var bytes = UInt64(values.count).bytes
    bytes.reserveCapacity(headerByteCount + values.count * 8)
    for value in values { bytes += value.bitPattern.bytes }
    return bytes
  }

  /// Number of bytes that follow the header; nil for a number that no worker sends.
  public static func bodyByteCount(header: [UInt8]) -> Int? {
    guard header.count == headerByteCount else { return nil }
    let count = UInt64(bytes: header[...])
    return count <= 1 << 26 ? Int(count) * 8 : nil
  }

  /// - Parameter body: What follows the header, a multiple of eight bytes.
  public static func values(body: [UInt8]) -> [Double] {
    precondition(body.count % 8 == 0, "a body of \(body.count) bytes is no array of doubles")
    return stride(from: 0, to: body.count, by: 8).map {
      Double(bitPattern: UInt64(bytes: body[$0..<($0 + 8)]))
    }
  }
}

/// How the frames of a turn are told apart, so that whoever asked can leave out what was disturbed: in
/// pieces of one frame where they are few, else in as many pieces as there may be, of as equal numbers of
/// frames as can be.
public enum TurnPieces {
  /// Pieces of one turn at most.
  public static let mostCount = 64

  /// Number of pieces of a turn of so many frames.
  public static func count(frameCount: Int) -> Int { min(frameCount, mostCount) }

  /// The piece that a frame of the turn, from 0, belongs to.
  public static func piece(ofFrame frame: Int, frameCount: Int) -> Int {
    frame * count(frameCount: frameCount) / frameCount
  }
}

extension FixedWidthInteger {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

  fileprivate init(bytes: ArraySlice<UInt8>) {
    self = bytes.withUnsafeBytes { $0.loadUnaligned(as: Self.self) }
  }
}
