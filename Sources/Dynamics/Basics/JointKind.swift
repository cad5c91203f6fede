/// The constraint that a joint imposes. Only a `distance` joint can have a frequency.
package enum JointKind: BitwiseCopyable {
  /// Keeps the two ends the joint's length apart: by a spring if the joint has a frequency, otherwise exactly.
  case distance
  /// Keeps the two ends at most the joint's length apart.
  case rope
  /// `line` keeps the end on body b at the joint's length from the center of body a, measured along a's direction
  /// `offsetA`. `lineLimit` keeps the end at most that far away. Across that direction the end moves freely.
  case line, lineLimit

  @inline(__always) var isLine: Bool { self == .line || self == .lineLimit }
  @inline(__always) var isLimit: Bool { self == .rope || self == .lineLimit }
}
