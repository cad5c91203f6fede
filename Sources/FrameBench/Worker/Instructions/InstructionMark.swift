/// A point in a frame at which callgrind writes its count since the point before.
enum InstructionMark: Equatable {
  case phaseBegins
  /// Ends the innermost open phase.
  case phaseEnds(slot: Int)
  case frameEnds(Kind)

  /// Purpose of a frame.
  enum Kind: Equatable {
    /// A recorded frame of the benchmark.
    case recorded
    /// A frame that does nothing, and one that only measures an empty phase: they show the cost of the
    /// marks.
    case empty
    case emptyPhase
  }

  /// Parses the name in callgrind's file.
  init?(name: String) {
    switch name {
    case "sb:<": self = .phaseBegins
    case "sb:=": self = .frameEnds(.recorded)
    case "sb:0": self = .frameEnds(.empty)
    case "sb:1": self = .frameEnds(.emptyPhase)
    default:
      let bytes = Array(name.utf8)
      guard name.hasPrefix("sb:>"), bytes.count == 5 else { return nil }
      let slot = Int(bytes[4]) - Int(UInt8(ascii: "a"))
      guard (0..<FrameState.capacity).contains(slot) else { return nil }
      self = .phaseEnds(slot: slot)
    }
  }

  /// Ends with a zero byte.
  var name: UnsafePointer<CChar> {
    switch self {
    case .phaseBegins: Self.bytes("sb:<", offset: 0)
    case .phaseEnds(let slot): Self.bytes(Self.phaseEndNames, offset: 6 * slot)
    case .frameEnds(.recorded): Self.bytes("sb:=", offset: 0)
    case .frameEnds(.empty): Self.bytes("sb:0", offset: 0)
    case .frameEnds(.emptyPhase): Self.bytes("sb:1", offset: 0)
    }
  }

  /// One literal, so that the sixteenth name costs no more instructions than the first.
  private static var phaseEndNames: StaticString {
    """
    sb:>a\0sb:>b\0sb:>c\0sb:>d\0sb:>e\0sb:>f\0sb:>g\0sb:>h\0\
    sb:>i\0sb:>j\0sb:>k\0sb:>l\0sb:>m\0sb:>n\0sb:>o\0sb:>p\0
    """
  }

  private static func bytes(_ literal: StaticString, offset: Int) -> UnsafePointer<CChar> {
    UnsafeRawPointer(literal.utf8Start + offset).assumingMemoryBound(to: CChar.self)
  }
}

/// The count up to a mark.
struct MarkedCount: Equatable {
  var mark: InstructionMark
  var count: Int
}
