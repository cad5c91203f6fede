import Dynamics
import Foundation

/// Consecutive groups of a section that share a plan. The places of items are computed from the plan when they are
/// needed, and not stored. A group with a cell whose preferred size differs from its estimate is a run of its own.
struct GroupRun: PlacedSection {
  let plan: GroupPlan
  /// The direction in which groups follow each other.
  private let stacking: FlowAxis
  let firstGroup: Int
  private let count: Int
  /// The items in these groups, as indices in the section.
  let items: Range<Int>
  /// The start of the run's first group, in points from the start of the section's first group. `end` is the start of
  /// the run's last group, and `next` is the start of the group after the run.
  let start: CGFloat
  let end: CGFloat
  let next: CGFloat
  private let pitch: CGFloat
  /// The items of a group, sorted by their start along `stacking`. `reach` is the furthest end of the item and of all
  /// items before it. With it, a binary search finds the items in a rectangle.
  private let order: [(start: CGFloat, reach: CGFloat, item: Int)]
  /// How far the items and views of a group reach along `stacking`, in points from the start of the group.
  let reach: (low: CGFloat, high: CGFloat)

  /// - Parameter whole: The length of a group, points, of which the last group lacks what its missing items would need.
  ///   Nil if the last group is as long as the others.
  private init(
    _ plan: GroupPlan, _ count: Int, after last: GroupRun?, _ stacking: FlowAxis, _ gap: CGFloat, _ all: Int,
    whole: CGFloat?
  ) {
    (self.plan, self.stacking, self.count) = (plan, stacking, count)
    firstGroup = last.map { $0.firstGroup + $0.count } ?? 0
    let first = last?.items.upperBound ?? 0
    items = first..<min(all, first + count * plan.places.count)
    (start, pitch) = (last?.next ?? 0, stacking.main(plan.size) + gap)
    end = start + CGFloat(count - 1) * pitch
    var reach = -CGFloat.infinity
    order = plan.places.indices.map { (item: $0, ends: stacking.ends(plan.places[$0].frame)) }.sorted {
      ($0.ends.low, $0.item) < ($1.ends.low, $1.item)
    }.map { place in
      reach = max(reach, place.ends.high)
      return (place.ends.low, reach, place.item)
    }
    let present = plan.places.prefix(items.count - (count - 1) * plan.places.count)
    let used = present.reduce(-CGFloat.infinity) { max($0, stacking.ends($1.frame).high) }
    let short = present.count < plan.places.count ? whole.map { max(0, $0 - (reach - used)) + gap } : nil
    next = end + (short ?? pitch)
    self.reach = plan.views.reduce((order[0].start, reach)) {
      let ends = stacking.ends($1.frame)
      return (min($0.0, ends.low), max($0.1, ends.high))
    }
  }

  /// Returns the runs that contain all groups of a section.
  /// - Parameters:
  ///   - alike: The plan of a group whose items all have their estimated sizes.
  ///   - gap: The distance between groups, points.
  ///   - old: The section's earlier runs, and the index of the item whose preferred size has changed since then. Nil if
  ///     no run can be reused.
  static func runs(
    of group: NSCollectionLayoutGroup, _ alike: GroupPlan, in container: CGSize, _ measured: MeasuredItems,
    _ stacking: FlowAxis, _ gap: CGFloat, from old: (runs: [GroupRun], changed: Int)?
  ) -> [GroupRun] {
    let (all, length) = (measured.itemCount, alike.places.count)
    guard length > 0 else { return [] }
    // A group ends where the next item does not fit, so a group directly before the changed item may change as well.
    let kept = old?.runs.prefix { $0.items.upperBound < old?.changed ?? 0 } ?? []
    var (runs, rest) = (Array(kept), (old?.runs ?? []).dropFirst(kept.count))
    func end() -> Int { runs.last?.items.upperBound ?? 0 }
    // As in UIKit, the last group's insets do not count unless its length is estimated.
    var whole = CGRect(origin: .zero, size: alike.size)
    if !stacking.isEstimated(group.layoutSize) { whole = whole.inset(by: group.contentInsets) }
    let isCustom = if case .custom = group.content { true } else { false }
    let decide = alike.places.contains { $0.isEstimated.width || $0.isEstimated.height }
    let sized = decide ? measured.sizes.keys.filter { [first = end()] in $0 >= first && $0 < all } : []
    var later = sized.sorted()[...]
    while end() < all {
      let first = end()
      later = later.drop { $0 < first }
      rest = rest.drop { $0.items.lowerBound < first }
      // The number of whole groups before the next item with a preferred size. A group directly before this item does
      // not count, because its end depends on the item's size.
      let count = later.first.map { ($0 - first - 1) / length } ?? (all - first + length - 1) / length
      let plan: GroupPlan
      if count > 0 {
        plan = alike
      } else if let same = rest.first, same.items.lowerBound == first, same.count == 1, first > old?.changed ?? 0 {
        plan = same.plan
      } else {
        var measured = measured
        measured.next = first
        plan = GroupPlan(group, in: container, measured)
      }
      // A group with preferred sizes and a custom group keep their lengths.
      let shared = count > 0 && !isCustom ? stacking.main(whole.size) : nil
      runs.append(GroupRun(plan, max(1, count), after: runs.last, stacking, gap, all, whole: shared))
    }
    return runs
  }

  // MARK: Queries

  /// - Parameter origin: The corner of the first group of the section, points.
  private func corner(ofGroup group: Int, from origin: CGPoint) -> CGPoint {
    let way = stacking.rect(main: start + CGFloat(group) * pitch, cross: 0, length: 0, breadth: 0).origin
    return CGPoint(x: origin.x + way.x, y: origin.y + way.y)
  }

  /// - Parameter item: The index in the section. It must be one of `items`.
  func place(at item: Int, from origin: CGPoint) -> GroupPlan.Place {
    let (group, index) = (item - items.lowerBound).quotientAndRemainder(dividingBy: plan.places.count)
    return plan.places[index].moved(by: corner(ofGroup: group, from: origin))
  }

  func forEach(
    in rect: CGRect, from origin: CGPoint, item: (Int, GroupPlan.Place) -> Void, view: (FixedView, _ path: Int) -> Void
  ) {
    let ((low, high), first) = (stacking.ends(rect), stacking.main(corner(ofGroup: 0, from: origin)))
    let (begin, end) = groups(from: low - first - reach.high, to: high - first - reach.low)
    for group in begin..<max(begin, end) {
      let corner = corner(ofGroup: group, from: origin)
      let local = rect.offsetBy(dx: -corner.x, dy: -corner.y)
      let base = items.lowerBound + group * plan.places.count
      for index in candidates(in: local) where base + index < items.upperBound {
        let place = plan.places[index]
        if place.frame.overlaps(local) { item(base + index, place.moved(by: corner)) }
      }
      for var fixed in plan.views where fixed.frame.overlaps(local) && base + (fixed.item ?? 0) < items.upperBound {
        fixed.frame = fixed.frame.offsetBy(dx: corner.x, dy: corner.y)
        view(fixed, fixed.item.map { base + $0 } ?? firstGroup + group)
      }
    }
  }

  /// Returns which groups start between `low` and `high` points after the first group: the index of the first of them,
  /// and the index after the last.
  private func groups(from low: CGFloat, to high: CGFloat) -> (Int, Int) {
    guard pitch > 0 else { return (0, count) }
    func whole(_ number: CGFloat) -> Int { Int(min(max(number, 0), CGFloat(count))) }
    return (whole((low / pitch).rounded(.up)), whole((high / pitch).rounded(.down) + 1))
  }

  private func candidates(in local: CGRect) -> [Int] {
    let (low, high) = stacking.ends(local)
    let first = order.indices.partitioningIndex { !(order[$0].reach < low) }
    return order[first...].prefix { $0.start <= high }.map(\.item)
  }

  /// Returns the view of a kind that is fixed to group number `path` if `isOnGroup` is true, otherwise to item number
  /// `path`. Returns nil if there is no such view.
  func fixedView(ofKind kind: String, at path: Int, isOnGroup: Bool, from origin: CGPoint) -> FixedView? {
    let (group, index) = (path - items.lowerBound).quotientAndRemainder(dividingBy: plan.places.count)
    let item = isOnGroup ? nil : index
    guard !isOnGroup || path - firstGroup < count,
      var view = plan.views.first(where: { $0.kind == kind && $0.item == item })
    else { return nil }
    let corner = corner(ofGroup: isOnGroup ? path - firstGroup : group, from: origin)
    view.frame = view.frame.offsetBy(dx: corner.x, dy: corner.y)
    return view
  }
}
