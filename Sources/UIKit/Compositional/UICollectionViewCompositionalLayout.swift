import CollectionLayout
import Dynamics
import Foundation

/// Returns the section at an index. If the result is nil, the program ends.
public typealias UICollectionViewCompositionalLayoutSectionProvider = (Int, any NSCollectionLayoutEnvironment) ->
  NSCollectionLayoutSection?

open class UICollectionViewCompositionalLayoutConfiguration: NSObject, NSCopying {
  open var scrollDirection = UICollectionView.ScrollDirection.vertical
  /// Points.
  open var interSectionSpacing: CGFloat = 0
  /// Boundary items at the edges of the whole layout.
  open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []
  /// Has no effect: the reference is always the safe area, as with `.automatic`.
  open var contentInsetsReference = UIContentInsetsReference.automatic

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A layout of sections, which consist of groups of items.
///
/// The cost of a query depends on the number of results, not on the number of items: all groups of a section are alike,
/// so their places are computed.
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  open var configuration: UICollectionViewCompositionalLayoutConfiguration { didSet { invalidateLayout() } }
  private final let provider: UICollectionViewCompositionalLayoutSectionProvider
  private final var placed: [SectionPlan] = []
  private final var placedBeforeChange: [SectionPlan] = []
  /// The boundary items of the whole layout.
  private final var boundaries: [SectionPlan.Boundary] = []
  private final var placedFor: (room: CGSize, counts: [Int]) = (.zero, [])
  private final var length: CGFloat = 0
  private final var isStale = true
  /// Whether an item is pinned, or a handler changes the visible items.
  private final var followsScroll = false
  /// The scroll offsets of the sections that scroll across the layout, points.
  private final var offsets: [Int: CGFloat] = [:]
  /// The visible items of each section, as its handler has changed them since the last `prepare()`.
  private final var handled: [Int: [UICollectionViewLayoutAttributes]] = [:]

  public convenience init(section: NSCollectionLayoutSection) {
    self.init(section: section, configuration: UICollectionViewCompositionalLayoutConfiguration())
  }

  public convenience init(
    section: NSCollectionLayoutSection, configuration: UICollectionViewCompositionalLayoutConfiguration
  ) { self.init(sectionProvider: { _, _ in section }, configuration: configuration) }

  public convenience init(sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider) {
    self.init(sectionProvider: sectionProvider, configuration: UICollectionViewCompositionalLayoutConfiguration())
  }

  public init(
    sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider,
    configuration: UICollectionViewCompositionalLayoutConfiguration
  ) {
    (provider, self.configuration) = (sectionProvider, configuration)
    super.init()
  }

  /// Ends the program, because a layout without a section is meaningless in UIKit as well.
  public required init?(coder: NSCoder) { raise("a compositional layout cannot be read from an archive") }

  private final var axis: FlowAxis { FlowAxis(isVertical: configuration.scrollDirection == .vertical) }
  override final var engineAxis: Axis { axis.isVertical ? .vertical : .horizontal }

  // MARK: Placing

  /// Requests the sections again if the layout is stale, or if the available size or a number of items has changed.
  open override func prepare() {
    super.prepare()
    handled = [:]
    guard let owner else { return }
    if !isStale, placedFor.room == room(in: owner), placedFor.counts == owner.sections.counts { return }
    place(owner)
  }

  private func room(in view: UICollectionView) -> CGSize { view.bounds.inset(by: view.adjustedContentInset).size }

  private func place(_ owner: UICollectionView) {
    let (room, counts) = (room(in: owner), owner.sections.counts)
    let (before, after) = axis.lengths(of: configuration.boundarySupplementaryItems, in: room)
    var start = before
    placed.removeAll(keepingCapacity: true)
    for (number, count) in counts.enumerated() {
      let environment = LayoutEnvironment(room)
      guard let section = provider(number, environment) else {
        raise("the section provider returned nothing for section \(number)")
      }
      if number > 0 { start += configuration.interSectionSpacing }
      let plan = SectionPlan(
        section, itemCount: count, axis, in: LayoutEnvironment(room, section.contentInsets), from: start)
      placed.append(plan)
      start = plan.end
    }
    length = start + after
    boundaries = configuration.boundarySupplementaryItems.map { item in
      SectionPlan.Boundary(
        item: item,
        frame: axis.frame(
          of: item, size: item.layoutSize.size(in: room), from: 0, to: length, before: before, after: after,
          cross: 0..<max(0, axis.cross(room))))
    }
    followsScroll = boundaries.contains { $0.item.pinToVisibleBounds } || placed.contains { $0.followsScroll }
    (placedFor, isStale) = ((room, counts), false)
  }

  open override var collectionViewContentSize: CGSize {
    axis.rect(main: 0, cross: 0, length: length, breadth: axis.cross(placedFor.room)).size
  }

  // MARK: Queries

  /// Returns new objects in each call, including boundary items and backgrounds.
  open override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    var found: [UICollectionViewLayoutAttributes] = []
    let (low, high) = axis.ends(rect)
    for number in placed.sections(from: low, to: high) { found += elements(of: number, in: rect) }
    for (index, boundary) in boundaries.enumerated() {
      let attributes = self.attributes(boundary, at: IndexPath(index: index), from: 0, to: length)
      if attributes.frame.overlaps(rect) { found.append(attributes) }
    }
    return found
  }

  private func elements(of number: Int, in rect: CGRect) -> [UICollectionViewLayoutAttributes] {
    let plan = placed[number]
    let shift = shift(ofSection: number)
    let local = rect.offsetBy(dx: -shift.x, dy: -shift.y)
    var found: [UICollectionViewLayoutAttributes] = []
    plan.forEach(
      in: local, item: { found.append(cell(at: IndexPath(item: $0, section: number), $1)) },
      view: { found.append(fixed($0, at: IndexPath(item: $1, section: number))) })
    if let handler = plan.section.visibleItemsInvalidationHandler {
      // Called once after each `prepare()`, for the bounds of the view. Other queries return the handler's changes.
      if handled[number] == nil, rect == owner?.bounds {
        let offset = plan.scrollLimit == nil ? rect.origin : CGPoint(x: -shift.x, y: -shift.y)
        handler(found.map { VisibleItem($0) }, offset, plan.environment)
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
    for (index, boundary) in plan.boundaries.enumerated() {
      let path = IndexPath(item: Self.number(of: index, in: plan.boundaries), section: number)
      let attributes = self.attributes(boundary, at: path, from: plan.start, to: plan.end)
      if attributes.frame.overlaps(rect) { found.append(attributes) }
    }
    for item in plan.section.decorationItems {
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
    return attributes
  }

  private func attributes(at path: IndexPath, in sections: [SectionPlan]) -> UICollectionViewLayoutAttributes? {
    guard path.count == 2, sections.indices.contains(path.section) else { return nil }
    let plan = sections[path.section]
    guard (0..<plan.itemCount).contains(path.item), plan.groupCount > 0 else { return nil }
    return cell(at: path, plan.place(at: path.item))
  }

  open override func layoutAttributesForSupplementaryView(ofKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    if indexPath.count == 1 {
      guard boundaries.indices.contains(indexPath[0]), boundaries[indexPath[0]].item.elementKind == elementKind else {
        return nil
      }
      return attributes(boundaries[indexPath[0]], at: indexPath, from: 0, to: length)
    }
    guard indexPath.count == 2, placed.indices.contains(indexPath.section) else { return nil }
    let plan = placed[indexPath.section]
    let ofKind = plan.boundaries.filter { $0.item.elementKind == elementKind }
    if ofKind.indices.contains(indexPath.item) {
      return attributes(ofKind[indexPath.item], at: indexPath, from: plan.start, to: plan.end)
    }
    guard let view = plan.fixedView(ofKind: elementKind, at: indexPath.item) else { return nil }
    let (attributes, shift) = (fixed(view, at: indexPath), shift(ofSection: indexPath.section))
    attributes.center = CGPoint(x: attributes.center.x + shift.x, y: attributes.center.y + shift.y)
    return attributes
  }

  open override func layoutAttributesForDecorationView(ofKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    guard indexPath.count == 2, placed.indices.contains(indexPath.section) else { return nil }
    let plan = placed[indexPath.section]
    return plan.section.decorationItems.first { $0.elementKind == elementKind }.map {
      decoration($0, of: plan, at: indexPath)
    }
  }

  // MARK: Attributes

  private func cell(at path: IndexPath, _ place: GroupPlan.Place) -> UICollectionViewLayoutAttributes {
    let attributes = makeAttributes(at: path)
    (attributes.frame, attributes.zIndex) = (place.frame, place.zIndex)
    return attributes
  }

  private func fixed(_ view: FixedView, at path: IndexPath) -> UICollectionViewLayoutAttributes {
    let attributes = makeAttributes(forSupplementaryViewOfKind: view.kind, at: path)
    (attributes.frame, attributes.zIndex) = (view.frame, view.zIndex)
    return attributes
  }

  /// The number of a boundary item among the boundary items of its kind.
  private static func number(of index: Int, in boundaries: [SectionPlan.Boundary]) -> Int {
    boundaries[..<index].count { $0.item.elementKind == boundaries[index].item.elementKind }
  }

  private func attributes(_ boundary: SectionPlan.Boundary, at path: IndexPath, from start: CGFloat, to end: CGFloat)
    -> UICollectionViewLayoutAttributes
  {
    let attributes = makeAttributes(forSupplementaryViewOfKind: boundary.item.elementKind, at: path)
    attributes.zIndex = boundary.item.zIndex
    attributes.frame = boundary.frame
    guard boundary.item.pinToVisibleBounds, let owner else { return attributes }
    let visible = owner.bounds.inset(by: owner.adjustedContentInset)
    attributes.frame = axis.pinned(boundary.item, boundary.frame, in: visible, from: start, to: end)
    attributes.zIndex += 1
    return attributes
  }

  private func decoration(_ item: NSCollectionLayoutDecorationItem, of plan: SectionPlan, at path: IndexPath)
    -> UICollectionViewLayoutAttributes
  {
    let attributes = makeAttributes(at: path)
    attributes.represent(.decorationView, item.elementKind)
    (attributes.frame, attributes.zIndex) = (plan.frame.inset(by: item.contentInsets), item.zIndex)
    return attributes
  }

  // MARK: Sections that scroll across

  /// The scroll offset of a section that scrolls across the layout, points. It is 0 for other sections.
  public final func offset(ofSection section: Int) -> CGFloat {
    guard placed.indices.contains(section), let limit = placed[section].scrollLimit else { return 0 }
    return min(max(0, offsets[section] ?? 0), limit)
  }

  private func shift(ofSection section: Int) -> CGPoint {
    let offset = offset(ofSection: section)
    return offset == 0 ? .zero : axis.rect(main: 0, cross: -offset, length: 0, breadth: 0).origin
  }

  /// Scrolls a section across the layout, like a finger: at once, and not beyond the ends of its content.
  /// - Parameter offset: The distance from the start of the section, points.
  public final func scrollSection(_ section: Int, to offset: CGFloat) {
    offsets[section] = offset
    engineLayout?.invalidateLayout()
  }

  /// Lifts the finger from a section, which moves at once to the place where its scrolling behavior ends.
  /// - Parameter velocity: Points per millisecond.
  public final func endScrollingSection(_ section: Int, withVelocity velocity: CGFloat = 0) {
    guard placed.indices.contains(section) else { return }
    let (pitch, view) = placed[section].page
    let now = offset(ofSection: section)
    let rate = UIScrollView.DecelerationRate.normal.rawValue
    let far = now + velocity * rate / (1 - rate)
    /// The next page in the direction of the velocity.
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

  /// True if the view's size changes, if an item is pinned, or if a handler changes the visible items.
  open override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    newBounds.size != (owner?.bounds.size ?? .zero) || followsScroll
  }

  open override func invalidationContext(forBoundsChange newBounds: CGRect) -> UICollectionViewLayoutInvalidationContext
  {
    let context = super.invalidationContext(forBoundsChange: newBounds)
    context.keepsPlaces = newBounds.size == owner?.bounds.size
    return context
  }

  /// Requests the sections again, unless the view has only scrolled.
  open override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if !context.keepsPlaces { isStale = true }
    super.invalidateLayout(with: context)
  }

  // MARK: Changes

  override final func keepPlaces() { placedBeforeChange = placed }
  override final func dropPlaces() { placedBeforeChange = [] }

  override final func keptPlace(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    attributes(at: indexPath, in: placedBeforeChange)
  }
}
