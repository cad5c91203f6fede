/// A part of a frame whose time is measured: one of the four predefined phases of a collection view, or a scenario's
/// own, such as `timer.measure(Phase("decode")) { … }`.
public struct Phase: Sendable {
  /// The name. Phases with equal names are the same phase, wherever they are created.
  public let name: StaticString

  /// - Parameter name: The name. A benchmark fails if it measures more than 16 different phases.
  @inlinable public init(_ name: StaticString) { self.name = name }

  /// The phase in which the scroll moves the bounds, and the layout shifts the items that are attached to springs.
  @inlinable public static var boundsChange: Phase { Phase("boundsChange") }
  /// The phase in which the animator steps by one frame.
  @inlinable public static var solve: Phase { Phase("solve") }
  /// The phase in which the layout removes and adds behaviors of the animator, such as springs.
  @inlinable public static var prepare: Phase { Phase("prepare") }
  /// The phase in which the layout returns which items are visible, and where.
  @inlinable public static var query: Phase { Phase("query") }
}
