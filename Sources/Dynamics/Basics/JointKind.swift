/// The constraint that a joint imposes. Only a `distance` joint can have a frequency.
package enum JointKind: BitwiseCopyable {
  /// Keeps the two ends exactly the joint's length apart.
  case distance
  /// Keeps the two ends at most the joint's length apart.
  case rope
  /// Keeps the end on body b at the joint's length from the center of body a, measured along the direction `offsetA` of
  /// a (`line`), or no further than that (`lineLimit`). The end moves freely across that direction.
  case line, lineLimit

  @inline(__always) var isLine: Bool { self == .line || self == .lineLimit }
  @inline(__always) var isLimit: Bool { self == .rope || self == .lineLimit }
}
