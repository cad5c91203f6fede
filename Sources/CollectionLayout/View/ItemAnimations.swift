import Dynamics

/// The animations of a collection view's items, each from one look (place, opacity, transform) to another. Memory is
/// reused, so only frames in which an animation begins allocate.
final class ItemAnimations {
  struct Animation {
    var path: LookPath
    /// The index in `State.timings` of the progress of this animation.
    var timing: Int
    var role: Role

    @inline(__always) var index: Int { path.to.attributes.index }
  }

  /// The progress of the animations of one change.
  struct Timing {
    /// Elapsed seconds. They are summed separately for each change, so that rounding does not depend on other
    /// animations.
    private var elapsed = 0.0
    /// The duration, seconds.
    let duration: Double
    let curve: AnimationCurve
    /// The fraction of their paths that the items have covered so far.
    private(set) var share: Double
    /// Whether the animations of the change have ended, so that this `Timing` can be reused for another change.
    private(set) var hasEnded = false

    init(_ options: AnimationOptions) {
      (duration, curve) = (options.duration, options.curve)
      share = duration > 0 ? curve.share(at: 0) : 1
    }

    /// - Returns: Whether the animations of the change have just ended.
    mutating func advance(by timestep: Double) -> Bool {
      guard !hasEnded else { return false }
      elapsed += timestep
      if duration > 0 { share = curve.share(at: min(1, elapsed / duration)) }
      // The comparison has a tolerance, because a sum of timesteps is hardly ever equal to the duration.
      hasEnded = elapsed >= duration - 1e-9
      return hasEnded
    }
  }

  enum Role {
    /// The animation ends at the layout's place for the item, even if that place changes meanwhile.
    case settling
    /// The animation ends at the layout's attributes for disappearing items.
    case departing
    /// The layout itself moves the item. Only the item's size, opacity and transform are animated.
    case held
    /// The item is on the screen neither at the beginning nor at the end, so it is not shown even if its path crosses
    /// the screen.
    case unseen
  }

  /// The state is behind a pointer, because every access to a property of a class is checked for exclusivity at run
  /// time.
  let state: UnsafeMutablePointer<State>

  struct State {
    /// Animations of items in the list, ascending by index.
    var staying: [Animation] = []
    /// Animations of items that have left the list, and of disappearing copies of items that stay (`showsCopies`).
    var leaving: [Animation] = []
    /// Timings of all animations. There is one for each change, so that a step need not examine each animation.
    var timings: [Timing] = []
    /// Index of the timing of the latest change.
    var latestTiming = 0
    /// The next value of `staying`, which is built up when a change begins.
    var next: [Animation] = []
    /// Memory for merging two parts of `next`.
    var merged: [Animation] = []
    /// The result of the last query, whose memory the next one reuses.
    var answer: [AnimatedAttributes] = []
  }

  init() {
    state = .holding(State())
    // Reserves memory, so even the first change of a few items does not allocate.
    state.pointee.staying.reserveCapacity(8)
    state.pointee.next.reserveCapacity(8)
    state.pointee.timings.reserveCapacity(4)
  }

  deinit { state.release() }

  var isEmpty: Bool { state.pointee.staying.isEmpty && state.pointee.leaving.isEmpty }
  var count: Int { state.pointee.staying.count + state.pointee.leaving.count }

  func step(by timestep: Double) {
    guard !isEmpty else { return }
    var ends = false
    for index in state.pointee.timings.indices { if state.pointee.timings[index].advance(by: timestep) { ends = true } }
    guard ends else { return }
    removeEnded(&state.pointee.staying, state.pointee.timings)
    removeEnded(&state.pointee.leaving, state.pointee.timings)
  }

  private func removeEnded(_ animations: inout [Animation], _ timings: [Timing]) {
    var kept = 0
    animations.withUnsafeMutableBufferPointer { animations in
      for index in animations.indices {
        guard !timings[animations[index].timing].hasEnded else { continue }
        if kept != index { animations[kept] = animations[index] }
        kept += 1
      }
    }
    animations.removeLast(animations.count - kept)
  }

  func look(at position: Int) -> AnimatedAttributes {
    let timing = state.pointee.staying[position].timing
    return state.pointee.staying[position].path.look(at: state.pointee.timings[timing].share)
  }

  /// Returns the position of an item's animation in `staying`; nil if the item is not animated.
  func position(ofItemAt index: Int) -> Int? {
    state.pointee.staying.indices.position(of: index) { state.pointee.staying[$0].index }
  }

  func removeAll() {
    state.pointee.staying.removeAll(keepingCapacity: true)
    state.pointee.leaving.removeAll(keepingCapacity: true)
    state.pointee.timings.removeAll(keepingCapacity: true)
  }

  /// Returns the items on the screen. Items of the list come first, ascending by index, whether they rest or move. The
  /// items of `leaving` follow.
  /// - Parameter places: The items that the layout shows, in ascending order.
  func presented(
    _ places: [LayoutAttributes], of layout: CollectionViewLayout, in bounds: Rect, withLeaving: Bool = true
  ) -> [AnimatedAttributes] {
    collect { shown in
      let special = layout.hasLooks ? layout : nil
      let timings = state.pointee.timings
      // Elements are read by a pointer, because an array's subscript would copy a whole element to read one field.
      state.pointee.staying.withUnsafeMutableBufferPointer { staying in
        var position = 0
        // The loop uses indices, because in unoptimized code iterating over an array of large elements allocates.
        for index in places.indices {
          let place = places[index]
          Self.append(staying, timings, &position, before: place.index, to: &shown, ifIn: bounds)
          guard position < staying.count, staying[position].index == place.index else {
            Self.append(place, special, to: &shown)
            continue
          }
          if staying[position].role == .unseen {
            Self.append(place, special, to: &shown)
          } else {
            Self.lead(&staying[position], to: place, special)
            Self.append(staying, timings, position, to: &shown, ifIn: bounds)
          }
          position += 1
        }
        Self.append(staying, timings, &position, before: .max, to: &shown, ifIn: bounds)
      }
      guard withLeaving else { return }
      state.pointee.leaving.withUnsafeMutableBufferPointer { leaving in
        for index in leaving.indices { Self.append(leaving, timings, index, to: &shown, ifIn: bounds) }
      }
    }
  }

  /// Returns the visible items of `leaving`, each with the index of its timing.
  func leavingLooks(in bounds: Rect) -> [(look: AnimatedAttributes, change: Int)] {
    state.pointee.leaving.compactMap { animation in
      let look = animation.path.look(at: state.pointee.timings[animation.timing].share)
      return look.frame.intersects(bounds) ? (look, animation.timing) : nil
    }
  }

  /// Collects the result of a query in the memory of the previous result, unless something still holds that array.
  func collect(_ add: (inout [AnimatedAttributes]) -> Void) -> [AnimatedAttributes] {
    var shown: [AnimatedAttributes] = []
    swap(&shown, &state.pointee.answer)
    shown.removeAll(keepingCapacity: true)
    add(&shown)
    state.pointee.answer = shown
    return shown
  }

  /// Makes the animation of an item end at the item's present place in the layout.
  /// - Parameter special: The layout if it changes how items look (`hasLooks`), otherwise nil.
  @inline(__always) private static func lead(
    _ animation: inout Animation, to place: LayoutAttributes, _ special: CollectionViewLayout?
  ) {
    guard animation.role != .departing else { return }
    if let special { animation.path.lead(to: special.look(of: place)) } else { animation.path.lead(to: place) }
    if animation.role == .held { animation.path.begin(at: place.center) }
  }

  /// Adds an item at rest. There are two branches, so that a plain look is not copied through an optional.
  @inline(__always) private static func append(
    _ place: LayoutAttributes, _ special: CollectionViewLayout?, to shown: inout [AnimatedAttributes]
  ) { if let special { shown.append(special.look(of: place)) } else { shown.append(AnimatedAttributes(place)) } }

  /// Adds the animated items, beginning at `position`, whose indices are less than `end`. The layout does not show
  /// these items in `bounds`.
  @inline(__always) private static func append(
    _ staying: UnsafeMutableBufferPointer<Animation>, _ timings: [Timing], _ position: inout Int, before end: Int,
    to shown: inout [AnimatedAttributes], ifIn bounds: Rect
  ) {
    while position < staying.count, staying[position].index < end {
      switch staying[position].role {
      case .settling, .departing: append(staying, timings, position, to: &shown, ifIn: bounds)
      case .held, .unseen: break
      }
      position += 1
    }
  }

  @inline(__always) private static func append(
    _ animations: UnsafeMutableBufferPointer<Animation>, _ timings: [Timing], _ position: Int,
    to shown: inout [AnimatedAttributes], ifIn bounds: Rect
  ) {
    guard let first = animations.baseAddress else { return }
    // The path is the first field, so its address is that of the animation. A key path would allocate in debug builds.
    UnsafeRawPointer(first + position).assumingMemoryBound(to: LookPath.self).append(
      at: timings[animations[position].timing].share, to: &shown, ifIn: bounds)
  }
}

extension ItemAnimations: ItemPresenter {
  func look(ofItemAt index: Int) -> AnimatedAttributes? {
    guard let position = position(ofItemAt: index), state.pointee.staying[position].role != .unseen else { return nil }
    return look(at: position)
  }

  func handOver(itemAt index: Int) {
    guard let position = position(ofItemAt: index), state.pointee.staying[position].role != .unseen else { return }
    state.pointee.staying[position].role = .held
  }
}
