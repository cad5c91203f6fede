import CollectionLayout
import Dynamics
import Foundation

/// A collection view without a screen. It calls its layout in UIKit's order, and creates cells only on request.
///
/// A driver replaces the finger and the screen. In each frame it calls `scroll(to:touch:)`, `step(by:)`,
/// `layoutIfNeeded()` and then `visibleAttributes()` or `presentedAttributes()`.
open class UICollectionView: UIScrollView {
  public enum ScrollDirection: Int, Sendable { case vertical, horizontal }

  public enum ElementCategory: Int, Sendable { case cell, supplementaryView, decorationView }

  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
  public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

  /// The view of the module CollectionLayout, which uses indices and structs instead of index paths and objects. It
  /// keeps the bounds, calls the layout, and animates updates and transitions.
  package final let engine: CollectionView
  final var current: UICollectionViewLayout { didSet { measured.removeAll() } }
  private final var counted = Sections(counts: []) { didSet { measured.removeAll() } }
  private final var mustCount = false
  private final weak var source: (any UICollectionViewDataSource)?
  /// The delegate, which is not retained. This property hides `UIScrollView.delegate` instead of overriding it, because
  /// its type differs.
  @_nonoverride open weak var delegate: (any UICollectionViewDelegate)? {
    get { super.delegate as? any UICollectionViewDelegate }
    set { super.delegate = newValue }
  }
  /// The delegate, without the cast that `delegate` makes.
  final var scrollDelegate: (any UIScrollViewDelegate)? { super.delegate }
  /// The sections before each animated change. Keys are the numbers by which `engine` identifies changes.
  final var formerSections: [Int: Sections] = [:]
  /// The changes requested so far by the current batch. Nil outside a batch.
  final var pendingBatch: PendingBatch?
  final var transition: Transition?
  final var scrollAnimation: ScrollAnimation?
  final var completions: [AnimationCompletion] = []
  /// Where the finger came down, points from the view's corner; nil while no finger is down.
  final var touchStart: CGPoint?
  /// Returns the attributes that a cell or another view prefers, as a cell's method of the same name does in UIKit. It
  /// receives a copy of the layout's attributes when the cell comes into view or has a new size. If nil, cells accept
  /// the layout's attributes.
  public final var preferredLayoutAttributesFitting:
    ((UICollectionViewLayoutAttributes) -> UICollectionViewLayoutAttributes)?
  final var measured: [Element: Measurement] = [:]
  private final var touchBefore: CGPoint?
  /// The velocity of the finger in the last step, points per second.
  final var touchVelocity = CGPoint.zero
  private final var changesBounds = false
  /// Whether a change of the content, the size or the inset may have left the view scrolled beyond its content.
  final var mayBeBeyondContent = false
  /// Whether the view is calling the layout. If the layout then asks the view for visible cells, the view returns only
  /// the cells that already exist, as in UIKit.
  final var isAsking = false
  /// While the view is being rotated, the paths of the items that were in view before the rotation; otherwise nil.
  final var pathsBeforeRotation: [IndexPath]?
  /// The bounds when `layoutSubviews()` was last called.
  private final var laidOutBounds: Rect?
  final var selection: Set<IndexPath> = [] {
    didSet { for (path, cell) in cells where cell.isSelected != selection.contains(path) { cell.isSelected.toggle() } }
  }
  /// The item that a finger is tapping; nil if there is none.
  final var highlighted: IndexPath? {
    didSet {
      guard highlighted != oldValue else { return }
      if let oldValue { cells[oldValue]?.isHighlighted = false }
      if let highlighted { cells[highlighted]?.isHighlighted = true }
    }
  }
  /// The views that were reported to the delegate as displayed. `displayedFor` says for which layout pass and bounds.
  final var displayed: [Element: UICollectionReusableView] = [:]
  final var displayedFor: (pass: Int, bounds: CGRect)?
  // Every frame reads the next two properties, so they do without Swift's checks of exclusive access, which take time.
  /// The cells that were created on request.
  @exclusivity(unchecked) final var cells: [IndexPath: UICollectionViewCell] = [:]
  /// The supplementary views that were created on request.
  @exclusivity(unchecked) final var supplementaryViews: [Element: UICollectionReusableView] = [:]
  open var allowsSelection = true
  open var allowsMultipleSelection = false
  open var isPrefetchingEnabled = true
  open weak var prefetchDataSource: AnyObject?
  open var backgroundView: UIView?
  /// The content width minus the view's width, points, when a mirrored layout was last prepared; at least 0.
  private(set) final var mirroredExcess: CGFloat = 0

  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    current = layout
    engine = mustSucceed { () throws(LayoutError) in
      try CollectionView(layout: CollectionViewLayout(), itemCount: 0, size: Size(width: 1, height: 1))
    }
    super.init(frame: frame)
    engine.resize(to: Rect(CGRect(origin: .zero, size: frame.size)))
    engine.replaceLayout(adopt(layout))
    engine.moveTouch(to: Point(x: Double(frame.width) / 2, y: Double(frame.height) / 2))
  }

  /// Creates a view of size zero, with a new flow layout.
  public required init?(coder: NSCoder) {
    current = UICollectionViewFlowLayout()
    engine = mustSucceed { () throws(LayoutError) in
      try CollectionView(layout: CollectionViewLayout(), itemCount: 0, size: Size(width: 1, height: 1))
    }
    super.init(coder: coder)
    engine.resize(to: Rect(.zero))
    engine.replaceLayout(adopt(current))
  }

  /// Makes this view the owner of a layout. Ends the program if another view owns it.
  final func adopt(_ layout: UICollectionViewLayout) -> ObjectLayout {
    guard layout.owner == nil || layout.owner === self else {
      raise("\(type(of: layout)) belongs to another collection view already")
    }
    let engineLayout = ObjectLayout(layout)
    (layout.owner, layout.engineLayout) = (self, engineLayout)
    return engineLayout
  }

  // MARK: Bounds

  /// The part of the content that the view shows, points. Its size is the size of the view.
  open override var bounds: CGRect {
    get { CGRect(engine.bounds) }
    set {
      guard newValue.size != bounds.size else { return moveBounds(to: newValue.origin) }
      let numbers = [newValue.minX, newValue.minY, newValue.width, newValue.height]
      guard numbers.allSatisfy(\.isFinite) else { return }
      settleTransition()
      mayBeBeyondContent = true
      changeBounds { engine.resize(to: Rect(newValue)) }
    }
  }

  /// Moves the bounds. Does nothing if `origin` is not finite.
  final func moveBounds(to origin: CGPoint, touch: CGPoint? = nil) {
    changeBounds { engine.moveBounds(to: Point(origin), touch: touch.map { Point($0) }) }
  }

  final func changeBounds(_ change: () -> Void) {
    let (old, isPart) = (contentOffset, changesBounds)
    changesBounds = true
    change()
    changesBounds = isPart
    if contentOffset != old, !isPart { scrollDelegate?.scrollViewDidScroll(self) }
  }

  /// Moves the bounds by an invalidation context's `contentOffsetAdjustment`, even while the bounds are changing.
  final func adjustOffset(by shift: CGPoint) {
    guard shift.x.isFinite, shift.y.isFinite else { return }
    changeBounds { engine.adjustOffset(by: Vector(dx: Double(shift.x), dy: Double(shift.y))) }
  }

  /// Moves the bounds at once or, if `animated`, over 0.3 seconds in `step(by:)`. `scroll(to:touch:)` ends the scroll.
  open override func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
    stopScrolling()
    guard animated, UIView.areAnimationsEnabled else { return moveBounds(to: contentOffset) }
    guard contentOffset != bounds.origin else { return }
    scrollAnimation = ScrollAnimation(from: bounds.origin, to: contentOffset)
  }

  /// The content size that the layout reports, points. During `prepare()`, this is the size from the last layout pass.
  open override var contentSize: CGSize {
    get { CGSize(engine.layout.collectionViewContentSize) }
    // Setting the size has no effect, because the layout determines it.
    // swift-format-ignore
    set {}
  }

  open override var contentInset: UIEdgeInsets { didSet { insetChanged() } }
  open override var safeAreaInsets: UIEdgeInsets { didSet { insetChanged() } }
  open override var contentInsetAdjustmentBehavior: ContentInsetAdjustmentBehavior { didSet { insetChanged() } }

  /// The inset of which the layout was last notified. It does not change while the layout is prepared.
  open override var adjustedContentInset: UIEdgeInsets {
    let inset = engine.contentInset
    return UIEdgeInsets(top: inset.top, left: inset.left, bottom: inset.bottom, right: inset.right)
  }

  /// The content size of the last layout pass. It is infinite if the layout needs insets for the whole safe area,
  /// because insets contain the safe area only along axes in which the content scrolls.
  override final var laidOutSize: CGSize {
    current.needsWholeInset
      ? CGSize(width: CGFloat.infinity, height: .infinity) : CGSize(current.engineLayout?.preparedSize ?? .zero)
  }

  /// The attribute that determines the direction of text. The layout mirrors the items if text runs from right to left.
  open override var semanticContentAttribute: UISemanticContentAttribute {
    didSet { if semanticContentAttribute != oldValue { current.invalidateLayout() } }
  }

  /// Tells the layout about a new inset. As in UIKit, a view that is scrolled to the start of its content stays there.
  private func insetChanged() {
    let (old, inset) = (engine.contentInset, EdgeInsets(super.adjustedContentInset))
    guard inset != old else { return }
    engine.contentInset = inset
    mayBeBeyondContent = true
    current.invalidateLayout()
    let origin = engine.bounds.origin
    moveBounds(
      to: CGPoint(x: origin.x == -old.left ? -inset.left : origin.x, y: origin.y == -old.top ? -inset.top : origin.y))
  }

  // MARK: Data

  /// Provides the numbers of items, and the cells. It is not retained. Setting it reloads the data.
  open weak var dataSource: (any UICollectionViewDataSource)? {
    get { source }
    set {
      source = newValue
      reloadData()
    }
  }

  /// Clears the selection. The items are counted again, without an animation, when their numbers are next needed.
  open func reloadData() {
    settleTransition()
    if transition != nil { raise(LayoutError.transitionUnderWay.description) }
    (selection, highlighted) = ([], nil)
    endDisplaying { _ in nil }
    moveCells { _ in nil }
    keepSupplementaryViews { _ in false }
    mustCount = true
    engine.reload()
  }

  /// The numbers of items. As in UIKit, the data source is asked for them when they are needed, and not by
  /// `reloadData()`, because an app may set the data source before it has its data.
  final var sections: Sections {
    get {
      countItems()
      return counted
    }
    set { counted = newValue }
  }

  /// Counts the items if `reloadData()` was called since they were last counted.
  final func countItems() {
    guard mustCount else { return }
    mustCount = false
    counted = countSections()
    engine.setItemCount(counted.itemCount)
  }

  final func countSections() -> Sections {
    guard let source else { return Sections(counts: []) }
    let counts = (0..<source.numberOfSections(in: self)).map { source.collectionView(self, numberOfItemsInSection: $0) }
    if let count = counts.first(where: { $0 < 0 }) { raise(LayoutError.invalidItemCount(count).description) }
    return Sections(counts: counts)
  }

  // MARK: The frame

  /// Prepares the layout if it is invalid.
  open override func layoutIfNeeded() {
    guard !isAsking else { return }
    // During this method, the controller, the delegate or a subclass may ask for visible cells, which starts another
    // layout pass. The controller and the subclass are not notified of that pass.
    guard !isLayingOut else { return layoutContent() }
    isLayingOut = true
    let controller = controller
    controller?.viewWillLayoutSubviews()
    if needsLayout || engine.isInvalid || engine.bounds != laidOutBounds {
      (needsLayout, laidOutBounds) = (false, engine.bounds)
      layoutSubviews()
    } else {
      layoutContent()
    }
    controller?.viewDidLayoutSubviews()
    for view in subviews {
      // A superview that is being laid out has applied the constraints of all views that have not changed since.
      if view.needsLayout || superview?.isLayingOut != true { view.applyConstraints() }
      view.layoutIfNeeded()
    }
    isLayingOut = false
  }

  open override func layoutSubviews() { layoutContent() }

  private func layoutContent() {
    prepareLayout()
    measureElements()
    if scrollDelegate != nil { noteDisplayed() }
    if !cells.isEmpty || !supplementaryViews.isEmpty { placeCells() }
  }

  /// Prepares the layout if it is invalid. If the layout is mirrored because text runs from right to left, the view
  /// keeps its distance from the right edge of the content.
  final func prepareLayout() {
    countItems()
    mustSucceed { () throws(LayoutError) in try engine.prepareLayout() }
    if mayBeBeyondContent {
      // The safe area counts only along axes in which the content scrolls, so the inset may have changed.
      if safeAreaInsets != .zero { insetChanged() }
      returnToContent()
    }
    let excess = current.mirroredWidth.map { self.excess(ofContent: $0) } ?? 0
    guard excess != mirroredExcess else { return }
    let shift = excess - mirroredExcess
    mirroredExcess = excess
    adjustOffset(by: CGPoint(x: shift, y: 0))
    mustSucceed { () throws(LayoutError) in try engine.prepareLayout() }
  }

  /// Brings the offset back into the content, as a scroll view does after a change of its content, size or inset. Does
  /// nothing while a finger, a deceleration or an animation moves the view.
  private func returnToContent() {
    mustSucceed { () throws(LayoutError) in try engine.prepareLayout() }
    mayBeBeyondContent = false
    guard transition == nil, !isTracking, !isDecelerating, scrollAnimation == nil else { return }
    let limits = scrollLimits(of: contentSize)
    let origin = CGPoint(
      x: min(max(contentOffset.x, limits.x.low), limits.x.high),
      y: min(max(contentOffset.y, limits.y.low), limits.y.high))
    guard origin != contentOffset else { return }
    moveBounds(to: origin)
    mustSucceed { () throws(LayoutError) in try engine.prepareLayout() }
  }

  final func excess(ofContent width: CGFloat) -> CGFloat { max(0, width - bounds.width) }

  /// Advances the animations of the layout and of the view by this many seconds. Does nothing if `timestep` is negative
  /// or not finite.
  open override func step(by timestep: TimeInterval) {
    guard timestep >= 0, timestep.isFinite else { return }
    if timestep > 0 {
      let (now, before) = (touchOnScreen, touchBefore ?? touchOnScreen)
      touchVelocity = CGPoint(x: (now.x - before.x) / timestep, y: (now.y - before.y) / timestep)
      touchBefore = now
    }
    stepScrolling(by: timestep)
    engine.step(by: timestep)
    endTransitionIfThere()
    for completion in completions.ended(after: timestep) { completion.body(true) }
    super.step(by: timestep)
  }

  /// Prepares the layout, and returns the attributes of the cells and other views in view, sorted by index path.
  public final func visibleAttributes() -> [UICollectionViewLayoutAttributes] {
    layoutIfNeeded()
    return attributesInView()
  }

  /// Returns the same as `visibleAttributes()`, but does not prepare the layout.
  final func attributesInView() -> [UICollectionViewLayoutAttributes] {
    let sections = sections
    guard transition == nil else {
      return engine.visibleAttributes().map { shown(AnimatedAttributes($0), in: sections) }
    }
    var found = elementsInView
    var (last, isAscending, areCells) = (-1, true, true)
    for attributes in found {
      let isCell = attributes.representedElementCategory == .cell
      let index = isCell ? sections.shownIndex(at: attributes.indexPath) : -1
      if index <= last { isAscending = false }
      if !isCell { areCells = false }
      (last, attributes.shownIndex) = (index, index)
    }
    guard !isAscending else { return found }
    // Comparing indices takes a tenth of the time that comparing index paths takes.
    found.sort { areCells ? $0.shownIndex < $1.shownIndex : $0.indexPath < $1.indexPath }
    // If the layout has returned several attributes of the same element, only one of them is shown.
    for index in (1..<found.count).reversed() where !areCells || found[index - 1].shownIndex == found[index].shownIndex
    {
      let earlier = found[..<index].reversed().prefix { $0.indexPath == found[index].indexPath }
      if earlier.contains(where: { $0.element == found[index].element }) { found.remove(at: index) }
    }
    return found
  }

  /// The attributes of the elements in view, as the layout returns them.
  final var elementsInView: [UICollectionViewLayoutAttributes] {
    let seen = CGRect(engine.bounds.grown(by: -CollectionViewLayout.visibilityTolerance))
    let found = current.shownElements(in: bounds)
    func isSeen(_ attributes: UICollectionViewLayoutAttributes) -> Bool {
      !attributes.isHidden && attributes.frame.overlaps(seen)
    }
    return found.allSatisfy(isSeen) ? found : found.filter(isSeen)
  }

  /// Returns the visible attributes at this moment of an animated update or transition. Items that are disappearing are
  /// included with their old index paths.
  public final func presentedAttributes() -> [UICollectionViewLayoutAttributes] {
    guard engine.animatedItemCount > 0 else { return visibleAttributes() }
    layoutIfNeeded()
    let leaving = engine.leavingItems().map { shown($0.look, in: formerSections[$0.change] ?? sections) }
    return engine.presentedItems().map { shown($0, in: sections) } + leaving
  }

  /// The number of items in motion.
  public final var animatedItemCount: Int { engine.animatedItemCount }

  private func shown(_ look: AnimatedAttributes, in sections: Sections) -> UICollectionViewLayoutAttributes {
    let index = min(look.attributes.index, max(0, sections.itemCount - 1))
    let attributes = UICollectionViewLayoutAttributes(forCellWith: sections.indexPath(at: index))
    attributes.adopt(look)
    return attributes
  }

  // MARK: Cells

  // No cells are created in advance. Registrations are ignored, and dequeued views are new and blank.
  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  open func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {}
  open func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String
  ) {}
  open func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  { UICollectionViewCell() }
  open func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView { UICollectionReusableView() }

  /// Returns a supplementary view, or nil if it is not in view. The data source creates the view at the first request.
  open func supplementaryView(forElementKind elementKind: String, at indexPath: IndexPath) -> UICollectionReusableView?
  {
    let element = Element(kind: elementKind, indexPath: indexPath)
    if isAsking { return supplementaryViews[element] }
    return visibleAttributes().first { $0.isSupplementary(elementKind) && $0.indexPath == indexPath }.map(
      supplementaryView)
  }

  // MARK: Selection

  open var indexPathsForSelectedItems: [IndexPath]? { selection.sorted() }

  open func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    guard allowsSelection else { return }
    if !allowsMultipleSelection || indexPath == nil { selection = [] }
    guard let indexPath else { return }
    selection.insert(indexPath)
    if !scrollPosition.isEmpty { scrollToItem(at: indexPath, at: scrollPosition, animated: animated) }
  }

  open func deselectItem(at indexPath: IndexPath, animated: Bool) { selection.remove(indexPath) }
}
