import Dynamics
import Foundation

extension String: @retroactive NSCopying {
  /// Lets `"floor" as NSCopying` compile, with which apps name boundaries.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Keeps items from moving into each other and across boundaries. Items collide only with those of the same behavior.
///
/// The animator does not tell who collides: there is no delegate.
open class UICollisionBehavior: UIGroupBehavior {
  public struct Mode: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let items = Mode(rawValue: 1)
    public static let boundaries = Mode(rawValue: 2)
    public static let everything: Mode = [.items, .boundaries]
  }

  private struct Boundary {
    let identifier: String
    let points: [CGPoint]
  }

  private final var engine: CollisionBehavior?
  private final var boundaries: [Boundary] = []
  private final var insets = UIEdgeInsets.zero

  public init(items: [any UIDynamicItem] = []) { super.init(members: items) }

  /// What items collide with. Items that collide with boundaries alone are not supported: the program ends with a
  /// message.
  open var collisionMode = Mode.everything {
    didSet {
      guard collisionMode.contains(.items) else {
        raise("collisionMode without .items: items of a behavior always collide with each other here")
      }
      restart()
    }
  }

  /// Whether items stay inside the bounds of the reference view, or of the layout's view.
  open var translatesReferenceBoundsIntoBoundary = false { didSet { restart() } }

  open func setTranslatesReferenceBoundsIntoBoundary(with insets: UIEdgeInsets) {
    self.insets = insets
    translatesReferenceBoundsIntoBoundary = true
  }

  /// Adds a segment that items cannot cross, from either side.
  open func addBoundary(withIdentifier identifier: any NSCopying, from p1: CGPoint, to p2: CGPoint) {
    add(Boundary(identifier: "\(identifier)", points: [p1, p2]))
  }

  private func add(_ boundary: Boundary) {
    boundaries.removeAll { $0.identifier == boundary.identifier }
    boundaries.append(boundary)
    restart()
  }

  /// Nil if there is none.
  open func boundary(withIdentifier identifier: any NSCopying) -> [CGPoint]? {
    boundaries.first { $0.identifier == "\(identifier)" }?.points
  }

  /// Does nothing if there is none.
  open func removeBoundary(withIdentifier identifier: any NSCopying) {
    boundaries.removeAll { $0.identifier == "\(identifier)" }
    restart()
  }

  /// In the order in which they were added.
  open var boundaryIdentifiers: [any NSCopying]? { boundaries.map(\.identifier) }

  open func removeAllBoundaries() {
    boundaries = []
    restart()
  }

  private func restart() {
    guard let engine else { return }
    engine.removeAllBoundaries()
    setBoundaries(engine)
  }

  private func setBoundaries(_ engine: CollisionBehavior) {
    let collides = collisionMode.contains(.boundaries)
    mustSucceed { () throws(DynamicsError) in
      try engine.setReferenceBounds(collides ? referenceBounds : nil)
      guard collides else { return }
      for boundary in boundaries {
        for (number, ends) in zip(boundary.points, boundary.points.dropFirst()).enumerated() {
          try engine.addBoundary(
            withIdentifier: "\(boundary.identifier) \(number)", from: Point(ends.0), to: Point(ends.1))
        }
      }
    }
  }

  private var referenceBounds: Rect? {
    guard translatesReferenceBoundsIntoBoundary, let view = dynamicAnimator?.referenceView else { return nil }
    return Rect(view.bounds.inset(by: insets))
  }

  override final func join(_ animator: UIDynamicAnimator) {
    let engine = CollisionBehavior()
    setBoundaries(engine)
    animator.run(engine)
    self.engine = engine
    super.join(animator)
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    super.leave(animator)
    if let engine { animator.end(engine) }
    engine = nil
  }

  override final func forget() { engine = nil }
  override final func joined(_ item: EngineItem, _ animator: UIDynamicAnimator) { add(item, to: engine) }
  override final func left(_ item: EngineItem, _ animator: UIDynamicAnimator) { remove(item, from: engine) }
}
