/// The lines of a flow of several sections: each begins on a line of its own, with its own insets.
struct SectionLines {
  private struct Part {
    var lines: FlowLines
    /// Index in the whole list.
    var firstItem: Int
    /// Position along the scroll axis, points.
    var start: Double
  }

  private var parts: [Part] = []
  private(set) var itemCount: Int
  /// Length of the longest line along the scroll axis, points.
  private(set) var longestLine = 0.0
  /// Breadth of the broadest item across it, points.
  private(set) var broadestItem = 0.0
  /// The range across it of the centres of all items, points.
  private(set) var centersAcross = 0.0...0.0

  init(_ metrics: FlowMetrics, _ sections: Sections) throws(LayoutError) {
    itemCount = sections.itemCount
    var start = 0.0
    for section in 0..<sections.count {
      let items = sections.items(of: section)
      var metrics = metrics
      if let size = metrics.sizeForItem { metrics.sizeForItem = { size(items.lowerBound + $0) } }
      let part = Part(
        lines: try FlowLines(metrics, itemCount: items.count), firstItem: items.lowerBound, start: start)
      start += part.lines.contentLength
      include(part)
      parts.append(part)
    }
  }

  private mutating func include(_ part: Part) {
    longestLine = max(longestLine, part.lines.longestLine)
    broadestItem = max(broadestItem, part.lines.broadestItem)
    guard part.lines.itemCount > 0 else { return }
    let centers = part.lines.centersAcross
    centersAcross =
      part.firstItem == 0
      ? centers
      : min(centersAcross.lowerBound, centers.lowerBound)...max(centersAcross.upperBound, centers.upperBound)
  }

  var contentLength: Double { parts.last.map { $0.start + $0.lines.contentLength } ?? 0 }

  /// Adds items to the last section.
  mutating func append(_ count: Int) throws(LayoutError) {
    guard let last = parts.indices.last else { return }
    try parts[last].lines.append(count)
    itemCount += count
    include(parts[last])
  }

  /// Indices of the items on lines that reach into the stretch, points along the scroll axis.
  func items(from low: Double, to high: Double) -> Range<Int> {
    var found: Range<Int>?
    var position = max(0, countOfParts { $0.start <= low } - 1)
    while position < parts.count, parts[position].start < high {
      let part = parts[position]
      position += 1
      let items = part.lines.items(from: low - part.start, to: high - part.start)
      guard !items.isEmpty else { continue }
      let first = found?.lowerBound ?? part.firstItem + items.lowerBound
      found = first..<part.firstItem + items.upperBound
    }
    return found ?? itemCount..<itemCount
  }

  func size(at index: Int) -> MainCross {
    let part = part(at: index)
    return part.lines.size(at: index - part.firstItem)
  }

  /// - Precondition: There is an item at the index.
  func center(at index: Int) -> MainCross {
    let part = part(at: index)
    var center = part.lines.center(at: index - part.firstItem)
    center.main += part.start
    return center
  }

  func forEachItem(in range: Range<Int>, _ body: (Int, MainCross, MainCross) -> Void) {
    var position = max(0, countOfParts { $0.firstItem <= range.lowerBound } - 1)
    while position < parts.count, parts[position].firstItem < range.upperBound {
      let part = parts[position]
      position += 1
      let end = position < parts.count ? parts[position].firstItem : itemCount
      let items = range.clamped(to: part.firstItem..<end)
      guard !items.isEmpty else { continue }
      part.lines.forEachItem(in: items.lowerBound - part.firstItem..<items.upperBound - part.firstItem) {
        body(part.firstItem + $0, MainCross(main: part.start + $1.main, cross: $1.cross), $2)
      }
    }
  }

  private func part(at index: Int) -> Part { parts[max(0, countOfParts { $0.firstItem <= index } - 1)] }

  /// Number of parts that satisfy the predicate, which must hold for a prefix of them.
  private func countOfParts(where holds: (Part) -> Bool) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(parts[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
