import Dynamics

extension ItemAnimations {
  /// A change of a list, with the items on the screen before and after it.
  struct Change {
    var map: IndexMap
    /// The looks of the items that were on the screen before the change, ascending by their old indices.
    var before: [AnimatedAttributes]
    /// The places of the items that are on the screen after the change, ascending by their new indices.
    var after: [LayoutAttributes] = []
    /// Whether every item keeps its place in the layout.
    var keepsPlaces = false
    /// How far the change shifts the bounds, points. Items that stay at the same place on the screen move by this
    /// offset in the content.
    var offset = Point.zero
    var options: AnimationOptions
  }

  /// Animates a change. An item that is already moving continues from where it is to its new place. Items that an
  /// earlier change removed continue to disappear.
  ///
  /// An item that is on the screen before and after the change goes straight from its old place to its new one, even if
  /// the layout has attributes for appearing and disappearing items. UIKit instead lets one copy of the item disappear
  /// and another appear. Here this happens only if the layout's `showsCopies` is true.
  func begin(_ change: Change, in layout: CollectionViewLayout) {
    state.pointee.next.removeAll(keepingCapacity: true)
    beginTiming(change.options)
    for index in state.pointee.leaving.indices { state.pointee.leaving[index].path.move(by: change.offset) }
    letGo(change, in: layout)
    sortMoved()
    let goneCount = state.pointee.next.count
    letIn(change, in: layout)
    merge(behind: goneCount)
    if change.options.scope == .everything { moveUnseen(change, in: layout) }
    swap(&state.pointee.staying, &state.pointee.next)
  }

  private func beginTiming(_ options: AnimationOptions) {
    if isEmpty { state.pointee.timings.removeAll(keepingCapacity: true) }
    let count = state.pointee.timings.count
    let free = state.pointee.timings.indices.first { state.pointee.timings[$0].hasEnded } ?? count
    if free == count {
      state.pointee.timings.append(Timing(options))
    } else {
      state.pointee.timings[free] = Timing(options)
    }
    state.pointee.latestTiming = free
  }

  /// Starts the animations of items that were on the screen and are deleted, leave the screen, or are shown as two
  /// copies.
  private func letGo(_ change: Change, in layout: CollectionViewLayout) {
    for look in change.before {
      let old = look.attributes.index
      let origin = look.moved(by: change.offset)
      let given = layout.finalLayoutAttributesForDisappearingItem(at: old)
      guard let new = change.map.newIndex(ofItemAt: old) else {
        state.pointee.leaving.append(animation(from: origin, to: given ?? origin.faded, .departing))
        continue
      }
      let isShown = Self.position(change.after.count, of: new) { change.after[$0].index } != nil
      guard !layout.movesItem(at: new) else { continue }
      if var given, !Self.isNormal(given, forItemAt: new, in: layout) {
        if isShown, layout.showsCopies {
          state.pointee.leaving.append(animation(from: origin, to: given, .departing))
        } else if !isShown {
          given.attributes.index = new
          state.pointee.next.append(animation(from: origin, to: given, .departing))
        }
      } else if !isShown, let place = layout.layoutAttributesForItem(at: new) {
        add(from: origin, to: layout.look(of: place), .settling)
      }
    }
  }

  /// Starts the animations of the items that are on the screen now.
  private func letIn(_ change: Change, in layout: CollectionViewLayout) {
    for attributes in change.after {
      let target = layout.look(of: attributes)
      let given = layout.initialLayoutAttributesForAppearingItem(at: attributes.index)
      var origin = origin(of: target, given, change, in: layout)
      let isHeld = layout.movesItem(at: attributes.index)
      if isHeld { origin.attributes.center = attributes.center }
      add(from: origin, to: target, isHeld ? .held : .settling)
    }
  }

  /// Returns the look from which an item that is now on the screen starts.
  /// - Parameter given: The layout's initial attributes of the item; nil if it has none.
  private func origin(
    of target: AnimatedAttributes, _ given: AnimatedAttributes?, _ change: Change, in layout: CollectionViewLayout
  ) -> AnimatedAttributes {
    let index = target.attributes.index
    guard let old = change.map.oldIndex(ofItemAt: index) else { return given ?? target.faded }
    let special = given.flatMap { $0.looksLike(target) ? nil : $0 }
    if layout.showsCopies, let special { return special }
    if let position = Self.position(change.before.count, of: old, { change.before[$0].attributes.index }) {
      return change.before[position].moved(by: change.offset)
    }
    if let special { return special }
    if let look = look(ofItemAt: old) { return look.moved(by: change.offset) }
    return placeBefore(ofItemAt: old, change, in: layout) ?? target.faded
  }

  private func placeBefore(ofItemAt old: Int, _ change: Change, in layout: CollectionViewLayout) -> AnimatedAttributes?
  {
    let place =
      change.keepsPlaces ? layout.layoutAttributesForItem(at: old) : layout.layoutAttributesBeforeChange(ofItemAt: old)
    return place.map { AnimatedAttributes($0).moved(by: change.offset) }
  }

  /// Starts the animations of items that are on the screen neither before nor after the change.
  private func moveUnseen(_ change: Change, in layout: CollectionViewLayout) {
    let seenCount = state.pointee.next.count
    var seen = 0
    for index in 0..<change.map.newCount {
      if seen < seenCount, state.pointee.next[seen].index == index {
        seen += 1
        continue
      }
      guard let old = change.map.oldIndex(ofItemAt: index), let place = layout.layoutAttributesForItem(at: index) else {
        continue
      }
      let now = position(ofItemAt: old).map { self.look(at: $0).moved(by: change.offset) }
      guard let origin = now ?? placeBefore(ofItemAt: old, change, in: layout) else { continue }
      add(from: origin, to: layout.look(of: place), .unseen)
    }
    merge(behind: seenCount)
  }

  private func add(from origin: AnimatedAttributes, to target: AnimatedAttributes, _ role: Role) {
    if !origin.looksLike(target) { state.pointee.next.append(animation(from: origin, to: target, role)) }
  }

  private func animation(from: AnimatedAttributes, to: AnimatedAttributes, _ role: Role) -> Animation {
    Animation(path: LookPath(from: from, to: to), timing: state.pointee.latestTiming, role: role)
  }

  /// Sorts the animations by index, if moves have changed their order.
  private func sortMoved() {
    let next = state.pointee.next
    for position in next.indices.dropFirst() where next[position - 1].index > next[position].index {
      state.pointee.next.sort { $0.index < $1.index }
      return
    }
  }

  /// Merges two parts of the animations that are sorted by index. The second part begins at position `middle`.
  private func merge(behind middle: Int) {
    let count = state.pointee.next.count
    guard middle > 0, middle < count, state.pointee.next[middle - 1].index > state.pointee.next[middle].index else {
      return
    }
    state.pointee.merged.removeAll(keepingCapacity: true)
    var (low, high) = (0, middle)
    while low < middle || high < count {
      let isLow = high == count || low < middle && state.pointee.next[low].index < state.pointee.next[high].index
      state.pointee.merged.append(state.pointee.next[isLow ? low : high])
      if isLow { low += 1 } else { high += 1 }
    }
    swap(&state.pointee.merged, &state.pointee.next)
  }

  /// Returns whether attributes that the layout has given equal the item's usual look at its place in the layout.
  private static func isNormal(_ given: AnimatedAttributes, forItemAt index: Int, in layout: CollectionViewLayout)
    -> Bool
  { layout.layoutAttributesForItem(at: index).map { given.looksLike(layout.look(of: $0)) } ?? false }

  private static func position(_ count: Int, of index: Int, _ indexAt: (Int) -> Int) -> Int? {
    guard count > 0 else { return nil }
    // Usually the indices have no gaps, so the position can be computed.
    let guess = index - indexAt(0)
    if guess >= 0, guess < count, indexAt(guess) == index { return guess }
    return (0..<count).position(of: index, in: indexAt)
  }
}
