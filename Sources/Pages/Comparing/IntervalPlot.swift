import Judging
import Markup
import Measurements
import TextFormat

/// A plot of the changes of times: a line for each change with its interval, and the tolerance as a band around zero.
/// Headings group the lines by benchmark if a benchmark has several lines.
package struct IntervalPlot: Drawable {
  package let title = "How much slower or faster, with 98% intervals"
  package let description: String
  private let rows: [ComparisonRow]
  /// The tolerance of each row, as a fraction.
  private let tolerances: [Double]
  /// The axis reaches from minus this change to plus this change, as a fraction. Longer intervals are cut, so one large
  /// change does not squeeze all others.
  private let limit: Double

  /// Creates the plot, or returns nil if no row has an interval. Phases that did not change are left out if there are
  /// more than 40 rows. Rows for only some frames are left out if the median frame of their benchmark changed as well.
  package init?(_ comparison: ComparisonDocument) {
    let judged = comparison.rows.filter {
      !$0.isUnmeasured && [$0.change, $0.low, $0.high].allSatisfy { $0?.isFinite == true }
    }
    let everywhere = Set(judged.filter { $0.statistic == .p50 && $0.verdict.isChange }.map(\.id))
    let shown = judged.filter { $0.isMean || $0.verdict.isChange && ($0.frames == nil || !everywhere.contains($0.id)) }
    rows = shown.count <= 40 ? shown : shown.filter { $0.phase == nil || $0.verdict.isChange }
    guard !rows.isEmpty else { return nil }
    tolerances = rows.map { comparison.method.tolerance(of: $0.id) }
    let ends = rows.map { max(abs($0.low ?? 0), abs($0.high ?? 0)) }.sorted()
    // If a few changes are far larger than all others, the axis ends before them, so the others stay readable.
    let (most, usual) = (ends[ends.count - 1], ends[(ends.count - 1) * 9 / 10])
    let reach = max(0.01, 2 * comparison.method.tolerance, most <= 4 * usual ? most : usual)
    limit = NiceNumbers.linear(to: reach, steps: 2).last ?? 1
    description = rows.map(Self.sentence).joined(separator: ". ")
  }

  private static func sentence(_ row: ComparisonRow) -> String {
    "\(row.id) \(row.figureText): \(row.changeText), \(row.verdict.words)"
  }

  /// The lines of the plot. A line without a row is a heading. There are no headings if each benchmark has one row and
  /// all names fit.
  private func lines(_ width: Double) -> [(row: ComparisonRow?, name: String, tolerance: Double)] {
    let (small, most) = (TextMetrics.smallSize, width * 0.4)
    let names = rows.map { $0.isMean && $0.phase == nil ? "\($0.id)" : "\($0.id) \($0.figureText)" }
    let groups = zip(rows, tolerances).grouped(by: \.0.id)
    if groups.count == rows.count, names.allSatisfy({ TextMetrics.width($0, size: small) <= most }) {
      return zip(rows, zip(names, tolerances)).map { ($0, $1.0, $1.1) }
    }
    return groups.flatMap { id, rows in
      [(row: nil, name: TextMetrics.shortened("\(id)", to: width - 8, size: small), tolerance: rows[0].1)]
        + rows.map { row, tolerance in
          (row, TextMetrics.shortened(row.place ?? row.figureText, to: most, size: small), tolerance)
        }
    }
  }

  package func drawn(width: Double) -> (elements: [String], height: Double, plot: [Double]) {
    let sizes = Format.list(tolerances.unique.map(Words.percent))
    let isCut = rows.contains { abs($0.change ?? 0) > limit }
    let subtitle =
      "of the candidate against the baseline; the band is the tolerance of \(sizes)"
      + (isCut ? "; hollow: beyond the axis" : "")
    let small = TextMetrics.smallSize
    var (elements, height) = TextMetrics.head(title, subtitle, width: width)
    let lines = lines(width)
    let left = (lines.map { $0.row == nil ? 0 : TextMetrics.width($0.name, size: small) }.max() ?? 0) + 24
    let right = width - 70
    let (top, bottom) = (height + 12, height + 12 + Double(lines.count) * 20)
    func place(_ change: Double?, _ y: Double) -> Point {
      Point(x: (left + right + max(-1, min(1, (change ?? 0) / limit)) * (right - left)) / 2, y: y)
    }
    // Consecutive lines with the same tolerance share a band.
    var first = 0
    while first < lines.count {
      let tolerance = lines[first].tolerance
      let end = lines[first...].firstIndex { $0.tolerance != tolerance } ?? lines.count
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
    for (index, line) in lines.enumerated() {
      height = top + Double(index) * 20 + 10
      guard let row = line.row else {
        elements.append(TextMetrics.small(line.name, at: Point(x: TextMetrics.margin, y: height + 4)))
        continue
      }
      let look = SeriesLook(index: row.verdict == .regressed ? 0 : row.verdict == .improved ? 2 : 6)
      let isInside = abs(row.change ?? 0) <= limit
      elements += [
        TextMetrics.small(line.name, at: Point(x: left - 12, y: height + 4), anchor: .end),
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
