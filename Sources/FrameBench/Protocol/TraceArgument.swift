/// What `--trace` says about a scroll: `scroll.csv`, `scroll.csv,lifted=origin`, or `lifted=origin` for the scenario's
/// own scroll.
package struct TraceArgument: Sendable, Equatable {
  /// The file of a recorded scroll; nil: the scenario's own scroll.
  package var path: String?
  /// Whether the touch is at the origin of the content after the finger has lifted, rather than where it was on the
  /// screen.
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
