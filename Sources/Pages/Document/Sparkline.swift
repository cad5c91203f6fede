import Statistics

/// A series small enough for a cell of a table.
package struct Sparkline: Sendable, Hashable {
  /// From 0 to 1, the greatest of them 1; empty if there is nothing to show.
  let levels: [Double]
  /// Plain text for readers who cannot see it.
  let description: String
  /// Maximum number of characters as text.
  var width = Sparkline.barCount / 2
  /// A line below the text, with a character for each of its own; empty for none.
  var marks = ""

  /// Bars that a page of HTML has room for; text has half of them.
  static let barCount = 48

  /// The same with at most this many characters as text.
  func of(width: Int) -> Sparkline {
    var line = self
    line.width = width
    return line
  }

  /// Bars between zero and the greatest value.
  ///
  /// - Parameters:
  ///   - values: Not negative, in order. Each bar is the greatest of its stretch, so that no spike is lost.
  ///   - description: For readers who cannot see it.
  init(_ values: [Double], description: String) {
    self.description = description
    guard let greatest = values.max(), greatest > 0, greatest.isFinite else {
      levels = []
      return
    }
    levels = Self.stretches(values, min(Self.barCount, values.count)).map { stretch in
      ((stretch.max() ?? 0) / greatest * 1_000).rounded() / 1_000
    }
  }

  /// A trend between its minimum and its maximum: each level the median of its stretch, a constant one in
  /// the middle.
  ///
  /// - Parameter marks: Characters by position in the values; of several in a stretch, the last.
  init(trend values: [Double], width: Int, marks: [(position: Int, mark: Character)]) {
    precondition(width > 0, "a sparkline of \(width) columns")
    let count = min(width, values.count)
    let medians = Self.stretches(values, count).map { Quantile.type7(sorted: $0.sorted(), at: 0.5) }
    let (low, high) = (medians.min() ?? 0, medians.max() ?? 0)
    // A constant trend is in the middle of the eight levels of text.
    levels = medians.map { high > low ? ((($0 - low) / (high - low) * 7).rounded() + 0.5) / 8 : 3.5 / 8 }
    description = ""
    self.width = width
    var line = [Character](repeating: " ", count: marks.isEmpty ? 0 : count)
    for (position, mark) in marks { line[((position + 1) * count - 1) / values.count] = mark }
    self.marks = String(line)
  }

  /// `▁▁▃▁▁▁█▁▁▁▂▁`
  package var text: String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    return String(
      Self.stretches(levels, min(width, levels.count)).map { stretch in
        blocks[min(blocks.count - 1, Int((stretch.max() ?? 0) * Double(blocks.count)))]
      })
  }

  private static func stretches(_ values: [Double], _ count: Int) -> [ArraySlice<Double>] {
    (0..<count).map { values[($0 * values.count / count)..<(($0 + 1) * values.count / count)] }
  }
}
