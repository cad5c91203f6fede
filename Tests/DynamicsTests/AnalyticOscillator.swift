import Foundation

@testable import Dynamics

/// An independent solution of d″ = −2ζω·d′ − ω²·d at any time, for comparison with the solver. It computes one step
/// from the start with complex roots, while the solver applies a real matrix in each frame.
struct AnalyticOscillator {
  var frequency: Double
  var damping: Double
  var displacement: Double
  var velocity: Double

  func displacement(at t: Double) -> Double {
    let ω = 2 * Double.pi * frequency
    if damping < 1 {
      let ωDamped = ω * (1 - damping * damping).squareRoot()
      let decay = damping * ω
      let amplitude = hypot(displacement, (velocity + decay * displacement) / ωDamped)
      let phase = atan2((velocity + decay * displacement) / ωDamped, displacement)
      return amplitude * exp(-decay * t) * cos(ωDamped * t - phase)
    }
    if damping == 1 { return (displacement + (velocity + ω * displacement) * t) * exp(-ω * t) }
    let s = (damping * damping - 1).squareRoot()
    let (r1, r2) = (-ω * (damping - s), -ω * (damping + s))
    let a = (velocity - r2 * displacement) / (r1 - r2)
    return a * exp(r1 * t) + (displacement - a) * exp(r2 * t)
  }
}

final class Box: DynamicItem {
  var center: Point
  let size: Size
  let name: String

  init(_ name: String = "box", at center: Point, size: Size = Size(width: 10, height: 10)) {
    self.name = name
    self.center = center
    self.size = size
  }

  var dynamicItemName: String { name }
}

final class DelegateSpy: DynamicAnimatorDelegate {
  var events: [String] = []

  func dynamicAnimatorWillResume(_ animator: DynamicAnimator) { events.append("resume") }
  func dynamicAnimatorDidPause(_ animator: DynamicAnimator) { events.append("pause") }
}
