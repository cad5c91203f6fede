import Dynamics
import Foundation
import Statistics
import Testing

@testable import CollectionLayout

/// Tests random rotations of the device, some of them reversed half-way, with layouts that return attributes for
/// appearing and disappearing items and with layouts that return none.
@Suite struct RotationTests {
  /// The attributes that a layout returns for appearing and disappearing items: none, the item's usual ones (`normal`),
  /// or deliberately strange ones (`odd`).
  enum Saying: CaseIterable {
    case nothing, normal, normalWhereTheyAppear, normalWhereTheyDisappear, odd

    var saysOfAppearing: Bool { self != .nothing && self != .normalWhereTheyDisappear }
    var saysOfDisappearing: Bool { self != .nothing && self != .normalWhereTheyAppear }
  }

  private final class SayingLayout: AnimatedFlowLayout {
    let saying: Saying

    init(_ saying: Saying, _ options: FlowOptions) throws(LayoutError) {
      self.saying = saying
      try super.init(options)
    }

    override var showsCopies: Bool { false }

    override func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? {
      saying.saysOfAppearing ? said(of: index) : nil
    }

    override func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? {
      saying.saysOfDisappearing ? said(of: index) : nil
    }

    private func said(of index: Int) -> AnimatedAttributes? {
      guard let place = layoutAttributesForItem(at: index) else { return nil }
      guard saying == .odd else { return AnimatedAttributes(place) }
      switch index % 4 {
      case 0: return farEnd(of: place)
      case 1: return AnimatedAttributes(place).faded
      case 2: return AnimatedAttributes(place, scale: 0.5).moved(by: Point(x: 400, y: -30))
      default: return AnimatedAttributes(place)
      }
    }
  }

  /// A view that is rotated at random moments.
  private struct Turning {
    let view: CollectionView
    var options = AnimationOptions()
    var random: SplitMix64
    var framesLeft = 0

    init(_ saying: Saying, _ flow: FlowOptions, _ scope: AnimationScope, seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      let count = Int.random(in: 0...600, using: &random)
      view = try CollectionView(
        layout: SayingLayout(saying, flow), itemCount: count, size: phone,
        contentOffset: .random(in: 0...4_000, using: &random))
      options.scope = scope
    }

    /// Rotates the view at random frames, mostly before the previous rotation has ended.
    /// - Returns: Whether the view was rotated.
    mutating func turn() throws -> Bool {
      framesLeft -= 1
      guard framesLeft < 0 else { return false }
      framesLeft = Int.random(in: 1...12, using: &random)
      options.duration = Bool.random(using: &random) ? 0.25 : .random(in: 0.02...0.4, using: &random)
      options.curve = Bool.random(using: &random) ? .linear : .easeInOut
      let sides = [320.0, 568, 414, 736, 200]
      let (width, height) = (sides[Int.random(in: 0..<5, using: &random)], sides[Int.random(in: 0..<5, using: &random)])
      let item = Bool.random(using: &random) ? Int.random(in: 0..<1_000, using: &random) : nil
      let announcement = CollectionView.BoundsAnnouncement.allCases[Int.random(in: 0..<2, using: &random)]
      try view.rotate(
        to: Size(width: width, height: height), showing: item.flatMap { $0 < view.itemCount ? $0 : nil },
        announcement: announcement, options: options)
      return true
    }
  }

  @Test(arguments: Saying.allCases) func bothScopesShowTheSameAndNoItemTwice(_ saying: Saying) throws {
    var shown = 0
    for (index, flow) in FlowOptions.varied.enumerated() {
      var visible = try Turning(saying, flow.options, .visible, seed: UInt64(index))
      var everything = try Turning(saying, flow.options, .everything, seed: UInt64(index))
      for frame in 0..<60 {
        let turns = (try visible.turn(), try everything.turn())
        #expect(turns.0 == turns.1)
        let (a, b) = (visible.view.presentedAttributes(), everything.view.presentedAttributes())
        #expect(a == b, "seed \(index) frame \(frame)")
        #expect(Set(a.map(\.attributes.index)).count == a.count)
        shown += a.count
        for view in [visible.view, everything.view] {
          view.step(by: 1 / 60)
          if index.isMultiple(of: 2) { view.scroll(to: view.scrollOffset + Double(index)) }
        }
      }
    }
    #expect(shown > 3_000)
  }

  @Test(arguments: Saying.allCases) func bothScopesShowTheSameWhileItemsComeGoAndMoveToo(_ saying: Saying) throws {
    var pictures: [[[AnimatedAttributes]]] = []
    for scope in [AnimationScope.visible, .everything] {
      var turning = try Turning(saying, FlowOptions(), scope, seed: 11)
      var updates = RandomUpdates(seed: 5)
      let view = turning.view
      var frames: [[AnimatedAttributes]] = []
      for frame in 0..<200 {
        if frame % 9 == 4 {
          let batch = updates.batch(count: view.itemCount, near: 60)
          try view.performBatchUpdates(batch, options: turning.options)
        }
        _ = try turning.turn()
        frames.append(view.presentedAttributes())
        view.step(by: 1 / 60)
      }
      pictures.append(frames)
    }
    #expect(pictures[0] == pictures[1])
    #expect(pictures[0].reduce(0) { $0 + $1.count } > 2_000)
  }

  /// Returns the distance in points that each item may move in the next frame, keyed by index.
  private func reach(_ view: CollectionView, timestep: Double) -> [Int: Double] {
    Dictionary(
      uniqueKeysWithValues: view.animations.state.pointee.staying.map { animation in
        let (a, b) = (animation.path.from.attributes, animation.path.to.attributes)
        let way = max(
          hypot(a.center.x - b.center.x, a.center.y - b.center.y), abs(a.size.width - b.size.width),
          abs(a.size.height - b.size.height))
        let timing = view.animations.state.pointee.timings[animation.timing]
        let steepest = timing.curve == .linear ? 1 : 1.5
        return (b.index, way * min(1, steepest * timestep / timing.duration) + 1e-6)
      })
  }

  private func byIndex(_ shown: [AnimatedAttributes]) -> [Int: AnimatedAttributes] {
    Dictionary(uniqueKeysWithValues: shown.map { ($0.attributes.index, $0) })
  }

  @Test(arguments: Saying.allCases) func nothingJumpsAndOnlyTheEdgesOfTheScreenLetAnythingInOrOut(_ saying: Saying)
    throws
  {
    var jumps: [String] = []
    var (moved, turns) = (0, 0)
    for (index, flow) in FlowOptions.varied.enumerated() {
      var turning = try Turning(saying, flow.options, .visible, seed: 100 + UInt64(index))
      let view = turning.view
      for frame in 0..<120 {
        let (bounds, before) = (view.bounds, byIndex(view.presentedAttributes()))
        if try turning.turn() {
          turns += 1
          jumps += jumpsOfTurn(from: before, in: bounds, to: view, maySayOtherwise: saying == .odd).map {
            "\(flow) \(frame): \($0)"
          }
        }
        let old = byIndex(view.presentedAttributes())
        let reach = reach(view, timestep: 1 / 60)
        view.step(by: 1 / 60)
        let now = byIndex(view.presentedAttributes())
        for (index, look) in now {
          guard let last = old[index] else { continue }
          let (a, b) = (last.attributes.center, look.attributes.center)
          if hypot(a.x - b.x, a.y - b.y) > reach[index] ?? 0 {
            jumps.append("\(flow) \(frame): item \(index) from \(a) to \(b)")
          }
          if a != b { moved += 1 }
        }
        guard saying != .odd else { continue }
        for index in Set(now.keys).symmetricDifference(old.keys) {
          guard let look = now[index] ?? old[index] else { continue }
          if look.frame.intersects(view.bounds.grown(by: -2 * (reach[index] ?? 0) - 1e-5)) {
            jumps.append("\(flow) \(frame): item \(index) comes or goes at \(look.frame)")
          }
        }
      }
    }
    #expect(jumps == [])
    #expect(moved > 3_000 && turns > 50)
  }

  /// Describes each item that jumps on the screen at the moment when a rotation starts.
  private func jumpsOfTurn(
    from before: [Int: AnimatedAttributes], in old: Rect, to view: CollectionView, maySayOtherwise: Bool
  ) -> [String] {
    var jumps: [String] = []
    let shift = Point(x: view.bounds.minX - old.minX, y: view.bounds.minY - old.minY)
    let back = Point(x: -shift.x, y: -shift.y)
    let after = byIndex(view.presentedAttributes())
    for (index, look) in before {
      let look = look.moved(by: shift)
      if look.frame.intersects(view.bounds.grown(by: -1e-5)), after[index] != look {
        jumps.append("the turn moves item \(index) from \(look) to \(String(describing: after[index]))")
      }
    }
    for (index, look) in after where before[index] == nil && !maySayOtherwise {
      if look.moved(by: back).frame.intersects(old.grown(by: -1e-5)) {
        jumps.append("the turn brings item \(index) at \(look.frame)")
      }
    }
    return jumps
  }

  @Test func aLayoutThatSaysWhatIsNormalLooksLikeOneThatSaysNothing() throws {
    for saying in Saying.allCases where saying != .odd {
      var silent = try Turning(.nothing, FlowOptions(), .visible, seed: 7)
      var other = try Turning(saying, FlowOptions(), .visible, seed: 7)
      for _ in 0..<300 {
        let turns = (try silent.turn(), try other.turn())
        #expect(turns.0 == turns.1)
        #expect(silent.view.presentedAttributes() == other.view.presentedAttributes())
        silent.view.step(by: 1 / 60)
        other.view.step(by: 1 / 60)
      }
    }
  }

  @Test func aTurnToTheSameSizeSlidesToTheItem() throws {
    let view = try CollectionView(layout: AnimatedFlowLayout(), itemCount: 400, size: phone)
    try view.rotate(to: Size(width: 568, height: 320))
    try view.rotate(to: phone)
    for _ in 0..<30 { view.step(by: 1 / 60) }
    let before = view.presentedAttributes()
    try view.rotate(to: phone, showing: 90)
    let shift = view.scrollOffset
    #expect(shift > 200)
    let now = byIndex(view.presentedAttributes())
    for look in before { #expect(now[look.attributes.index] == look.moved(by: Point(x: 0, y: shift))) }
  }
}
