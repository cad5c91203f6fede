/// Data about two bodies that touch or are near each other. The data is kept from frame to frame.
struct Contact: BitwiseCopyable {
  /// The impulses at a contact point in the last sub-step, with which the next sub-step starts (warm starting).
  struct Impulses: BitwiseCopyable {
    /// The lever arm of the normal about the center of the first body, points. It identifies the contact point.
    var lever = 0.0
    var normal = 0.0
    var tangent = 0.0
  }

  let a, b: Int32
  var count: Int32 = 0
  /// The smallest distance between the surfaces when the frame began, points.
  var separation = Double.infinity
  var normalX = 0.0
  var normalY = 0.0
  var first = Impulses()
  var second = Impulses()

  /// Whether the bodies are so near that they count as touching. Bodies that touch fall asleep together.
  var isTouching: Bool { separation < SolverConstants.speculativeDistance }

  /// Stores the impulses that the solver has found, for the next frame or the next search for contact points.
  mutating func store(_ constraint: ContactConstraint) {
    (first.normal, first.tangent) = (constraint.first.normalImpulse, constraint.first.tangentImpulse)
    (second.normal, second.tangent) = (constraint.second.normalImpulse, constraint.second.tangentImpulse)
  }

  /// Returns the stored impulses for a new contact point, or zeros if the normal has turned too much. Points are
  /// matched by their order, or by their levers if the number of points has changed. They are not matched by the sides
  /// that touch: if a box lies flat on another, two pairs of sides fit equally well.
  @inline(__always) func impulses(nearest lever: Double, _ x: Double, _ y: Double, count newCount: Int, isFirst: Bool)
    -> Impulses
  {
    guard count > 0, normalX * x + normalY * y > 0.9 else { return Impulses() }
    if count == newCount { return isFirst ? first : second }
    if count == 2 { return abs(first.lever - lever) < abs(second.lever - lever) ? first : second }
    return first
  }
}
