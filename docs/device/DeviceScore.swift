/// Returns the score of this device: the steps of springbench's calibration kernel per microsecond. It is the value of
/// `score` in springbench.yml, below `devices` (docs/budgets.md).
///
/// Add this file to an app, build it for release, and call `print(deviceScore())` while nothing else runs.
///
/// - Parameter seconds: How long to measure. Only the fastest sample counts, so longer measurements vary less.
public func deviceScore(seconds: Double = 2) -> Double {
  let roundCount = 10_000
  let clock = ContinuousClock()
  let end = clock.now + .seconds(seconds)
  var fastest = Double.infinity
  var seed: UInt64 = 1
  repeat {
    let time = clock.measure { seed = kernel(rounds: roundCount, seed: seed) }
    fastest = min(fastest, Double(time.components.attoseconds) / 1e9)
  } while clock.now < end
  // If the result were unused, the optimizer could remove the work.
  return seed == 0 ? 0 : Double(roundCount) * 1_000 / fastest
}

/// Each step needs the result of the step before, so steps cannot overlap.
@inline(never)
private func kernel(rounds: Int, seed: UInt64) -> UInt64 {
  var state = seed | 1
  for _ in 0..<rounds {
    state = state &* 0x2545_f491_4f6c_dd1d
    state ^= state >> 29
  }
  return state
}
