import Dynamics

/// The extent of all items of a flow, points.
struct FlowExtent {
  /// Length of the content along the scroll axis, including the insets.
  var contentLength: Double
  /// Largest length of a line along the scroll axis.
  var longestLine = 0.0
  /// Largest breadth of an item across the scroll axis.
  var broadestItem = 0.0
  /// The range of the centers of all items across the scroll axis.
  var centersAcross = 0.0...0.0
}

/// The positions of a flow's items, along the scroll axis and across it.
enum FlowLines {
  case uniform(UniformLines)
  case variable(VariableLines)

  init(_ metrics: FlowMetrics, itemCount: Int) throws(LayoutError) {
    if let size = metrics.sizeForItem {
      self = .variable(try VariableLines(metrics, size: size, itemCount: itemCount))
    } else {
      self = .uniform(UniformLines(metrics, itemCount: itemCount))
    }
  }

  var itemCount: Int {
    switch self {
    case .uniform(let lines): lines.itemCount
    case .variable(let lines): lines.itemCount
    }
  }

  var extent: FlowExtent {
    switch self {
    case .uniform(let lines): lines.extent
    case .variable(let lines): lines.extent
    }
  }

  mutating func append(_ count: Int) throws(LayoutError) {
    switch self {
    case .uniform(var lines):
      lines.append(count)
      self = .uniform(lines)
    case .variable(let lines): try lines.append(count)
    }
  }

  /// Returns the indices of the items on lines that overlap a stretch of the scroll axis, points.
  func items(from low: Double, to high: Double) -> Range<Int> {
    switch self {
    case .uniform(let lines): lines.items(from: low, to: high)
    case .variable(let lines): lines.items(from: low, to: high)
    }
  }

  func size(at index: Int) -> MainCross {
    switch self {
    case .uniform(let lines): lines.item
    case .variable(let lines): lines.size(index)
    }
  }

  /// Returns the center of an item.
  /// - Precondition: There is an item at the index.
  func center(at index: Int) -> MainCross {
    switch self {
    case .uniform(let lines): return lines.center(at: index)
    case .variable(let lines):
      var found = MainCross(main: 0, cross: 0)
      lines.forEachItem(in: index..<index + 1) { _, center, _ in found = center }
      return found
    }
  }

  /// Returns the place of an item; nil if there is no item at the index.
  func place(at index: Int, _ axis: Axis) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index) else { return nil }
    var found: LayoutAttributes?
    forEachItem(in: index..<index + 1) { index, center, size in
      found = LayoutAttributes(index: index, center: center.point(axis), size: size.size(axis))
    }
    return found
  }

  /// Calls `body` with the index, the center and the size of each item of a range, in ascending order.
  @inline(__always) func forEachItem(in range: Range<Int>, _ body: (Int, MainCross, MainCross) -> Void) {
    switch self {
    case .uniform(let lines): lines.forEachItem(in: range, body)
    case .variable(let lines): lines.forEachItem(in: range, body)
    }
  }

  /// Estimates the largest number of items that any stretch of this length can overlap, as four times the number in the
  /// stretch that begins at `near`. For uniform items, the result is exact.
  func largestItemCount(inLength length: Double, near: Double) -> Int {
    switch self {
    case .uniform(let lines): lines.largestItemCount(inLength: length)
    case .variable(let lines): 4 * lines.items(from: near, to: near + length).count
    }
  }
}
