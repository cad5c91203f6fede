/// The parsed argument of `--trace`: `scroll.csv`, `scroll.csv,lifted=origin`, or `lifted=origin` for the scenario's
/// own scroll.
package struct TraceArgument: Sendable, Equatable {
  /// The file of a recorded scroll. Nil means the scenario's own scroll.
  package var path: String?
  /// Whether the touch moves to the origin of the content when the finger lifts. If false, the touch stays where it was
  /// on the screen.
  package var liftsToOrigin = false

  package static let lifted = "lifted=origin"

  package init(_ text: String) {
    liftsToOrigin = text == Self.lifted || text.hasSuffix(",\(Self.lifted)")
    guard liftsToOrigin else {
      path = text
      return
    }
    path = text == Self.lifted ? nil : String(text.dropLast(Self.lifted.count + 1))
  }
}
