/// Ties an item to an anchor point or to another item (UIKit: `UIAttachmentBehavior`): by a spring, or by a
/// rigid rod if the frequency is 0.
///
/// A spring's frequency does not depend on the mass that hangs on it: its stiffness is (2π·frequency)² times
/// the mass of the item, or the reduced mass of two, as by `b2LinearStiffness` of Box2D 2.4. An item that is
/// tied off its centre also turns, and therefore swings faster.
///
/// An undamped spring keeps its energy while nothing hits its item, and a damped one gains none. Springs that are too
/// stiff for the sub-steps, from some 38 Hz on at 60 frames per second, hold their items rather than let them swing, and
/// lose their energy; if several pull at an item, or off its centre, from fewer.
///
/// An item that hangs on nothing but one anchored spring of length 0 by its centre is solved in closed form.
public final class AttachmentBehavior: DynamicBehavior {
  /// The item that is pulled towards `anchorPoint`, or to `length` from it; kept alive by the behavior.
  public let item: any DynamicItem
  /// Unchecked, because a checked access from another module costs more than the step of a spring.
  @usableFromInline @exclusivity(unchecked) private(set) final var anchor: Point
  /// The item at the other end; nil for an anchor.
  public let attachedItem: (any DynamicItem)?
  /// Position of the end on the item, from its centre and in its own directions, points.
  public let offsetFromCenter: Vector
  /// Position of the end on the other item, from its centre and in its own directions, points.
  public let attachedOffset: Vector
  /// The anchor, or the present end on the other item, points. When the anchor is moved, the item stays
  /// where it is and is pulled along.
  /// - Precondition: Only a finite point can be set, and only if the item is attached to an anchor. See
  ///   `setAnchorPoint(_:)` for a point that may not be finite.
  @inlinable public var anchorPoint: Point {
    get {
      if attachedItem == nil { return anchor }
      return attachedPoint
    }
    set { moveAnchor(to: newValue) }
  }
  /// Distance between the ends at which the spring is relaxed, points.
  ///
  /// Length, damping and frequency can be set at any time; the item keeps its place and its velocity. Invalid
  /// values are refused when the behavior is added to an animator. Setting one while an animator runs the
  /// behavior is a programming error that ends the program.
  public var length: Double { didSet { valuesChanged() } }
  /// Damping ratio: at 0 it swings forever, 1 is critical.
  public var damping: Double { didSet { valuesChanged() } }
  /// Frequency, Hz; 0 holds both ends rigidly at the length.
  public var frequency: Double { didSet { valuesChanged() } }
  /// Without a frequency, the torque against which the bodies turn against each other, mass·points²/seconds², a mass
  /// being density times area.
  package var frictionTorque = 0.0 { didSet { valuesChanged() } }
  /// Index in the coupled world; nil while it is solved in closed form, or not at all.
  final var index: Int?
  /// The constraint of a joint without a frequency.
  package let kind: JointKind
  /// Place among the springs that are solved in closed form; nil while it is solved otherwise, or not at
  /// all.
  final var place: AnchoredSprings.Place?

  /// Values are checked when the behavior is added to an animator.
  ///
  /// - Parameters:
  ///   - item: The item at one end.
  ///   - offsetFromCenter: From its center to that end, points, turned with the item.
  ///   - anchorPoint: The other end, points.
  ///   - length: Points; nil: the current distance between the ends.
  ///   - damping: Ratio; 1 is critical.
  ///   - frequency: Hz; 0 is a rigid rod.
  public init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedToAnchor anchorPoint: Point, length: Double? = nil,
    damping: Double = 0, frequency: Double = 0
  ) {
    self.item = item
    kind = .distance
    self.offsetFromCenter = offsetFromCenter
    attachedItem = nil
    attachedOffset = .zero
    anchor = anchorPoint
    self.length = length ?? Self.distance(Self.end(on: item, offsetFromCenter), anchorPoint)
    self.damping = damping
    self.frequency = frequency
  }

  /// Values are checked when the behavior is added to an animator.
  ///
  /// - Parameters:
  ///   - item: The item at one end.
  ///   - offsetFromCenter: From its center to that end, points, turned with the item.
  ///   - attachedItem: The item at the other end.
  ///   - attachedOffset: From its center to the other end, points, turned with the item.
  ///   - length: Points; nil: the current distance between the ends.
  ///   - damping: Ratio; 1 is critical.
  ///   - frequency: Hz; 0 is a rigid rod.
  public init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedTo attachedItem: any DynamicItem,
    offsetFromCenter attachedOffset: Vector = .zero, length: Double? = nil, damping: Double = 0, frequency: Double = 0
  ) {
    self.item = item
    kind = .distance
    self.offsetFromCenter = offsetFromCenter
    self.attachedItem = attachedItem
    self.attachedOffset = attachedOffset
    anchor = attachedItem.center
    self.length =
      length ?? Self.distance(Self.end(on: item, offsetFromCenter), Self.end(on: attachedItem, attachedOffset))
    self.damping = damping
    self.frequency = frequency
  }

  /// A rigid joint of another kind.
  ///
  /// - Parameters:
  ///   - offset: Of a line its direction, a unit vector of the item.
  ///   - attachedItem: Nil: the other end is an anchor.
  ///   - attachedOffset: From the other item's centre, points; of an anchor the anchor itself.
  ///   - length: Points; of a line from the item's centre, and may be negative.
  package init(
    _ kind: JointKind, of item: any DynamicItem, offset: Vector, to attachedItem: (any DynamicItem)?,
    attachedOffset: Vector, length: Double
  ) {
    (self.kind, self.item, offsetFromCenter) = (kind, item, offset)
    self.attachedItem = attachedItem
    self.attachedOffset = attachedItem == nil ? .zero : attachedOffset
    anchor = attachedItem?.center ?? Point(x: attachedOffset.dx, y: attachedOffset.dy)
    self.length = length
    (damping, frequency) = (0, 0)
  }

  override var itemName: String { item.dynamicItemName }

  /// Sets `anchorPoint`.
  /// - Precondition: The item is attached to an anchor, not to another item.
  /// - Throws: If the point is not finite; nothing has changed then.
  public func setAnchorPoint(_ newAnchor: Point) throws(DynamicsError) {
    precondition(attachedItem == nil, "\(itemName) is attached to an item, which has no anchor to move")
    guard newAnchor.isFinite else { throw .anchorNotFinite(item: item.dynamicItemName, anchor: newAnchor) }
    anchor = newAnchor
    animator?.anchorMoved(of: self)
  }

  override func join(_ animator: DynamicAnimator) throws(DynamicsError) { try animator.attach(self) }

  override func leave(_ animator: DynamicAnimator) { animator.detach(self) }

  override func forget() { (index, place) = (nil, nil) }
}

// MARK: - Values

extension AttachmentBehavior {
  private func valuesChanged() {
    guard let animator else { return }
    mustSucceed(checkValues)
    animator.valuesChanged(of: self)
  }

  /// Ends the program if a value is invalid, naming the item.
  private func mustSucceed(_ change: () throws(DynamicsError) -> Void) {
    do throws(DynamicsError) { try change() } catch { preconditionFailure("\(error)") }
  }

  @usableFromInline func moveAnchor(to point: Point) {
    mustSucceed { () throws(DynamicsError) in try setAnchorPoint(point) }
  }

  @usableFromInline var attachedPoint: Point { attachedItem.map { Self.end(on: $0, attachedOffset) } ?? anchor }

  /// The present position of an offset from an item's centre.
  private static func end(on item: any DynamicItem, _ offset: Vector) -> Point {
    let center = item.center
    guard offset != .zero else { return center }
    let turned = Pose(x: center.x, y: center.y, angle: item.angle).turned(offset)
    return Point(x: center.x + turned.dx, y: center.y + turned.dy)
  }

  private static func distance(_ a: Point, _ b: Point) -> Double {
    let (dx, dy) = (a.x - b.x, a.y - b.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Whether both axes of its motion are linear and independent of each other and of any angle.
  var isPlain: Bool { attachedItem == nil && length == 0 && offsetFromCenter == .zero && kind == .distance }

  /// Offset of the far end from the centre of the other body; for the ground, from the origin.
  var farOffset: Vector { attachedItem == nil ? Vector(dx: anchor.x, dy: anchor.y) : attachedOffset }

  /// The joint for the coupled world, between two bodies.
  func joint(of a: Int32, to b: Int32) -> DistanceJoint {
    DistanceJoint(
      a: a, b: b, offsetA: offsetFromCenter, offsetB: farOffset, length: length, kind: kind, frequency: frequency,
      damping: frequency == 0 ? frictionTorque : damping)
  }

  /// Whether the coupled world can solve it.
  func check() throws(DynamicsError) {
    try CoupledItems.check(item)
    if let attachedItem {
      try CoupledItems.check(attachedItem)
      guard attachedItem !== item else { throw .attachedToItself(item: itemName) }
    }
    guard anchor.isFinite else { throw .anchorNotFinite(item: itemName, anchor: anchor) }
    for offset in [offsetFromCenter, attachedOffset] where !offset.isFinite {
      throw .offsetNotFinite(item: itemName, offset: offset)
    }
    try checkValues()
  }

  private func checkValues() throws(DynamicsError) {
    guard length.isFinite, length >= 0 || kind.isLine else { throw .invalidLength(item: itemName, length: length) }
    _ = try SpringParameters(frequency: frequency, damping: damping, item: itemName)
  }
}
