import Dynamics

/// The animations of single items that a collection view runs: from one look to another, in so many seconds.
///
/// Memory is used again, so that no frame allocates but those in which an animation begins.
final class ItemAnimations {
  private struct Animation {
    var from: AnimatedAttributes
    var to: AnimatedAttributes
    /// By the clock of all animations, seconds.
    var start: Double
    /// Seconds.
    var duration: Double
    var curve: AnimationCurve
  }

  /// Of items that the list has, ascending by index.
  private var staying: [Animation] = []
  /// Of items that it has no more, or that a layout lets go and come again.
  private var leaving: [Animation] = []
  private var clock = 0.0
  private var next: [Animation] = []
  private var answer: [AnimatedAttributes] = []

  var isEmpty: Bool { staying.isEmpty && leaving.isEmpty }
  var count: Int { staying.count + leaving.count }

  /// Lets time pass, and forgets the animations that have ended.
  func step(by timestep: Double) {
    clock += timestep
    removeEnded(&staying)
    removeEnded(&leaving)
    if isEmpty { clock = 0 }
  }

  // By index, here and below: without optimisation, iterating over an array of large elements allocates.
  private func removeEnded(_ animations: inout [Animation]) {
    var kept = 0
    for index in animations.indices where !hasEnded(animations[index]) {
      if kept != index { animations[kept] = animations[index] }
      kept += 1
    }
    animations.removeLast(animations.count - kept)
  }

  /// A hair early, because sums of timesteps hardly ever meet a duration.
  private func hasEnded(_ animation: Animation) -> Bool {
    clock - animation.start >= animation.duration - 1e-9
  }

  private func look(_ animation: Animation) -> AnimatedAttributes {
    guard animation.duration > 0 else { return animation.to }
    let time = min(1, (clock - animation.start) / animation.duration)
    return animation.from.interpolated(to: animation.to, animation.curve.share(at: time))
  }

  /// How an item of the list looks now, where it is animated.
  func look(ofItemAt index: Int) -> AnimatedAttributes? {
    var (low, high) = (0, staying.count)
    while low < high {
      let middle = (low + high) / 2
      if staying[middle].to.attributes.index < index { low = middle + 1 } else { high = middle }
    }
    return low < staying.count && staying[low].to.attributes.index == index ? look(staying[low]) : nil
  }

  func removeAll() {
    staying.removeAll(keepingCapacity: true)
    leaving.removeAll(keepingCapacity: true)
    clock = 0
  }
}

// MARK: - Queries

extension ItemAnimations {
  /// What is on the screen: the items that rest where the layout has them, those on their way, ascending by
  /// index, and then those that leave the list.
  ///
  /// The array's memory may be used again by the next query, if nobody holds the array any more by then.
  /// - Parameter resting: The items that the layout shows, ascending.
  func presented(
    _ resting: [LayoutAttributes], in bounds: Rect, withLeaving: Bool = true
  ) -> [AnimatedAttributes] {
    var shown: [AnimatedAttributes] = []
    swap(&shown, &answer)
    shown.removeAll(keepingCapacity: true)
    var position = 0
    for place in resting.indices {
      let index = resting[place].index
      position = append(from: position, before: index, to: &shown, ifIn: bounds)
      if position < staying.count, staying[position].to.attributes.index == index {
        position = append(from: position, before: index + 1, to: &shown, ifIn: bounds)
      } else {
        shown.append(AnimatedAttributes(resting[place]))
      }
    }
    _ = append(from: position, before: .max, to: &shown, ifIn: bounds)
    if withLeaving {
      for index in leaving.indices { append(look(leaving[index]), to: &shown, ifIn: bounds) }
    }
    answer = shown
    return shown
  }

  /// Adds the items on their way from a position on, up to an index of the list.
  /// - Returns: The position behind them.
  private func append(
    from start: Int, before end: Int, to shown: inout [AnimatedAttributes], ifIn bounds: Rect
  ) -> Int {
    var position = start
    while position < staying.count, staying[position].to.attributes.index < end {
      append(look(staying[position]), to: &shown, ifIn: bounds)
      position += 1
    }
    return position
  }

  private func append(
    _ look: AnimatedAttributes, to shown: inout [AnimatedAttributes], ifIn bounds: Rect
  ) {
    if look.frame.intersects(bounds) { shown.append(look) }
  }
}

// MARK: - Beginning

extension ItemAnimations {
  /// A change of a list, seen from both its ends.
  struct Change {
    var map: IndexMap
    /// The looks before, ascending by index then.
    var before: [AnimatedAttributes]
    /// The places after, ascending by index now.
    var after: [LayoutAttributes]
    /// What the change adds to the coordinates of what stays at its place on the screen, points.
    var offset = Point.zero
    var duration: Double
    var curve: AnimationCurve
  }

  /// Animates a change. Whatever is on its way turns towards its new end from where it is now; what leaves
  /// goes on leaving.
  func begin(_ change: Change, in layout: CollectionViewLayout) {
    next.removeAll(keepingCapacity: true)
    for index in leaving.indices {
      leaving[index].from = leaving[index].from.moved(by: change.offset)
      leaving[index].to = leaving[index].to.moved(by: change.offset)
    }
    var isAscending = letGo(change, in: layout)
    for attributes in change.after {
      let target = AnimatedAttributes(attributes)
      let origin = origin(of: target, change, in: layout)
      guard !origin.looksLike(target) else { continue }
      if let last = next.last, last.to.attributes.index > attributes.index { isAscending = false }
      next.append(animation(from: origin, to: target, change))
    }
    if !isAscending { next.sort { $0.to.attributes.index < $1.to.attributes.index } }
    swap(&staying, &next)
    if isEmpty { clock = 0 }
  }

  private func animation(
    from: AnimatedAttributes, to: AnimatedAttributes, _ change: Change
  ) -> Animation {
    Animation(from: from, to: to, start: clock, duration: change.duration, curve: change.curve)
  }

  /// Sets off the items that were on the screen and are not any more.
  /// - Returns: Whether the animations of those that the list still has are in ascending order.
  private func letGo(_ change: Change, in layout: CollectionViewLayout) -> Bool {
    var isAscending = true
    for look in change.before {
      let old = look.attributes.index
      let origin = look.moved(by: change.offset)
      let given = layout.finalLayoutAttributesForDisappearingItem(at: old)
      guard let new = change.map.newIndex(ofItemAt: old) else {
        leaving.append(animation(from: origin, to: given ?? origin.faded, change))
        continue
      }
      if let given {
        leaving.append(animation(from: origin, to: given, change))
        continue
      }
      guard !Self.contains(change.after, index: new),
        let target = layout.layoutAttributesForItem(at: new).map({ AnimatedAttributes($0) }),
        !origin.looksLike(target)
      else { continue }
      if let last = next.last, last.to.attributes.index > new { isAscending = false }
      next.append(animation(from: origin, to: target, change))
    }
    return isAscending
  }

  /// What an item comes from that is on the screen now.
  private func origin(
    of target: AnimatedAttributes, _ change: Change, in layout: CollectionViewLayout
  ) -> AnimatedAttributes {
    let index = target.attributes.index
    if let given = layout.initialLayoutAttributesForAppearingItem(at: index) { return given }
    guard let old = change.map.oldIndex(ofItemAt: index) else { return target.faded }
    if let position = Self.position(change.before.count, of: old, { change.before[$0].attributes.index }) {
      return change.before[position].moved(by: change.offset)
    }
    if let look = look(ofItemAt: old) { return look.moved(by: change.offset) }
    return layout.layoutAttributesBeforeChange(ofItemAt: old)
      .map { AnimatedAttributes($0).moved(by: change.offset) } ?? target.faded
  }

  private static func contains(_ attributes: [LayoutAttributes], index: Int) -> Bool {
    position(attributes.count, of: index) { attributes[$0].index } != nil
  }

  private static func position(_ count: Int, of index: Int, _ indexAt: (Int) -> Int) -> Int? {
    guard count > 0 else { return nil }
    // Mostly the indices have no gaps.
    let guess = index - indexAt(0)
    if guess >= 0, guess < count, indexAt(guess) == index { return guess }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if indexAt(middle) < index { low = middle + 1 } else { high = middle }
    }
    return low < count && indexAt(low) == index ? low : nil
  }
}
