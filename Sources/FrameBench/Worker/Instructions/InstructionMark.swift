/// A point in a frame at which callgrind writes its count since the point before.
package enum InstructionMark: Sendable, Equatable {
  case phaseBegins
  /// Ends the innermost open phase.
  case phaseEnds(slot: Int)
  case frameEnds(Kind)

  /// Purpose of a frame.
  package enum Kind: Sendable {
    /// A recorded frame of the benchmark.
    case recorded
    /// A frame that does nothing, and one that only measures an empty phase: they show the cost of the
    /// marks.
    case empty
    case emptyPhase
  }

  /// Ends with a zero byte.
  package var name: UnsafePointer<CChar> {
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
