import Dynamics
import Foundation

/// Converts x and y to coordinates along the scroll direction (main) and across it (cross), and back.
struct FlowAxis: Hashable {
  var isVertical: Bool

  func main(_ size: CGSize) -> CGFloat { isVertical ? size.height : size.width }
  func cross(_ size: CGSize) -> CGFloat { isVertical ? size.width : size.height }
  func main(_ point: CGPoint) -> CGFloat { isVertical ? point.y : point.x }

  /// The ends of a rectangle along the scroll direction.
  func ends(_ rect: CGRect) -> (low: CGFloat, high: CGFloat) {
    isVertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
  }

  func rect(main: CGFloat, cross: CGFloat, length: CGFloat, breadth: CGFloat) -> CGRect {
    isVertical
      ? CGRect(x: cross, y: main, width: breadth, height: length)
      : CGRect(x: main, y: cross, width: length, height: breadth)
  }

  func moved(_ rect: CGRect, by way: CGFloat) -> CGRect {
    isVertical ? rect.offsetBy(dx: 0, dy: way) : rect.offsetBy(dx: way, dy: 0)
  }

  /// Returns the insets at the start and end of the scroll direction, and at the two edges parallel to it.
  func insets(_ insets: UIEdgeInsets) -> (start: CGFloat, end: CGFloat, leading: CGFloat, trailing: CGFloat) {
    isVertical
      ? (insets.top, insets.bottom, insets.left, insets.right) : (insets.left, insets.right, insets.top, insets.bottom)
  }

  /// Returns the frame of a pinned view, moved into sight, but not beyond the range from `start` to `end`.
  /// - Parameters:
  ///   - isBefore, isAfter: Whether the view lies before the content, or after it. Other views do not move.
  func pinned(_ frame: CGRect, isBefore: Bool, isAfter: Bool, in visible: CGRect, from start: CGFloat, to end: CGFloat)
    -> CGRect
  {
    let (own, seen) = (ends(frame), ends(visible))
    let shift =
      isBefore
      ? max(0, min(seen.low - own.low, end - own.high))
      : isAfter ? min(0, max(seen.high - own.high, start - own.low)) : 0
    return moved(frame, by: shift)
  }
}

/// The lines of one section of a flow layout, placed by UIKit's rules. The items of a line are spread across the scroll
/// direction. Along the scroll direction, each item is centered in its line. If all items of the section are equally
/// broad, they form a grid. Otherwise items of the last line have the smallest distance. As in UIKit, items begin at
/// whole pixels, except in sections whose items all have one size: rounding them takes time in each frame.
struct FlowSection: PlacedSection {
  struct Metrics {
    var inset = UIEdgeInsets.zero
    var lineSpacing: CGFloat = 10
    var interitemSpacing: CGFloat = 10
    /// The lengths of header and footer along the scroll direction, points. A length of 0 means that there is none.
    var headerLength: CGFloat = 0
    var footerLength: CGFloat = 0
    /// The length of the view perpendicular to the scroll direction, points.
    var breadth: CGFloat = 0
  }

  enum Sizes {
    case uniform(CGSize, count: Int)
    case each([CGSize])

    var count: Int {
      switch self {
      case .uniform(_, let count): count
      case .each(let sizes): sizes.count
      }
    }
  }

  private struct Line {
    var items: Range<Int>
    var start: CGFloat
    var length: CGFloat
    /// The furthest end of this line and all lines before it.
    var reach: CGFloat
  }

  /// The places of the items: computed from a grid, or stored as frames.
  private enum Places {
    case grid(columns: Int, pitch: CGFloat, first: CGFloat)
    case frames([CGRect], [Line])
  }

  let axis: FlowAxis
  let metrics: Metrics
  let start: CGFloat
  let end: CGFloat
  let itemCount: Int
  private let places: Places
  private let itemSize: CGSize
  private let firstLine: CGFloat

  init(_ sizes: Sizes, _ metrics: Metrics, _ axis: FlowAxis, from start: CGFloat) {
    (self.axis, self.metrics, self.start, itemCount) = (axis, metrics, start, sizes.count)
    let inset = axis.insets(metrics.inset)
    let room = metrics.breadth - inset.leading - inset.trailing
    firstLine = start + metrics.headerLength + inset.start
    let itemsEnd: CGFloat
    switch sizes {
    case .uniform(let size, let count):
      itemSize = size
      let (columns, offset, gap) = Self.spread(axis.cross(size), metrics.interitemSpacing, room, limit: count)
      places = .grid(columns: columns, pitch: axis.cross(size) + gap, first: inset.leading + offset)
      let lines = count == 0 ? 0 : (count - 1) / columns + 1
      let pitch = axis.main(size) + metrics.lineSpacing
      itemsEnd = lines == 0 ? firstLine : firstLine + CGFloat(lines - 1) * pitch + axis.main(size)
    case .each(let sizes):
      itemSize = .zero
      var flow = Filler(axis: axis, metrics: metrics, room: room, leading: inset.leading, start: firstLine)
      flow.fill(sizes)
      places = .frames(flow.frames, flow.lines)
      itemsEnd = flow.end
    }
    // A section without items still has its insets.
    end = itemsEnd + inset.end + metrics.footerLength
  }

  /// Returns the number of equal items in a full line, the offset of the first item, and the gap between two items.
  private static func spread(_ breadth: CGFloat, _ spacing: CGFloat, _ room: CGFloat, limit: Int) -> (
    columns: Int, offset: CGFloat, gap: CGFloat
  ) {
    guard breadth <= room else { return (1, 0, spacing) }
    let pitch = breadth + spacing
    // Rounding errors must not break a line that is exactly full.
    let fitting = pitch > 0 ? ((room + spacing) / pitch + 1e-9).rounded(.down) : .infinity
    let columns = fitting < CGFloat(max(1, Int.max >> 12)) ? max(1, Int(fitting)) : max(1, limit)
    guard columns > 1 else { return (1, (room - breadth) / 2, spacing) }
    return (columns, 0, (room - CGFloat(columns) * breadth) / CGFloat(columns - 1))
  }

  // MARK: Queries

  /// - Precondition: The item exists.
  func frame(at item: Int) -> CGRect {
    switch places {
    case .grid(let columns, let pitch, let first):
      let (line, column) = item.quotientAndRemainder(dividingBy: columns)
      return axis.rect(
        main: firstLine + CGFloat(line) * (axis.main(itemSize) + metrics.lineSpacing),
        cross: first + CGFloat(column) * pitch, length: axis.main(itemSize), breadth: axis.cross(itemSize))
    case .frames(let frames, _): return frames[item]
    }
  }

  /// Returns the items of the lines that overlap the range from `low` to `high` along the scroll direction.
  func items(from low: CGFloat, to high: CGFloat) -> Range<Int> {
    switch places {
    case .grid(let columns, _, _):
      let (length, pitch) = (axis.main(itemSize), axis.main(itemSize) + metrics.lineSpacing)
      guard pitch > 0 else { return 0..<itemCount }
      let lineCount = itemCount == 0 ? 0 : (itemCount - 1) / columns + 1
      func line(_ position: CGFloat) -> Int {
        // NaN becomes 0.
        position > 0 ? position < CGFloat(lineCount) ? Int(position) : lineCount : 0
      }
      let first = line(((low - firstLine - length) / pitch).rounded(.down))
      let end = line(((high - firstLine) / pitch).rounded(.up) + 1)
      return min(first * columns, itemCount)..<max(min(first * columns, itemCount), min(end * columns, itemCount))
    case .frames(_, let lines):
      let first = lines.indices.partitioningIndex { !(lines[$0].reach < low) }
      var last = first
      while last < lines.count, lines[last].start <= high { last += 1 }
      return first < last ? lines[first].items.lowerBound..<lines[last - 1].items.upperBound : 0..<0
    }
  }

  /// The frame of the header, or nil if there is none. Headers and footers are as broad as the view.
  var header: CGRect? {
    metrics.headerLength > 0
      ? axis.rect(main: start, cross: 0, length: metrics.headerLength, breadth: metrics.breadth) : nil
  }

  var footer: CGRect? {
    metrics.footerLength > 0
      ? axis.rect(main: end - metrics.footerLength, cross: 0, length: metrics.footerLength, breadth: metrics.breadth)
      : nil
  }

  /// Lays out items of different sizes.
  private struct Filler {
    let axis: FlowAxis
    let metrics: Metrics
    let room: CGFloat
    let leading: CGFloat
    let start: CGFloat
    var frames: [CGRect] = []
    var lines: [Line] = []
    /// The distances in a grid. Nil if the items differ in breadth.
    private var grid: (columns: Int, offset: CGFloat, gap: CGFloat)?

    init(axis: FlowAxis, metrics: Metrics, room: CGFloat, leading: CGFloat, start: CGFloat) {
      (self.axis, self.metrics, self.room, self.leading, self.start) = (axis, metrics, room, leading, start)
    }

    var end: CGFloat { lines.last.map { $0.start + $0.length } ?? start }

    mutating func fill(_ sizes: [CGSize]) {
      frames.reserveCapacity(sizes.count)
      let breadth = sizes.first.map(axis.cross) ?? 0
      if sizes.allSatisfy({ axis.cross($0) == breadth }) {
        grid = FlowSection.spread(breadth, metrics.interitemSpacing, room, limit: sizes.count)
      }
      var (first, used) = (0, CGFloat(0))
      for index in sizes.indices {
        let breadth = axis.cross(sizes[index])
        if index > first, used + metrics.interitemSpacing + breadth > room + 1e-9 {
          close(sizes[first..<index], used: used, isLast: false)
          first = index
        }
        used = index == first ? breadth : used + metrics.interitemSpacing + breadth
      }
      if first < sizes.count { close(sizes[first...], used: used, isLast: true) }
    }

    private mutating func close(_ sizes: ArraySlice<CGSize>, used: CGFloat, isLast: Bool) {
      let length = sizes.reduce(0) { max($0, axis.main($1)) }
      let lineStart = lines.last.map { $0.start + $0.length + metrics.lineSpacing } ?? start
      let free = max(0, room - used)
      // A lone item is centered, unless it is in the last line and a second one would fit.
      let isCentered = sizes.count == 1 && !(isLast && 2 * used + metrics.interitemSpacing <= room + 1e-9)
      let more = sizes.count == 1 || isLast ? 0 : free / CGFloat(sizes.count - 1)
      let gap = grid?.gap ?? metrics.interitemSpacing + more
      var cross = leading + (grid?.offset ?? (isCentered ? free / 2 : 0))
      for size in sizes {
        frames.append(
          axis.rect(
            main: (lineStart + (length - axis.main(size)) / 2).onPixel, cross: cross.onPixel, length: axis.main(size),
            breadth: axis.cross(size)))
        cross += axis.cross(size) + gap
      }
      let reach = max(lines.last?.reach ?? -.infinity, lineStart + length)
      lines.append(Line(items: sizes.startIndex..<sizes.endIndex, start: lineStart, length: length, reach: reach))
    }
  }
}

/// A section or a run of groups, with its start and end in the direction in which such parts follow each other, points.
protocol PlacedSection {
  var start: CGFloat { get }
  var end: CGFloat { get }
}

extension Array where Element: PlacedSection {
  /// Returns the indices of the sections that overlap the range from `low` to `high`. The array must be sorted.
  func sections(from low: CGFloat, to high: CGFloat) -> Range<Int> {
    let first = indices.partitioningIndex { !(self[$0].end < low) }
    var last = first
    while last < count, self[last].start <= high { last += 1 }
    return first..<last
  }
}
