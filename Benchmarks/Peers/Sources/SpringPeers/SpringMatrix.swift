import Foundation

/// The exact change of displacement d and velocity v of an underdamped spring in a timestep:
/// `d′ = m00·d + m01·v`, `v′ = m10·d + m11·v`. It solves d″ = −2ζω·d′ − ω²·d.
struct SpringMatrix: Equatable {
  var m00: Double
  /// Seconds.
  var m01: Double
  /// 1/seconds.
  var m10: Double
  var m11: Double

  /// - Parameters:
  ///   - frequency: Hz.
  ///   - damping: Ratio, less than 1.
  ///   - timestep: Seconds.
  init(frequency: Double, damping: Double, timestep: Double) {
    precondition(frequency > 0, "a frequency of \(frequency) Hz")
    precondition((0..<1).contains(damping), "a damping of \(damping)")
    let ω = 2 * Double.pi * frequency
    let ωDamped = ω * (1 - damping * damping).squareRoot()
    let decay = exp(-damping * ω * timestep)
    let cosine = cos(ωDamped * timestep)
    let sine = sin(ωDamped * timestep) / ωDamped
    m00 = decay * (cosine + damping * ω * sine)
    m01 = decay * sine
    m10 = -decay * ω * ω * sine
    m11 = decay * (cosine - damping * ω * sine)
  }
}
