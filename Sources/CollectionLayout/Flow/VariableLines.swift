import Dynamics

/// The lines of a flow whose items have different sizes. Only every sixteenth line is stored, which takes at most one
/// byte per item. A search examines O(log lines) stored lines, and recomputes the items of sixteen lines from their
/// sizes.
final class VariableLines {
  private static let linesPerMark = 16

  private struct Line {
    var firstItem: Int
    var start: Double
  }

  private(set) var itemCount = 0
  private let metrics: FlowMetrics
  let size: (Int) -> MainCross
  private var marks: [Line] = []
  /// The line to which items are being added.
  private var last: Line
  private var lineCount = 0
  private var lastLength = 0.0
  private var usedBreadth = 0.0
  private(set) var extent: FlowExtent

  init(_ metrics: FlowMetrics, size: @escaping (Int) -> MainCross, itemCount: Int) throws(LayoutError) {
    self.metrics = metrics
    self.size = size
    last = Line(firstItem: 0, start: metrics.leading.main)
    extent = FlowExtent(contentLength: metrics.leading.main + metrics.trailing.main)
    try append(itemCount)
  }

  private var freeBreadth: Double { metrics.breadth - metrics.leading.cross - metrics.trailing.cross }

  /// - Throws: If the size of an item is not positive and finite. No item has been added then.
  func append(_ count: Int) throws(LayoutError) {
    let added = itemCount..<itemCount + count
    for index in added {
      let item = size(index)
      guard item.main > 0, item.cross > 0, item.main.isFinite, item.cross.isFinite else {
        throw .invalidItemSize(index: index, size: Size(width: item.cross, height: item.main))
      }
    }
    for index in added { add(size(index), at: index) }
  }

  private func add(_ item: MainCross, at index: Int) {
    if index == last.firstItem {
      if lineCount.isMultiple(of: Self.linesPerMark) { marks.append(last) }
      lineCount += 1
      usedBreadth = item.cross
      lastLength = item.main
    } else if usedBreadth + metrics.interitemSpacing + item.cross <= freeBreadth {
      usedBreadth += metrics.interitemSpacing + item.cross
      lastLength = max(lastLength, item.main)
    } else {
      last = Line(firstItem: index, start: last.start + lastLength + metrics.lineSpacing)
      add(item, at: index)
      return
    }
    extent.contentLength = last.start + lastLength + metrics.trailing.main
    extent.longestLine = max(extent.longestLine, lastLength)
    extent.broadestItem = max(extent.broadestItem, item.cross)
    let center = metrics.leading.cross + usedBreadth - item.cross / 2
    if index == 0 { extent.centersAcross = center...center }
    extent.centersAcross.include(center)
    itemCount = index + 1
  }

  /// Returns the last stored line for which the predicate is true, or the first one if there is none. The predicate
  /// must be true for a prefix of the stored lines.
  private func lastMark(where holds: (Line) -> Bool) -> Line? {
    let count = marks.indices.partitioningIndex { !holds(marks[$0]) }
    return count == 0 ? marks.first : marks[count - 1]
  }

  /// Recomputes the lines from a stored one on, until `body` returns false.
  /// - Parameter body: Receives the items of a line, and the start and the length of the line along the scroll axis.
  private func walk(from mark: Line, _ body: (Range<Int>, _ start: Double, _ length: Double) -> Bool) {
    var line = mark
    while line.firstItem < itemCount {
      var end = line.firstItem + 1
      let first = size(line.firstItem)
      var (breadth, length) = (first.cross, first.main)
      while end < itemCount {
        let item = size(end)
        let wider = breadth + metrics.interitemSpacing + item.cross
        guard wider <= freeBreadth else { break }
        (breadth, length, end) = (wider, max(length, item.main), end + 1)
      }
      guard body(line.firstItem..<end, line.start, length) else { return }
      line = Line(firstItem: end, start: line.start + length + metrics.lineSpacing)
    }
  }

  /// Returns the indices of the items on lines that overlap the stretch from `low` to `high`, points.
  func items(from low: Double, to high: Double) -> Range<Int> {
    guard let mark = lastMark(where: { $0.start <= low }) else { return 0..<0 }
    var found: Range<Int>?
    walk(from: mark) { items, start, length in
      guard start < high else { return false }
      if start + length > low { found = (found?.lowerBound ?? items.lowerBound)..<items.upperBound }
      return true
    }
    return found ?? itemCount..<itemCount
  }

  /// Calls `body` with the index, the center and the size of each item of a range, in ascending order.
  func forEachItem(in range: Range<Int>, _ body: (Int, MainCross, MainCross) -> Void) {
    guard !range.isEmpty, let mark = lastMark(where: { $0.firstItem <= range.lowerBound }) else { return }
    walk(from: mark) { items, start, _ in
      guard items.lowerBound < range.upperBound else { return false }
      guard items.upperBound > range.lowerBound else { return true }
      var cross = metrics.leading.cross
      for index in items {
        let item = size(index)
        if range.contains(index) {
          body(index, MainCross(main: start + item.main / 2, cross: cross + item.cross / 2), item)
        }
        cross += item.cross + metrics.interitemSpacing
      }
      return true
    }
  }
}
