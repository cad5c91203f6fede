import Dynamics

/// A flow layout in which some items can be dragged together, for example by a long press (from `DraggableLayout` in
/// Napier and Kumar, "iOS 7 Programming Pushing the Limits"). The dragged items follow the finger in formation, on top
/// of the others. When the finger lets go, they spring back to their places. Only dragged items are simulated.
open class DraggableLayout: FlowLayout {
  /// The z index of dragged items, which cover the others.
  public static let draggedZIndex = 1

  /// The animator, which runs only the drag. The layout must remain its delegate, because the animator tells the layout
  /// when the items are back in their places.
  public let animator: DynamicAnimator
  private var drag: DragBehavior?
  /// Indices of the dragged items, ascending.
  private var indices: [Int] = []
  private var items: [DraggedItem] = []
  /// Whether the finger has let go and the items are on their way back.
  public private(set) final var isReturning = false
  private var answer: [LayoutAttributes] = []

  public override init(_ options: FlowOptions = FlowOptions()) throws(LayoutError) {
    animator = DynamicAnimator()
    try super.init(options)
    animator.delegate = self
  }

  /// The indices of the dragged items in ascending order. Empty if no item is dragged or on its way back.
  public final var draggedIndices: [Int] { indices }

  /// Returns whether an item is dragged or on its way back.
  /// - Complexity: O(log of the number of dragged items).
  public final func isDragged(_ index: Int) -> Bool { indices.position(of: index) != nil }
  open override func step(by timestep: Double) { animator.step(by: timestep) }

  /// Picks up items at the places where they are shown, even while they move. From now on they follow the finger. Items
  /// of an earlier drag, even if they are still on their way back, are put back in their places, unless they are picked
  /// up again.
  /// - Throws: If there is no item at an index, an index is given twice, or the point is not finite. In that case
  ///   nothing changes.
  public final func startDragging(_ selection: [Int], at point: Point) throws(LayoutError) {
    try prepareIfInvalid()
    guard !selection.isEmpty else { return cancelDragging() }
    let selection = selection.sorted()
    for (index, next) in zip(selection, selection.dropFirst()) where index == next {
      throw .itemSelectedTwice(index: index)
    }
    var dragged: [DraggedItem] = []
    for index in selection {
      guard var place = super.layoutAttributesForItem(at: index) else {
        throw .noSuchItem(index: index, count: itemCount)
      }
      let moving = indices.position(of: index).map { items[$0].center }
      place.center = moving ?? presenter?.look(ofItemAt: index)?.attributes.center ?? place.center
      dragged.append(DraggedItem(place))
    }
    let drag = DragBehavior(items: dragged, point: point)
    do throws(DynamicsError) { try animator.addBehavior(drag) } catch { throw .dynamics(error) }
    if let old = self.drag { try? animator.removeBehavior(old) }
    (self.drag, indices, items, isReturning) = (drag, selection, dragged, false)
    for index in indices { presenter?.handOver(itemAt: index) }
  }

  /// Moves the finger. Has no effect if nothing is dragged.
  /// - Throws: If the point is not finite.
  public final func drag(to point: Point) throws(LayoutError) {
    guard let drag, !isReturning else { return }
    do throws(DynamicsError) { try drag.setPoint(point) } catch { throw .dynamics(error) }
  }

  /// Lets go of the items, which spring back to their places. When all of them have come to rest, they belong to the
  /// flow again.
  public final func endDragging() {
    guard drag != nil, !isReturning else { return }
    isReturning = true
    sendHome()
  }

  /// Puts the items back in their places at once.
  public final func cancelDragging() {
    if let drag { try? animator.removeBehavior(drag) }
    (drag, isReturning) = (nil, false)
    indices.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
  }

  private func sendHome() {
    guard let drag else { return }
    for position in indices.indices {
      guard let place = super.layoutAttributesForItem(at: indices[position]) else { continue }
      do throws(DynamicsError) { try drag.holds[position].pullItem(to: place.center) } catch {
        preconditionFailure("the place of item \(place.index): \(error)")
      }
    }
  }

  /// Applies a batch of updates. Dragged items remain dragged under their new indices, except for deleted ones.
  override func apply(_ map: IndexMap) throws(LayoutError) {
    try super.apply(map)
    guard let drag else { return }
    let kept = indices.indices.compactMap { position in
      map.newIndex(ofItemAt: indices[position]).map { (index: $0, position: position) }
    }.sorted { $0.index < $1.index }
    guard !kept.isEmpty else { return cancelDragging() }
    drag.keep(kept.map(\.position))
    (indices, items) = (kept.map(\.index), kept.map { items[$0.position] })
    if isReturning { sendHome() }
  }

  override func movesItem(at index: Int) -> Bool { isDragged(index) }

  open override func prepare() {
    let wasOutdated = isOutdated
    super.prepare()
    // The list has become shorter, so some dragged items no longer exist.
    if let last = indices.last, last >= itemCount { cancelDragging() }
    // The places to which the items are returning have moved.
    if wasOutdated, !isOutdated, isReturning { sendHome() }
  }

  /// Returns the items that overlap the rectangle, dragged ones at their present places.
  /// - Complexity: O(items in the rectangle + dragged items).
  open override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    let resting = super.layoutAttributes(in: rect)
    guard !indices.isEmpty else { return resting }
    var found: [LayoutAttributes] = []
    swap(&found, &answer)
    found.removeAll(keepingCapacity: true)
    var next = 0
    // The loop uses indices, because in unoptimized code iterating over an array of large elements allocates.
    for place in resting.indices {
      let attributes = resting[place]
      while next < indices.count, indices[next] < attributes.index {
        append(next, ifIn: rect, &found)
        next += 1
      }
      if next < indices.count, indices[next] == attributes.index {
        append(next, ifIn: rect, &found)
        next += 1
      } else {
        found.append(attributes)
      }
    }
    for position in next..<indices.count { append(position, ifIn: rect, &found) }
    answer = found
    return found
  }

  private func append(_ position: Int, ifIn rect: Rect, _ found: inout [LayoutAttributes]) {
    let attributes = items[position].attributes(indices[position])
    if attributes.frame.intersects(rect) { found.append(attributes) }
  }

  open override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard let position = indices.position(of: index) else { return super.layoutAttributesForItem(at: index) }
    return items[position].attributes(index)
  }
}

extension DraggableLayout: DynamicAnimatorDelegate {
  /// Ends the drag when all items are back in their places.
  public final func dynamicAnimatorDidPause(_ animator: DynamicAnimator) { if isReturning { cancelDragging() } }
}

private final class DraggedItem: DynamicItem {
  var center: Point
  let size: Size
  var angle = 0.0

  init(_ place: LayoutAttributes) { (center, size) = (place.center, place.size) }

  func attributes(_ index: Int) -> LayoutAttributes {
    var attributes = LayoutAttributes(index: index, center: center, size: size)
    attributes.zIndex = DraggableLayout.draggedZIndex
    return attributes
  }
}
