import Dynamics

/// The lines of a flow whose items all have the same size. All places are computed, so nothing is stored per item.
///
/// All lines start at the leading edge, including the last, so an item never moves because others are appended after
/// it. (UIKit spreads the items of a full line.)
struct FlowLines {
  private(set) var itemCount: Int
  let item: MainCross
  private let leading: MainCross
  private let trailing: MainCross
  /// Distance between the starts of two consecutive lines, points.
  let linePitch: Double
  private let columnPitch: Double
  let columnCount: Int
  private(set) var lineCount: Int
  /// A margin that is far larger than the rounding errors of an offset, points.
  private static let roundingMargin = 1e-6

  init(_ metrics: FlowMetrics, itemCount: Int) {
    (self.itemCount, item, leading, trailing) = (itemCount, metrics.item, metrics.leading, metrics.trailing)
    linePitch = metrics.item.main + metrics.lineSpacing
    columnPitch = metrics.item.cross + metrics.interitemSpacing
    let free = metrics.breadth - metrics.leading.cross - metrics.trailing.cross + metrics.interitemSpacing
    columnCount = max(1, Int(exactly: (free / columnPitch).rounded(.down)) ?? 1)
    lineCount = Self.lineCount(itemCount, columnCount)
  }

  private static func lineCount(_ itemCount: Int, _ columnCount: Int) -> Int {
    itemCount / columnCount + (itemCount % columnCount == 0 ? 0 : 1)
  }

  /// Length of the content along the scroll axis, including the insets, points.
  var contentLength: Double {
    let length = lineCount == 0 ? 0 : Double(lineCount) * linePitch - (linePitch - item.main)
    return leading.main + trailing.main + length
  }

  /// The range, perpendicular to the scroll axis, in which the centers of all items lie, points.
  var centersAcross: ClosedRange<Double> {
    let first = leading.cross + item.cross / 2
    return first...first + Double(columnCount - 1) * columnPitch
  }

  mutating func append(_ count: Int) {
    itemCount += count
    lineCount = Self.lineCount(itemCount, columnCount)
  }

  func center(at index: Int) -> MainCross {
    // A list of one column needs no division, which would take longer than the rest of the computation.
    guard columnCount > 1 else { return center(index, 0) }
    let (line, column) = index.quotientAndRemainder(dividingBy: columnCount)
    return center(line, column)
  }

  @inline(__always) private func center(_ line: Int, _ column: Int) -> MainCross {
    MainCross(
      main: leading.main + Double(line) * linePitch + item.main / 2,
      cross: leading.cross + Double(column) * columnPitch + item.cross / 2)
  }

  /// Returns the place of an item; nil if there is no item at the index.
  func place(at index: Int, _ axis: Axis) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index) else { return nil }
    return LayoutAttributes(index: index, center: center(at: index).point(axis), size: item.size(axis))
  }

  /// Calls `body` with the index and the center of each item of a range, in ascending order.
  @inline(__always) func forEachItem(in range: Range<Int>, _ body: (Int, MainCross) -> Void) {
    // Line and column are incremented, because dividing for each item would take longer than the rest of the loop.
    var (line, column) = range.lowerBound.quotientAndRemainder(dividingBy: columnCount)
    for index in range {
      body(index, center(line, column))
      column += 1
      if column == columnCount { (line, column) = (line + 1, 0) }
    }
  }

  /// Returns the indices of the items on lines that overlap the range from `low` to `high` on the scroll axis, points.
  func items(from low: Double, to high: Double) -> Range<Int> {
    // A line overlaps the range if its number is greater than `before` and less than `behind`.
    let before = (low - leading.main - item.main) / linePitch
    let behind = (high - leading.main) / linePitch
    // The lines are compared as doubles first, because the line number of a far rectangle may not fit into an `Int`.
    guard before < Double(lineCount), behind > 0 else { return itemCount..<itemCount }
    let first = before < 0 ? 0 : Int(before) + 1
    let whole = behind < Double(lineCount) ? Int(behind) : lineCount
    let end = Double(whole) < behind && whole < lineCount ? whole + 1 : whole
    guard first < end else { return itemCount..<itemCount }
    return first * columnCount..<min(end * columnCount, itemCount)
  }

  /// Returns how far the range from `low` to `high` can move backward and forward on the scroll axis, points, and still
  /// overlap the same lines. The result is a little too narrow, to allow for rounding errors.
  func wayWithoutChange(from low: Double, to high: Double) -> Range<Double> {
    let before = (low - leading.main - item.main) / linePitch
    let behind = (high - leading.main) / linePitch
    let back = max(before.rounded(.down) - before, behind.rounded(.up) - 1 - behind) * linePitch + Self.roundingMargin
    let ahead = min(before.rounded(.down) + 1 - before, behind.rounded(.up) - behind) * linePitch - Self.roundingMargin
    return back < 0 && ahead > 0 ? back..<ahead : 0..<0
  }

  /// Returns the largest number of items that can overlap a range of this length on the scroll axis.
  func largestItemCount(inLength length: Double) -> Int {
    let lines = ((length + item.main) / linePitch).rounded(.up) + 1
    return lines < Double(lineCount) ? Int(lines) * columnCount : itemCount
  }
}
