/// Attaches an item to an anchor point or to another item (UIKit: `UIAttachmentBehavior`). The attachment is a spring,
/// or a rigid rod if the frequency is 0. If the only behavior of an item is one spring of length 0 from its center to
/// an anchor, the spring is solved in closed form.
///
/// The frequency of a spring does not depend on the mass of its items. The stiffness is (2π·frequency)² times the mass
/// of the item, or times the reduced mass of two items, as in `b2LinearStiffness` of Box2D 2.4. An item that is
/// attached off its center also turns, and therefore swings faster.
///
/// An undamped spring keeps its energy while nothing hits its item. A damped spring gains no energy. At 60 frames per
/// second, springs of about 38 Hz or more are too stiff for the sub-steps. Such springs lose energy, and hold their
/// items instead of swinging. The limit is lower if several springs pull an item, or if a spring is attached off the
/// item's center.
public final class AttachmentBehavior: DynamicBehavior {
  /// The item that is held at the distance `length` from `anchorPoint`. The behavior keeps the item alive.
  public let item: any DynamicItem
  /// The anchor. Exclusivity is not checked, because checked access from another module costs more than a spring's
  /// step.
  @usableFromInline @exclusivity(unchecked) private(set) final var anchor: Point
  /// The item at the other end, or nil if the other end is an anchor.
  public let attachedItem: (any DynamicItem)?
  /// The offset of the attached end from the item's center, points. It turns with the item.
  public let offsetFromCenter: Vector
  /// The offset of the other end from the center of `attachedItem`, points. It turns with that item. It is zero if the
  /// other end is an anchor.
  public let attachedOffset: Vector
  /// The anchor, or the present position of the end on `attachedItem`, points. Setting this property moves the anchor.
  /// The item stays where it is, and the next steps pull it along. The program ends if the point is not finite, or if
  /// the other end is an item. `setAnchorPoint(_:)` throws an error for a point that is not finite.
  @inlinable public var anchorPoint: Point {
    get { attachedItem == nil ? anchor : attachedPoint }
    set { moveAnchor(to: newValue) }
  }
  /// The distance between the ends at which the spring is relaxed, points. Length, damping and frequency can be set at
  /// any time, and the item keeps its place and velocity. If a value is invalid, adding the behavior to an animator
  /// fails. If an animator already runs the behavior, setting an invalid value ends the program.
  public var length: Double { didSet { valuesChanged() } }
  /// The damping ratio. At 0 the spring swings forever, and 1 is critical.
  public var damping: Double { didSet { valuesChanged() } }
  /// The frequency, Hz. If it is 0, a rigid rod keeps the two ends `length` apart.
  public var frequency: Double { didSet { valuesChanged() } }
  /// The largest torque with which friction resists turning at a joint whose frequency is 0, mass·points²/seconds².
  /// Mass is density times area.
  package var frictionTorque = 0.0 { didSet { valuesChanged() } }
  /// The index of the joint in the rigid-body solver, or nil while that solver does not have the attachment.
  final var index: Int?
  /// The constraint that the attachment imposes. A spring is always a `distance` joint.
  package let kind: JointKind
  /// The place among the springs that are solved in closed form, or nil while the attachment is not one of them.
  final var place: AnchoredSprings.Place?

  /// Attaches an item to an anchor. The values are checked when the behavior is added to an animator.
  /// - Parameters:
  ///   - item: The item at one end.
  ///   - offsetFromCenter: The offset of that end from the item's center, points. It turns with the item.
  ///   - anchorPoint: The other end, points.
  ///   - length: The length in points. Nil means the current distance between the ends.
  ///   - damping: The damping ratio; 1 is critical.
  ///   - frequency: The frequency in Hz; 0 makes a rigid rod.
  public convenience init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedToAnchor anchorPoint: Point, length: Double? = nil,
    damping: Double = 0, frequency: Double = 0
  ) {
    self.init(
      .distance, of: item, offset: offsetFromCenter, to: nil,
      attachedOffset: Vector(dx: anchorPoint.x, dy: anchorPoint.y), length: length, damping: damping,
      frequency: frequency)
  }

  /// Attaches two items to each other. `attachedOffset` turns with the second item.
  public convenience init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedTo attachedItem: any DynamicItem,
    offsetFromCenter attachedOffset: Vector = .zero, length: Double? = nil, damping: Double = 0, frequency: Double = 0
  ) {
    self.init(
      .distance, of: item, offset: offsetFromCenter, to: attachedItem, attachedOffset: attachedOffset, length: length,
      damping: damping, frequency: frequency)
  }

  /// - Parameters:
  ///   - offset: The offset of the end from the item's center. For a `line` or `lineLimit`, it is the unit vector along
  ///     which the length is measured. It turns with the item.
  ///   - attachedItem: The item at the other end. If nil, that end is an anchor.
  ///   - attachedOffset: The offset of the other end from the center of `attachedItem`, or the anchor itself, points.
  ///   - length: The length in points. The length of a line is measured from the item's center and may be negative. Nil
  ///     means the current distance between the ends.
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

  /// Moves the anchor. The item stays where it is and is then pulled along.
  /// - Precondition: The item is attached to an anchor, not to another item.
  /// - Throws: `DynamicsError.anchorNotFinite`. Nothing changes in that case.
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

  /// Performs a change. If the change throws, ends the program with a message that names the item.
  private func mustSucceed(_ change: () throws(DynamicsError) -> Void) {
    do throws(DynamicsError) { try change() } catch { preconditionFailure("\(error)") }
  }

  @usableFromInline func moveAnchor(to point: Point) {
    mustSucceed { () throws(DynamicsError) in try setAnchorPoint(point) }
  }

  @usableFromInline var attachedPoint: Point { attachedItem.map { Self.end(on: $0, attachedOffset) } ?? anchor }

  /// Returns the present position of the point at this offset from an item's center.
  private static func end(on item: any DynamicItem, _ offset: Vector) -> Point {
    let center = item.center
    guard offset != .zero else { return center }
    return center + Pose(x: center.x, y: center.y, angle: item.angle).turned(offset)
  }

  /// Whether the closed form can solve the attachment. For this, the motion along each axis must be linear and must not
  /// depend on the other axis or on an angle.
  var isPlain: Bool { attachedItem == nil && length == 0 && offsetFromCenter == .zero && kind == .distance }
  /// The offset of the other end from the center of its body. The body of an anchor is the ground, whose center is the
  /// origin.
  var farOffset: Vector { attachedItem == nil ? Vector(dx: anchor.x, dy: anchor.y) : attachedOffset }

  /// Returns the joint between the bodies `a` and `b` for the rigid-body solver.
  func joint(of a: Int32, to b: Int32) -> DistanceJoint {
    DistanceJoint(
      a: a, b: b, offsetA: offsetFromCenter, offsetB: farOffset, length: length, kind: kind, frequency: frequency,
      damping: frequency == 0 ? frictionTorque : damping)
  }

  /// Throws if the rigid-body solver cannot solve the attachment.
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
