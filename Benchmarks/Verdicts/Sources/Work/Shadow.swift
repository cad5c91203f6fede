/// The shadow below the bar, softened from pixel to pixel: about half of what a frame does.
struct Shadow {
  private let pixels: [Double]
  private(set) var softened: [Double]
  private let spread: Double
  private let fade: Double

  /// - Parameter spread: A power of two, so that it makes no difference whether one divides by it or multiplies.
  init(length: Int, spread: Double) {
    var random = Numbers(seed: 2)
    pixels = (0..<length).map { _ in Double(random.next(below: 256)) }
    softened = Array(repeating: 0, count: length)
    self.spread = spread
    fade = 1 / spread
  }

  /// Drawing some of it once more changes nothing.
  @inline(never) mutating func draw(_ length: Int) {
    // Nothing, but known only once all was drawn before: short shadows would be drawn side by side otherwise.
    var level = 0 * softened[softened.count - 1]
    for index in 0..<length {
      level = (level + pixels[index]) * fade
      softened[index] = level
    }
  }
}
