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
  final let engine = DynamicAnimator()
  public private(set) final weak var referenceView: UIView?
  public final weak var delegate: (any UIDynamicAnimatorDelegate)?
  /// The behaviors in the order in which they were added.
  @exclusivity(unchecked) public private(set) final var behaviors: [UIDynamicBehavior] = []
  /// The time that the animator has run, seconds.
  public private(set) final var elapsedTime: TimeInterval = 0
  @exclusivity(unchecked) private final var items: [ObjectIdentifier: EngineItem] = [:]
  private final var addedCount = 0
  /// The number of items in the last result of `items(in:)`. The next call reserves memory for that many items.
  private final var latestFoundCount = 0
  /// The items that are layout attributes, keyed by the elements that they represented when they were added.
  private final var elements: [UICollectionView.Element: EngineItem] = [:]
  /// Whether the animator must call its behaviors in each step. Attachments without an action need no calls.
  final var callsBehaviors = false
  /// The running collision behaviors. Each step passes them the reference bounds, which can change at any time.
  final var followers: [UICollisionBehavior] = []
  /// How many calls are adding or removing behaviors now, and whether to notify the delegate when they have ended.
  private final var pending = (calls: 0, resumes: false)
  private final lazy var messenger = Messenger(self)
  private final weak var layout: UICollectionViewLayout?

  /// Creates an animator that advances only when `step(by:)` is called.
  public override init() {
    super.init()
    engine.delegate = messenger
  }

  /// Creates an animator that `layout` steps but does not retain. Each step of the running animator invalidates the
  /// layout, so that `prepare()` is called.
  public convenience init(collectionViewLayout layout: UICollectionViewLayout) {
    self.init()
    self.layout = layout
    layout.stepsAnimator(self)
  }

  /// Creates an animator that `view` steps but does not retain.
  public init(referenceView view: UIView) {
    referenceView = view
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
    (items, elements, followers, callsBehaviors) = ([:], [:], [], false)
    for behavior in removed { behavior.forgetAnimator() }
  }

  /// Returns the items whose rectangles overlap `rect` by more than an edge.
  /// - Complexity: O(items).
  open func items(in rect: CGRect) -> [any UIDynamicItem] {
    var items: [any UIDynamicItem] = []
    items.reserveCapacity(latestFoundCount)
    engine.forEachItem(in: Rect(rect)) { if let item = $0 as? EngineItem { items.append(item.item) } }
    latestFoundCount = items.count
    return items
  }

  /// Reads the state of the item again after code outside the animator has moved the item. The velocity stays the same.
  /// Does nothing if the item belongs to no behavior of this animator.
  open func updateItem(usingCurrentState item: any UIDynamicItem) {
    if let item = items[ObjectIdentifier(item)] { try? engine.updateItem(usingCurrentState: item) }
  }

  /// Advances the animator by this many seconds. Does nothing if `timestep` is negative or not finite.
  public final func step(by timestep: TimeInterval) {
    for follower in followers { follower.followReferenceBounds() }
    guard engine.isRunning, timestep >= 0, timestep.isFinite else { return }
    if callsBehaviors { for behavior in behaviors { behavior.willStepAll(by: timestep, in: self) } }
    engine.step(by: timestep)
    elapsedTime += timestep
    if callsBehaviors { for behavior in behaviors { behavior.didStepAll(by: timestep, in: self) } }
  }

  // MARK: Attributes

  /// Returns the attributes of the item with this index path, or nil if there are none. If an app gave several
  /// attributes the same path, returns the ones that were added first.
  /// - Complexity: O(items), as for the next two methods.
  open func layoutAttributesForCell(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    attributes { $0.representedElementCategory == .cell && $0.indexPath == indexPath }
  }

  open func layoutAttributesForSupplementaryView(ofKind kind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    attributes {
      $0.representedElementCategory == .supplementaryView && $0.representedElementKind == kind
        && $0.indexPath == indexPath
    }
  }

  open func layoutAttributesForDecorationView(ofKind kind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    attributes {
      $0.representedElementCategory == .decorationView && $0.representedElementKind == kind && $0.indexPath == indexPath
    }
  }

  private func attributes(where isWanted: (UICollectionViewLayoutAttributes) -> Bool)
    -> UICollectionViewLayoutAttributes?
  {
    var found: (order: Int, attributes: UICollectionViewLayoutAttributes)?
    for item in items.values where found.map({ item.order < $0.order }) ?? true {
      guard let attributes = item.item as? UICollectionViewLayoutAttributes, isWanted(attributes) else { continue }
      found = (item.order, attributes)
    }
    return found?.attributes
  }

  // MARK: For the behaviors

  /// The bounds of the reference view, or of the layout's content. Nil if the animator has neither.
  final var referenceBounds: CGRect? {
    if let layout { return CGRect(origin: .zero, size: layout.collectionViewContentSize) }
    return referenceView?.bounds
  }

  /// Returns the object that represents `item` in the engine, and counts one more behavior that uses this object.
  final func retain(_ item: any UIDynamicItem) -> EngineItem {
    let known = items[ObjectIdentifier(item)] ?? add(item)
    known.uses += 1
    return known
  }

  /// Adds an item. Ends the program if other attributes already represent the same element. UIKit raises an exception
  /// about a body "without representedObject for item" (objc.io, "UICollectionView + UIKit Dynamics", issue 5, 2013).
  private func add(_ item: any UIDynamicItem) -> EngineItem {
    let new = EngineItem(item, order: addedCount)
    addedCount += 1
    if let attributes = item as? UICollectionViewLayoutAttributes {
      let element = attributes.element
      // Checks that the old attributes still represent this element, because some apps change the paths of attributes
      // that belong to the animator.
      if let old = elements[element]?.item as? UICollectionViewLayoutAttributes, old.element == element {
        raise("the animator has other attributes of \(new.dynamicItemName); remove their behaviors first")
      }
      elements[element] = new
      new.element = element
    }
    items[ObjectIdentifier(item)] = new
    return new
  }

  final func release(_ item: any UIDynamicItem) {
    guard let known = items[ObjectIdentifier(item)] else { return }
    known.uses -= 1
    guard known.uses == 0 else { return }
    items[ObjectIdentifier(item)] = nil
    if let element = known.element, elements[element] === known { elements[element] = nil }
  }

  final func engineItem(_ item: any UIDynamicItem) -> EngineItem? { items[ObjectIdentifier(item)] }

  /// Runs a behavior. Ignores a behavior that the engine rejects, such as a spring of an item whose center is not
  /// finite.
  final func run(_ behavior: DynamicBehavior) { try? engine.addBehavior(behavior) }
  final func end(_ behavior: DynamicBehavior) { try? engine.removeBehavior(behavior) }

  private final class Messenger: DynamicAnimatorDelegate {
    weak var animator: UIDynamicAnimator?

    init(_ animator: UIDynamicAnimator) { self.animator = animator }

    func dynamicAnimatorWillResume(_ engine: DynamicAnimator) { animator?.resumed() }

    func dynamicAnimatorDidPause(_ engine: DynamicAnimator) {
      if let animator { animator.delegate?.dynamicAnimatorDidPause(animator) }
    }
  }
}
