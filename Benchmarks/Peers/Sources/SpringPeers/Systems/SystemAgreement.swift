import Dynamics

/// The difference between the items' positions in Box2D and in this engine. The compared scenes contain no collisions,
/// because collisions would amplify tiny differences.
struct SystemAgreement: Equatable {
  var scene: SystemScene
  var contestant: SystemContestant
  /// The largest difference between a coordinate of an item in Box2D and in this engine, in any frame, points.
  var largestDifference: Double
  /// The difference between the largest and the smallest coordinate of the engine's items, points.
  var span: Double

  /// The compared scenes: a cradle with a single disc, which cannot collide, and ten dragged items.
  static let scenes: [SystemScene] = [.cradle(1), .drag(10)]
  static let frameCount = 120

  static func measure() throws -> [SystemAgreement] {
    try scenes.flatMap { scene in
      let expected = try paths(.engine, scene)
      return try SystemContestant.all(scene).filter { $0 != .engine }.map { contestant in
        let found = try paths(contestant, scene)
        return SystemAgreement(
          scene: scene, contestant: contestant,
          largestDifference: zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity,
          span: (expected.max() ?? 0) - (expected.min() ?? 0))
      }
    }
  }

  /// Returns the coordinates of all items in all frames, one after another.
  private static func paths(_ contestant: SystemContestant, _ scene: SystemScene) throws -> [Double] {
    let peer = try contestant.make(scene)
    var coordinates: [Double] = []
    let room = CenterBuffer.allocate(capacity: 2 * scene.count)
    defer { room.deallocate() }
    for _ in 0..<frameCount {
      peer.run(frames: 1, into: room)
      coordinates.append(contentsOf: UnsafeBufferPointer(start: room, count: 2 * scene.count))
    }
    return coordinates
  }

  /// The largest accepted difference, points. It is large because Box2D slows and damps springs.
  var limit: Double { span / 5 }

  /// A sentence about the difference if it is beyond the limit, or if the items hardly move. Otherwise nil.
  var violation: String? {
    guard !(span > 100 && largestDifference <= limit) else { return nil }
    return "\(contestant.name), \(scene.name): an item strays \(Figure.points(largestDifference)) points "
      + "from where this engine has it, of the \(Figure.points(span)) that items go; the limit is "
      + "\(Figure.points(limit))"
  }
}
