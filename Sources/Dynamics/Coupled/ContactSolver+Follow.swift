/// Contacts go along with the bodies as these move within a frame.
///
/// Where a body touches with one of its sides, the normal turns with it. Were it held fast until the next frame,
/// what presses against the sides of a box would go on turning it when it has turned already, and give it more
/// energy each time it tilts to and fro: no heap of boxes would come to rest.
extension UnsafeMutablePointer<Contact> {
  /// After a move.
  @inline(__always)
  func follow(_ motions: UnsafeMutablePointer<Motion>, _ step: Double) {
    if pointee.isRound {
      pointee.first.separation += step * approachSpeed(motions)
      return
    }
    let pairing = Pairing(self, motions)
    pointee.first.separation += step * pairing.normalSpeed(pointee.first)
    if pointee.count == 2 { pointee.second.separation += step * pairing.normalSpeed(pointee.second) }
    guard pointee.face != .neither else { return }
    let (turnA, turnB) = (step * pairing.spinA, step * pairing.spinB)
    let turn = pointee.face == .first ? turnA : turnB
    let most = max(abs(turnA), abs(turnB))
    guard turn != 0, most < Self.largestTurn else { return }
    pointee.first.turn(pointee.face, turnA, turnB, step * pairing.tangentSpeed)
    if pointee.count == 2 { pointee.second.turn(pointee.face, turnA, turnB, step * pairing.tangentSpeed) }
    if most > Self.smallTurn { weigh(pairing) }
    let cosine = 1 - turn * turn / 2
    pointee.normalX = cosine * pairing.nx - turn * pairing.ny
    pointee.normalY = cosine * pairing.ny + turn * pairing.nx
  }

  /// Radians; what spins faster touches with another side in the next frame.
  private static var largestTurn: Double { 0.1 }
  /// Radians; what turns by less has the same levers as before, but for little.
  private static var smallTurn: Double { 0.01 }

  /// Recomputes the effect of impulses.
  private func weigh(_ pairing: Pairing) {
    let (a, b) = (pairing.a.pointee, pairing.b.pointee)
    pointee.first.weigh(a, b)
    guard pointee.count == 2 else { return }
    pointee.second.weigh(a, b)
    pointee.couplePoints(a, b)
  }
}

extension Contact.Point {
  /// The point is one of the body whose side it is not, but where that is a disc, which touches below its centre
  /// however it turns.
  /// - Parameter slide: Of the centre of b along the side, seen from that of a, points.
  @inline(__always)
  fileprivate mutating func turn(_ face: Manifold.Face, _ turnA: Double, _ turnB: Double, _ slide: Double) {
    if face == .first {
      let carried = (normalLeverB == 0 ? turnA : turnB) * tangentLeverB
      normalLeverA += turnA * tangentLeverA - slide - carried
      normalLeverB += turnA * tangentLeverB - carried
    } else {
      let carried = (normalLeverA == 0 ? turnB : turnA) * tangentLeverA
      normalLeverB += turnB * tangentLeverB + slide - carried
      normalLeverA += turnB * tangentLeverA - carried
    }
  }
}
