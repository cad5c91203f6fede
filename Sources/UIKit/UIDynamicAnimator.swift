import Dynamics
import Foundation

/// An object that is notified when an animator pauses and resumes.
public protocol UIDynamicAnimatorDelegate: NSObjectProtocol {
  /// Called when something moves again after a rest, or for the first time.
  func dynamicAnimatorWillResume(_ animator: UIDynamicAnimator)
  /// Called when all items have come to rest.
  func dynamicAnimatorDidPause(_ animator: UIDynamicAnimator)
}

extension UIDynamicAnimatorDelegate {
  public func dynamicAnimatorWillResume(_ animator: UIDynamicAnimator) {}
  public func dynamicAnimatorDidPause(_ animator: UIDynamicAnimator) {}
}

/// Runs behaviors. A layout or a reference view steps its own animators. Call `step(by:)` on all other animators.
///
/// Misuse for which UIKit raises an exception ends the program with a message.
open class UIDynamicAnimator: NSObject {
  /// The engine, in which items have UIKit's properties until a `UIDynamicItemBehavior` changes them.
  final let engine = DynamicAnimator(followsUIKit: true)
  /// The items of all gravity behaviors. As in UIKit, they share one direction, that of the behavior that changed last.
  final lazy var gravity = GravityBehavior()
  public private(set) final weak var referenceView: UIView?
  public final weak var delegate: (any UIDynamicAnimatorDelegate)?
  /// The behaviors in the order in which they were added.
  @exclusivity(unchecked) public private(set) final var behaviors: [UIDynamicBehavior] = []
  /// The time that the animator has run, seconds.
  public private(set) final var elapsedTime: TimeInterval = 0
  @exclusivity(unchecked) private final var items: [ObjectIdentifier: EngineItem] = [:]
  /// The number of items in the last result of `items(in:)`. The next call reserves memory for that many items.
  private final var latestFoundCount = 0
  /// The items that are layout attributes, keyed by the elements that they represented when they were added.
  private final var elements: [UICollectionView.Element: EngineItem] = [:]
  /// The added items whose transforms are not rotations until the next step.
  private final var transformed: [EngineItem] = []
  /// Whether the animator must call its behaviors in each step. Attachments without an action need no calls.
  final var callsBehaviors = false
  /// The running collision behaviors. Each step passes them the reference bounds, which can change at any time.
  final var followers: [UICollisionBehavior] = []
  /// Whether behaviors that set properties may run in another order than that of the tree. The next step corrects this.
  final var isOutOfOrder = false
  /// How many calls are adding or removing behaviors now, and whether to notify the delegate when they have ended.
  private final var pending = (calls: 0, resumes: false)
  private final lazy var messenger = Messenger(self)
  private final weak var layout: UICollectionViewLayout?
  private final var (isForLayout, isForView) = (false, false)

  /// Creates an animator that advances only when `step(by:)` is called.
  public override init() {
    super.init()
    engine.delegate = messenger
  }

  /// Creates an animator that `layout` steps but does not retain. Each step of the running animator invalidates the
  /// layout, so that `prepare()` is called.
  public convenience init(collectionViewLayout layout: UICollectionViewLayout) {
    self.init()
    (self.layout, isForLayout) = (layout, true)
    layout.stepsAnimator(self)
  }

  /// Creates an animator that `view` steps but does not retain.
  public init(referenceView view: UIView) {
    (referenceView, isForView) = (view, true)
    super.init()
    engine.delegate = messenger
    view.stepsAnimator(self)
  }

  deinit { for behavior in behaviors { behavior.forgetAnimator() } }

  /// Whether anything moves.
  open var isRunning: Bool { engine.isRunning }

  open func addBehavior(_ behavior: UIDynamicBehavior) {
    guard behavior.parent == nil, behavior.dynamicAnimator == nil else {
      if behavior.dynamicAnimator === self, behavior.parent == nil { return }
      raise("\(behavior) already belongs to an animator or to another behavior; remove it there first")
    }
    behaviors.append(behavior)
    whole { behavior.start(in: self) }
  }

  /// Postpones notifications until a change is complete, because the delegate may change the animator again.
  final func whole(_ change: () -> Void) {
    pending.calls += 1
    change()
    pending.calls -= 1
    guard pending.calls == 0, pending.resumes else { return }
    pending.resumes = false
    delegate?.dynamicAnimatorWillResume(self)
  }

  private func resumed() {
    if pending.calls > 0 { pending.resumes = true } else { delegate?.dynamicAnimatorWillResume(self) }
  }

  /// Does nothing if the animator does not run the behavior.
  /// - Complexity: O(behaviors).
  open func removeBehavior(_ behavior: UIDynamicBehavior) {
    guard behavior.dynamicAnimator === self, behavior.parent == nil else { return }
    whole {
      behavior.stop(in: self)
      if let index = behaviors.firstIndex(where: { $0 === behavior }) { behaviors.remove(at: index) }
    }
  }

  open func removeAllBehaviors() {
    let removed = behaviors
    behaviors = []
    engine.removeAllBehaviors()
    (items, elements, transformed, followers) = ([:], [:], [], [])
    (callsBehaviors, isOutOfOrder) = (false, false)
    gravity = GravityBehavior()
    for behavior in removed { behavior.forgetAnimator() }
  }

  /// Returns the items that overlap `rect`. Touching at an edge does not count. A rotated item counts as the upright
  /// rectangle around it.
  /// - Complexity: O(items).
  open func items(in rect: CGRect) -> [any UIDynamicItem] {
    var items: [any UIDynamicItem] = []
    items.reserveCapacity(latestFoundCount)
    engine.forEachItem(in: Rect(rect)) { if let item = $0 as? EngineItem { items.append(item.item) } }
    latestFoundCount = items.count
    return items
  }

  /// Reads the center and the rotation of the item again after code outside the animator has moved the item. The size
  /// and the velocity stay the same. Does nothing if the animator does not move the item.
  open func updateItem(usingCurrentState item: any UIDynamicItem) {
    if let item = items[ObjectIdentifier(item)] { try? engine.updateItem(usingCurrentState: item) }
  }

  /// Advances the animator by this many seconds. Does nothing if `timestep` is negative or not finite.
  public final func step(by timestep: TimeInterval) {
    for follower in followers { follower.followReferenceBounds() }
    guard engine.isRunning, timestep >= 0, timestep.isFinite else { return }
    if isOutOfOrder { orderProperties() }
    if callsBehaviors { for behavior in behaviors { behavior.willStepAll(by: timestep, in: self) } }
    engine.step(by: timestep)
    if !transformed.isEmpty {
      for item in transformed where item.uses > 0 { item.angle = item.angle }
      transformed = []
    }
    elapsedTime += timestep
    if callsBehaviors { for behavior in behaviors { behavior.didStepAll(by: timestep, in: self) } }
  }

  /// Makes properties those of the last behavior in the order of the tree. UIKit does this before a step.
  private func orderProperties() {
    var running: [DynamicItemBehavior] = []
    func visit(_ behaviors: [UIDynamicBehavior]) {
      for behavior in behaviors {
        if let engine = (behavior as? UIDynamicItemBehavior)?.engine { running.append(engine) }
        visit(behavior.childBehaviors)
      }
    }
    visit(behaviors)
    engine.order(running)
    isOutOfOrder = false
  }

  // MARK: Attributes

  /// Returns the attributes that had this index path when they were added. Returns nil if there are none, or if the
  /// animator was not made for a layout. The same is true of the next two methods.
  open func layoutAttributesForCell(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    attributes(of: UICollectionView.Element(kind: nil, indexPath: indexPath))
  }

  open func layoutAttributesForSupplementaryView(ofKind kind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  { attributes(of: UICollectionView.Element(kind: kind, indexPath: indexPath)) }

  open func layoutAttributesForDecorationView(ofKind kind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  { attributes(of: UICollectionView.Element(kind: kind, indexPath: indexPath, isDecoration: true)) }

  private func attributes(of element: UICollectionView.Element) -> UICollectionViewLayoutAttributes? {
    elements[element]?.item as? UICollectionViewLayoutAttributes
  }

  // MARK: For the behaviors

  /// The bounds of the reference view, or of the layout's content. Nil if the animator has neither.
  final var referenceBounds: CGRect? {
    if let layout { return CGRect(origin: .zero, size: layout.collectionViewContentSize) }
    return referenceView?.bounds
  }

  /// Returns the object that represents `item` in the engine, and counts one more behavior that uses this object.
  final func retain(_ item: any UIDynamicItem) -> EngineItem {
    let known = known(item) ?? add(item)
    known.uses += 1
    return known
  }

  /// Returns the object that represents `item` in the engine, or nil if there is none. A layout's animator has one such
  /// object for each element, which moves the first attributes of the element. Other attributes of the element stay
  /// where they are, and most behaviors with them act on the first ones.
  private func known(_ item: any UIDynamicItem) -> EngineItem? {
    if let known = engineItem(item) { return known }
    guard isForLayout, let element = (item as? UICollectionViewLayoutAttributes)?.element, let known = elements[element]
    else { return nil }
    // Some apps change the paths of attributes that belong to the animator. Then these represent another element.
    return (known.item as? UICollectionViewLayoutAttributes)?.element == element ? known : nil
  }

  private func add(_ item: any UIDynamicItem) -> EngineItem {
    let new = EngineItem(item, of: self)
    check(new)
    if isForLayout, let element = (item as? UICollectionViewLayoutAttributes)?.element {
      elements[element] = new
      new.element = element
    }
    if !item.transform.isIdentity { transformed.append(new) }
    items[ObjectIdentifier(item)] = new
    return new
  }

  /// Ends the program where UIKit raises an exception about a new item.
  private func check(_ new: EngineItem) {
    let (item, size) = (new.item, new.item.bounds.size)
    if item is UICollectionViewLayoutAttributes ? isForView : isForLayout {
      raise("\(new.dynamicItemName) cannot be moved by the animator of a \(isForView ? "view" : "layout")")
    }
    if let referenceView, let view = item as? UIView, !view.isDescendant(of: referenceView) {
      raise("\(new.dynamicItemName) must be inside the animator's reference view; add it there first")
    }
    if size.width == 0 || size.height == 0 { raise("\(new.dynamicItemName) has the invalid size \(size)") }
  }

  /// Counts one behavior less that uses what `retain` has returned.
  final func release(_ known: EngineItem) {
    known.uses -= 1
    guard known.uses == 0 else { return }
    items[ObjectIdentifier(known.item)] = nil
    if let element = known.element, elements[element] === known { elements[element] = nil }
  }

  /// Returns the object that moves `item` itself, or nil if there is none.
  final func engineItem(_ item: any UIDynamicItem) -> EngineItem? { items[ObjectIdentifier(item)] }

  /// Runs a behavior. Ignores a behavior that the engine rejects, such as a spring of an item whose center is not
  /// finite. Ends the program if there are too many collision behaviors.
  final func run(_ behavior: DynamicBehavior) {
    do throws(DynamicsError) { try engine.addBehavior(behavior) } catch {
      if case .tooManyCollisionBehaviors = error { raise("\(error)") }
    }
  }
  final func end(_ behavior: DynamicBehavior) { try? engine.removeBehavior(behavior) }

  /// Ends the attachments of one behavior, all of which connect the same items.
  final func end(_ attachments: [AttachmentBehavior]) {
    for attachment in attachments { end(attachment) }
    if let body = attachments.first?.item as? EngineItem { release(body) }
    if let body = attachments.first?.attachedItem as? EngineItem { release(body) }
  }

  private final class Messenger: DynamicAnimatorDelegate {
    weak var animator: UIDynamicAnimator?

    init(_ animator: UIDynamicAnimator) { self.animator = animator }

    func dynamicAnimatorWillResume(_ engine: DynamicAnimator) { animator?.resumed() }

    func dynamicAnimatorDidPause(_ engine: DynamicAnimator) {
      if let animator { animator.delegate?.dynamicAnimatorDidPause(animator) }
    }
  }
}
