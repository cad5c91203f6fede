import Dynamics
import Foundation
import Scenarios

/// Computes the energy and the overlaps of a heap from the positions and velocities that an engine reports.
struct HeapState {
  private struct Shape {
    var halfWidth, halfHeight: Double
    var isRound: Bool

    var reach: Double { isRound ? halfWidth : (halfWidth * halfWidth + halfHeight * halfHeight).squareRoot() }
    var mass: Double { (isRound ? .pi : 4) * halfWidth * halfHeight }
    var inertia: Double {
      mass * (isRound ? halfWidth * halfWidth / 2 : (halfWidth * halfWidth + halfHeight * halfHeight) / 3)
    }
  }

  private struct Place { var x, y, cosine, sine: Double }

  private let shapes: [Shape]

  init(_ items: [Heap.Item]) {
    shapes = items.map {
      Shape(halfWidth: $0.size.width / 2, halfHeight: $0.size.height / 2, isRound: $0.collisionBoundsType == .ellipse)
    }
  }

  /// Kinetic energy of all items, plus the potential energy of their heights above the floor.
  func energy(_ motions: CenterBuffer) -> Double {
    shapes.indices.reduce(0) { sum, index in
      let (motion, shape) = (motions + 6 * index, shapes[index])
      let speed = motion[3] * motion[3] + motion[4] * motion[4]
      return sum + shape.mass * (speed / 2 - GravityBehavior.accelerationOfOne * motion[1]) + shape.inertia * motion[5]
        * motion[5] / 2
    }
  }

  /// Returns the deepest overlap of two items, points.
  func deepestOverlap(_ motions: CenterBuffer) -> Double {
    let places = shapes.indices.map { index in
      let motion = motions + 6 * index
      return Place(x: motion[0], y: motion[1], cosine: cos(motion[2]), sine: sin(motion[2]))
    }
    let order = places.indices.sorted { places[$0].x < places[$1].x }
    let most = 2 * (shapes.map(\.reach).max() ?? 0)
    var deepest = 0.0
    for (rank, first) in order.enumerated() {
      for second in order[(rank + 1)...] {
        let (dx, dy) = (places[second].x - places[first].x, places[second].y - places[first].y)
        guard dx < most else { break }
        let reach = shapes[first].reach + shapes[second].reach
        guard dx * dx + dy * dy < reach * reach else { continue }
        deepest = max(deepest, overlap(first, second, places, dx, dy))
      }
    }
    return deepest
  }

  /// Returns the overlap of two items along the direction in which they overlap least, points. Tries the directions of
  /// their sides, and the direction from a disc to the nearest corner of a box or the center of another disc.
  private func overlap(_ a: Int, _ b: Int, _ places: [Place], _ dx: Double, _ dy: Double) -> Double {
    var directions: [(x: Double, y: Double)] = []
    for index in [a, b] where !shapes[index].isRound {
      let place = places[index]
      directions += [(place.cosine, place.sine), (-place.sine, place.cosine)]
    }
    if shapes[a].isRound {
      let corner = corner(b, places[b], -dx, -dy)
      directions.append((dx + corner.x, dy + corner.y))
    }
    if shapes[b].isRound {
      let corner = corner(a, places[a], dx, dy)
      directions.append((dx - corner.x, dy - corner.y))
    }
    return directions.reduce(.infinity) { least, direction in
      let length = (direction.x * direction.x + direction.y * direction.y).squareRoot()
      guard length > 0 else { return least }
      let (x, y) = (direction.x / length, direction.y / length)
      return min(least, half(a, places[a], x, y) + half(b, places[b], x, y) - abs(dx * x + dy * y))
    }
  }

  private func half(_ index: Int, _ place: Place, _ x: Double, _ y: Double) -> Double {
    let shape = shapes[index]
    guard !shape.isRound else { return shape.halfWidth }
    return abs(place.cosine * x + place.sine * y) * shape.halfWidth + abs(place.cosine * y - place.sine * x)
      * shape.halfHeight
  }

  /// Returns a box's corner that is nearest to a point, or a disc's center. Both are relative to the item's center.
  private func corner(_ index: Int, _ place: Place, _ dx: Double, _ dy: Double) -> (x: Double, y: Double) {
    let shape = shapes[index]
    guard !shape.isRound else { return (0, 0) }
    let x = place.cosine * dx + place.sine * dy < 0 ? -shape.halfWidth : shape.halfWidth
    let y = place.cosine * dy - place.sine * dx < 0 ? -shape.halfHeight : shape.halfHeight
    return (place.cosine * x - place.sine * y, place.sine * x + place.cosine * y)
  }
}
