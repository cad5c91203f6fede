import TextFormat

/// Frames that changed together, by their positions among the recorded frames. A comparison has a row for such a set.
package struct FrameSet: Codable, Sendable, Hashable {
  /// Frames from `first` to `last`, both included, in equal steps.
  package struct Stride: Codable, Sendable, Hashable {
    package var first: Int
    package var last: Int
    package var step = 1
  }

  /// The strides in ascending order; never empty. No frame is in two strides.
  package private(set) var strides: [Stride]

  package init(_ stride: Stride) { strides = [stride] }

  /// - Parameter frames: The frames in ascending order. Consecutive frames become one stride. Traps if there are none.
  package init(_ frames: [Int]) {
    precondition(!frames.isEmpty, "a set of no frames")
    strides = []
    for frame in frames {
      if let last = strides.indices.last, strides[last].last == frame - 1 {
        strides[last].last = frame
      } else {
        strides.append(Stride(first: frame, last: frame))
      }
    }
  }

  package var frames: [Int] { strides.flatMap { Array(Swift.stride(from: $0.first, through: $0.last, by: $0.step)) } }
  package var count: Int { strides.reduce(0) { $0 + ($1.last - $1.first) / $1.step + 1 } }

  /// Whether the sets share more than half of the smaller set's frames.
  package func sharesMost(with other: FrameSet) -> Bool {
    2 * Set(frames).intersection(other.frames).count > min(count, other.count)
  }

  /// Whether no benchmark can have such frames, so the document that contains them is damaged.
  var isImpossible: Bool {
    strides.isEmpty || strides.contains { $0.first < 0 || $0.last < $0.first || $0.step < 1 || $0.last > 10_000_000 }
  }

  /// For example, `frames 780 to 879`, `each 60th frame` or `frame 657`.
  package var words: String {
    let number = Format.integer
    if strides.count == 1, strides[0].step > 1 {
      let stride = strides[0]
      let start = stride.first > 0 ? " from frame \(number(stride.first))" : ""
      return "each \(number(stride.step))\(Self.ordinal(stride.step)) frame\(start)"
    }
    let shown = strides.prefix(4).map {
      $0.first == $0.last ? number($0.first) : "\(number($0.first)) to \(number($0.last))"
    }
    let rest = strides.count > 4 ? ["\(Format.plural(strides.dropFirst(4).count, "more place"))"] : []
    return "\(count == 1 ? "frame" : "frames") \(Format.list(shown + rest))"
  }

  private static func ordinal(_ number: Int) -> String {
    if (11...13).contains(number % 100) { return "th" }
    return [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
  }
}
