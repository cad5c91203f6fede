import Dynamics

/// Places items in lines, as many on a line as fit (UIKit: `UICollectionViewFlowLayout`).
///
/// A query examines only items near its rectangle. Each option is also a property of the layout, such as
/// `layout.itemSize`, and can be set at any time. Invalid options are reported when items are placed.
@dynamicMemberLookup open class FlowLayout: CollectionViewLayout {
  /// The state is behind a pointer, like `view` of the base class, so that Swift does not check accesses for
  /// exclusivity.
  let flow: UnsafeMutablePointer<FlowState>

  struct FlowState {
    var options: FlowOptions
    var lines: FlowLines
    /// The number of items and the size of the view for which the lines were laid out.
    var itemCount = 0
    var viewSize = Size.zero
    /// Whether the lines are outdated for a reason other than a new number of items or a new size of the view, such as
    /// a changed option or content inset.
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
    let metrics = FlowMetrics(options, viewSize: Size(width: 1, height: 1))
    flow = .holding(FlowState(options: options, lines: FlowLines(metrics, itemCount: 0)))
    super.init()
  }

  deinit { flow.release() }

  public final var options: FlowOptions { flow.pointee.options }

  public final subscript<Value>(dynamicMember option: WritableKeyPath<FlowOptions, Value>) -> Value {
    get { options[keyPath: option] }
    set { changeOptions { $0[keyPath: option] = newValue } }
  }

  /// Changes any of the options. The items are placed again before the next query.
  public final func changeOptions(_ change: (inout FlowOptions) -> Void) {
    change(&flow.pointee.options)
    contentChanged()
  }

  /// The direction of scrolling, which is one of the options.
  /// - Precondition: The direction of a springy list is not changed, because its springs act along only one axis. Set
  ///   it in the `FlowOptions` with which the list is created.
  public final override var scrollDirection: Axis {
    get { flow.pointee.options.scrollDirection }
    set {
      precondition(newValue == scrollDirection || canTurn, "the springs of a \(type(of: self)) cannot be turned")
      changeOptions { $0.scrollDirection = newValue }
    }
  }

  var canTurn: Bool { true }

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
  final var isOutdated: Bool { needsNewLines || itemCount != flow.pointee.itemCount }

  /// Whether all lines must be laid out again, even those of items that are already placed.
  final var needsNewLines: Bool {
    bounds.size != flow.pointee.viewSize || flow.pointee.isStale || itemCount < flow.pointee.itemCount
  }

  public final override func contentChanged() {
    flow.pointee.isStale = true
    invalidateLayout()
  }

  /// Lays out items. If items were only appended, the existing lines are kept. All items are laid out again if the size
  /// of the view or an option has changed, or if the list has become shorter. If an item cannot be placed, the view
  /// keeps the items of the last successful layout.
  open override func prepare() { do throws(LayoutError) { try placeItems() } catch { fail(error) } }

  final func placeItems() throws(LayoutError) {
    guard isOutdated else { return }
    do throws(LayoutError) { try layOut() } catch {
      if flow.pointee.viewSize != .zero { view.pointee.itemCount = flow.pointee.itemCount }
      throw error
    }
  }

  private func layOut() throws(LayoutError) {
    if needsNewLines {
      let lines = try lines(itemCount: itemCount)
      // During a batch of updates, `apply(_:)` has already stored the previous lines.
      if listChange == nil { flow.pointee.previousLines = flow.pointee.lines }
      flow.pointee.lines = lines
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
    guard lines.columnCount == 1 else { return answer { found in collectPlaces(in: visible, &found) } }
    let candidates = lines.items(from: visible.main.lowerBound, to: visible.main.upperBound)
    return overwrite(candidates, of: lines, ifIn: visible) { lines.center(at: $0).main }
  }

  /// Adds the items whose places in the flow overlap `visible`.
  final func collectPlaces(in visible: Stretch, _ found: inout VisibleItems) {
    let candidates = flow.pointee.lines.items(from: visible.main.lowerBound, to: visible.main.upperBound)
    let size = flow.pointee.lines.item
    flow.pointee.lines.forEachItem(in: candidates) { found.append($0, $1, size, ifIn: visible) }
  }

  open override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { placeForItem(at: index) }

  final override func placeForItem(at index: Int) -> LayoutAttributes? {
    flow.pointee.lines.place(at: index, scrollDirection)
  }

  /// Returns true if the size of the view changes. Scrolling does not change the lines.
  open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { newBounds.size != bounds.size }

  open override func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? {
    flow.pointee.previousLines?.place(at: oldIndex, scrollDirection)
  }

  override func optionsUndo() -> (() -> Void)? {
    let old = options
    return { [unowned self] in changeOptions { $0 = old } }
  }

  override func apply(_ map: IndexMap) throws(LayoutError) {
    let lines = try lines(itemCount: map.newCount)
    flow.pointee.previousLines = flow.pointee.lines
    flow.pointee.lines = lines
    flow.pointee.isStale = false
    flow.pointee.itemCount = map.newCount
    view.pointee.itemCount = map.newCount
    invalidateLayout()
  }

  private func lines(itemCount: Int) throws(LayoutError) -> FlowLines {
    try options.validate()
    return FlowLines(FlowMetrics(options, viewSize: roomForLines), itemCount: itemCount)
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
