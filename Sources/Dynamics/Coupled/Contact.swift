/// What is known from frame to frame about two bodies that touch, or soon may.
struct Contact: BitwiseCopyable {
  /// The impulses at a point in the last sub-step, as a start for the next (warm starting).
  struct Impulses: BitwiseCopyable {
    /// Lever of the normal about the centre of the first body, points, which identifies the point.
    var lever = 0.0
    var normal = 0.0
    var tangent = 0.0
  }

  let a, b: Int32
  var count: Int32 = 0
  /// The distance of the surfaces at their nearest, when the frame began, points.
  var separation = Double.infinity
  var normalX = 0.0
  var normalY = 0.0
  var first = Impulses()
  var second = Impulses()

  /// Whether the bodies are within the speculative distance of each other, so that they share an island.
  var isTouching: Bool { separation < SolverConstants.speculativeDistance }

  /// Stores the impulses for the next frame, or the next manifold.
  mutating func store(_ constraint: ContactConstraint) {
    (first.normal, first.tangent) = (constraint.first.normalImpulse, constraint.first.tangentImpulse)
    (second.normal, second.tangent) = (constraint.second.normalImpulse, constraint.second.tangentImpulse)
  }

  /// The impulses of the point nearest to this one, if the normal has hardly turned. The sides that touch may be others
  /// than before: if a box lies flat on another, two pairs of sides fit equally well.
  @inline(__always) func impulses(nearest lever: Double, _ x: Double, _ y: Double, count newCount: Int, isFirst: Bool)
    -> Impulses
  {
    guard count > 0, normalX * x + normalY * y > 0.9 else { return Impulses() }
    if count == newCount { return isFirst ? first : second }
    if count == 2 { return abs(first.lever - lever) < abs(second.lever - lever) ? first : second }
    return first
  }
}
