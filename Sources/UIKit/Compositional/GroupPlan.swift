import Foundation

/// A supplementary view that is fixed to an item or a group, and its place.
struct FixedView {
  let kind: String
  /// The index of the item in the group. Nil if the view is fixed to the group itself.
  let item: Int?
  var frame: CGRect
  let zIndex: Int
}

/// The sizes that the cells of a section prefer.
struct MeasuredItems {
  /// The preferred sizes in points, keyed by the item's index in the section.
  let sizes: [Int: CGSize]
  let itemCount: Int
  /// The index of the item that is placed next.
  var next = 0
}

/// The places of the items of a group, relative to the group. All groups of a section have the same plan, except groups
/// with a cell whose preferred size differs from its estimate.
struct GroupPlan {
  struct Place {
    var frame: CGRect
    var zIndex = 0
    /// Whether the cell itself determines the width, and whether it determines the height.
    var isEstimated = (width: false, height: false)

    func moved(by way: CGPoint) -> Place {
      var place = self
      place.frame = frame.offsetBy(dx: way.x, dy: way.y)
      return place
    }
  }

  var size: CGSize
  var places: [Place] = []
  var views: [FixedView] = []

  /// - Parameters:
  ///   - container: The size that fractional dimensions refer to, points.
  ///   - forced: A length along one axis that replaces the item's own dimension.
  ///   - measured: The sizes that cells prefer. Nil if all items have their estimated sizes.
  init(
    _ item: NSCollectionLayoutItem, in container: CGSize, forced: (axis: FlowAxis, length: CGFloat)? = nil,
    _ measured: MeasuredItems? = nil
  ) {
    let group = item as? NSCollectionLayoutGroup
    let preferred = group == nil ? measured.flatMap { $0.sizes[$0.next] } : nil
    size = item.layoutSize.size(in: container, preferred: preferred)
    if let (axis, length) = forced { size = axis.size(length, axis.cross(size)) }
    if let group {
      fill(group, measured)
      attach(item.attached, to: CGRect(origin: .zero, size: size), item: nil)
    } else {
      var (isEstimated, insets) = (item.layoutSize.isEstimated, item.contentInsets)
      if forced?.axis.isVertical == true { isEstimated.height = false }
      if forced?.axis.isVertical == false { isEstimated.width = false }
      // Insets have no effect along an estimated dimension, as Apple's page on `contentInsets` says.
      if isEstimated.width { (insets.leading, insets.trailing) = (0, 0) }
      if isEstimated.height { (insets.top, insets.bottom) = (0, 0) }
      places = [Place(frame: CGRect(origin: .zero, size: size).inset(by: insets), isEstimated: isEstimated)]
      attach(item.attached, to: places[0].frame, item: 0)
    }
  }

  private mutating func attach(_ items: [NSCollectionLayoutSupplementaryItem], to host: CGRect, item: Int?) {
    views += items.map { FixedView(kind: $0.elementKind, item: item, frame: $0.frame(on: host), zIndex: $0.zIndex) }
  }

  private mutating func fill(_ group: NSCollectionLayoutGroup, _ measured: MeasuredItems?) {
    let inner = CGRect(origin: .zero, size: size).inset(by: group.contentInsets)
    switch group.content {
    case .custom(let provider):
      let items = provider(LayoutEnvironment(inner.size))
      places = items.map { Place(frame: $0.frame.offsetBy(dx: inner.minX, dy: inner.minY), zIndex: $0.zIndex) }
      let end = items.reduce(CGPoint.zero) { CGPoint(x: max($0.x, $1.frame.maxX), y: max($0.y, $1.frame.maxY)) }
      fit(group, CGSize(width: end.x, height: end.y))
    case .row(let axis, let items): arrange(row(items, of: group, axis, in: inner.size, measured), group, axis, inner)
    case .repeated(let axis, let item, let count, let fills):
      let spacing = (group.interItemSpacing?.spacing ?? 0) * CGFloat(count - 1)
      let length = ((axis.main(inner.size) - spacing) / CGFloat(count)).wholePixels
      let parts = parts(
        [item], of: group, 0, axis, in: inner.size, forced: fills ? (axis, length) : nil, count: count, measured)
      arrange(parts, group, axis, inner)
    }
  }

  /// Returns the items that fill a group: `items` in order, again and again. As in UIKit, fractions are those of the
  /// length that the spacings leave, so the number of items and their sizes depend on each other.
  private func row(
    _ items: [NSCollectionLayoutItem], of group: NSCollectionLayoutGroup, _ axis: FlowAxis, in inner: CGSize,
    _ measured: MeasuredItems?
  ) -> [Part] {
    let (room, spacing) = (axis.main(inner), group.interItemSpacing?.spacing ?? 0)
    let isEstimated = axis.isEstimated(group.layoutSize)
    var (found, count) = (parts(items, of: group, 0, axis, in: inner, room: isEstimated ? nil : room, measured), 0)
    guard spacing != 0, !isEstimated else { return found }
    repeat {
      count = found.count
      let left = axis.size(max(0, room - spacing * CGFloat(max(0, count - 1))), axis.cross(inner))
      found = parts(items, of: group, spacing, axis, in: left, room: room, measured)
      // If a breadth is a fraction of the length, UIKit does not search further.
    } while found.count < count && !items.contains { axis.isBreadthFractionOfLength($0.layoutSize) }
    return found
  }

  /// Returns parts for `items` in order, again and again, until there are `count` parts or the next one does not fit in
  /// `room` points. If `count` is nil, returns at most 10,000 parts. If, in addition, `room` is nil or the items have no
  /// length, returns each item at most once.
  private func parts(
    _ items: [NSCollectionLayoutItem], of group: NSCollectionLayoutGroup, _ spacing: CGFloat, _ axis: FlowAxis,
    in inner: CGSize, forced: (axis: FlowAxis, length: CGFloat)? = nil, room: CGFloat? = nil, count: Int? = nil,
    _ measured: MeasuredItems?
  ) -> [Part] {
    let alike = items.map { Part($0, axis, GroupPlan($0, in: inner, forced: forced)) }
    let isEndless = room != nil && alike.reduce(0) { $0 + $1.length + spacing } > 0
    var (found, used, measured): ([Part], CGFloat, MeasuredItems?) = ([], 0, measured)
    while found.count < count ?? (isEndless ? 10_000 : items.count) {
      var next = alike[found.count % alike.count]
      if let ahead = measured {
        if ahead.next < ahead.itemCount {
          next = Part(next.item, axis, GroupPlan(next.item, in: inner, forced: forced, ahead))
        } else if axis.isEstimated(group.layoutSize) {
          break
        } else {
          // No item is left for this place. The place takes up length, but does not make the row higher.
          next.breadth = 0
        }
        measured?.next += next.plan.places.count
      }
      used += (found.isEmpty ? 0 : spacing) + next.length
      // Tolerates rounding errors, because three items with a third of the row's width must fit into the row.
      // As in UIKit, a group whose first item does not fit shows nothing. But a cell may prefer to be too long, and an
      // estimate may be. Whether edge spacing counts is unknown, so it hides no items.
      let isFixed = measured == nil && !axis.isEstimated(next.item.layoutSize)
      let needed = found.isEmpty ? axis.main(next.plan.size) : used
      if let room, needed > room + 1e-6 * room, !found.isEmpty || isFixed { break }
      found.append(next)
    }
    return found
  }

  private mutating func arrange(_ parts: [Part], _ group: NSCollectionLayoutGroup, _ axis: FlowAxis, _ inner: CGRect) {
    let between = group.interItemSpacing
    let used = parts.reduce((between?.spacing ?? 0) * CGFloat(parts.count - 1)) { $0 + $1.length }
    let flexible = parts.reduce(between?.isFlexibleSpacing == true ? parts.count - 1 : 0) {
      $0 + $1.along.flexibleCount
    }
    let breadth = parts.reduce(0) { max($0, $1.breadth) }
    fit(group, axis.size(used, breadth))
    let room = CGRect(origin: .zero, size: size).inset(by: group.contentInsets).size
    let share = flexible > 0 ? max(0, axis.main(room) - used) / CGFloat(flexible) : 0
    var main: CGFloat = 0
    for part in parts {
      main += part.along.start(share)
      let crossShare =
        part.across.flexibleCount > 0 ? max(0, axis.cross(room) - part.breadth) / CGFloat(part.across.flexibleCount) : 0
      let corner = axis.rect(main: main, cross: part.across.start(crossShare), length: 0, breadth: 0).origin
      add(part.plan, at: CGPoint(x: (inner.minX + corner.x).onPixel, y: (inner.minY + corner.y).onPixel))
      main += axis.main(part.plan.size) + part.along.end(share)
      main += (between?.spacing ?? 0) + (between?.isFlexibleSpacing == true ? share : 0)
    }
  }

  private mutating func add(_ plan: GroupPlan, at corner: CGPoint) {
    let first = places.count
    places += plan.places.map { $0.moved(by: corner) }
    views += plan.views.map {
      // A view that is fixed to a nested group belongs to the first item of that group.
      FixedView(
        kind: $0.kind, item: first + ($0.item ?? 0), frame: $0.frame.offsetBy(dx: corner.x, dy: corner.y),
        zIndex: $0.zIndex)
    }
  }

  /// Replaces the estimated dimensions of the group with those of its content.
  private mutating func fit(_ group: NSCollectionLayoutGroup, _ content: CGSize) {
    let insets = group.contentInsets
    if group.layoutSize.widthDimension.isEstimated { size.width = content.width + insets.leading + insets.trailing }
    if group.layoutSize.heightDimension.isEstimated { size.height = content.height + insets.top + insets.bottom }
  }

  /// An item of a row or a column, with the edge spacing around it.
  private struct Part {
    let item: NSCollectionLayoutItem
    let plan: GroupPlan
    let along: EdgePair
    let across: EdgePair
    /// The length along the row or column, including the fixed edge spacing.
    let length: CGFloat
    var breadth: CGFloat

    init(_ item: NSCollectionLayoutItem, _ axis: FlowAxis, _ plan: GroupPlan) {
      (self.item, self.plan) = (item, plan)
      (along, across) = (EdgePair(item.edgeSpacing, along: axis), EdgePair(item.edgeSpacing, across: axis))
      length = axis.main(plan.size) + along.fixed
      breadth = axis.cross(plan.size) + across.fixed
    }
  }
}

/// The distances before and after an item.
struct EdgePair {
  private let before: NSCollectionLayoutSpacing?
  private let after: NSCollectionLayoutSpacing?

  init(_ spacing: NSCollectionLayoutEdgeSpacing?, along axis: FlowAxis) {
    (before, after) = axis.isVertical ? (spacing?.top, spacing?.bottom) : (spacing?.leading, spacing?.trailing)
  }

  init(_ spacing: NSCollectionLayoutEdgeSpacing?, across axis: FlowAxis) {
    self.init(spacing, along: FlowAxis(isVertical: !axis.isVertical))
  }

  var fixed: CGFloat { (before?.spacing ?? 0) + (after?.spacing ?? 0) }
  var flexibleCount: Int { [before, after].count { $0?.isFlexibleSpacing == true } }

  /// - Parameter share: The length that is added to each flexible distance, points.
  func start(_ share: CGFloat) -> CGFloat { length(before, share) }
  func end(_ share: CGFloat) -> CGFloat { length(after, share) }

  private func length(_ spacing: NSCollectionLayoutSpacing?, _ share: CGFloat) -> CGFloat {
    (spacing?.spacing ?? 0) + (spacing?.isFlexibleSpacing == true ? share : 0)
  }
}

extension FlowAxis {
  func size(_ length: CGFloat, _ breadth: CGFloat) -> CGSize {
    isVertical ? CGSize(width: breadth, height: length) : CGSize(width: length, height: breadth)
  }

  func isBreadthFractionOfLength(_ size: NSCollectionLayoutSize) -> Bool {
    isVertical ? size.widthDimension.isFractionalHeight : size.heightDimension.isFractionalWidth
  }

  func isEstimated(_ size: NSCollectionLayoutSize) -> Bool {
    isVertical ? size.heightDimension.isEstimated : size.widthDimension.isEstimated
  }
}
