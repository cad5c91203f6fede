/// A part of a frame: one of UIKit's four, or a scenario's own, as in `timer.measure(Phase("decode")) { … }`.
public struct Phase: Sendable {
  /// Phases of equal names are one phase, wherever they are made.
  public let name: StaticString

  /// - Parameter name: A benchmark that measures more than 16 different ones is ended.
  @inlinable public init(_ name: StaticString) { self.name = name }

  /// The scroll moves the bounds; the layout shifts its active items.
  @inlinable public static var boundsChange: Phase { Phase("boundsChange") }
  /// The animator steps by one frame.
  @inlinable public static var solve: Phase { Phase("solve") }
  /// The layout drops and adds behaviors.
  @inlinable public static var prepare: Phase { Phase("prepare") }
  /// The layout answers which items are visible, and where.
  @inlinable public static var query: Phase { Phase("query") }
}
