/// Where two shapes touch, or may touch within the frame: up to two points with one normal.
struct Manifold: BitwiseCopyable {
  struct Place: BitwiseCopyable {
    /// Half-way between the surfaces, points.
    var x = 0.0
    var y = 0.0
    /// Of the surfaces, points; negative where they overlap.
    var separation = 0.0
  }

  /// Whose side gives the normal, which turns with it; neither where corners or discs meet.
  enum Face: UInt8, BitwiseCopyable { case neither, first, second }

  /// Touching is looked for this far ahead even of bodies at rest, points.
  static let slack = 2.0

  /// From the first shape to the second.
  var normalX = 0.0
  var normalY = 0.0
  var face = Face.neither
  var count = 0
  /// Of two places the first lies further along the normal turned by a quarter, (−y, x).
  var first = Place()
  var second = Place()

  /// - Parameter margin: No further apart than this, points.
  init(
    _ a: Traits, _ poseA: Pose, _ b: Traits, _ poseB: Pose, margin: Double
  ) {
    if a.isWall {
      touch(wall: poseA, b, poseB, margin)
    } else if b.isWall {
      touch(wall: poseB, a, poseA, margin)
      turnBack()
    } else {
      touch(a, poseA, b, poseB, margin)
    }
  }

  private mutating func touch(
    _ a: Traits, _ poseA: Pose, _ b: Traits, _ poseB: Pose, _ margin: Double
  ) {
    switch (a.isCircle, b.isCircle) {
    case (true, true): touchCircles(a, poseA, b, poseB, margin)
    case (false, true): touch(box: a, poseA, circle: b, poseB, margin)
    case (true, false):
      touch(box: b, poseB, circle: a, poseA, margin)
      turnBack()
    case (false, false): touchBoxes(a, poseA, b, poseB, margin)
    }
  }

  /// Makes the first shape the second.
  private mutating func turnBack() {
    normalX = -normalX
    normalY = -normalY
    if face != .neither { face = face == .first ? .second : .first }
    if count == 2 { swap(&first, &second) }
  }

  /// The normal points inside, and the wall goes on for ever.
  private mutating func touch(wall: Pose, _ shape: Traits, _ pose: Pose, _ margin: Double) {
    guard shape.isCircle else {
      let line = Traits(kind: .fixed, halfWidth: .infinity, halfHeight: 0, isCircle: false)
      return clip(line, wall, shape, pose, isX: false, isPositive: true, margin)
    }
    let (nx, ny) = (-wall.sine, wall.cosine)
    let separation = (pose.x - wall.x) * nx + (pose.y - wall.y) * ny - shape.halfWidth
    guard separation <= margin else { return }
    (normalX, normalY) = (nx, ny)
    let middle = shape.halfWidth + separation / 2
    first = Place(x: pose.x - nx * middle, y: pose.y - ny * middle, separation: separation)
    count = 1
  }
}

// MARK: - Circles

extension Manifold {
  private mutating func touchCircles(
    _ a: Traits, _ poseA: Pose, _ b: Traits, _ poseB: Pose, _ margin: Double
  ) {
    let (dx, dy) = (poseB.x - poseA.x, poseB.y - poseA.y)
    let reach = a.halfWidth + b.halfWidth + margin
    guard dx * dx + dy * dy <= reach * reach else { return }
    let distance = (dx * dx + dy * dy).squareRoot()
    (normalX, normalY) = distance > 0 ? (dx / distance, dy / distance) : (0, 1)
    let separation = distance - a.halfWidth - b.halfWidth
    let middle = a.halfWidth + separation / 2
    first = Place(
      x: poseA.x + normalX * middle, y: poseA.y + normalY * middle, separation: separation)
    count = 1
  }

  /// The normal points from the box to the circle.
  private mutating func touch(
    box: Traits, _ poseBox: Pose, circle: Traits, _ poseCircle: Pose, _ margin: Double
  ) {
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
    face = gapX == 0 || gapY == 0 ? .first : .neither
    let middle = circle.halfWidth + separation / 2
    first = Place(
      x: poseCircle.x - normalX * middle, y: poseCircle.y - normalY * middle, separation: separation)
    count = 1
  }
}

// MARK: - Boxes

extension Manifold {
  /// Of the four directions of the sides the one along which the boxes are furthest apart is the normal
  /// (separating axis theorem); the side of the other box that faces it is cut to its width.
  private mutating func touchBoxes(
    _ a: Traits, _ poseA: Pose, _ b: Traits, _ poseB: Pose, _ margin: Double
  ) {
    let (dx, dy) = (poseB.x - poseA.x, poseB.y - poseA.y)
    let (ax, ay) = (poseA.cosine * dx + poseA.sine * dy, poseA.cosine * dy - poseA.sine * dx)
    let (bx, by) = (poseB.cosine * dx + poseB.sine * dy, poseB.cosine * dy - poseB.sine * dx)
    let along = abs(poseA.cosine * poseB.cosine + poseA.sine * poseB.sine)
    let across = abs(poseA.cosine * poseB.sine - poseA.sine * poseB.cosine)
    // Another side must be clearly better, so that the choice does not flicker.
    let preference = 0.05
    var (best, side) = (abs(ax) - a.halfWidth - (along * b.halfWidth + across * b.halfHeight), 0)
    let separationAY = abs(ay) - a.halfHeight - (across * b.halfWidth + along * b.halfHeight)
    guard max(best, separationAY) <= margin else { return }
    if separationAY > best + preference { (best, side) = (separationAY, 1) }
    let separationBX = abs(bx) - b.halfWidth - (along * a.halfWidth + across * a.halfHeight)
    if separationBX > best + preference { (best, side) = (separationBX, 2) }
    let separationBY = abs(by) - b.halfHeight - (across * a.halfWidth + along * a.halfHeight)
    if separationBY > best + preference { (best, side) = (separationBY, 3) }
    guard best <= margin else { return }
    switch side {
    case 0: clip(a, poseA, b, poseB, isX: true, isPositive: ax > 0, margin)
    case 1: clip(a, poseA, b, poseB, isX: false, isPositive: ay > 0, margin)
    case 2: clip(b, poseB, a, poseA, isX: true, isPositive: bx < 0, margin)
    default: clip(b, poseB, a, poseA, isX: false, isPositive: by < 0, margin)
    }
    if side >= 2 { turnBack() }
  }

  /// - Parameters:
  ///   - reference: The box whose side gives the normal.
  ///   - isX: Whether that is a side across its x axis.
  private mutating func clip(
    _ reference: Traits, _ poseR: Pose, _ incident: Traits, _ poseI: Pose, isX: Bool,
    isPositive: Bool, _ margin: Double
  ) {
    let sign = isPositive ? 1.0 : -1.0
    let (nx, ny) = isX ? (sign * poseR.cosine, sign * poseR.sine) : (-sign * poseR.sine, sign * poseR.cosine)
    (normalX, normalY) = (nx, ny)
    face = .first
    let (height, width) =
      isX ? (reference.halfWidth, reference.halfHeight) : (reference.halfHeight, reference.halfWidth)
    // The side of the incident box that faces against the normal, in its own directions.
    let (localX, localY) = (poseI.cosine * nx + poseI.sine * ny, poseI.cosine * ny - poseI.sine * nx)
    let facesX = abs(localX) > abs(localY)
    let out = facesX ? (localX > 0 ? -incident.halfWidth : incident.halfWidth) : 0
    let up = facesX ? 0 : (localY > 0 ? -incident.halfHeight : incident.halfHeight)
    let edge =
      facesX
      ? poseI.turned(Vector(dx: 0, dy: incident.halfHeight))
      : poseI.turned(Vector(dx: incident.halfWidth, dy: 0))
    let middle = poseI.turned(Vector(dx: out, dy: up))
    let (mx, my) = (poseI.x + middle.dx - poseR.x, poseI.y + middle.dy - poseR.y)
    // Both in the coordinates of the reference side: along it, and above it.
    let (alongMiddle, aboveMiddle) = (mx * -ny + my * nx, mx * nx + my * ny - height)
    var (alongEdge, aboveEdge) = (edge.dx * -ny + edge.dy * nx, edge.dx * nx + edge.dy * ny)
    if alongEdge < 0 { (alongEdge, aboveEdge) = (-alongEdge, -aboveEdge) }
    let (from, to) = (max(alongMiddle - alongEdge, -width), min(alongMiddle + alongEdge, width))
    guard from <= to else { return }
    let slope = alongEdge > 0 ? aboveEdge / alongEdge : 0
    for end in 0..<(to > from ? 2 : 1) {
      let along = end == 0 ? to : from
      let above = aboveMiddle + slope * (along - alongMiddle)
      guard above <= margin else { continue }
      let level = height + above / 2
      add(
        Place(
          x: poseR.x + nx * level - ny * along, y: poseR.y + ny * level + nx * along, separation: above))
    }
  }

  private mutating func add(_ place: Place) {
    if count == 0 { first = place } else { second = place }
    count += 1
  }
}
