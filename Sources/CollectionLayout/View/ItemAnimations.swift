import Dynamics

/// The animations of single items that a collection view runs, from one look to another.
///
/// Memory is reused, so that only frames in which an animation begins allocate.
final class ItemAnimations {
  struct Animation {
    var from: AnimatedAttributes
    var to: AnimatedAttributes
    /// Seconds, summed up for each by itself, so that what else is animated does not show in the last place.
    var elapsed = 0.0
    /// Seconds.
    var duration: Double
    var curve: AnimationCurve
    var role: Role

    /// Slightly early, because sums of timesteps hardly ever equal a duration.
    var hasEnded: Bool { elapsed >= duration - 1e-9 }
  }

  enum Role {
    /// Ends where the layout has the item, wherever that is by then.
    case settling
    /// Ends as the layout said of items that go off the screen.
    case departing
    /// The layout moves the item itself; only its size and its look are animated.
    case held
    /// On the screen neither at the beginning nor at the end, and therefore not shown on its way across it.
    case unseen
  }

  /// Of items that the list has, ascending by index.
  var staying: [Animation] = []
  /// Of items that it has no more.
  var leaving: [Animation] = []
  /// What `staying` becomes, while a change begins.
  var next: [Animation] = []
  private var answer: [AnimatedAttributes] = []

  var isEmpty: Bool { staying.isEmpty && leaving.isEmpty }
  var count: Int { staying.count + leaving.count }

  /// Lets time pass, and forgets the animations that have ended.
  func step(by timestep: Double) {
    advance(&staying, by: timestep)
    advance(&leaving, by: timestep)
  }

  // By index, here and below: without optimisation, iterating over an array of large elements allocates.
  private func advance(_ animations: inout [Animation], by timestep: Double) {
    var kept = 0
    for index in animations.indices {
      animations[index].elapsed += timestep
      guard !animations[index].hasEnded else { continue }
      if kept != index { animations[kept] = animations[index] }
      kept += 1
    }
    animations.removeLast(animations.count - kept)
  }

  func look(_ animation: Animation) -> AnimatedAttributes {
    guard animation.duration > 0 else { return animation.to }
    let time = min(1, animation.elapsed / animation.duration)
    return animation.from.interpolated(to: animation.to, animation.curve.share(at: time))
  }

  /// The place of an item of the list in `staying`; nil: it is not animated.
  func position(ofItemAt index: Int) -> Int? {
    var (low, high) = (0, staying.count)
    while low < high {
      let middle = (low + high) / 2
      if staying[middle].to.attributes.index < index { low = middle + 1 } else { high = middle }
    }
    return low < staying.count && staying[low].to.attributes.index == index ? low : nil
  }

  func removeAll() {
    staying.removeAll(keepingCapacity: true)
    leaving.removeAll(keepingCapacity: true)
  }
}

// MARK: - Queries

extension ItemAnimations {
  /// What is on the screen: the items that rest where the layout has them, those on their way, ascending by
  /// index, and then those that leave the list.
  ///
  /// The next query may reuse the array's memory if nothing holds the array any more.
  /// - Parameter places: The items that the layout shows, ascending.
  func presented(
    _ places: [LayoutAttributes], of layout: CollectionViewLayout, in bounds: Rect, withLeaving: Bool = true
  ) -> [AnimatedAttributes] {
    var shown: [AnimatedAttributes] = []
    swap(&shown, &answer)
    shown.removeAll(keepingCapacity: true)
    var position = 0
    for place in places.indices {
      let index = places[place].index
      position = append(from: position, before: index, to: &shown, ifIn: bounds)
      if position < staying.count, staying[position].to.attributes.index == index {
        appendItem(at: position, layout.look(places[place]), to: &shown, ifIn: bounds)
        position += 1
      } else {
        shown.append(layout.look(places[place]))
      }
    }
    _ = append(from: position, before: .max, to: &shown, ifIn: bounds)
    if withLeaving {
      for index in leaving.indices { append(look(leaving[index]), to: &shown, ifIn: bounds) }
    }
    answer = shown
    return shown
  }

  /// Adds an item on its way, to where the layout has it now.
  private func appendItem(
    at position: Int, _ place: AnimatedAttributes, to shown: inout [AnimatedAttributes], ifIn bounds: Rect
  ) {
    switch staying[position].role {
    case .unseen:
      shown.append(place)
      return
    case .departing: break
    case .settling: staying[position].to = place
    case .held:
      staying[position].to = place
      staying[position].from.attributes.center = place.attributes.center
    }
    append(look(staying[position]), to: &shown, ifIn: bounds)
  }

  /// Adds the items from a position on, up to an index of the list, that the layout does not show.
  /// - Returns: The position behind them.
  private func append(
    from start: Int, before end: Int, to shown: inout [AnimatedAttributes], ifIn bounds: Rect
  ) -> Int {
    var position = start
    while position < staying.count, staying[position].to.attributes.index < end {
      let look = look(staying[position])
      switch staying[position].role {
      case .settling, .departing: append(look, to: &shown, ifIn: bounds)
      case .held, .unseen: break
      }
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

extension ItemAnimations: ItemPresenter {
  func look(ofItemAt index: Int) -> AnimatedAttributes? {
    guard let position = position(ofItemAt: index), staying[position].role != .unseen else { return nil }
    return look(staying[position])
  }

  func handOver(itemAt index: Int) {
    guard let position = position(ofItemAt: index), staying[position].role != .unseen else { return }
    staying[position].role = .held
  }
}
