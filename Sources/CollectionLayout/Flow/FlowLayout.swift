import Dynamics

/// Items in lines, as many on a line as fit (UIKit: `UICollectionViewFlowLayout`).
///
/// A query does not look at items outside its rectangle. Each of the options is also a property of the layout
/// (`layout.itemSize`), and can be set at any time; invalid ones are reported when items are placed.
@dynamicMemberLookup open class FlowLayout: CollectionViewLayout {
  /// Behind a pointer for the same reason as the base class's.
  let flow: UnsafeMutablePointer<FlowState>

  struct FlowState {
    /// The current options; a batch of updates may replace `sizeForItem`.
    var options: FlowOptions
    var lines: FlowLines
    /// The number of items, and the view's size, that the lines were laid out for.
    var itemCount = 0
    var viewSize = Size.zero
    /// Whether anything else that the lines depend on has changed.
    var isStale = false
    /// The lines before the last batch of updates or change of the view's size.
    var previousLines: FlowLines?
    /// Reused by each query; see `layoutAttributes(in:)`.
    var attributes: [LayoutAttributes] = []
  }

  /// - Throws: If an item size is not positive and finite, or a distance is negative or not finite. The sizes from
  ///   `sizeForItem` are checked when items are placed.
  public init(_ options: FlowOptions = FlowOptions()) throws(LayoutError) {
    try options.validate()
    let metrics = FlowMetrics(options, viewSize: Size(width: 1, height: 1))
    flow = .holding(FlowState(options: options, lines: .uniform(UniformLines(metrics, itemCount: 0))))
    super.init()
  }

  deinit { flow.release() }

  /// The current options. A batch of updates may have replaced `sizeForItem`.
  public final var options: FlowOptions { flow.pointee.options }

  public final subscript<Value>(dynamicMember option: WritableKeyPath<FlowOptions, Value>) -> Value {
    get { options[keyPath: option] }
    set { changeOptions { $0[keyPath: option] = newValue } }
  }

  /// Changes any of the options; the items are placed again before the next query.
  public final func changeOptions(_ change: (inout FlowOptions) -> Void) {
    change(&flow.pointee.options)
    contentChanged()
  }

  /// Setting it changes the direction of the flow.
  /// - Precondition: The springs of a springy list cannot be turned; set the direction of its `FlowOptions`.
  public final override var scrollDirection: Axis {
    get { flow.pointee.options.scrollDirection }
    set {
      precondition(newValue == scrollDirection || canTurn, "the springs of a \(type(of: self)) cannot be turned")
      changeOptions { $0.scrollDirection = newValue }
    }
  }

  var canTurn: Bool { true }

  open override var collectionViewContentSize: Size {
    MainCross(main: flow.pointee.lines.extent.contentLength, cross: MainCross(roomForLines, scrollDirection).cross)
      .size(scrollDirection)
  }

  /// The view minus its content inset, points.
  final var roomForLines: Size {
    let (size, inset) = (bounds.size, view.pointee.contentInset)
    return Size(width: size.width - inset.left - inset.right, height: size.height - inset.top - inset.bottom)
  }

  /// Whether the lines belong to other options, another view size or another number of items.
  final var isOutdated: Bool { needsNewLines || itemCount != flow.pointee.itemCount }

  /// Whether even the lines of items that are already placed have to be laid out again.
  final var needsNewLines: Bool {
    bounds.size != flow.pointee.viewSize || flow.pointee.isStale || itemCount < flow.pointee.itemCount
  }

  public final override func contentChanged() {
    flow.pointee.isStale = true
    invalidateLayout()
  }

  /// Lays out new items: all of them after a change of the view's size or the options, or for a shorter list; otherwise
  /// the appended ones. If an item cannot be placed, the view keeps the items that it had when it was last prepared.
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
      let lines = try lines(itemCount: itemCount, sizeForItem: flow.pointee.options.sizeForItem)
      // A batch of updates has kept the previous ones.
      if listChange == nil { flow.pointee.previousLines = flow.pointee.lines }
      flow.pointee.lines = lines
      flow.pointee.viewSize = bounds.size
      flow.pointee.isStale = false
    } else {
      try flow.pointee.lines.append(itemCount - flow.pointee.itemCount)
    }
    flow.pointee.itemCount = itemCount
  }

  open override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    answer { found in collectPlaces(in: Stretch(rect, scrollDirection), &found) }
  }

  /// Adds the items whose places in the flow are in the stretch.
  final func collectPlaces(in visible: Stretch, _ found: inout VisibleItems) {
    let candidates = flow.pointee.lines.items(from: visible.main.lowerBound, to: visible.main.upperBound)
    flow.pointee.lines.forEachItem(in: candidates) { found.append($0, $1, $2, ifIn: visible) }
  }

  open override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { placeForItem(at: index) }

  final override func placeForItem(at index: Int) -> LayoutAttributes? {
    flow.pointee.lines.place(at: index, scrollDirection)
  }

  /// True if the view's size changes; the lines stay as they are while it scrolls.
  open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { newBounds.size != bounds.size }

  open override func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? {
    flow.pointee.previousLines?.place(at: oldIndex, scrollDirection)
  }

  override func optionsUndo() -> (() -> Void)? {
    let old = options
    return { [unowned self] in changeOptions { $0 = old } }
  }

  override func apply(_ map: IndexMap, sizeForItem: (@Sendable (Int) -> Size)?) throws(LayoutError) {
    let sizeForItem = sizeForItem ?? flow.pointee.options.sizeForItem
    let lines = try lines(itemCount: map.newCount, sizeForItem: sizeForItem)
    flow.pointee.previousLines = flow.pointee.lines
    flow.pointee.lines = lines
    flow.pointee.options.sizeForItem = sizeForItem
    flow.pointee.isStale = false
    flow.pointee.itemCount = map.newCount
    view.pointee.itemCount = map.newCount
    invalidateLayout()
  }

  private func lines(itemCount: Int, sizeForItem: (@Sendable (Int) -> Size)?) throws(LayoutError) -> FlowLines {
    var options = flow.pointee.options
    options.sizeForItem = sizeForItem
    try options.validate()
    return try FlowLines(FlowMetrics(options, viewSize: roomForLines), itemCount: itemCount)
  }

  /// Collects the result of a query in the memory of the previous one, unless something still holds that.
  @inline(__always) final func answer(_ collect: (inout VisibleItems) -> Void) -> [LayoutAttributes] {
    var found = VisibleItems(attributes: [], axis: scrollDirection)
    swap(&found.attributes, &flow.pointee.attributes)
    found.attributes.removeAll(keepingCapacity: true)
    collect(&found)
    flow.pointee.attributes = found.attributes
    return found.attributes
  }
}
