import Dynamics

/// Items in lines, as many on a line as its breadth holds (UIKit: `UICollectionViewFlowLayout`).
///
/// A rectangle is answered without looking at items outside it.
open class FlowLayout: CollectionViewLayout {
  /// As given at the start. A batch of updates may have replaced `sizeForItem` since.
  public let options: FlowOptions
  /// Behind a pointer for the same reason as the base class's.
  let flow: UnsafeMutablePointer<FlowState>

  struct FlowState {
    var lines: FlowLines
    /// The number of items, and the view's size, that the lines were laid out for.
    var itemCount = 0
    var viewSize = Size.zero
    var sizeForItem: (@Sendable (Int) -> Size)?
    /// The lines before the last batch of updates or change of the view's size.
    var previousLines: FlowLines?
    var previousItemCount = 0
    /// Used again by each query; see `layoutAttributesForElements(in:)`.
    var attributes: [LayoutAttributes] = []
  }

  /// Parts of an item no thinner than this count as visible, points. An edge that rounding puts a hair
  /// across the edge of the view must not decide what is shown.
  public static var visibilityTolerance: Double { 1e-6 }

  /// - Throws: For an item size that is not positive and finite, or a distance that is negative or not
  ///   finite. What `sizeForItem` answers is checked when items are placed.
  public init(_ options: FlowOptions = FlowOptions()) throws(LayoutError) {
    try options.validate()
    self.options = options
    let metrics = FlowMetrics(options, viewSize: Size(width: 1, height: 1))
    let lines = try FlowLines(metrics, itemCount: 0)
    flow = .allocate(capacity: 1)
    flow.initialize(to: FlowState(lines: lines, sizeForItem: options.sizeForItem))
    super.init()
  }

  deinit {
    flow.deinitialize(count: 1)
    flow.deallocate()
  }

  public final override var scrollDirection: Axis { options.scrollDirection }

  public final override var collectionViewContentSize: Size {
    MainCross(main: flow.pointee.lines.contentLength, cross: MainCross(bounds.size, scrollDirection).cross)
      .size(scrollDirection)
  }

  /// Whether the lines are those of another view size or number of items.
  final var isOutdated: Bool {
    bounds.size != flow.pointee.viewSize || itemCount != flow.pointee.itemCount
  }

  /// Lays out what is new: everything after a change of the view's size or for a shorter list, else the
  /// appended items.
  /// - Throws: Where an item cannot be placed; the view then has the items that it had when it was last
  ///   prepared.
  open override func prepare() throws(LayoutError) {
    guard isOutdated else { return }
    do throws(LayoutError) {
      try layOut()
    } catch {
      if flow.pointee.viewSize != .zero { view.pointee.itemCount = flow.pointee.itemCount }
      throw error
    }
  }

  private func layOut() throws(LayoutError) {
    if bounds.size != flow.pointee.viewSize || itemCount < flow.pointee.itemCount {
      let lines = try lines(itemCount: itemCount, sizeForItem: flow.pointee.sizeForItem)
      keepLines()
      flow.pointee.lines = lines
      flow.pointee.viewSize = bounds.size
    } else {
      try flow.pointee.lines.append(itemCount - flow.pointee.itemCount)
    }
    flow.pointee.itemCount = itemCount
  }

  open override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
    answer { found in collectPlaces(in: Stretch(rect, scrollDirection), &found) }
  }

  /// Adds the items whose places in the flow are in the stretch.
  final func collectPlaces(in visible: Stretch, _ found: inout VisibleItems) {
    let candidates = flow.pointee.lines.items(
      from: visible.main.lowerBound, to: visible.main.upperBound)
    flow.pointee.lines.forEachCenter(in: candidates) { index, center in
      found.append(index, center, flow.pointee.lines.size(at: index), ifIn: visible)
    }
  }

  open override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    placeForItem(at: index)
  }

  final override func placeForItem(at index: Int) -> LayoutAttributes? {
    guard (0..<flow.pointee.itemCount).contains(index) else { return nil }
    var found: LayoutAttributes?
    flow.pointee.lines.forEachCenter(in: index..<index + 1) { index, center in
      found = LayoutAttributes(
        index: index, center: center.point(scrollDirection),
        size: flow.pointee.lines.size(at: index).size(scrollDirection))
    }
    return found
  }

  /// True where the view's size changes; the lines stay as they are while it scrolls.
  open override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    newBounds.size != bounds.size
  }

  open override func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? {
    guard let lines = flow.pointee.previousLines, (0..<flow.pointee.previousItemCount).contains(oldIndex)
    else { return nil }
    return LayoutAttributes(
      index: oldIndex, center: lines.center(at: oldIndex).point(scrollDirection),
      size: lines.size(at: oldIndex).size(scrollDirection))
  }

  override func apply(_ map: IndexMap, sizeForItem: (@Sendable (Int) -> Size)?) throws(LayoutError) {
    let sizeForItem = sizeForItem ?? flow.pointee.sizeForItem
    let lines = try lines(itemCount: map.newCount, sizeForItem: sizeForItem)
    keepLines()
    flow.pointee.lines = lines
    flow.pointee.sizeForItem = sizeForItem
    flow.pointee.itemCount = map.newCount
    view.pointee.itemCount = map.newCount
    invalidateLayout()
  }

  private func lines(
    itemCount: Int, sizeForItem: (@Sendable (Int) -> Size)?
  ) throws(LayoutError) -> FlowLines {
    var options = options
    options.sizeForItem = sizeForItem
    return try FlowLines(FlowMetrics(options, viewSize: bounds.size), itemCount: itemCount)
  }

  private func keepLines() {
    flow.pointee.previousLines = flow.pointee.lines
    flow.pointee.previousItemCount = flow.pointee.itemCount
  }

  /// Collects the answer to a query in the memory of the one before, where nobody holds that any more.
  @inline(__always)
  final func answer(_ collect: (inout VisibleItems) -> Void) -> [LayoutAttributes] {
    var found = VisibleItems(attributes: [], axis: scrollDirection)
    swap(&found.attributes, &flow.pointee.attributes)
    found.attributes.removeAll(keepingCapacity: true)
    collect(&found)
    flow.pointee.attributes = found.attributes
    return found.attributes
  }
}

/// The answer to a query while it is put together.
struct VisibleItems {
  var attributes: [LayoutAttributes]
  let axis: Axis

  /// Adds an item where it shares more than an edge with the stretch.
  @inline(__always)
  mutating func append(_ index: Int, _ center: MainCross, _ size: MainCross, ifIn visible: Stretch) {
    guard visible.shows(center, size) else { return }
    attributes.append(
      LayoutAttributes(index: index, center: center.point(axis), size: size.size(axis)))
  }
}

/// A rectangle along the scroll axis and across it, less what is too thin to be seen.
struct Stretch {
  var main: Range<Double>
  var cross: Range<Double>

  init(_ rect: Rect, _ axis: Axis) {
    let origin = MainCross(rect.origin, axis)
    let size = MainCross(rect.size, axis)
    let hair = FlowLayout.visibilityTolerance
    main = Self.shrunk(origin.main, size.main, by: hair)
    cross = Self.shrunk(origin.cross, size.cross, by: hair)
  }

  private static func shrunk(_ start: Double, _ length: Double, by hair: Double) -> Range<Double> {
    let low = start + hair
    return low..<max(low, start + length - hair)
  }

  @inline(__always)
  func shows(_ center: MainCross, _ size: MainCross) -> Bool {
    center.main - size.main / 2 < main.upperBound && center.main + size.main / 2 > main.lowerBound
      && center.cross - size.cross / 2 < cross.upperBound
      && center.cross + size.cross / 2 > cross.lowerBound
  }
}
