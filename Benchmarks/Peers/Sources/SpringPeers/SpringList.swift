import Dynamics
import Scenarios

/// The system that every contestant simulates: the rows of a list of messages, each on a spring.
struct SpringList {
  let count: Int
  /// Hz.
  var frequency = 1.0
  /// Damping ratio.
  var damping = 0.8
  /// Seconds.
  var timestep = 1.0 / 60

  /// The distance between the starts of two neighboring rows, points.
  static let rowPitch = 62.0
  private static let firstCenter = Point(x: 160, y: 31)
  /// A row at least this many points from the touch follows the whole scroll, a nearer row only a part of it.
  static let scrollResistance = 1_500.0

  init(count: Int, damping: Double = 0.8) {
    precondition(count > 0, "a list of \(count) springs")
    self.count = count
    self.damping = damping
  }

  func anchor(_ row: Int) -> Point { Point(x: Self.firstCenter.x, y: Self.firstCenter.y + Double(row) * Self.rowPitch) }

  /// The anchors as pairs x, y in points.
  var anchorPairs: [Double] { (0..<count).flatMap { row in [anchor(row).x, anchor(row).y] } }

  /// Returns a shift whose touch is so far away that it moves every row by the whole of `delta`.
  func shiftOfAll(by delta: Double) -> ScrollShift {
    let far = Point(x: Self.firstCenter.x, y: -10 * Self.scrollResistance)
    return ScrollShift(delta: delta, touch: far, resistance: Self.scrollResistance)
  }

  /// Returns the scripted scroll of the scenario `springs`, moved to the middle of this list, with one shift per frame.
  func scriptedScroll(seed: UInt64, frameCount: Int) -> [ScrollShift] {
    let script = ScrollScript.messages(seed: seed, duration: Double(frameCount + 1) * timestep)
    let middle = Double(count) * Self.rowPitch / 2
    let trace = ScrollTrace(script, refreshRateHertz: Int((1 / timestep).rounded()), frameCount: frameCount + 1)
      .rebased(toOffset: middle)
    return (1...frameCount).map { index in
      let (before, frame) = (trace.frames[index - 1], trace.frames[index])
      return ScrollShift(
        delta: trace.delta(at: index),
        // Converts the touch to content coordinates with the offset before the scroll, as the springy list does.
        touch: Point(x: frame.touchX, y: frame.touchY + before.contentOffset), resistance: Self.scrollResistance)
    }
  }
}
