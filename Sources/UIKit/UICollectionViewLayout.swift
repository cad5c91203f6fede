import CollectionLayout
import Dynamics
import Foundation

/// Places the items of a collection view. In each frame, the view calls the layout in UIKit's order:
/// `shouldInvalidateLayout`, a step of the animators, `prepare()` if the layout is invalid, and queries.
open class UICollectionViewLayout: NSObject, NSCoding {
  /// The adapter by which the view calls this layout. Nil unless a view uses this layout.
  final weak var engineLayout: ObjectLayout?
  final weak var owner: UICollectionView?
  private final var animators: [WeakAnimator] = []
  private final var decorationClasses: [String: AnyClass] = [:]
  /// The change of the list or of the view's size whose animations are being set up; nil at other times.
  final var change: ListChange?
  /// Copies of the attributes of the items that were on the screen when `change` began.
  final var shownBeforeChange: [IndexPath: UICollectionViewLayoutAttributes] = [:]
  /// The places of all items when `change` began. Nil if the layout does not know them.
  private final var placesBeforeChange: PlacesOfItems?

  public override init() { super.init() }

  /// Creates a layout without reading the coder, because archives are not supported.
  public required init?(coder: NSCoder) { super.init() }

  open func encode(with coder: NSCoder) {}

  /// Never called, because nibs are not supported.
  open func awakeFromNib() {}

  /// The view that uses the layout; nil if there is none.
  open var collectionView: UICollectionView? { owner }

  /// The class of the attributes that the layout creates.
  open class var layoutAttributesClass: AnyClass { UICollectionViewLayoutAttributes.self }

  open class var invalidationContextClass: AnyClass { UICollectionViewLayoutInvalidationContext.self }

  /// The size of the whole content, points.
  open var collectionViewContentSize: CGSize { .zero }

  /// Called before the first query and whenever the layout is invalid.
  open func prepare() {}

  // MARK: Queries

  /// Returns all elements that overlap the rectangle by more than an edge, and perhaps others. Nil means none.
  open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? { nil }

  /// Returns nil if no item has this path, or if the layout does not show the item.
  open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }

  open func layoutAttributesForSupplementaryView(ofKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  { nil }

  open func layoutAttributesForDecorationView(ofKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  { nil }

  /// Returns the attributes of an item that a finger drags.
  open func layoutAttributesForInteractivelyMovingItem(at indexPath: IndexPath, withTargetPosition position: CGPoint)
    -> UICollectionViewLayoutAttributes
  {
    let attributes =
      layoutAttributesForItem(at: indexPath)?.copy() as? UICollectionViewLayoutAttributes
      ?? UICollectionViewLayoutAttributes(forCellWith: indexPath)
    attributes.center = position
    return attributes
  }

  open func targetIndexPath(forInteractivelyMovingItem previousIndexPath: IndexPath, withPosition position: CGPoint)
    -> IndexPath
  { owner?.indexPathForItem(at: position) ?? previousIndexPath }

  /// Returns the offset at which a scroll comes to rest. The velocity is in points per millisecond.
  open func targetContentOffset(
    forProposedContentOffset proposedContentOffset: CGPoint, withScrollingVelocity velocity: CGPoint
  ) -> CGPoint { proposedContentOffset }

  /// Returns the offset for the view after an update or a change of the layout.
  open func targetContentOffset(forProposedContentOffset proposedContentOffset: CGPoint) -> CGPoint {
    proposedContentOffset
  }

  // MARK: Invalidation

  /// Called when the bounds are about to change; the view's bounds are still the old ones.
  /// - Returns: Whether the layout must be prepared again for the new bounds.
  open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }

  open func invalidationContext(forBoundsChange newBounds: CGRect) -> UICollectionViewLayoutInvalidationContext {
    makeInvalidationContext()
  }

  /// Called for an element that comes into view or has a new size.
  /// - Parameters:
  ///   - preferredAttributes: The attributes that the cell prefers.
  ///   - originalAttributes: The attributes from the layout.
  /// - Returns: Whether the layout must be prepared again.
  open func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool { false }

  open func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext { makeInvalidationContext() }

  // The view never calls these two methods, because in this module fingers cannot move items.
  open func invalidationContext(
    forInteractivelyMovingItems targetIndexPaths: [IndexPath], withTargetPosition targetPosition: CGPoint,
    previousIndexPaths: [IndexPath], previousPosition: CGPoint
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = makeInvalidationContext()
    context.previousIndexPathsForInteractivelyMovingItems = previousIndexPaths
    context.targetIndexPathsForInteractivelyMovingItems = targetIndexPaths
    context.interactiveMovementTarget = targetPosition
    context.invalidateItems(at: previousIndexPaths + targetIndexPaths)
    return context
  }

  open func invalidationContextForEndingInteractiveMovementOfItems(
    toFinalIndexPaths indexPaths: [IndexPath], previousIndexPaths: [IndexPath], movementCancelled: Bool
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = makeInvalidationContext()
    context.previousIndexPathsForInteractivelyMovingItems = previousIndexPaths
    context.targetIndexPathsForInteractivelyMovingItems = indexPaths
    context.invalidateItems(at: previousIndexPaths + indexPaths)
    return context
  }

  /// Makes the view call `prepare()` before the next query.
  open func invalidateLayout() { invalidateLayout(with: pendingContext ?? makeInvalidationContext()) }

  /// The context that `invalidate(using:)` is passing to `invalidateLayout(with:)`.
  private final var pendingContext: UICollectionViewLayoutInvalidationContext?

  /// Invalidates the layout as a view does: by `invalidateLayout()`, which passes the context to
  /// `invalidateLayout(with:)`.
  final func invalidate(using context: UICollectionViewLayoutInvalidationContext) {
    pendingContext = context
    invalidateLayout()
    pendingContext = nil
  }

  open func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    engineLayout?.invalidateLayout()
    if context.contentOffsetAdjustment != .zero { owner?.adjustOffset(by: context.contentOffsetAdjustment) }
  }

  final func makeInvalidationContext() -> UICollectionViewLayoutInvalidationContext {
    guard let type = Self.invalidationContextClass as? UICollectionViewLayoutInvalidationContext.Type else {
      raise("\(Self.invalidationContextClass) is no UICollectionViewLayoutInvalidationContext")
    }
    return type.init()
  }

  // MARK: Updates, changes of the view's size, transitions

  /// Called with the changes of a batch, after `prepare()`, but before the initial and final attributes are requested.
  open func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {}

  /// Called after the animations of a batch have been set up.
  open func finalizeCollectionViewUpdates() {}

  /// Called after the view's bounds have changed, if the change will be animated.
  open func prepare(forAnimatedBoundsChange oldBounds: CGRect) {}

  /// Called after the animations of a change of bounds have been set up.
  open func finalizeAnimatedBoundsChange() {}

  /// Called when a transition to another layout begins. This layout has been prepared.
  open func prepareForTransition(to newLayout: UICollectionViewLayout) {}
  /// Called when a transition to this layout begins. This layout has been prepared.
  open func prepareForTransition(from oldLayout: UICollectionViewLayout) {}
  /// Called when a transition has ended, whether it was finished or canceled.
  open func finalizeLayoutTransition() {}

  /// Called for each item that is on the screen after a change. Returns the attributes with which its animation begins:
  /// by default, those before the change, or invisible ones for a new item. Nil means the default.
  /// - Parameter itemIndexPath: The path after the change.
  open func initialLayoutAttributesForAppearingItem(at itemIndexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    guard let index = owner?.sections.index(at: itemIndexPath), let change else { return nil }
    if change.map.oldIndex(ofItemAt: index) != nil { return placeBefore(ofItemAt: itemIndexPath) }
    return faded(layoutAttributesForItem(at: itemIndexPath)?.copy(at: itemIndexPath))
  }

  /// Called for each item that was on the screen before a change. Returns the attributes with which its animation ends:
  /// by default, those after the change, or invisible ones for a deleted item. Nil means the default.
  /// - Parameter itemIndexPath: The path before the change.
  open func finalLayoutAttributesForDisappearingItem(at itemIndexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    guard let change, let index = change.oldSections.index(at: itemIndexPath) else { return nil }
    if change.map.newIndex(ofItemAt: index) != nil { return placeAfter(ofItemAt: itemIndexPath) }
    return faded(attributesBeforeChange(at: itemIndexPath))
  }

  // The view never calls these methods, because it animates only items.
  open func initialLayoutAttributesForAppearingSupplementaryElement(
    ofKind elementKind: String, at elementIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }
  open func finalLayoutAttributesForDisappearingSupplementaryElement(
    ofKind elementKind: String, at elementIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }
  open func initialLayoutAttributesForAppearingDecorationElement(
    ofKind elementKind: String, at decorationIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }
  open func finalLayoutAttributesForDisappearingDecorationElement(
    ofKind elementKind: String, at decorationIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }
  open func indexPathsToInsertForSupplementaryView(ofKind elementKind: String) -> [IndexPath] { [] }
  open func indexPathsToDeleteForSupplementaryView(ofKind elementKind: String) -> [IndexPath] { [] }
  open func indexPathsToInsertForDecorationView(ofKind elementKind: String) -> [IndexPath] { [] }
  open func indexPathsToDeleteForDecorationView(ofKind elementKind: String) -> [IndexPath] { [] }

  // MARK: Decoration views

  open func register(_ viewClass: AnyClass?, forDecorationViewOfKind elementKind: String) {
    decorationClasses[elementKind] = viewClass
  }

  open func register(_ nib: UINib?, forDecorationViewOfKind elementKind: String) {}

  // MARK: Direction of text

  /// Whether the view flips its coordinates horizontally if text does not run in the `developmentLayoutDirection`. In
  /// flipped coordinates, the origin of the view's bounds is at the leading edge.
  open var flipsHorizontallyInOppositeLayoutDirection: Bool { false }
  /// The direction of text for which the layout is written.
  open var developmentLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
  /// The content width, if text runs from right to left and the layout has to mirror items because the view does not
  /// flip its coordinates. Otherwise nil.
  private(set) final var mirroredWidth: CGFloat?

  // MARK: For the view

  /// The main scroll direction. The content can nevertheless be scrolled along both axes.
  var engineAxis: Axis { .vertical }

  /// Whether the view's inset must contain the safe area on all sides, even on those where the content does not scroll.
  var needsWholeInset: Bool { false }

  /// Stores the state before a change of the list or of the view's size.
  final func changeBegins() {
    for item in owner.map({ elements(in: $0.bounds) }) ?? [] where item.representedElementCategory == .cell {
      shownBeforeChange[item.indexPath] = item.copy(at: item.indexPath)
    }
    placesBeforeChange = places()
  }

  final func changeEnds() { (change, shownBeforeChange, placesBeforeChange) = (nil, [:], nil) }

  typealias PlacesOfItems = (IndexPath) -> UICollectionViewLayoutAttributes?

  /// Returns a function that returns the present places of all items, even after the layout has changed. Nil by default.
  func places() -> PlacesOfItems? { nil }

  /// Returns the size of the view minus its inset, points.
  final func room(in view: UICollectionView) -> CGSize { view.bounds.inset(by: view.adjustedContentInset).size }

  /// Called when a batch has changed the numbers or the order of the items. Does nothing by default.
  func listChanged(from oldSections: Sections, to sections: Sections, _ map: IndexMap) {}

  /// Returns a new object with the attributes that an item had when the change began, or nil if they are unknown.
  final func attributesBeforeChange(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    shownBeforeChange[indexPath]?.copy(at: indexPath) ?? placesBeforeChange?(indexPath)
      ?? change?.oldLayout?.layoutAttributesForItem(at: indexPath)?.copy(at: indexPath)
  }

  final func stepsAnimator(_ animator: UIDynamicAnimator) { animators.append(WeakAnimator(animator: animator)) }

  /// Steps the animators of the layout. Each step of a running animator invalidates the layout.
  final func stepAnimators(by timestep: Double) {
    guard !animators.isEmpty else { return }
    animators.removeAll { $0.animator == nil }
    for animator in animators.compactMap(\.animator) where animator.isRunning {
      animator.step(by: timestep)
      tick.contentOffsetAdjustment = .zero
      invalidateLayout(with: tick)
    }
  }

  /// The invalidation context for steps of animators. All steps use one object, because frames must not allocate.
  private final lazy var tick: UICollectionViewLayoutInvalidationContext = {
    let context = makeInvalidationContext()
    context.keepsPlaces = true
    if let context = context as? UICollectionViewFlowLayoutInvalidationContext {
      (context.invalidateFlowLayoutDelegateMetrics, context.invalidateFlowLayoutAttributes) = (false, false)
    }
    return context
  }()
}

// MARK: - Attributes

extension UICollectionViewLayout {
  /// Creates attributes of the layout's `layoutAttributesClass`.
  /// - Parameter kind: The kind of a supplementary view. Nil for an item.
  final func makeAttributes(
    forSupplementaryViewOfKind kind: String? = nil, at indexPath: IndexPath, _ frame: CGRect, zIndex: Int? = nil
  ) -> UICollectionViewLayoutAttributes {
    guard let type = Self.layoutAttributesClass as? UICollectionViewLayoutAttributes.Type else {
      raise("\(Self.layoutAttributesClass) is no UICollectionViewLayoutAttributes")
    }
    let attributes = type.init()
    (attributes.indexPath, attributes.frame) = (indexPath, frame)
    if let zIndex { attributes.zIndex = zIndex }
    if let kind { attributes.represent(.supplementaryView, kind) }
    return attributes
  }

  private func faded(_ attributes: UICollectionViewLayoutAttributes?) -> UICollectionViewLayoutAttributes? {
    attributes?.alpha = 0
    return attributes
  }

  /// Returns where an item was before the change, given its present path, or nil if the list did not contain it.
  final func placeBefore(ofItemAt indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    guard let change, let index = owner?.sections.index(at: indexPath), let old = change.map.oldIndex(ofItemAt: index)
    else { return nil }
    return attributesBeforeChange(at: change.oldSections.indexPath(at: old))?.copy(at: indexPath)
  }

  /// Returns where an item is now, given its path before the change, or nil if the item was deleted.
  final func placeAfter(ofItemAt indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    guard let owner, let change, let index = change.oldSections.index(at: indexPath),
      let new = change.map.newIndex(ofItemAt: index)
    else { return nil }
    return layoutAttributesForItem(at: owner.sections.indexPath(at: new))?.copy(at: indexPath)
  }
}

// MARK: - Text that runs from right to left

extension UICollectionViewLayout {
  /// Decides whether the layout mirrors the places of its items. It does if text runs from right to left and the view
  /// does not flip its coordinates.
  final func readDirection(contentWidth: CGFloat) {
    let isMirrored =
      owner?.effectiveUserInterfaceLayoutDirection == .rightToLeft && !flipsHorizontallyInOppositeLayoutDirection
    mirroredWidth = isMirrored ? contentWidth : nil
  }

  final var isMirrored: Bool { mirroredWidth != nil }

  /// Converts a rectangle of the view to coordinates in which text runs from left to right, and back.
  final func mirrored(_ rect: CGRect) -> CGRect {
    guard let mirroredWidth else { return rect }
    return CGRect(x: mirroredWidth - rect.maxX, y: rect.minY, width: rect.width, height: rect.height)
  }

  @discardableResult final func mirror(_ attributes: UICollectionViewLayoutAttributes)
    -> UICollectionViewLayoutAttributes
  {
    if let mirroredWidth { attributes.center.x = mirroredWidth - attributes.center.x }
    return attributes
  }

  /// The part of the content inside the view's insets, in coordinates in which text runs from left to right.
  final var visibleRect: CGRect {
    guard let owner else { return .zero }
    var rect = owner.bounds.inset(by: owner.adjustedContentInset)
    if let mirroredWidth {
      // When the content grows, the view later scrolls by the same distance, to keep its place relative to the
      // content's right edge. Until it has scrolled, its bounds refer to the old width.
      let growth = owner.excess(ofContent: mirroredWidth) - owner.mirroredExcess
      rect.origin.x = mirroredWidth - growth - rect.maxX
    }
    return rect
  }
}

// MARK: - Attributes as the view shows them

extension UICollectionViewLayout {
  /// Whether the view flips its coordinates.
  final var isFlipped: Bool {
    flipsHorizontallyInOppositeLayoutDirection
      && owner.map { $0.effectiveUserInterfaceLayoutDirection != developmentLayoutDirection } == true
  }

  /// Returns the elements in a rectangle of the view's content. There are none if the content has no size.
  final func shownElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes] {
    // Reads the size only if it was zero in the last layout pass, because some layouts take long to compute it.
    if engineLayout?.preparedSize == .zero, collectionViewContentSize == .zero { return [] }
    guard isFlipped, let owner else { return elements(in: rect) }
    let left = 2 * owner.bounds.midX - rect.maxX
    let flippedRect = CGRect(x: left, y: rect.minY, width: rect.width, height: rect.height)
    return elements(in: flippedRect).compactMap { flipped($0, in: owner) }
  }

  final func elements(in rect: CGRect) -> [UICollectionViewLayoutAttributes] {
    asked { layoutAttributesForElements(in: rect) ?? [] }
  }

  /// Calls the layout. If the layout meanwhile asks its view for visible cells, the view answers without calling the
  /// layout again.
  final func asked<Answer>(_ call: () -> Answer) -> Answer {
    let view = owner
    let wasAsking = view?.isAsking ?? false
    view?.isAsking = true
    defer { view?.isAsking = wasAsking }
    return call()
  }

  /// Returns the attributes as the view shows them: a mirrored copy if the view flips its coordinates.
  final func shown(_ attributes: UICollectionViewLayoutAttributes?) -> UICollectionViewLayoutAttributes? {
    guard isFlipped, let owner else { return attributes }
    return attributes.flatMap { flipped($0, in: owner) }
  }

  private func flipped(_ attributes: UICollectionViewLayoutAttributes, in view: UICollectionView)
    -> UICollectionViewLayoutAttributes?
  {
    let copy = attributes.copy(at: attributes.indexPath)
    copy?.center.x = 2 * view.bounds.midX - attributes.center.x
    return copy
  }
}

struct WeakAnimator { weak var animator: UIDynamicAnimator? }
