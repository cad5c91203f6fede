import Dynamics
import Foundation

extension String: @retroactive NSCopying {
  /// Makes `"floor" as NSCopying` compile, so that apps can use strings as identifiers of boundaries.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An object that is notified when items begin or end contact. The calls come after each step and before the `action`
/// of the behavior. All methods are optional.
public protocol UICollisionBehaviorDelegate: NSObjectProtocol {
  /// - Parameter p: The place of the contact, points.
  func collisionBehavior(
    _ behavior: UICollisionBehavior, beganContactFor item1: any UIDynamicItem, with item2: any UIDynamicItem,
    at p: CGPoint)
  func collisionBehavior(
    _ behavior: UICollisionBehavior, endedContactFor item1: any UIDynamicItem, with item2: any UIDynamicItem)
  /// - Parameters:
  ///   - identifier: The identifier of the boundary. Nil means that the boundary is the reference bounds.
  ///   - p: The place of the contact, points.
  func collisionBehavior(
    _ behavior: UICollisionBehavior, beganContactFor item: any UIDynamicItem,
    withBoundaryIdentifier identifier: (any NSCopying)?, at p: CGPoint)
  func collisionBehavior(
    _ behavior: UICollisionBehavior, endedContactFor item: any UIDynamicItem,
    withBoundaryIdentifier identifier: (any NSCopying)?)
}

extension UICollisionBehaviorDelegate {
  public func collisionBehavior(
    _ behavior: UICollisionBehavior, beganContactFor item1: any UIDynamicItem, with item2: any UIDynamicItem,
    at p: CGPoint
  ) {}
  public func collisionBehavior(
    _ behavior: UICollisionBehavior, endedContactFor item1: any UIDynamicItem, with item2: any UIDynamicItem
  ) {}
  public func collisionBehavior(
    _ behavior: UICollisionBehavior, beganContactFor item: any UIDynamicItem,
    withBoundaryIdentifier identifier: (any NSCopying)?, at p: CGPoint
  ) {}
  public func collisionBehavior(
    _ behavior: UICollisionBehavior, endedContactFor item: any UIDynamicItem,
    withBoundaryIdentifier identifier: (any NSCopying)?
  ) {}
}

/// Keeps items from moving into each other and across boundaries. Items collide only with items of the same behavior.
open class UICollisionBehavior: UIGroupBehavior {
  public struct Mode: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let items = Mode(rawValue: 1)
    public static let boundaries = Mode(rawValue: 2)
    public static let everything: Mode = [.items, .boundaries]
  }

  private struct Boundary {
    let identifier: any NSCopying
    let path: UIBezierPath

    var name: String { "\(identifier)" }
  }

  private struct Contact {
    let item: any UIDynamicItem
    let other: (any UIDynamicItem)?
    let identifier: (any NSCopying)?
    /// The number of contacts that began before this one. Ended contacts are reported in this order.
    let number: Int
  }

  /// A pair of items that touch, or an item and a boundary.
  private struct ContactKey: Hashable {
    let item: ObjectIdentifier
    let other: ObjectIdentifier?
    let boundary: String?
  }

  private final var engine: CollisionBehavior? { group as? CollisionBehavior }
  private final var boundaries: [Boundary] = []
  private final var insets = UIEdgeInsets.zero
  private final var contacts: [ContactKey: Contact] = [:]
  private final var contactCount = 0

  public init(items: [any UIDynamicItem] = []) { super.init(members: items) }

  open weak var collisionDelegate: (any UICollisionBehaviorDelegate)? { didSet { noteTouches() } }

  /// What items collide with: items, boundaries, or both.
  open var collisionMode = Mode.everything { didSet { restart() } }

  /// Whether items stay inside the bounds of the reference view, or inside the content of the animator's layout.
  open var translatesReferenceBoundsIntoBoundary = false { didSet { restart() } }

  open func setTranslatesReferenceBoundsIntoBoundary(with insets: UIEdgeInsets) {
    self.insets = insets
    translatesReferenceBoundsIntoBoundary = true
  }

  // MARK: Boundaries

  /// Adds a segment that items cannot cross from either side. It replaces a boundary with the same identifier.
  open func addBoundary(withIdentifier identifier: any NSCopying, from p1: CGPoint, to p2: CGPoint) {
    let path = UIBezierPath()
    path.move(to: p1)
    path.addLine(to: p2)
    addBoundary(withIdentifier: identifier, for: path)
  }

  /// Adds a path that items cannot cross from either side. It replaces a boundary with the same identifier.
  open func addBoundary(withIdentifier identifier: any NSCopying, for bezierPath: UIBezierPath) {
    let boundary = Boundary(identifier: identifier, path: bezierPath.copy() as? UIBezierPath ?? bezierPath)
    boundaries.removeAll { $0.name == boundary.name }
    boundaries.append(boundary)
    restart()
  }

  /// Returns the path of a boundary, or nil if there is no such boundary.
  open func boundary(withIdentifier identifier: any NSCopying) -> UIBezierPath? {
    boundaries.first { $0.name == "\(identifier)" }?.path
  }

  /// Does nothing if there is no such boundary.
  open func removeBoundary(withIdentifier identifier: any NSCopying) {
    boundaries.removeAll { $0.name == "\(identifier)" }
    restart()
  }

  /// The identifiers in the order in which they were added.
  open var boundaryIdentifiers: [any NSCopying]? { boundaries.map(\.identifier) }

  open func removeAllBoundaries() {
    boundaries = []
    restart()
  }

  private func restart() {
    guard let engine else { return }
    engine.removeAllBoundaries()
    setUp(engine)
  }

  private func setUp(_ engine: CollisionBehavior) {
    engine.hasCollidingItems = collisionMode.contains(.items)
    let collides = collisionMode.contains(.boundaries)
    try? engine.setReferenceBounds(collides ? referenceBounds : nil)
    guard collides else { return }
    for (place, boundary) in boundaries.enumerated() {
      let segments = boundary.path.lines.flatMap { zip($0, $0.dropFirst()) }
      for (number, ends) in segments.enumerated() {
        // `try?` leaves out a segment whose length is zero or not finite, which the engine rejects.
        try? engine.addBoundary(withIdentifier: "\(place) \(number)", from: Point(ends.0), to: Point(ends.1))
      }
    }
  }

  /// The reference bounds. Nil if they are not a boundary, or if they have no area, as before the first layout.
  private var referenceBounds: Rect? {
    guard translatesReferenceBoundsIntoBoundary, let bounds = dynamicAnimator?.referenceBounds else { return nil }
    let (rect, sides) = (Rect(bounds.inset(by: insets)), 1e-9...1e9)
    let isSound = rect.origin.isFinite && sides.contains(rect.size.width) && sides.contains(rect.size.height)
    return isSound ? rect : nil
  }

  /// Passes the reference bounds to the engine if they have changed.
  final func followReferenceBounds() {
    guard let engine, collisionMode.contains(.boundaries), engine.referenceBounds != referenceBounds else { return }
    restart()
  }

  // MARK: Contacts

  private func noteTouches() { if collisionDelegate != nil { engine?.noteTouches() } }

  override final func didStep(by timestep: Double, _ animator: UIDynamicAnimator) {
    guard let engine, collisionDelegate != nil else { return }
    var (began, ended): ([(contact: Contact, point: CGPoint)], [Contact]) = ([], [])
    var present: [ContactKey: Contact] = [:]
    for touch in engine.touches() {
      guard let item = (touch.item as? EngineItem)?.item else { continue }
      let other = (touch.otherItem as? EngineItem)?.item
      let boundary = touch.boundary.flatMap { self.boundary(ofSegment: $0) }
      let key = ContactKey(
        item: ObjectIdentifier(item), other: other.map { ObjectIdentifier($0) }, boundary: boundary?.name)
      guard present[key] == nil else { continue }
      let new = Contact(item: item, other: other, identifier: boundary?.identifier, number: contactCount)
      present[key] = contacts[key] ?? new
      if contacts[key] == nil {
        contactCount += 1
        began.append((new, CGPoint(touch.point)))
      }
    }
    for (key, contact) in contacts where present[key] == nil { ended.append(contact) }
    contacts = present
    // The delegate may remove this behavior. Then no more contacts are reported.
    for (contact, point) in began where dynamicAnimator === animator {
      if let other = contact.other {
        collisionDelegate?.collisionBehavior(self, beganContactFor: contact.item, with: other, at: point)
      } else {
        collisionDelegate?.collisionBehavior(
          self, beganContactFor: contact.item, withBoundaryIdentifier: contact.identifier, at: point)
      }
    }
    for contact in ended.sorted(by: { $0.number < $1.number }) where dynamicAnimator === animator {
      if let other = contact.other {
        collisionDelegate?.collisionBehavior(self, endedContactFor: contact.item, with: other)
      } else {
        collisionDelegate?.collisionBehavior(
          self, endedContactFor: contact.item, withBoundaryIdentifier: contact.identifier)
      }
    }
  }

  private func boundary(ofSegment name: String) -> Boundary? {
    guard let place = name.split(separator: " ").first.flatMap({ Int($0) }), boundaries.indices.contains(place) else {
      return nil
    }
    return boundaries[place]
  }

  // MARK: Running

  override final func makeGroup(in animator: UIDynamicAnimator) -> GroupBehavior {
    let engine = CollisionBehavior()
    setUp(engine)
    return engine
  }

  override final func join(_ animator: UIDynamicAnimator) {
    super.join(animator)
    animator.followers.append(self)
    noteTouches()
  }

  override final func forget() {
    super.forget()
    dynamicAnimator?.followers.removeAll { $0 === self }
    contacts = [:]
  }
}
