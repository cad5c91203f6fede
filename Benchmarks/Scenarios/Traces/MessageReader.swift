import Glibc
import Statistics

/// Makes up the gestures of ``ScrollScript/messages(seed:duration:extent:viewport:)`` at random, one after another.
struct MessageReader {
  /// One act of the reader, which consists of one or more gestures. The list is at rest before and after every act.
  private enum Act: CaseIterable { case slowDrag, flick, doubleFlick, turn, catchAndLook }

  private enum Direction {
    case towardsEnd, towardsStart

    var sign: Double {
      switch self {
      case .towardsEnd: 1
      case .towardsStart: -1
      }
    }

    var opposite: Direction {
      switch self {
      case .towardsEnd: .towardsStart
      case .towardsStart: .towardsEnd
      }
    }
  }

  private static let fastestFling = 6_000.0
  /// The shortest time from lifting the finger to catching the list, seconds.
  private static let shortestCatch = 0.12

  private var random: SplitMix64
  private let extent: Double
  private let viewport: ScrollViewport
  private let startOffset: Double

  private var gestures: [ScrollGesture] = []
  private var offset: Double
  private var elapsed = 0.0

  init(seed: UInt64, extent: Double, viewport: ScrollViewport) {
    precondition(extent.isFinite && extent >= 200, "an extent of \(extent) points; at least 200")
    precondition(viewport.width.isFinite && viewport.width >= 100, "a viewport \(viewport.width) points wide")
    precondition(viewport.height.isFinite && viewport.height >= 100, "a viewport \(viewport.height) points high")
    random = SplitMix64(seed: seed)
    self.extent = extent
    self.viewport = viewport
    startOffset = extent * random.uniform(in: 0.4...0.6)
    offset = startOffset
  }

  mutating func read(forSeconds duration: Double) -> ScrollScript {
    precondition(duration.isFinite && duration > 0, "a script of \(duration) s")
    open()
    var acts: [Act] = []
    var restIsDue = random.uniform(in: 7...9)
    while elapsed < duration {
      guard elapsed < restIsDue else {
        pause(6...6.5)
        restIsDue = elapsed + random.uniform(in: 16...20)
        continue
      }
      if acts.isEmpty {
        acts = Act.allCases
        random.shuffle(&acts)
      }
      perform(acts.removeLast())
      if random.chance(0.5) { pause(0.15...0.5) }
    }
    let center = ScrollTouch(x: viewport.width / 2, y: viewport.height / 2)
    return ScrollScript(startOffset: startOffset, startTouch: center, gestures: gestures)
  }

  /// Adds a quick fling in each direction, within the first two seconds.
  private mutating func open() {
    let first: Direction = random.chance(0.5) ? .towardsEnd : .towardsStart
    flick(first, 2_500...4_500, share: 0.9, catching: 0.3...0.5)
    flick(first.opposite, 2_500...4_500, share: 0.8, catching: 0.3...0.5)
    hold(0.05...0.1)
  }

  private mutating func perform(_ act: Act) {
    let direction = drawDirection()
    switch act {
    case .slowDrag:
      slowDrag(direction)
      if random.chance(0.6) { slowDrag(drawDirection()) }
    case .flick: flick(direction, 1_500...Self.fastestFling)
    case .doubleFlick:
      flick(direction, 1_500...3_500, share: 0.4, catching: 0.15...0.35)
      let caught = caughtVelocity
      flick(direction, 1_500...4_000, carrying: caught)
    case .turn:
      flick(direction, 1_500...4_000, share: 0.8, catching: 0.2...0.6)
      flick(direction.opposite, 1_500...5_000)
    case .catchAndLook:
      flick(direction, 2_000...Self.fastestFling, catching: 0.3...1.2)
      slowDrag(drawDirection())
    }
  }
}

extension MessageReader {
  /// Returns how far the list can scroll in this direction, points. A small margin stays unused, so that rounding
  /// errors never carry the list beyond the end.
  private func room(_ direction: Direction) -> Double {
    let edge = min(8, extent / 50)
    switch direction {
    case .towardsEnd: return extent - edge - offset
    case .towardsStart: return offset - edge
    }
  }

  /// Picks a random direction. A direction is more likely if the list can scroll further that way, and certain if more
  /// than 70% of the range lies there.
  private mutating func drawDirection() -> Direction {
    let share = room(.towardsEnd) / (room(.towardsEnd) + room(.towardsStart))
    let draw = random.uniform(in: 0...1)
    if share < 0.3 { return .towardsStart }
    if share > 0.7 { return .towardsEnd }
    return draw < share ? .towardsEnd : .towardsStart
  }

  private mutating func slowDrag(_ direction: Direction) {
    let share = random.uniform(in: 0.15...0.45)
    let distance = min(share * viewport.height, 0.8 * room(direction))
    stroke(direction, distance: distance, duration: random.uniform(in: 0.45...1.1), releaseVelocity: 0)
  }

  /// Adds the gestures of a finger that throws the list.
  ///
  /// - Parameters:
  ///   - velocities: Desired range of the finger's velocity, points/s. The velocity falls below the range if the list
  ///     cannot scroll far enough.
  ///   - share: Fraction of `room(_:)` that the throw may use.
  ///   - carried: Speed of the list when the finger caught it, points/s. It is added to the finger's own speed.
  ///   - catching: Seconds until the list is caught. If nil, the list is caught only if it would otherwise run beyond
  ///     `room(_:)`.
  private mutating func flick(
    _ direction: Direction, _ velocities: ClosedRange<Double>, share: Double = 1, carrying carried: Double = 0,
    catching: ClosedRange<Double>? = nil
  ) {
    let room = share * room(direction)
    let wish = random.uniform(in: velocities)
    let strokeTime = random.uniform(in: 0.07...0.11)
    let catchWish = random.uniform(in: catching ?? 0.3...0.8)
    // The shortest distance that the list runs on after the stroke, and the distance of the stroke. Both are divided by
    // the velocity, so the unit is seconds.
    let coastSeconds = ScrollDeceleration(initialVelocity: 1).displacement(after: Self.shortestCatch)
    let strokeSeconds = strokeTime / FingerStroke.steepestRelease
    let added = min(carried, 0.5 * room / coastSeconds)
    let velocity = min(wish, Self.fastestFling - added, (room - added * coastSeconds) / (strokeSeconds + coastSeconds))

    let distance = min(velocity * strokeSeconds, reach)
    stroke(
      direction, distance: distance, duration: FingerStroke.steepestRelease * distance / velocity,
      releaseVelocity: velocity)
    coast(
      direction, velocity: velocity + added, room: room - distance, catchWish: catchWish, mayComeToRest: catching == nil
    )
  }

  /// Lets the list run on until it is caught or comes to rest. It is caught before it would move further than `room`.
  private mutating func coast(
    _ direction: Direction, velocity: Double, room: Double, catchWish: Double, mayComeToRest: Bool
  ) {
    let deceleration = ScrollDeceleration(initialVelocity: velocity)
    let latestCatch = deceleration.time(toReach: room)
    let wish = mayComeToRest && latestCatch == nil ? nil : catchWish
    let caughtAfter = wish.map { min($0, latestCatch ?? deceleration.duration) }
    gestures.append(.fling(velocity: direction.sign * velocity, caughtAfter: caughtAfter))
    let seconds = caughtAfter ?? deceleration.duration
    offset += direction.sign * deceleration.displacement(after: seconds)
    elapsed += seconds
    if mayComeToRest && caughtAfter != nil { hold(0.05...0.25) }
  }

  /// The speed of the list when the next gesture catches it, points/s. 0 if the last gesture is not a fling that is
  /// caught.
  private var caughtVelocity: Double {
    guard case .fling(let velocity, let caughtAfter?) = gestures.last else { return 0 }
    return abs(ScrollDeceleration(initialVelocity: velocity).velocity(after: caughtAfter))
  }

  private mutating func stroke(_ direction: Direction, distance: Double, duration: Double, releaseVelocity: Double) {
    let start = drawTouch(direction, distance: distance)
    let sideways = random.uniform(in: -0.06...0.06) * viewport.width
    gestures.append(
      .drag(
        distance: direction.sign * distance, duration: duration, from: start, sideways: sideways,
        releaseVelocity: direction.sign * releaseVelocity))
    offset += direction.sign * distance
    elapsed += duration
  }

  private mutating func hold(_ seconds: ClosedRange<Double>) {
    let duration = random.uniform(in: seconds)
    gestures.append(.hold(duration: duration, at: drawTouch(.towardsEnd, distance: 0)))
    elapsed += duration
  }

  private mutating func pause(_ seconds: ClosedRange<Double>) {
    let duration = random.uniform(in: seconds)
    gestures.append(.pause(duration: duration))
    elapsed += duration
  }

  /// The distance that the finger keeps from the top and the bottom of the screen, points.
  private var inset: Double { 0.08 * viewport.height }
  /// The longest path of the finger, points.
  private var reach: Double { viewport.height - 2 * inset }

  /// Picks a random point to touch. The whole stroke from there keeps `inset` points from the top and the bottom.
  private mutating func drawTouch(_ direction: Direction, distance: Double) -> ScrollTouch {
    let x = viewport.width * random.uniform(in: 0.25...0.8)
    let highest = inset + max(direction.sign * distance, 0)
    let lowest = viewport.height - inset + min(direction.sign * distance, 0)
    return ScrollTouch(x: x, y: random.uniform(in: min(highest, lowest)...lowest))
  }
}
