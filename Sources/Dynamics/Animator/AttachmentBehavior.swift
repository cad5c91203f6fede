/// Ties an item to an anchor point or to another item (UIKit: `UIAttachmentBehavior`): by a spring, or by a rigid rod
/// if the frequency is 0. An item that hangs on nothing but one anchored spring of length 0 by its centre is solved in
/// closed form.
///
/// A spring's frequency does not depend on the mass that hangs on it: its stiffness is (2π·frequency)² times the mass
/// of the item, or the reduced mass of two, as in `b2LinearStiffness` of Box2D 2.4. An item that is tied off its centre
/// also turns, and therefore swings faster.
///
/// An undamped spring keeps its energy while nothing hits its item, and a damped one gains none. Springs that are too
/// stiff for the sub-steps, from some 38 Hz on at 60 frames per second, hold their items rather than let them swing,
/// and lose their energy. That limit is lower if several springs pull at an item, or off its centre.
public final class AttachmentBehavior: DynamicBehavior {
  /// The item that is pulled towards `anchorPoint`, or to `length` from it; kept alive by the behavior.
  public let item: any DynamicItem
  /// Unchecked, because a checked access from another module costs more than the step of a spring.
  @usableFromInline @exclusivity(unchecked) private(set) final var anchor: Point
  /// The item at the other end; nil for an anchor.
  public let attachedItem: (any DynamicItem)?
  /// Position of the end on the item, from its centre and in its own directions, points.
  public let offsetFromCenter: Vector
  /// Position of the end on the other item, likewise.
  public let attachedOffset: Vector
  /// The anchor, or the present end on the other item, points. When the anchor is moved, the item stays where it is and
  /// is pulled along. Setting a point that is not finite, or that of an item, ends the program; see
  /// `setAnchorPoint(_:)`.
  @inlinable public var anchorPoint: Point {
    get { attachedItem == nil ? anchor : attachedPoint }
    set { moveAnchor(to: newValue) }
  }
  /// Distance between the ends at which the spring is relaxed, points. It can be set at any time, as can damping and
  /// frequency; the item keeps its place and its velocity. An invalid value is refused when the behavior is added to an
  /// animator, and ends the program while an animator runs it.
  public var length: Double { didSet { valuesChanged() } }
  /// Damping ratio: at 0 it swings forever, 1 is critical.
  public var damping: Double { didSet { valuesChanged() } }
  /// Frequency, Hz; 0 holds both ends rigidly at the length.
  public var frequency: Double { didSet { valuesChanged() } }
  /// The torque of the friction of a joint without a frequency, mass·points²/seconds², a mass being density times area.
  package var frictionTorque = 0.0 { didSet { valuesChanged() } }
  /// Index in the coupled world; nil while it is not solved there.
  final var index: Int?
  /// The constraint of a joint without a frequency.
  package let kind: JointKind
  /// Nil while it is not solved in closed form.
  final var place: AnchoredSprings.Place?

  /// Ties an item to an anchor. Values are checked when the behavior is added to an animator.
  /// - Parameters:
  ///   - item: The item at one end.
  ///   - offsetFromCenter: From its center to that end, points, turned with the item.
  ///   - anchorPoint: The other end, points.
  ///   - length: Points; nil: the current distance between the ends.
  ///   - damping: Ratio; 1 is critical.
  ///   - frequency: Hz; 0 is a rigid rod.
  public convenience init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedToAnchor anchorPoint: Point, length: Double? = nil,
    damping: Double = 0, frequency: Double = 0
  ) {
    self.init(
      .distance, of: item, offset: offsetFromCenter, to: nil,
      attachedOffset: Vector(dx: anchorPoint.x, dy: anchorPoint.y), length: length, damping: damping,
      frequency: frequency)
  }

  /// Ties two items to each other; `attachedOffset` is turned with the second.
  public convenience init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedTo attachedItem: any DynamicItem,
    offsetFromCenter attachedOffset: Vector = .zero, length: Double? = nil, damping: Double = 0, frequency: Double = 0
  ) {
    self.init(
      .distance, of: item, offset: offsetFromCenter, to: attachedItem, attachedOffset: attachedOffset, length: length,
      damping: damping, frequency: frequency)
  }

  /// - Parameters:
  ///   - offset: For a line, its direction, a unit vector in the item's own directions.
  ///   - attachedItem: Nil: the other end is an anchor.
  ///   - attachedOffset: From the other item's centre, points; for an anchor, the anchor itself.
  ///   - length: Points; for a line, from the item's centre, and may be negative; nil: the current distance.
  package init(
    _ kind: JointKind, of item: any DynamicItem, offset: Vector, to attachedItem: (any DynamicItem)?,
    attachedOffset: Vector, length: Double?, damping: Double = 0, frequency: Double = 0
  ) {
    let anchor = attachedItem?.center ?? Point(x: attachedOffset.dx, y: attachedOffset.dy)
    (self.kind, self.item, offsetFromCenter, self.anchor) = (kind, item, offset, anchor)
    self.attachedItem = attachedItem
    self.attachedOffset = attachedItem == nil ? .zero : attachedOffset
    let farEnd = attachedItem.map { Self.end(on: $0, attachedOffset) } ?? anchor
    self.length = length ?? (Self.end(on: item, offset) - farEnd).squared.squareRoot()
    (self.damping, self.frequency) = (damping, frequency)
  }

  override var itemName: String { item.dynamicItemName }

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
    return center + Pose(x: center.x, y: center.y, angle: item.angle).turned(offset)
  }

  /// Whether both axes of the item's motion are linear and independent of each other and of any angle.
  var isPlain: Bool { attachedItem == nil && length == 0 && offsetFromCenter == .zero && kind == .distance }
  /// The offset of the far end from the centre of the other body; for the ground, from the origin.
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
