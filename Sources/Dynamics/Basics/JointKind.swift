/// The constraint of a joint. Only a `distance` can have a frequency.
package enum JointKind: BitwiseCopyable {
  /// Keeps the ends exactly the joint's length apart.
  case distance
  /// Keeps the ends at most the joint's length apart.
  case rope
  /// Keeps the end at b on a line of a, in the direction `offsetA` of a: at the joint's length from a's centre, or no
  /// further than that.
  case line, lineLimit

  @inline(__always) var isLine: Bool { self == .line || self == .lineLimit }
  @inline(__always) var isLimit: Bool { self == .rope || self == .lineLimit }
}
