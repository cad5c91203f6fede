/// A point in a frame at which callgrind writes the number of instructions since the previous point.
package enum InstructionMark: Sendable, Equatable {
  case phaseBegins
  /// Ends the innermost open phase.
  case phaseEnds(slot: Int)
  case frameEnds(Kind)
  /// The frame called `startFrame()`, so its earlier instructions do not count. `isEnded` is whether it had called
  /// `endFrame()` before.
  case frameRestarts(isEnded: Bool)

  package enum Kind: Int, Sendable {
    case recorded
    /// A frame that does nothing, which shows the cost of a frame's marks. An `emptyPhase` frame measures an empty
    /// phase, which shows the cost of a phase's marks.
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
      case .frameRestarts(let isEnded): isEnded ? 21 : 20
      }
    return UnsafeRawPointer(Self.names.utf8Start + 6 * index).assumingMemoryBound(to: CChar.self)
  }

  /// One literal with six bytes for each name, so that the marks of the last phase cost no more instructions than those
  /// of the first.
  private static var names: StaticString {
    """
    sb:>a\0sb:>b\0sb:>c\0sb:>d\0sb:>e\0sb:>f\0sb:>g\0sb:>h\0\
    sb:>i\0sb:>j\0sb:>k\0sb:>l\0sb:>m\0sb:>n\0sb:>o\0sb:>p\0\
    sb:<\0\0sb:=\0\0sb:0\0\0sb:1\0\0sb:!\0\0sb:?\0\0
    """
  }
}
