import Dynamics

/// Places items in lines, as many on a line as fit (UIKit: `UICollectionViewFlowLayout`).
///
/// A query examines only items near its rectangle.
open class FlowLayout: CollectionViewLayout {
  /// The state is behind a pointer, like `view` of the base class, so that Swift does not check accesses for
  /// exclusivity.
  let flow: UnsafeMutablePointer<FlowState>

  /// The options with which the layout was created.
  public final let options: FlowOptions

  struct FlowState {
    var lines: FlowLines
    /// The number of items and the size of the view for which the lines were laid out.
    var itemCount = 0
    var viewSize = Size.zero
    /// Whether the lines are outdated for a reason other than a new number of items or a new size of the view, such as
    /// a changed content inset.
    var isStale = false
    /// The lines before the last batch of updates or the last change of the view's size.
    var previousLines: FlowLines?
    /// The result of the last query, whose memory the next one reuses; see `answer(_:)`.
    var attributes: [LayoutAttributes] = []
  }

  /// Creates a layout that no view uses yet.
  /// - Throws: If an item size is not positive and finite, or a distance is negative or not finite.
  public init(_ options: FlowOptions = FlowOptions()) throws(LayoutError) {
    try options.validate()
    self.options = options
    flow = .holding(FlowState(lines: FlowLines(options, viewSize: Size(width: 1, height: 1), itemCount: 0)))
    super.init()
  }

  deinit { flow.release() }

  public final override var scrollDirection: Axis { options.scrollDirection }

  open override var collectionViewContentSize: Size {
    MainCross(main: flow.pointee.lines.contentLength, cross: MainCross(roomForLines, scrollDirection).cross).size(
      scrollDirection)
  }

  /// The size of the view minus its content inset, points.
  final var roomForLines: Size {
    let (size, inset) = (bounds.size, view.pointee.contentInset)
    return Size(width: size.width - inset.left - inset.right, height: size.height - inset.top - inset.bottom)
  }

  /// Whether the lines were laid out for other options, another size of the view or another number of items.
  package final var isOutdated: Bool { needsNewLines || itemCount != flow.pointee.itemCount }

  /// Whether all lines must be laid out again, even those of items that are already placed.
  final var needsNewLines: Bool {
    bounds.size != flow.pointee.viewSize || flow.pointee.isStale || itemCount < flow.pointee.itemCount
  }

  public final override func contentChanged() {
    flow.pointee.isStale = true
    invalidateLayout()
  }

  /// Lays out items. If items were only appended, the existing lines are kept. All items are laid out again if the size
  /// or the inset of the view has changed, or if the list has become shorter.
  open override func prepare() { placeItems() }

  final func placeItems() {
    guard isOutdated else { return }
    if needsNewLines {
      // During a batch of updates, `apply(_:)` has already stored the previous lines.
      if listChange == nil { flow.pointee.previousLines = flow.pointee.lines }
      flow.pointee.lines = FlowLines(options, viewSize: roomForLines, itemCount: itemCount)
      flow.pointee.viewSize = bounds.size
      flow.pointee.isStale = false
    } else {
      flow.pointee.lines.append(itemCount - flow.pointee.itemCount)
    }
    flow.pointee.itemCount = itemCount
  }

  open override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    let visible = Stretch(rect, scrollDirection)
    let lines = flow.pointee.lines
    let candidates = lines.items(from: visible.main.lowerBound, to: visible.main.upperBound)
    guard lines.columnCount == 1 else {
      return answer { found in lines.forEachItem(in: candidates) { found.append($0, $1, lines.item, ifIn: visible) } }
    }
    return overwrite(candidates, of: lines, ifIn: visible) { lines.center(at: $0).main }
  }

  open override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { placeForItem(at: index) }

  final override func placeForItem(at index: Int) -> LayoutAttributes? {
    flow.pointee.lines.place(at: index, scrollDirection)
  }

  open override func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? {
    flow.pointee.previousLines?.place(at: oldIndex, scrollDirection)
  }

  open override func apply(_ map: IndexMap) throws(LayoutError) {
    flow.pointee.previousLines = flow.pointee.lines
    flow.pointee.lines = FlowLines(options, viewSize: roomForLines, itemCount: map.newCount)
    flow.pointee.isStale = false
    flow.pointee.itemCount = map.newCount
    view.pointee.itemCount = map.newCount
    invalidateLayout()
  }

  /// Collects the result of a query in the memory of the previous result, unless something still holds that array.
  @inline(__always) final func answer(_ collect: (inout VisibleItems) -> Void) -> [LayoutAttributes] {
    var found = VisibleItems(attributes: [], axis: scrollDirection)
    swap(&found.attributes, &flow.pointee.attributes)
    found.attributes.removeAll(keepingCapacity: true)
    collect(&found)
    flow.pointee.attributes = found.attributes
    return found.attributes
  }

  /// Returns the visible candidates of a list with one item per line. Overwrites the last result in place, because
  /// appending would take twice as long, and the number of visible items is usually the same.
  @inline(__always) final func overwrite(
    _ candidates: Range<Int>, of lines: FlowLines, ifIn visible: Stretch, _ centerMain: (_ index: Int) -> Double
  ) -> [LayoutAttributes] {
    let cross = lines.center(at: 0).cross
    let (half, size) = (lines.item.main / 2, lines.item.size(scrollDirection))
    let (low, high) = (visible.main.lowerBound - half, visible.main.upperBound + half)
    let isVertical = scrollDirection == .vertical
    let isInBreadth = visible.shows(MainCross(main: visible.main.lowerBound, cross: cross), lines.item)
    @inline(__always) func item(_ index: Int, _ main: Double) -> LayoutAttributes {
      LayoutAttributes(
        index: index, center: isVertical ? Point(x: cross, y: main) : Point(x: main, y: cross), size: size)
    }
    let end = isInBreadth ? candidates.upperBound : candidates.lowerBound
    let surelyFitting = min(end, candidates.lowerBound + flow.pointee.attributes.count)
    var count = flow.pointee.attributes.withUnsafeMutableBufferPointer { places in
      var count = 0
      for index in candidates.lowerBound..<surelyFitting {
        let main = centerMain(index)
        places[count] = item(index, main)
        // If this item is not visible, `count` stays the same and the next item overwrites it. A branch would often be
        // mispredicted.
        count &+= low < main && main < high ? 1 : 0
      }
      return count
    }
    for index in surelyFitting..<end {
      let main = centerMain(index)
      guard low < main && main < high else { continue }
      if count < flow.pointee.attributes.count {
        flow.pointee.attributes[count] = item(index, main)
      } else {
        flow.pointee.attributes.append(item(index, main))
      }
      count += 1
    }
    if count < flow.pointee.attributes.count {
      flow.pointee.attributes.removeLast(flow.pointee.attributes.count - count)
    }
    return flow.pointee.attributes
  }
}
