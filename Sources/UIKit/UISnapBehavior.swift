import Dynamics
import Foundation

/// Pulls an item to a point, where it comes to rest upright. A spring acts on each corner.
open class UISnapBehavior: UIDynamicBehavior {
  /// The frequency of the item as a whole, Hz. UIKit's frequency is not documented.
  private static let frequency = 4.0
  private static let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]

  private final let item: any UIDynamicItem
  private final var springs: [AttachmentBehavior] = []

  /// The damping ratio: at 0 the item swings forever, at 1 (critical damping) it does not swing.
  open var damping: CGFloat = 0.5 { didSet { for spring in springs { spring.damping = damping.usable(0...1) / 2 } } }
  open var snapPoint: CGPoint {
    didSet { for spring in springs { try? spring.setAnchorPoint(anchor(spring.offsetFromCenter)) } }
  }

  public init(item: any UIDynamicItem, snapTo point: CGPoint) {
    (self.item, snapPoint) = (item, point)
    super.init()
  }

  private func anchor(_ corner: Vector) -> Point {
    Point(x: Double(snapPoint.x) + corner.dx, y: Double(snapPoint.y) + corner.dy)
  }

  override final func join(_ animator: UIDynamicAnimator) {
    let body = animator.retain(item)
    // Four springs have four times the stiffness and friction of one. Halving frequency and damping makes up for this.
    springs = Self.corners.map {
      let corner = Vector(dx: $0 * Double(item.bounds.width), dy: $1 * Double(item.bounds.height))
      return AttachmentBehavior(
        item: body, offsetFromCenter: corner, attachedToAnchor: anchor(corner), length: 0,
        damping: damping.usable(0...1) / 2, frequency: Self.frequency / 2)
    }
    for spring in springs { animator.run(spring) }
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    animator.end(springs)
    springs = []
  }

  override final func forget() { springs = [] }
}
