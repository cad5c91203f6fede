/// A series small enough for a cell of a table: bars between zero and its greatest value.
package struct Sparkline: Sendable, Hashable {
  /// From 0 to 1, the greatest of them 1; none where there is nothing to show.
  let levels: [Double]
  /// What it shows, plain text.
  let description: String

  /// Bars that a page of HTML has room for; text has half of them.
  static let barCount = 48

  /// - Parameters:
  ///   - values: Not negative, in order. Each bar is the greatest of its stretch, so that no spike is lost.
  ///   - description: For readers who cannot see it.
  init(_ values: [Double], description: String) {
    self.description = description
    guard let greatest = values.max(), greatest > 0, greatest.isFinite else {
      levels = []
      return
    }
    let count = min(Self.barCount, values.count)
    levels = (0..<count).map { bar in
      let stretch = values[(bar * values.count / count)..<((bar + 1) * values.count / count)]
      return ((stretch.max() ?? 0) / greatest * 1_000).rounded() / 1_000
    }
  }

  /// `▁▁▃▁▁▁█▁▁▁▂▁`
  ///
  /// - Parameter width: Characters at most.
  package func text(width: Int = Sparkline.barCount / 2) -> String {
    let count = min(width, levels.count)
    let blocks = Array("▁▂▃▄▅▆▇█")
    return String(
      (0..<count).map { bar in
        let level =
          levels[(bar * levels.count / count)..<((bar + 1) * levels.count / count)].max() ?? 0
        return blocks[min(blocks.count - 1, Int(level * Double(blocks.count)))]
      })
  }
}
