import Dynamics

/// How large a flow is, points.
struct FlowExtent {
  /// Length along the scroll axis, insets included.
  var contentLength: Double
  /// Length of the longest line along the scroll axis.
  var longestLine = 0.0
  /// Breadth of the broadest item across the scroll axis.
  var broadestItem = 0.0
  /// The range of the centres of all items across the scroll axis.
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

  /// Indices of the items on lines that reach into the stretch, points along the scroll axis.
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

  /// Nil if there is no item at the index.
  func place(at index: Int, _ axis: Axis) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index) else { return nil }
    var found: LayoutAttributes?
    forEachItem(in: index..<index + 1) { index, center, size in
      found = LayoutAttributes(index: index, center: center.point(axis), size: size.size(axis))
    }
    return found
  }

  /// Passes the index, the centre and the size of each item of a range, ascending.
  @inline(__always) func forEachItem(in range: Range<Int>, _ body: (Int, MainCross, MainCross) -> Void) {
    switch self {
    case .uniform(let lines): lines.forEachItem(in: range, body)
    case .variable(let lines): lines.forEachItem(in: range, body)
    }
  }

  /// An estimate of the largest number of items that a stretch of this length touches; exact for uniform items.
  func largestItemCount(inLength length: Double, near: Double) -> Int {
    switch self {
    case .uniform(let lines): lines.largestItemCount(inLength: length)
    case .variable(let lines): 4 * lines.items(from: near, to: near + length).count
    }
  }
}
