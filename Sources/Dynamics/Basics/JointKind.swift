/// The constraint that a joint imposes. Only a `distance` joint can have a frequency.
package enum JointKind: BitwiseCopyable {
  /// Keeps the two ends the joint's length apart: by a spring if the joint has a frequency, otherwise exactly.
  case distance
  /// Keeps the two ends at most the joint's length apart.
  case rope
  /// These joints measure how far the end on body b is from the center of body a, along the direction `offsetA`, which
  /// turns with body a. `line` keeps this distance equal to the joint's length, and `lineLimit` keeps it at most as
  /// large. Across the direction, the end moves freely.
  case line, lineLimit

  @inline(__always) var isLine: Bool { self == .line || self == .lineLimit }
  @inline(__always) var isLimit: Bool { self == .rope || self == .lineLimit }
}
