/// The shadow of a bar above the feed, softened from pixel to pixel. Drawing it takes about half the time of a frame.
struct Shadow {
  private let pixels: [Double]
  private(set) var softened: [Double]
  private let spread: Double
  private let fade: Double

  /// - Parameter spread: A power of two, so that dividing by it and multiplying by its inverse give the same result.
  init(length: Int, spread: Double) {
    var random = Numbers(seed: 2)
    pixels = (0..<length).map { _ in Double(random.next(below: 256)) }
    softened = Array(repeating: 0, count: length)
    self.spread = spread
    fade = 1 / spread
  }

  /// Softens the first `length` pixels. Softening a pixel again gives the same result.
  @inline(never) mutating func draw(_ length: Int) {
    // Always 0, but it depends on the last draw. Otherwise the processor would draw several short shadows at the same
    // time.
    var level = 0 * softened[softened.count - 1]
    for index in 0..<length {
      level = (level + pixels[index]) * fade
      softened[index] = level
    }
  }
}
