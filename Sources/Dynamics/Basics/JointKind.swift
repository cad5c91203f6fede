/// The constraint of a joint. All but a distance have no frequency.
package enum JointKind: BitwiseCopyable {
  /// Its ends at its length.
  case distance
  /// Its ends no further apart than its length.
  case rope
  /// The end at b on a line of a: at its length from a's centre along `offsetA`, a direction of a; or no further.
  case line, lineLimit

  @inline(__always) var isLine: Bool { self == .line || self == .lineLimit }
  @inline(__always) var isLimit: Bool { self == .rope || self == .lineLimit }
}
