/// The points where two shapes touch or may touch within the frame: up to two, with a common normal.
struct Manifold: BitwiseCopyable {
  struct Place: BitwiseCopyable {
    /// The position half-way between the surfaces, points.
    var x = 0.0
    var y = 0.0
    /// The distance between the surfaces, points. It is negative where they overlap.
    var separation = 0.0
  }

  /// The normal, from the first shape to the second.
  var normalX = 0.0
  var normalY = 0.0
  var count = 0
  /// Whether the normal goes through both centers, or from a wall through the center of a disc.
  var isRound = false
  /// The only point or, of two points, the one that is further along the tangent. The tangent is the normal (x, y)
  /// turned by 90°: (−y, x).
  var first = Place()
  var second = Place()

  /// - Parameter margin: The largest distance, in points, at which shapes still have contact points.
  @inline(__always) init(_ a: Shape, _ poseA: Pose, _ b: Shape, _ poseB: Pose, margin: Double) {
    // The case of two discs is inlined, so that the numbers of the manifold stay in registers.
    self = a.isCircle && b.isCircle ? .circles(a, poseA, b, poseB, margin) : .others(a, poseA, b, poseB, margin)
  }

  private init() {}

  private static func others(_ a: Shape, _ poseA: Pose, _ b: Shape, _ poseB: Pose, _ margin: Double) -> Self {
    var manifold = Self()
    if a.isWall {
      manifold.touch(wall: poseA, b, poseB, margin)
    } else if b.isWall {
      manifold.touch(wall: poseB, a, poseA, margin)
      manifold.turnBack()
    } else if b.isCircle {
      manifold.touch(box: a, poseA, circle: b, poseB, margin)
    } else if a.isCircle {
      manifold.touch(box: b, poseB, circle: a, poseA, margin)
      manifold.turnBack()
    } else {
      manifold.touchBoxes(a, poseA, b, poseB, margin)
    }
    return manifold
  }

  /// Exchanges the roles of the two shapes.
  mutating func turnBack() {
    normalX = -normalX
    normalY = -normalY
    if count == 2 { swap(&first, &second) }
  }

  /// Finds the contact points between a wall and another shape. The wall is treated as endless, and the normal points to
  /// the side on which bodies must stay.
  private mutating func touch(wall: Pose, _ shape: Shape, _ pose: Pose, _ margin: Double) {
    guard shape.isCircle else {
      let line = Shape(halfWidth: .infinity, halfHeight: 0, isCircle: false)
      return clip(line, wall, shape, pose, isX: false, isPositive: true, margin)
    }
    let (nx, ny) = (-wall.sine, wall.cosine)
    let separation = (pose.x - wall.x) * nx + (pose.y - wall.y) * ny - shape.halfWidth
    guard separation <= margin else { return }
    (normalX, normalY) = (nx, ny)
    let middle = shape.halfWidth + separation / 2
    first = Place(x: pose.x - nx * middle, y: pose.y - ny * middle, separation: separation)
    (count, isRound) = (1, true)
  }
}

// MARK: - Circles

extension Manifold {
  @inline(__always) private static func circles(_ a: Shape, _ poseA: Pose, _ b: Shape, _ poseB: Pose, _ margin: Double)
    -> Self
  {
    var manifold = Self()
    let (dx, dy) = (poseB.x - poseA.x, poseB.y - poseA.y)
    let reach = a.halfWidth + b.halfWidth + margin
    guard dx * dx + dy * dy <= reach * reach else { return manifold }
    let distance = (dx * dx + dy * dy).squareRoot()
    let (nx, ny) = distance > 0 ? (dx / distance, dy / distance) : (0, 1)
    let separation = distance - a.halfWidth - b.halfWidth
    let middle = a.halfWidth + separation / 2
    manifold.first = Place(x: poseA.x + nx * middle, y: poseA.y + ny * middle, separation: separation)
    (manifold.normalX, manifold.normalY, manifold.count, manifold.isRound) = (nx, ny, 1, true)
    return manifold
  }

  /// Finds the contact of a box and a circle. The normal points from the box to the circle.
  private mutating func touch(box: Shape, _ poseBox: Pose, circle: Shape, _ poseCircle: Pose, _ margin: Double) {
    let (dx, dy) = (poseCircle.x - poseBox.x, poseCircle.y - poseBox.y)
    let (c, s) = (poseBox.cosine, poseBox.sine)
    let (x, y) = (c * dx + s * dy, c * dy - s * dx)
    let nearX = min(max(x, -box.halfWidth), box.halfWidth)
    let nearY = min(max(y, -box.halfHeight), box.halfHeight)
    let (gapX, gapY) = (x - nearX, y - nearY)
    let distance = (gapX * gapX + gapY * gapY).squareRoot()
    guard distance <= circle.halfWidth + margin else { return }
    var (nx, ny, separation) = (0.0, 0.0, 0.0)
    if distance > 0 {
      (nx, ny, separation) = (gapX / distance, gapY / distance, distance - circle.halfWidth)
    } else if box.halfWidth - abs(x) < box.halfHeight - abs(y) {
      (nx, separation) = (x < 0 ? -1 : 1, abs(x) - box.halfWidth - circle.halfWidth)
    } else {
      (ny, separation) = (y < 0 ? -1 : 1, abs(y) - box.halfHeight - circle.halfWidth)
    }
    (normalX, normalY) = (c * nx - s * ny, s * nx + c * ny)
    let middle = circle.halfWidth + separation / 2
    first = Place(x: poseCircle.x - normalX * middle, y: poseCircle.y - normalY * middle, separation: separation)
    count = 1
  }
}
