import CollectionLayout
import Dynamics
import Foundation

/// Returns the section at an index. If the result is nil and the section has items, the program ends.
public typealias UICollectionViewCompositionalLayoutSectionProvider = (Int, any NSCollectionLayoutEnvironment) ->
  NSCollectionLayoutSection?

open class UICollectionViewCompositionalLayoutConfiguration: NSObject, NSCopying {
  open var scrollDirection = UICollectionView.ScrollDirection.vertical
  /// The distance between sections, points.
  open var interSectionSpacing: CGFloat = 0
  /// Boundary items at the edges of the whole layout.
  open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []
  /// Has no effect: insets always refer to the safe area, as with `.automatic`.
  open var contentInsetsReference = UIContentInsetsReference.automatic

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A layout of sections, which consist of groups of items.
///
/// The time of a query depends on the number of results, not on the number of items, because equal groups share a plan:
/// the places of the items relative to the group. A group has a plan of its own only if one of its cells prefers a size
/// other than the estimate.
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  open var configuration: UICollectionViewCompositionalLayoutConfiguration { didSet { invalidateLayout() } }
  private final let provider: UICollectionViewCompositionalLayoutSectionProvider
  private final var placed: [SectionPlan] = []
  /// The boundary items (such as headers) of the whole layout.
  private final var boundaries: [SectionPlan.Boundary] = []
  private final var placedFor: (room: CGSize, counts: [Int]) = (.zero, [])
  private final var length: CGFloat = 0
  private final var isStale = true
  /// Whether views change with the scroll offset, because a boundary item is pinned or a handler changes them.
  private final var followsScroll = false
  /// The scroll offsets of the sections that scroll at a right angle to the layout, points, keyed by section.
  private final var offsets: [Int: CGFloat] = [:]
  /// The visible items of each section, as changed by its `visibleItemsInvalidationHandler` since the last `prepare()`.
  private final var handled: [Int: [UICollectionViewLayoutAttributes]] = [:]
  /// Sizes that cells prefer, by section and item.
  private final var preferredSizes: [Int: [Int: CGSize]] = [:]
  private final var preferredViewSizes: [UICollectionView.Element: CGSize] = [:]

  // None of these initializers is a convenience initializer, because a subclass may call or override any of them.
  public init(section: NSCollectionLayoutSection) {
    (provider, configuration) = ({ _, _ in section }, UICollectionViewCompositionalLayoutConfiguration())
    super.init()
  }

  public init(section: NSCollectionLayoutSection, configuration: UICollectionViewCompositionalLayoutConfiguration) {
    (provider, self.configuration) = ({ _, _ in section }, configuration)
    super.init()
  }

  public init(sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider) {
    (provider, configuration) = (sectionProvider, UICollectionViewCompositionalLayoutConfiguration())
    super.init()
  }

  public init(
    sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider,
    configuration: UICollectionViewCompositionalLayoutConfiguration
  ) {
    (provider, self.configuration) = (sectionProvider, configuration)
    super.init()
  }

  /// Ends the program, because an archive contains no sections, and a layout needs some.
  public required init?(coder: NSCoder) { raise("a compositional layout cannot be read from an archive") }

  private final var axis: FlowAxis { FlowAxis(isVertical: configuration.scrollDirection == .vertical) }
  override final var engineAxis: Axis { axis.isVertical ? .vertical : .horizontal }
  override final var needsWholeInset: Bool { true }

  // MARK: Placing

  /// Gets the sections from the provider again if they are out of date, or if the available size or a number of items
  /// has changed.
  open override func prepare() {
    super.prepare()
    handled = [:]
    guard let owner else { return }
    if !isStale, placedFor.room == room(in: owner), placedFor.counts == owner.sections.counts { return }
    place(owner)
  }

  private func place(_ owner: UICollectionView) {
    let (room, counts) = (room(in: owner), owner.sections.counts)
    placed.removeAll(keepingCapacity: true)
    for (number, count) in counts.enumerated() {
      let described = provider(number, LayoutEnvironment(room))
      if described == nil, count > 0 { raise("the section provider returned nothing for section \(number)") }
      let nothing = NSCollectionLayoutSize(widthDimension: .absolute(0), heightDimension: .absolute(0))
      let section = described ?? NSCollectionLayoutSection(group: .custom(layoutSize: nothing) { _ in [] })
      placed.append(
        SectionPlan(
          section, number, itemCount: count, axis, in: LayoutEnvironment(room, section.contentInsets),
          sizes: (preferredSizes[number] ?? [:], preferredViewSizes)))
    }
    (placedFor, isStale) = ((room, counts), false)
    stack()
  }

  /// Places the sections one after the other, and the boundary items of the whole layout around them.
  private func stack() {
    let room = placedFor.room
    boundaries = configuration.boundarySupplementaryItems.enumerated().map {
      SectionPlan.Boundary($1, at: IndexPath(index: $0), in: room, preferredViewSizes)
    }
    let (before, after) = axis.lengths(of: boundaries)
    length = before
    for number in placed.indices {
      placed[number].start = length + (number > 0 ? configuration.interSectionSpacing : 0)
      length = placed[number].end
    }
    length += after
    for index in boundaries.indices {
      boundaries[index].frame = axis.frame(
        of: boundaries[index], to: length, before: before, after: after, cross: 0..<max(0, axis.cross(room)))
    }
    followsScroll = boundaries.contains { $0.item.pinToVisibleBounds } || placed.contains { $0.followsScroll }
    readDirection(contentWidth: axis.isVertical ? room.width : max(room.width, length))
  }

  open override var collectionViewContentSize: CGSize {
    axis.rect(main: 0, cross: 0, length: length, breadth: axis.cross(placedFor.room)).size
  }

  // MARK: Queries

  /// Returns the elements in the rectangle, including boundary items and backgrounds. Each call creates new objects.
  open override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    let rect = mirrored(rect)
    var found: [UICollectionViewLayoutAttributes] = []
    let (low, high) = axis.ends(rect)
    for number in placed.sections(from: low, to: high) { found += elements(of: number, in: rect) }
    for boundary in boundaries {
      let attributes = attributes(boundary, from: 0, to: length)
      if attributes.frame.overlaps(rect) { found.append(attributes) }
    }
    if isMirrored { found.forEach { mirror($0) } }
    return found
  }

  private func elements(of number: Int, in rect: CGRect) -> [UICollectionViewLayoutAttributes] {
    let plan = placed[number]
    let shift = shift(ofSection: number)
    let local = rect.offsetBy(dx: -shift.x, dy: -shift.y)
    var found: [UICollectionViewLayoutAttributes] = []
    plan.forEach(
      in: local,
      item: { found.append(makeAttributes(at: IndexPath(item: $0, section: number), $1.frame, zIndex: $1.zIndex)) },
      view: { found.append(attributes($0, at: IndexPath(item: $1, section: number))) })
    if let handler = plan.section.visibleItemsInvalidationHandler {
      // Calls the handler once per `prepare()`, for the bounds of the view. Other queries return the changed
      // attributes.
      if handled[number] == nil, rect == owner.map({ mirrored($0.bounds) }) {
        let offset = plan.scrollLimit == nil ? rect.origin : CGPoint(x: -shift.x, y: -shift.y)
        handler(found, offset, plan.environment)
        handled[number] = found.compactMap { $0.copy(at: $0.indexPath) }
      } else {
        found = found.map { asHandled($0) }
      }
    }
    if shift != .zero {
      for attributes in found {
        attributes.center = CGPoint(x: attributes.center.x + shift.x, y: attributes.center.y + shift.y)
      }
    }
    for boundary in plan.boundaries {
      let attributes = attributes(boundary, from: plan.start, to: plan.end)
      if attributes.frame.overlaps(rect) { found.append(attributes) }
    }
    for item in plan.section.decorationItems where plan.length > 0 {
      let attributes = decoration(item, of: plan, at: IndexPath(item: 0, section: number))
      if attributes.frame.overlaps(rect) { found.append(attributes) }
    }
    return found
  }

  private func asHandled(_ attributes: UICollectionViewLayoutAttributes) -> UICollectionViewLayoutAttributes {
    let seen = handled[attributes.indexPath.section]?.first { $0.element == attributes.element }
    return seen?.copy(at: attributes.indexPath) ?? attributes
  }

  open override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    guard let attributes = attributes(at: indexPath, in: placed).map({ asHandled($0) }) else { return nil }
    let shift = shift(ofSection: indexPath.section)
    attributes.center = CGPoint(x: attributes.center.x + shift.x, y: attributes.center.y + shift.y)
    return mirror(attributes)
  }

  private func attributes(at path: IndexPath, in sections: [SectionPlan]) -> UICollectionViewLayoutAttributes? {
    place(at: path, in: sections).map { makeAttributes(at: path, $0.frame, zIndex: $0.zIndex) }
  }

  private func place(at path: IndexPath, in sections: [SectionPlan]) -> GroupPlan.Place? {
    guard path.count == 2, sections.indices.contains(path.section) else { return nil }
    let plan = sections[path.section]
    guard (0..<plan.itemCount).contains(path.item), plan.hasPlaces else { return nil }
    return plan.place(at: path.item)
  }

  open override func layoutAttributesForSupplementaryView(ofKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    if let (boundary, start, end) = boundary(ofKind: elementKind, at: indexPath) {
      return mirror(attributes(boundary, from: start, to: end))
    }
    guard indexPath.count == 2, placed.indices.contains(indexPath.section) else { return nil }
    let plan = placed[indexPath.section]
    guard let view = plan.fixedView(ofKind: elementKind, at: indexPath.item) else { return nil }
    let (attributes, shift) = (attributes(view, at: indexPath), shift(ofSection: indexPath.section))
    attributes.center = CGPoint(x: attributes.center.x + shift.x, y: attributes.center.y + shift.y)
    return mirror(attributes)
  }

  open override func layoutAttributesForDecorationView(ofKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    guard indexPath.count == 2, placed.indices.contains(indexPath.section) else { return nil }
    let plan = placed[indexPath.section]
    guard plan.length > 0 else { return nil }
    return plan.section.decorationItems.first { $0.elementKind == elementKind }.map {
      mirror(decoration($0, of: plan, at: indexPath))
    }
  }

  // MARK: Attributes

  private func attributes(_ view: FixedView, at path: IndexPath) -> UICollectionViewLayoutAttributes {
    makeAttributes(forSupplementaryViewOfKind: view.kind, at: path, view.frame, zIndex: view.zIndex)
  }

  /// Returns a boundary item with the start and end of the section or layout that contains it; nil if there is none.
  private func boundary(ofKind kind: String, at path: IndexPath) -> (SectionPlan.Boundary, CGFloat, CGFloat)? {
    func found(_ boundaries: [SectionPlan.Boundary]) -> SectionPlan.Boundary? {
      boundaries.first { $0.item.elementKind == kind && $0.indexPath == path }
    }
    if path.count == 1 { return found(boundaries).map { ($0, 0, length) } }
    guard path.count == 2, placed.indices.contains(path.section) else { return nil }
    let plan = placed[path.section]
    return found(plan.boundaries).map { ($0, plan.start, plan.end) }
  }

  private func attributes(_ boundary: SectionPlan.Boundary, from start: CGFloat, to end: CGFloat)
    -> UICollectionViewLayoutAttributes
  {
    let item = boundary.item
    var (frame, zIndex) = (axis.moved(boundary.frame, by: start), item.zIndex)
    if item.pinToVisibleBounds {
      frame = axis.pinned(
        frame, isBefore: axis.isBefore(item), isAfter: axis.isAfter(item), in: visibleRect, from: start, to: end)
      zIndex += 1
    }
    return makeAttributes(forSupplementaryViewOfKind: item.elementKind, at: boundary.indexPath, frame, zIndex: zIndex)
  }

  private func decoration(_ item: NSCollectionLayoutDecorationItem, of plan: SectionPlan, at path: IndexPath)
    -> UICollectionViewLayoutAttributes
  {
    let attributes = makeAttributes(at: path, plan.frame.inset(by: item.contentInsets), zIndex: item.zIndex)
    attributes.represent(.decorationView, item.elementKind)
    return attributes
  }

  // MARK: Sections that scroll across

  /// The scroll offset of a section that scrolls at a right angle to the layout, points. 0 for other sections.
  public final func offset(ofSection section: Int) -> CGFloat {
    guard placed.indices.contains(section), let limit = placed[section].scrollLimit else { return 0 }
    return min(max(0, offsets[section] ?? 0), limit)
  }

  private func shift(ofSection section: Int) -> CGPoint {
    let offset = offset(ofSection: section)
    return offset == 0 ? .zero : axis.rect(main: 0, cross: -offset, length: 0, breadth: 0).origin
  }

  /// Scrolls a section at a right angle to the layout, as a finger does, without an animation. The section does not
  /// scroll beyond the ends of its content.
  /// - Parameter offset: The distance from the start of the section, points.
  public final func scrollSection(_ section: Int, to offset: CGFloat) {
    offsets[section] = offset
    engineLayout?.invalidateLayout()
  }

  /// Lifts the finger from a section. The section moves at once to the offset at which it would come to rest.
  /// - Parameter velocity: The velocity of the scroll, points per millisecond.
  public final func endScrollingSection(_ section: Int, withVelocity velocity: CGFloat = 0) {
    guard placed.indices.contains(section) else { return }
    let (pitch, view) = placed[section].page
    let now = offset(ofSection: section)
    let rate = UIScrollView.DecelerationRate.normal.rawValue
    let far = now + velocity * rate / (1 - rate)
    /// Returns the offset of the next page in the direction of the velocity; if that is 0, of the nearest page.
    func page(_ length: CGFloat) -> CGFloat {
      guard length > 0 else { return now }
      let place = now / length
      let rounded = velocity > 0 ? place.rounded(.down) + 1 : velocity < 0 ? place.rounded(.up) - 1 : place.rounded()
      return rounded * length
    }
    switch placed[section].section.orthogonalScrollingBehavior {
    case .none, .continuous: scrollSection(section, to: far)
    case .continuousGroupLeadingBoundary: scrollSection(section, to: pitch > 0 ? (far / pitch).rounded() * pitch : far)
    case .paging: scrollSection(section, to: page(view))
    case .groupPaging, .groupPagingCentered: scrollSection(section, to: page(pitch))
    }
    offsets[section] = offset(ofSection: section)
  }

  // MARK: Invalidation

  /// Returns true if the view's size changes, if an item is pinned, or if a handler changes the visible items.
  open override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    newBounds.size != (owner?.bounds.size ?? .zero) || followsScroll
  }

  open override func invalidationContext(forBoundsChange newBounds: CGRect) -> UICollectionViewLayoutInvalidationContext
  {
    let context = super.invalidationContext(forBoundsChange: newBounds)
    context.keepsPlaces = newBounds.size == owner?.bounds.size
    return context
  }

  /// Makes `prepare()` get the sections again, unless the view only scrolls or only a preferred size has changed.
  open override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if !context.keepsPlaces { isStale = true }
    if context.invalidateEverything { (preferredSizes, preferredViewSizes) = ([:], [:]) }
    super.invalidateLayout(with: context)
  }

  // MARK: Self-sizing

  /// Returns true if the cell or boundary item prefers another length for a dimension that is estimated.
  open override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool {
    guard let (_, isEstimated) = estimate(of: originalAttributes) else { return false }
    let (preferred, original) = (preferredAttributes.size.sound, originalAttributes.size)
    return isEstimated.width && preferred.width != original.width
      || isEstimated.height && preferred.height != original.height
  }

  /// Makes room for the size that a cell or boundary item prefers. The views before it stay in place. If the cell or
  /// item starts before the visible part, the content offset changes, so that the views after it stay in place on
  /// screen.
  open override func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = super.invalidationContext(
      forPreferredLayoutAttributes: preferredAttributes, withOriginalAttributes: originalAttributes)
    guard let (start, isEstimated) = estimate(of: originalAttributes), isEstimated.width || isEstimated.height else {
      return context
    }
    let (path, size, oldLength) = (originalAttributes.indexPath, preferredAttributes.size.sound, length)
    if let kind = originalAttributes.representedElementKind {
      preferredViewSizes[originalAttributes.element] = size
      context.invalidateSupplementaryElements(ofKind: kind, at: [path])
    } else {
      preferredSizes[path.section, default: [:]][path.item] = size
      context.invalidateItems(at: [path])
    }
    if path.count == 2 {
      let plan = placed[path.section]
      placed[path.section] = SectionPlan(
        plan.section, path.section, itemCount: plan.itemCount, axis, in: plan.environment,
        sizes: (preferredSizes[path.section] ?? [:], preferredViewSizes),
        from: (plan, originalAttributes.representedElementKind == nil ? path.item : .max))
    }
    let visibleStart = axis.ends(visibleRect).low
    stack()
    context.keepsPlaces = true
    if start < visibleStart {
      // In a mirrored layout, the views after this one keep their x. When the content grows, the collection view would
      // move to keep its distance from the right edge. The adjustment undoes this movement.
      let growth = isMirrored && !axis.isVertical ? oldLength - length : length - oldLength
      context.contentOffsetAdjustment = axis.rect(main: growth, cross: 0, length: 0, breadth: 0).origin
    }
    return context
  }

  /// Returns where a cell or a boundary item would start if it were not pinned, and which of its dimensions are
  /// estimated. Returns nil if there is no such view.
  private func estimate(of attributes: UICollectionViewLayoutAttributes) -> (
    start: CGFloat, isEstimated: (width: Bool, height: Bool)
  )? {
    let path = attributes.indexPath
    if attributes.representedElementCategory == .cell {
      return place(at: path, in: placed).map { (axis.ends($0.frame).low, $0.isEstimated) }
    }
    return boundary(ofKind: attributes.representedElementKind ?? "", at: path).map { boundary, start, _ in
      (start + axis.ends(boundary.frame).low, boundary.item.layoutSize.isEstimated)
    }
  }

  // MARK: Changes

  /// Stores the preferred sizes under the new index paths of their items. Otherwise items would return to their
  /// estimates, and the items after them would move.
  override final func listChanged(from oldSections: Sections, to sections: Sections, _ map: IndexMap) {
    let before = preferredSizes
    preferredSizes = [:]
    if oldSections.count != sections.count { preferredViewSizes = [:] }
    for (section, sizes) in before {
      for (item, size) in sizes {
        let old = oldSections.index(at: IndexPath(item: item, section: section))
        guard let new = old.flatMap({ map.newIndex(ofItemAt: $0) }) else { continue }
        let path = sections.indexPath(at: new)
        preferredSizes[path.section, default: [:]][path.item] = size
      }
    }
  }

  override final func places() -> PlacesOfItems? {
    { [unowned self, placed] path in attributes(at: path, in: placed).map { mirror($0) } }
  }
}
