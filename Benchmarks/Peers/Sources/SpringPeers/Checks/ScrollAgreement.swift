import Dynamics

/// How far a contestant's rows are from those of the bare loop during a scripted scroll. The bare loop is exact.
struct ScrollAgreement: Equatable {
  /// The largest difference from the bare loop in x or y of any row, in any frame, points.
  var largestDifference = 0.0
  /// The largest distance of a row from its anchor in the bare loop, points.
  var largestDisplacement = 0.0

  static let rowCount = 100
  static let frameCount = 600

  static func measure(_ contestant: Contestant, seed: UInt64) throws -> ScrollAgreement {
    let list = SpringList(count: rowCount)
    let (peer, reference) = (try contestant.make(list), BareLoopPeer(list, axes: .y))
    let (centers, expected) = (
      CenterBuffer.allocate(capacity: 2 * rowCount), CenterBuffer.allocate(capacity: 2 * rowCount)
    )
    defer {
      centers.deallocate()
      expected.deallocate()
    }
    try peer.rest()
    var agreement = ScrollAgreement()
    let shifts = list.scriptedScroll(seed: seed, frameCount: frameCount)
    for frame in shifts.indices {
      peer.scroll(shifts[frame...frame], timestep: list.timestep, into: centers)
      reference.scroll(shifts[frame...frame], timestep: list.timestep, into: expected)
      for coordinate in 0..<2 * rowCount {
        agreement.largestDifference.raise(to: abs(centers[coordinate] - expected[coordinate]))
      }
      for row in 0..<rowCount {
        agreement.largestDisplacement.raise(to: abs(expected[2 * row + 1] - list.anchor(row).y))
      }
    }
    return agreement
  }
}

extension Double {
  /// Sets this value to the larger of the two values, or to NaN if one of them is NaN. `max` could drop the NaN.
  mutating func raise(to other: Double) { if !(other <= self), !isNaN { self = other } }
}
