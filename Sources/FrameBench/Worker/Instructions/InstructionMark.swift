/// A point in a frame at which callgrind writes its count since the point before.
package enum InstructionMark: Sendable, Equatable {
  case phaseBegins
  /// Ends the innermost open phase.
  case phaseEnds(slot: Int)
  case frameEnds(Kind)

  package enum Kind: Int, Sendable {
    case recorded
    /// A frame that does nothing, and one that only measures an empty phase: they show the cost of the marks.
    case empty
    case emptyPhase
  }

  /// The name of the mark, which ends with a zero byte.
  package var name: UnsafePointer<CChar> {
    let index =
      switch self {
      case .phaseEnds(let slot): slot
      case .phaseBegins: 16
      case .frameEnds(let kind): 17 + kind.rawValue
      }
    return UnsafeRawPointer(Self.names.utf8Start + 6 * index).assumingMemoryBound(to: CChar.self)
  }

  /// One literal, six bytes each, so that the sixteenth phase costs no more instructions than the first.
  private static var names: StaticString {
    """
    sb:>a\0sb:>b\0sb:>c\0sb:>d\0sb:>e\0sb:>f\0sb:>g\0sb:>h\0\
    sb:>i\0sb:>j\0sb:>k\0sb:>l\0sb:>m\0sb:>n\0sb:>o\0sb:>p\0\
    sb:<\0\0sb:=\0\0sb:0\0\0sb:1\0\0
    """
  }
}
