import Dynamics

/// A scene that SpringBench's engine simulates, with the behaviors that its collection layouts use.
final class EngineSystem: SystemPeer {
  private final class Item: DynamicItem {
    var center: Point
    let size: Size
    var angle = 0.0
    let collisionBoundsType: CollisionBoundsType

    init(_ center: Point, side: Double, isRound: Bool) {
      self.center = center
      size = Size(width: side, height: side)
      collisionBoundsType = isRound ? .ellipse : .rectangle
    }
  }

  private let animator = DynamicAnimator()
  private var items: [Item] = []
  private var hold: DragBehavior?
  private var frame = 0

  init(_ scene: SystemScene) throws {
    switch scene {
    case .cradle(let count): try hangCradle(count)
    case .drag(let count):
      items = (0..<count).map { Item(DragParts.place($0), side: DragParts.side, isRound: false) }
      let hold = DragBehavior(items: items, point: DragParts.finger(0))
      try animator.addBehavior(hold)
      self.hold = hold
    }
  }

  private func hangCradle(_ count: Int) throws {
    let collision = CollisionBehavior()
    let gravity = GravityBehavior(
      gravityDirection: Vector(dx: 0, dy: CradleParts.gravity / GravityBehavior.accelerationOfOne))
    let properties = DynamicItemBehavior(
      properties: ItemProperties(elasticity: CradleParts.elasticity, allowsRotation: false))
    for behavior in [properties, gravity, collision] { try animator.addBehavior(behavior) }
    for index in 0..<count {
      let item = Item(CradleParts.start(index), side: CradleParts.diameter, isRound: true)
      items.append(item)
      try animator.addBehavior(
        AttachmentBehavior(
          item: item, attachedToAnchor: CradleParts.anchor(index), length: CradleParts.length,
          damping: CradleParts.damping, frequency: CradleParts.frequency))
      for group in [properties, gravity, collision] as [GroupBehavior] { try group.addItem(item) }
      for _ in 0..<CradleParts.interval(count) { animator.step(by: SystemScene.timestep) }
    }
  }

  var awakeCount: Int { animator.awakeBodyCount }

  func run(frames: Int, into centers: CenterBuffer) {
    for _ in 0..<frames {
      frame += 1
      if let hold { move(hold) }
      animator.step(by: SystemScene.timestep)
      for index in items.indices {
        let center = items[index].center
        (centers[2 * index], centers[2 * index + 1]) = (center.x, center.y)
      }
    }
  }

  private func move(_ hold: DragBehavior) {
    do { try hold.setPoint(DragParts.finger(frame)) } catch { preconditionFailure("\(error)") }
  }
}
