import Dynamics

/// How far a contestant's rows were from those of the bare loop, which is exact, in the scripted scroll.
enum ScrollAgreement {
  static let rowCount = 100
  static let frameCount = 600

  /// - Returns: The largest difference of any centre in any frame, points.
  static func largestDifference(of contestant: Contestant, seed: UInt64) throws -> Double {
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
    var largest = 0.0
    let shifts = list.scriptedScroll(seed: seed, frameCount: frameCount)
    for frame in shifts.indices {
      peer.scroll(shifts[frame...frame], timestep: list.timestep, into: centers)
      reference.scroll(shifts[frame...frame], timestep: list.timestep, into: expected)
      for coordinate in 0..<2 * rowCount {
        let difference = abs(centers[coordinate] - expected[coordinate])
        if !(difference <= largest) { largest = difference }
      }
    }
    return largest
  }
}
