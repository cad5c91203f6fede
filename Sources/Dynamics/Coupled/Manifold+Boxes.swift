extension Manifold {
  /// Finds the points where two boxes touch. The normal is perpendicular to a side of one of the boxes, the reference
  /// side. Of the four possible directions, it is the one along which the boxes are furthest apart (separating axis
  /// theorem). The facing side of the other box is clipped to the width of the reference side.
  mutating func touchBoxes(_ a: Shape, _ poseA: Pose, _ b: Shape, _ poseB: Pose, _ margin: Double) {
    let (dx, dy) = (poseB.x - poseA.x, poseB.y - poseA.y)
    let (ax, ay) = (poseA.cosine * dx + poseA.sine * dy, poseA.cosine * dy - poseA.sine * dx)
    let (bx, by) = (poseB.cosine * dx + poseB.sine * dy, poseB.cosine * dy - poseB.sine * dx)
    let along = abs(poseA.cosine * poseB.cosine + poseA.sine * poseB.sine)
    let across = abs(poseA.cosine * poseB.sine - poseA.sine * poseB.cosine)
    // A later side replaces an earlier one only if the boxes are further apart along its normal by more than this many
    // points. Otherwise the choice could change in every frame.
    let preference = 0.05
    let separationAX = abs(ax) - a.halfWidth - (along * b.halfWidth + across * b.halfHeight)
    var (best, side) = (separationAX, 0)
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

  /// Finds the contact points of one side of the box `reference` with the side of the box `incident` that faces it.
  /// Clips the incident side to the width of the reference side, and adds a point for each end that is near enough. If
  /// nothing is left after clipping, tries the nearest corners instead.
  /// - Parameters:
  ///   - reference: The box with the reference side, which determines the normal.
  ///   - isX: Whether the reference side is perpendicular to the x axis of its box, not to the y axis.
  ///   - isPositive: Whether the reference side is the one in the positive direction of that axis.
  mutating func clip(
    _ reference: Shape, _ poseR: Pose, _ incident: Shape, _ poseI: Pose, isX: Bool, isPositive: Bool, _ margin: Double
  ) {
    let sign = isPositive ? 1.0 : -1.0
    let (nx, ny) = isX ? (sign * poseR.cosine, sign * poseR.sine) : (-sign * poseR.sine, sign * poseR.cosine)
    (normalX, normalY) = (nx, ny)
    let (height, width) =
      isX ? (reference.halfWidth, reference.halfHeight) : (reference.halfHeight, reference.halfWidth)
    // The side of the incident box that faces against the normal, in the coordinates of that box.
    let (localX, localY) = (poseI.cosine * nx + poseI.sine * ny, poseI.cosine * ny - poseI.sine * nx)
    let facesX = abs(localX) > abs(localY)
    let out = facesX ? (localX > 0 ? -incident.halfWidth : incident.halfWidth) : 0
    let up = facesX ? 0 : (localY > 0 ? -incident.halfHeight : incident.halfHeight)
    let edge =
      facesX
      ? poseI.turned(Vector(dx: 0, dy: incident.halfHeight)) : poseI.turned(Vector(dx: incident.halfWidth, dy: 0))
    let middle = poseI.turned(Vector(dx: out, dy: up))
    let (mx, my) = (poseI.x + middle.dx - poseR.x, poseI.y + middle.dy - poseR.y)
    // The middle of the incident side, and the vector from there to an end, in coordinates along and above the
    // reference side.
    let (alongMiddle, aboveMiddle) = (mx * -ny + my * nx, mx * nx + my * ny - height)
    var (alongEdge, aboveEdge) = (edge.dx * -ny + edge.dy * nx, edge.dx * nx + edge.dy * ny)
    if alongEdge < 0 { (alongEdge, aboveEdge) = (-alongEdge, -aboveEdge) }
    let (from, to) = (max(alongMiddle - alongEdge, -width), min(alongMiddle + alongEdge, width))
    guard from <= to else {
      return meetCorners(
        poseR, alongMiddle > 0 ? width : -width, height, alongMiddle - (alongMiddle > 0 ? alongEdge : -alongEdge),
        aboveMiddle - (alongMiddle > 0 ? aboveEdge : -aboveEdge), margin)
    }
    let slope = alongEdge > 0 ? aboveEdge / alongEdge : 0
    for end in 0..<(to > from ? 2 : 1) {
      let along = end == 0 ? to : from
      let above = aboveMiddle + slope * (along - alongMiddle)
      guard above <= margin else { continue }
      let level = height + above / 2
      add(Place(x: poseR.x + nx * level - ny * along, y: poseR.y + ny * level + nx * along, separation: above))
    }
  }

  /// Adds a contact of two corners, along the line between them. This may happen where the incident side lies beyond
  /// the end of the reference side (Box2D: vertex against vertex).
  private mutating func meetCorners(
    _ pose: Pose, _ corner: Double, _ height: Double, _ along: Double, _ above: Double, _ margin: Double
  ) {
    let (dx, dy) = (along - corner, above)
    let distance = (dx * dx + dy * dy).squareRoot()
    guard distance > 0, distance <= margin else { return }
    let (nx, ny) = (normalX, normalY)
    (normalX, normalY) = ((nx * dy - ny * dx) / distance, (ny * dy + nx * dx) / distance)
    let (middle, level) = (corner + dx / 2, height + dy / 2)
    add(Place(x: pose.x + nx * level - ny * middle, y: pose.y + ny * level + nx * middle, separation: distance))
  }

  private mutating func add(_ place: Place) {
    if count == 0 { first = place } else { second = place }
    count += 1
  }
}
