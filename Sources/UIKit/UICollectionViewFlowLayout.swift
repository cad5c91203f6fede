import CollectionLayout
import Dynamics
import Foundation

/// A layout of items in lines, each with as many items as fit. Sections may have headers and footers.
open class UICollectionViewFlowLayout: UICollectionViewLayout {
  /// An estimate that specifies no size: items have `itemSize` until their cells report their preferred sizes.
  public static let automaticSize = CGSize(
    width: CGFloat.greatestFiniteMagnitude, height: CGFloat.greatestFiniteMagnitude)

  /// The distance between lines, points. At negative distances, lines overlap.
  open var minimumLineSpacing: CGFloat = 10 { didSet { optionChanged(minimumLineSpacing != oldValue) } }
  /// The smallest distance between the items of a line, points.
  open var minimumInteritemSpacing: CGFloat = 10 { didSet { optionChanged(minimumInteritemSpacing != oldValue) } }
  /// The size of the items, points, unless the delegate says otherwise.
  open var itemSize = CGSize(width: 50, height: 50) { didSet { optionChanged(itemSize != oldValue) } }
  /// If not zero, cells report their preferred sizes when they come into view. Until then items have this estimate as
  /// their size, or `itemSize` if the estimate is `automaticSize`.
  open var estimatedItemSize = CGSize.zero {
    didSet {
      guard estimatedItemSize != oldValue else { return }
      preferredSizes = [:]
      owner?.measured.removeAll()
      optionChanged(true)
    }
  }
  open var scrollDirection = UICollectionView.ScrollDirection.vertical {
    didSet { optionChanged(scrollDirection != oldValue) }
  }
  /// The size of headers, points. Only the length along the scroll direction counts. At 0 there are no headers.
  open var headerReferenceSize = CGSize.zero { didSet { optionChanged(headerReferenceSize != oldValue) } }
  open var footerReferenceSize = CGSize.zero { didSet { optionChanged(footerReferenceSize != oldValue) } }
  open var sectionInset = UIEdgeInsets.zero { didSet { optionChanged(sectionInset != oldValue) } }
  /// Whether headers stay at the edge of the view while their section is in view.
  open var sectionHeadersPinToVisibleBounds = false {
    didSet { optionChanged(sectionHeadersPinToVisibleBounds != oldValue) }
  }
  open var sectionFootersPinToVisibleBounds = false {
    didSet { optionChanged(sectionFootersPinToVisibleBounds != oldValue) }
  }
  /// Has no effect: section insets are always relative to the content inset.
  open var sectionInsetReference = SectionInsetReference.fromContentInset

  public enum SectionInsetReference: Int, Sendable { case fromContentInset, fromSafeArea, fromLayoutMargins }

  private final var placed: [FlowSection] = []
  /// The available size and the numbers of items when the sections were last placed.
  private final var placedFor = (room: CGSize.zero, sections: Sections(counts: []))
  private final var isStale = true
  /// The attributes that the last query returned. The next query reuses those that nobody else holds.
  private final var latest: [UICollectionViewLayoutAttributes] = []
  /// Sizes that cells prefer, by section and item.
  private final var preferredSizes: [Int: [Int: CGSize]] = [:]

  public override init() { super.init() }
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  private final func optionChanged(_ hasChanged: Bool) {
    guard hasChanged else { return }
    isStale = true
    invalidateLayout()
  }

  private final var axis: FlowAxis { FlowAxis(isVertical: scrollDirection == .vertical) }
  override final var engineAxis: Axis { scrollDirection == .vertical ? .vertical : .horizontal }

  open override class var invalidationContextClass: AnyClass { UICollectionViewFlowLayoutInvalidationContext.self }

  // MARK: Placing

  /// Places all sections again if they are out of date, or if the available size or a number of items has changed.
  open override func prepare() {
    super.prepare()
    guard let owner else { return }
    if !isStale, placedFor.room == room(in: owner), placedFor.sections == owner.sections { return }
    placeItems()
  }

  /// Every query calls this first, because some layouts set options after `super.prepare()`.
  private func placeIfStale() { if isStale { placeItems() } }

  private func placeItems() {
    guard let owner else { return }
    let (room, sections) = (room(in: owner), owner.sections)
    let counts = sections.counts
    placed.removeAll(keepingCapacity: true)
    placed.reserveCapacity(counts.count)
    let delegate = owner.delegate as? any UICollectionViewDelegateFlowLayout
    for section in counts.indices {
      placed.append(
        FlowSection(
          sizes(of: section, count: counts[section], owner, delegate), metrics(of: section, room, owner, delegate),
          axis, from: placed.last?.end ?? 0))
    }
    (placedFor, isStale) = ((room, sections), false)
    readDirection(contentWidth: axis.isVertical ? room.width : max(room.width, placed.last?.end ?? 0))
  }

  private func metrics(
    of section: Int, _ room: CGSize, _ view: UICollectionView, _ delegate: (any UICollectionViewDelegateFlowLayout)?
  ) -> FlowSection.Metrics {
    let (header, footer) = (
      delegate?.collectionView(view, layout: self, referenceSizeForHeaderInSection: section) ?? headerReferenceSize,
      delegate?.collectionView(view, layout: self, referenceSizeForFooterInSection: section) ?? footerReferenceSize
    )
    return FlowSection.Metrics(
      inset: delegate?.collectionView(view, layout: self, insetForSectionAt: section) ?? sectionInset,
      lineSpacing: delegate?.collectionView(view, layout: self, minimumLineSpacingForSectionAt: section)
        ?? minimumLineSpacing,
      interitemSpacing: delegate?.collectionView(view, layout: self, minimumInteritemSpacingForSectionAt: section)
        ?? minimumInteritemSpacing, headerLength: axis.main(header), footerLength: axis.main(footer),
      breadth: axis.cross(room))
  }

  /// The size of items for which the delegate specifies none.
  final var normalSize: CGSize {
    estimatedItemSize == .zero || estimatedItemSize == Self.automaticSize ? itemSize : estimatedItemSize
  }

  private func sizes(
    of section: Int, count: Int, _ view: UICollectionView, _ delegate: (any UICollectionViewDelegateFlowLayout)?
  ) -> FlowSection.Sizes {
    let preferred = preferredSizes[section] ?? [:]
    guard delegate != nil || !preferred.isEmpty else { return .uniform(normalSize.sound, count: count) }
    let sizes = (0..<count).map { item in
      if let size = preferred[item] { return size }
      let path = IndexPath(item: item, section: section)
      return (delegate?.collectionView(view, layout: self, sizeForItemAt: path) ?? normalSize).sound
    }
    guard let first = sizes.first, !sizes.allSatisfy({ $0 == first }) else {
      return .uniform(sizes.first ?? .zero, count: count)
    }
    return .each(sizes)
  }

  open override var collectionViewContentSize: CGSize {
    placeIfStale()
    return axis.rect(main: 0, cross: 0, length: placed.last?.end ?? 0, breadth: axis.cross(placedFor.room)).size
  }

  // MARK: Queries

  /// Returns the elements in the rectangle, including headers and footers. Attributes from earlier calls do not change
  /// while someone holds them.
  open override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    placeIfStale()
    let rect = mirrored(rect)
    let ends = axis.ends(rect)
    // A frame begins at a whole pixel, and may therefore reach beyond its line by half a pixel.
    let (low, high) = (ends.low - 0.25, ends.high + 0.25)
    var reusable = latest
    latest = []
    var found: [UICollectionViewLayoutAttributes] = []
    found.reserveCapacity(reusable.count)
    for section in placed.sections(from: low, to: high) {
      let path = IndexPath(item: 0, section: section)
      for kind in [UICollectionView.elementKindSectionHeader, UICollectionView.elementKindSectionFooter] {
        guard let frame = frame(of: kind, in: section), frame.overlaps(rect) else { continue }
        found.append(makeAttributes(forSupplementaryViewOfKind: kind, at: path, frame, zIndex: 10))
      }
      for item in placed[section].items(from: low, to: high) {
        let frame = placed[section].frame(at: item)
        guard frame.overlaps(rect) else { continue }
        let path = IndexPath(item: item, section: section)
        if found.count < reusable.count, isKnownUniquelyReferenced(&reusable[found.count]) {
          reusable[found.count].reset(path, frame)
          found.append(reusable[found.count])
        } else {
          found.append(makeAttributes(at: path, frame))
        }
      }
    }
    if isMirrored { found.forEach { mirror($0) } }
    // Attributes of an app's own class are not reused, because `reset` does not know the class's properties.
    if Self.layoutAttributesClass == UICollectionViewLayoutAttributes.self { latest = found }
    return found
  }

  open override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    placeIfStale()
    return attributes(at: indexPath, in: placed)
  }

  open override func layoutAttributesForSupplementaryView(ofKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    placeIfStale()
    guard let section = indexPath.first, placed.indices.contains(section),
      let frame = frame(of: elementKind, in: section)
    else { return nil }
    return mirror(makeAttributes(forSupplementaryViewOfKind: elementKind, at: indexPath, frame, zIndex: 10))
  }

  private func attributes(at indexPath: IndexPath, in sections: [FlowSection]) -> UICollectionViewLayoutAttributes? {
    guard indexPath.count == 2, sections.indices.contains(indexPath.section),
      (0..<sections[indexPath.section].itemCount).contains(indexPath.item)
    else { return nil }
    return mirror(makeAttributes(at: indexPath, sections[indexPath.section].frame(at: indexPath.item)))
  }

  /// The frame of a header or a footer; nil if the section has none.
  private func frame(of kind: String, in index: Int) -> CGRect? {
    let section = placed[index]
    let isHeader = kind == UICollectionView.elementKindSectionHeader
    guard isHeader || kind == UICollectionView.elementKindSectionFooter,
      let frame = isHeader ? section.header : section.footer
    else { return nil }
    guard isHeader ? sectionHeadersPinToVisibleBounds : sectionFootersPinToVisibleBounds else { return frame }
    return axis.pinned(
      frame, isBefore: isHeader, isAfter: !isHeader, in: visibleRect,
      from: section.start + section.metrics.headerLength, to: section.end - section.metrics.footerLength)
  }

  // MARK: Invalidation

  /// Returns true if the view's size changes, or if headers or footers are pinned.
  open override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    sectionHeadersPinToVisibleBounds || sectionFootersPinToVisibleBounds
      || newBounds.size != (owner?.bounds.size ?? .zero)
  }

  open override func invalidationContext(forBoundsChange newBounds: CGRect) -> UICollectionViewLayoutInvalidationContext
  {
    let context = super.invalidationContext(forBoundsChange: newBounds)
    if let context = context as? UICollectionViewFlowLayoutInvalidationContext {
      context.invalidateFlowLayoutDelegateMetrics = newBounds.size != (owner?.bounds.size ?? .zero)
    }
    return context
  }

  /// Returns true if the cell of an item prefers another size, and there is an `estimatedItemSize`.
  open override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool {
    estimatedItemSize != .zero && preferredAttributes.representedElementCategory == .cell
      && preferredAttributes.size != originalAttributes.size
  }

  /// Stores the size that the cell prefers.
  open override func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = super.invalidationContext(
      forPreferredLayoutAttributes: preferredAttributes, withOriginalAttributes: originalAttributes)
    guard estimatedItemSize != .zero, preferredAttributes.representedElementCategory == .cell else { return context }
    let path = originalAttributes.indexPath
    preferredSizes[path.section, default: [:]][path.item] = preferredAttributes.size.sound
    isStale = true
    context.invalidateItems(at: [path])
    return context
  }

  /// Makes the next layout pass ask the delegate for sizes and distances again, if the context says that these or the
  /// list may have changed.
  open override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    let keepsMetrics =
      context.keepsPlaces
      || (context as? UICollectionViewFlowLayoutInvalidationContext)?.invalidateFlowLayoutDelegateMetrics == false
    let contentChanges =
      context.invalidateEverything || context.invalidateDataSourceCounts || change?.updateItems.isEmpty == false
    // The sizes are stored by index path, and other items may have these paths now.
    if contentChanges { preferredSizes = [:] }
    if contentChanges || !keepsMetrics { isStale = true }
    super.invalidateLayout(with: context)
  }

  // MARK: Changes

  override final func places() -> PlacesOfItems? { { [unowned self, placed] path in attributes(at: path, in: placed) } }
}
