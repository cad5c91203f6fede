import Foundation

/// The places of the groups, headers and backgrounds of a section. All groups are alike, so their places are computed
/// when they are needed, not stored.
struct SectionPlan: PlacedSection {
  /// A header, a footer or a similar view at an edge.
  struct Boundary {
    let item: NSCollectionLayoutBoundarySupplementaryItem
    let frame: CGRect
  }

  let section: NSCollectionLayoutSection
  let environment: LayoutEnvironment
  /// The scroll direction of the layout.
  private let axis: FlowAxis
  let itemCount: Int
  let start: CGFloat
  let end: CGFloat
  private(set) var boundaries: [Boundary] = []
  private let plan: GroupPlan
  /// The direction in which groups follow each other.
  private let stacking: FlowAxis
  /// The corner of the first group, and the distance from the start of one group to the next, points.
  private let corner: CGPoint
  private let pitch: CGFloat
  /// The places of a group, sorted by `start` along the stacking direction. `reach` is the furthest end so far.
  private let order: [(start: CGFloat, reach: CGFloat, item: Int)]
  /// The largest scroll offset if the section scrolls across the layout, points. Nil for other sections.
  let scrollLimit: CGFloat?

  init(
    _ section: NSCollectionLayoutSection, itemCount: Int, _ axis: FlowAxis, in environment: LayoutEnvironment,
    from start: CGFloat
  ) {
    (self.section, self.environment, self.axis) = (section, environment, axis)
    (self.itemCount, self.start) = (itemCount, start)
    let insets = section.contentInsets
    let whole = CGRect(origin: .zero, size: environment.contentSize)
    let inner = whole.inset(by: insets)
    let plan = GroupPlan(section.group, in: inner.size)
    let isOrthogonal = section.orthogonalScrollingBehavior != .none
    let stacking = FlowAxis(isVertical: axis.isVertical != isOrthogonal)
    let (before, after) = Self.lengths(of: section, axis, in: environment)
    let (along, across) = (
      EdgePair(section.group.edgeSpacing, along: stacking), EdgePair(section.group.edgeSpacing, across: stacking)
    )
    let count = plan.places.isEmpty ? 0 : (itemCount + plan.places.count - 1) / plan.places.count
    pitch = stacking.main(plan.size) + along.fixed + section.interGroupSpacing
    let groupsLength = count == 0 ? 0 : CGFloat(count) * pitch - section.interGroupSpacing
    // Flexible edge spacing shares the free room across the groups.
    let flexible = across.flexibleCount
    let room = max(0, stacking.cross(inner.size) - stacking.cross(plan.size) - across.fixed)
    let aside = isOrthogonal ? 0 : across.start(flexible > 0 ? room / CGFloat(flexible) : 0)
    let leading = CGPoint(x: insets.leading, y: insets.top)
    let isCentred = section.orthogonalScrollingBehavior == .groupPagingCentered
    let centred = isCentred ? (stacking.main(whole.size) - stacking.main(plan.size)) / 2 - stacking.main(leading) : 0
    let offset =
      isOrthogonal
      ? axis.rect(main: 0, cross: along.start(0) + centred, length: 0, breadth: 0).origin
      : axis.rect(main: along.start(0), cross: aside, length: 0, breadth: 0).origin
    let base = axis.rect(main: start + before, cross: 0, length: 0, breadth: 0).origin
    corner = CGPoint(x: base.x + leading.x + offset.x, y: base.y + leading.y + offset.y)
    let groupsExtent = isOrthogonal ? (count == 0 ? 0 : axis.main(plan.size)) : groupsLength
    let trail = axis.isVertical ? insets.bottom : insets.trailing
    end = start + before + axis.main(leading) + groupsExtent + trail + after
    let breadth = stacking.main(leading) + groupsLength + (stacking.isVertical ? insets.bottom : insets.trailing)
    let limit = isCentred ? CGFloat(count - 1) * pitch : breadth - stacking.main(whole.size)
    scrollLimit = isOrthogonal ? max(0, limit) : nil
    (self.plan, self.stacking) = (plan, stacking)
    var reach = -CGFloat.infinity
    order = plan.places.indices.map { (item: $0, ends: stacking.ends(plan.places[$0].frame)) }.sorted {
      ($0.ends.low, $0.item) < ($1.ends.low, $1.item)
    }.map { place in
      reach = max(reach, place.ends.high)
      return (place.ends.low, reach, place.item)
    }
    boundaries = section.boundarySupplementaryItems.map {
      Boundary(item: $0, frame: frame(of: $0, before: before, after: after))
    }
  }

  /// The lengths of the boundary items before and after the content and its insets.
  private static func lengths(
    of section: NSCollectionLayoutSection, _ axis: FlowAxis, in environment: LayoutEnvironment
  ) -> (before: CGFloat, after: CGFloat) {
    axis.lengths(of: section.boundarySupplementaryItems, in: place(of: section, environment).size)
  }

  /// The rectangle in which boundary items are aligned.
  private static func place(of section: NSCollectionLayoutSection, _ environment: LayoutEnvironment) -> CGRect {
    let whole = CGRect(origin: .zero, size: environment.contentSize)
    return section.supplementariesFollowContentInsets ? whole.inset(by: section.contentInsets) : whole
  }

  private func frame(of item: NSCollectionLayoutBoundarySupplementaryItem, before: CGFloat, after: CGFloat) -> CGRect {
    let place = Self.place(of: section, environment)
    return axis.frame(
      of: item, size: item.layoutSize.size(in: place.size), from: start, to: end, before: before, after: after,
      cross: axis.isVertical ? place.minX..<place.maxX : place.minY..<place.maxY)
  }

  // MARK: Queries

  /// Whether an item is pinned, or a handler changes the visible items.
  var followsScroll: Bool {
    section.visibleItemsInvalidationHandler != nil || boundaries.contains { $0.item.pinToVisibleBounds }
  }

  /// The whole section, with its insets and boundary items.
  var frame: CGRect {
    axis.rect(main: start, cross: 0, length: end - start, breadth: axis.cross(environment.contentSize))
  }

  var groupCount: Int { plan.places.isEmpty ? 0 : (itemCount + plan.places.count - 1) / plan.places.count }

  /// The distance between the starts of two groups, and the length of the view in the same direction, points.
  var page: (pitch: CGFloat, view: CGFloat) { (pitch, stacking.main(environment.contentSize)) }

  /// - Precondition: The item exists, and the group has places.
  func place(at item: Int) -> GroupPlan.Place {
    let (group, index) = item.quotientAndRemainder(dividingBy: plan.places.count)
    var place = plan.places[index]
    let shift = self.shift(ofGroup: group)
    place.frame = place.frame.offsetBy(dx: shift.x, dy: shift.y)
    return place
  }

  private func shift(ofGroup group: Int) -> CGPoint {
    let way = stacking.rect(main: CGFloat(group) * pitch, cross: 0, length: 0, breadth: 0).origin
    return CGPoint(x: corner.x + way.x, y: corner.y + way.y)
  }

  /// Calls `item` with the items that overlap `rect`, and `view` with the views fixed to items or groups, in any order.
  /// - Complexity: O(log items of a group + found), if no item is much longer than the others.
  func forEach(in rect: CGRect, item: (Int, GroupPlan.Place) -> Void, view: (FixedView, _ path: Int) -> Void) {
    guard let last = order.last else { return }
    let (low, high) = stacking.ends(rect)
    let origin = stacking.main(corner)
    let reach = plan.views.reduce((low: order[0].start, high: last.reach)) {
      let ends = stacking.ends($1.frame)
      return (min($0.low, ends.low), max($0.high, ends.high))
    }
    let (first, end) = groups(from: low - origin - reach.high, to: high - origin - reach.low)
    for group in first..<max(first, end) {
      let shift = shift(ofGroup: group)
      let local = rect.offsetBy(dx: -shift.x, dy: -shift.y)
      let base = group * plan.places.count
      for index in candidates(in: local) where base + index < itemCount {
        var place = plan.places[index]
        guard place.frame.overlaps(local) else { continue }
        place.frame = place.frame.offsetBy(dx: shift.x, dy: shift.y)
        item(base + index, place)
      }
      for var fixed in plan.views where fixed.frame.overlaps(local) && base + (fixed.item ?? 0) < itemCount {
        fixed.frame = fixed.frame.offsetBy(dx: shift.x, dy: shift.y)
        view(fixed, fixed.item.map { base + $0 } ?? group)
      }
    }
  }

  /// The groups that start between these distances from the first group, as a start and an end index.
  private func groups(from low: CGFloat, to high: CGFloat) -> (Int, Int) {
    guard pitch > 0 else { return (0, groupCount) }
    func whole(_ number: CGFloat) -> Int { Int(min(max(number, 0), CGFloat(groupCount))) }
    return (whole((low / pitch).rounded(.up)), whole((high / pitch).rounded(.down) + 1))
  }

  private func candidates(in local: CGRect) -> [Int] {
    let (low, high) = stacking.ends(local)
    var (first, end) = (0, order.count)
    while first < end {
      let middle = (first + end) / 2
      if order[middle].reach < low { first = middle + 1 } else { end = middle }
    }
    return order[first...].prefix { $0.start <= high }.map(\.item)
  }

  /// The view of a kind that is fixed to an item, or else to a group. Nil if there is none.
  func fixedView(ofKind kind: String, at path: Int) -> FixedView? {
    guard (0..<itemCount).contains(path), !plan.places.isEmpty else { return nil }
    let (group, index) = path.quotientAndRemainder(dividingBy: plan.places.count)
    let onItem = plan.views.first { $0.kind == kind && $0.item == index }
    guard var view = onItem ?? plan.views.first(where: { $0.kind == kind && $0.item == nil }) else { return nil }
    let shift = shift(ofGroup: view.item == nil ? path : group)
    view.frame = view.frame.offsetBy(dx: shift.x, dy: shift.y)
    return view
  }
}

// MARK: - Boundary items, of a section or of the whole layout

extension FlowAxis {
  private func isBefore(_ item: NSCollectionLayoutBoundarySupplementaryItem) -> Bool {
    item.alignment.edges.contains(isVertical ? .top : .leading)
  }

  private func isAfter(_ item: NSCollectionLayoutBoundarySupplementaryItem) -> Bool {
    item.alignment.edges.contains(isVertical ? .bottom : .trailing)
  }

  func lengths(of items: [NSCollectionLayoutBoundarySupplementaryItem], in place: CGSize) -> (
    before: CGFloat, after: CGFloat
  ) {
    func length(_ isHere: (NSCollectionLayoutBoundarySupplementaryItem) -> Bool) -> CGFloat {
      items.filter { $0.extendsBoundary && isHere($0) }.reduce(0) { max($0, main($1.layoutSize.size(in: place))) }
    }
    return (length(isBefore), length(isAfter))
  }

  /// - Parameters:
  ///   - before: The length of the boundary items before the content, points. `after` is the length after the content.
  ///   - cross: The extent across the scroll direction, points.
  func frame(
    of item: NSCollectionLayoutBoundarySupplementaryItem, size: CGSize, from start: CGFloat, to end: CGFloat,
    before: CGFloat, after: CGFloat, cross: Range<CGFloat>
  ) -> CGRect {
    let edges = item.alignment.edges
    let (first, last): (NSDirectionalRectEdge, NSDirectionalRectEdge) =
      isVertical ? (.leading, .trailing) : (.top, .bottom)
    let side =
      edges.contains(first)
      ? cross.lowerBound
      : edges.contains(last)
        ? cross.upperBound - self.cross(size) : (cross.lowerBound + cross.upperBound - self.cross(size)) / 2
    let place: CGFloat
    if isBefore(item) {
      place = item.extendsBoundary ? start + before - main(size) : start + before
    } else if isAfter(item) {
      place = item.extendsBoundary ? end - after : end - after - main(size)
    } else {
      place = (start + end - main(size)) / 2
    }
    return rect(main: place, cross: side, length: main(size), breadth: self.cross(size)).offsetBy(
      dx: item.offset.x, dy: item.offset.y)
  }

  /// The frame of a pinned item, which never leaves its section.
  func pinned(
    _ item: NSCollectionLayoutBoundarySupplementaryItem, _ frame: CGRect, in visible: CGRect, from start: CGFloat,
    to end: CGFloat
  ) -> CGRect {
    let (own, seen) = (ends(frame), ends(visible))
    let shift =
      isBefore(item)
      ? max(0, min(seen.low - own.low, end - own.high))
      : isAfter(item) ? min(0, max(seen.high - own.high, start - own.low)) : 0
    return isVertical ? frame.offsetBy(dx: 0, dy: shift) : frame.offsetBy(dx: shift, dy: 0)
  }
}
