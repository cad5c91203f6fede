/// Steps springs that swing about their anchors, each by the closed solution of its motion. They all fit into the
/// first-level cache, even if there are 10% more.
final class Springs: Work {
  private static let usualCount = 1600
  private let displacements: UnsafeMutableBufferPointer<Double>
  private let velocities: UnsafeMutableBufferPointer<Double>

  init() {
    var random = Numbers(seed: 2)
    let count = Amount.units(Self.usualCount)
    displacements = .allocate(capacity: count)
    velocities = .allocate(capacity: count)
    velocities.initialize(repeating: 0)
    for index in 0..<count { displacements.initializeElement(at: index, to: Double(random.next(below: 1000) + 1) / 10) }
  }

  deinit {
    displacements.deallocate()
    velocities.deallocate()
  }

  @inline(never) func call() { step(displacements, velocities) }

  var checksum: UInt64 {
    var sum: UInt64 = 0
    for index in stride(from: 0, to: Self.usualCount, by: 128) { sum = sum &* 31 ^ displacements[index].bitPattern }
    return sum
  }
}

/// Steps by 1/60 s at 1 Hz, without damping, so that nothing comes to rest and no number becomes subnormal.
@inline(never) private func step(
  _ displacements: UnsafeMutableBufferPointer<Double>, _ velocities: UnsafeMutableBufferPointer<Double>
) {
  // cos ωh, sin(ωh) ÷ ω and ω sin ωh of ω = 2π and h = 1/60.
  let cosine = 0.994_521_895_368_273_3
  let sineByOmega = 0.016_636_221_622_846_66
  let sineTimesOmega = 0.656_767_704_585_381_3
  for index in displacements.indices {
    let displacement = displacements[index]
    let velocity = velocities[index]
    displacements[index] = cosine * displacement + sineByOmega * velocity
    velocities[index] = cosine * velocity - sineTimesOmega * displacement
  }
}
