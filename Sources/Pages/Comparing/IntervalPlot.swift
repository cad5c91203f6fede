import Judging
import Markup
import Measurements
import TextFormat

/// A plot of the changes of times: a line for each change with its interval, and the tolerance as a band around zero.
package struct IntervalPlot: Drawable {
  package let title = "How much slower or faster, with 98% intervals"
  package let description: String
  private let rows: [ComparisonRow]
  /// The tolerance of each row, as a fraction.
  private let tolerances: [Double]
  /// The change at either end of the axis, as a fraction. Longer intervals are cut, so one large change does not
  /// squeeze all others.
  private let limit: Double

  /// Creates the plot, or returns nil if no row has an interval. Phases that did not change are left out if there are
  /// more than 40 rows.
  package init?(_ comparison: ComparisonDocument) {
    let judged = comparison.rows.filter {
      !$0.isUnmeasured && [$0.change, $0.low, $0.high].allSatisfy { $0?.isFinite == true }
    }
    let shown = judged.filter { $0.isMean || $0.verdict.isChange }
    rows = shown.count <= 40 ? shown : shown.filter { $0.phase == nil || $0.verdict.isChange }
    guard !rows.isEmpty else { return nil }
    tolerances = rows.map { comparison.method.tolerance(of: $0.id) }
    let ends = rows.map { max(abs($0.low ?? 0), abs($0.high ?? 0)) }.sorted()
    let reach = max(0.01, 2 * comparison.method.tolerance, ends[(ends.count - 1) * 9 / 10])
    limit = NiceNumbers.linear(to: reach, steps: 2).last ?? 1
    description = rows.map(Self.sentence).joined(separator: ". ")
  }

  private static func sentence(_ row: ComparisonRow) -> String {
    "\(row.id) \(row.figureText): \(row.changeText), \(row.verdict.words)"
  }

  package func drawn(width: Double) -> (elements: [String], height: Double, plot: [Double]) {
    let sizes = Format.list(tolerances.unique.map(Words.percent))
    let subtitle = "of the candidate against the baseline; the band is the tolerance of \(sizes)"
    let small = TextMetrics.smallSize
    var (elements, height) = TextMetrics.head(title, subtitle, width: width)
    let names = rows.map {
      TextMetrics.shortened("\($0.id) \($0.isMean ? $0.phase ?? "" : $0.figureText)", to: width * 0.36, size: small)
    }
    let left = (names.map { TextMetrics.width($0, size: small) }.max() ?? 0) + 24
    let right = width - 70
    let (top, bottom) = (height + 12, height + 12 + Double(rows.count) * 20)
    func place(_ change: Double?, _ y: Double) -> Point {
      Point(x: (left + right + max(-1, min(1, (change ?? 0) / limit)) * (right - left)) / 2, y: y)
    }
    // Consecutive rows with the same tolerance share a band.
    var first = 0
    while first < rows.count {
      let tolerance = tolerances[first]
      let end = tolerances[first...].firstIndex { $0 != tolerance } ?? rows.count
      let ends = [first, end].map { top + Double($0) * 20 }
      let band = SVG.box(place(-tolerance, ends[0]), place(tolerance, ends[1]))
      elements.append(SVG.element("path", [("class", "band"), ("d", band)]))
      first = end
    }
    for change in stride(from: -limit, through: limit, by: width < 600 ? limit : limit / 2) {
      elements += [
        SVG.line([place(change, top), place(change, bottom)], class: change == 0 ? "axis" : "grid"),
        TextMetrics.small("\(Words.signed(change))%", at: place(change, bottom + 16), anchor: .middle),
      ]
    }
    for (index, row) in rows.enumerated() {
      height = top + Double(index) * 20 + 10
      let look = SeriesLook(index: row.verdict == .regressed ? 0 : row.verdict == .improved ? 2 : 6)
      let isInside = abs(row.change ?? 0) <= limit
      elements += [
        TextMetrics.small(names[index], at: Point(x: left - 12, y: height + 4), anchor: .end),
        SVG.group(
          class: look.className, title: Self.sentence(row),
          SVG.line([place(row.low, height), place(row.high, height)], class: "line")
            + look.marker(at: place(row.change, height), radius: 4, isFilled: isInside)),
        TextMetrics.small("\(Words.signed(row.change ?? 0))%", at: Point(x: width - 4, y: height + 4), anchor: .end),
      ]
    }
    return (elements, bottom + 24, [left, right, top, bottom])
  }
}
