import Judging
import Statistics

/// A trend in one line of text.
struct TrendLine {
  /// One character a column, oldest first.
  let bars: String
  /// Below it: `^` where a change point lies, `|` where another environment begins, spaces else.
  let marks: String

  private static let levels = Array("▁▂▃▄▅▆▇█")

  /// - Parameter width: Columns at most; several nights share one where there are more.
  init(_ trend: Trend, width: Int) {
    precondition(width > 0, "a sparkline of \(width) columns")
    let count = trend.values.count
    let columns = min(width, count)
    func column(_ position: Int) -> Int { position * columns / count }
    var buckets = [[Double]](repeating: [], count: columns)
    for (position, value) in trend.values.enumerated() { buckets[column(position)].append(value) }
    let medians = buckets.map { Quantile.type7(sorted: $0.sorted(), at: 0.5) }
    let (low, high) = (medians.min() ?? 0, medians.max() ?? 0)
    bars = String(
      medians.map { value in
        // A constant value is a line in the middle.
        guard high > low else { return Self.levels[3] }
        return Self.levels[Int(((value - low) / (high - low) * 7).rounded())]
      })
    var marks = [Character](repeating: " ", count: columns)
    for start in trend.segmentStarts { marks[column(start)] = "|" }
    for shift in trend.shifts where trend.isReported(shift) { marks[column(shift.position)] = "^" }
    self.marks = String(marks)
  }

  var hasMarks: Bool { marks.contains { $0 != " " } }
}
