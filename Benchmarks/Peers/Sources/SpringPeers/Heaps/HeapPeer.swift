import CBox2DScenes
import CChipmunkSprings
import Dynamics
import Scenarios

/// An engine that simulates a heap of the scenario `heap`: items that fall into a container.
protocol HeapPeer: AnyObject {
  func step()

  /// Writes x, y, angle, the velocity along x and y, and the spin of each item; points, radians and seconds.
  func readMotions(into motions: CenterBuffer)

  var awakeCount: Int { get }
}

/// The engines that simulate heaps. Box2D uses 150 points per meter, like UIKit, and the 8 velocity and 3 position
/// iterations that its manual recommends. Chipmunk uses its defaults.
enum HeapContestant: String, CaseIterable, Sendable {
  case engine, box2D, chipmunk

  var name: String {
    switch self {
    case .engine: "this engine"
    case .box2D: "Box2D, 8/3 iterations"
    case .chipmunk: "Chipmunk, 10 iterations"
    }
  }

  func make(_ items: [Heap.Item], width: Double) throws -> any HeapPeer {
    switch self {
    case .engine: try EngineHeap(items, width: width)
    case .box2D: Box2DHeap(items, width: width)
    case .chipmunk: ChipmunkHeap(items, width: width)
    }
  }
}

private let height = 1e5
private let timestep = 1.0 / 60

private final class EngineHeap: HeapPeer {
  private let items: [Heap.Item]
  private let animator = DynamicAnimator()
  private let behavior: DynamicItemBehavior

  init(_ items: [Heap.Item], width: Double) throws {
    self.items = items
    behavior = DynamicItemBehavior(items: items, properties: Heap.properties)
    let collision = CollisionBehavior(items: items)
    try collision.setReferenceBounds(Rect(x: 0, y: -height, width: width, height: height))
    for behavior in [behavior, collision, GravityBehavior(items: items)] as [DynamicBehavior] {
      try animator.addBehavior(behavior)
    }
  }

  func step() { animator.step(by: timestep) }

  func readMotions(into motions: CenterBuffer) {
    for (index, item) in items.enumerated() {
      let velocity = (try? behavior.linearVelocity(for: item)) ?? .zero
      let spin = (try? behavior.angularVelocity(for: item)) ?? 0
      let values = [item.center.x, item.center.y, item.angle, velocity.dx, velocity.dy, spin]
      for (offset, value) in values.enumerated() { motions[6 * index + offset] = value }
    }
  }

  var awakeCount: Int { animator.awakeBodyCount }
}

/// Returns the sides of the container, each as a line between two points.
private func walls(_ width: Double) -> [(from: Point, to: Point)] {
  [
    (Point(x: 0, y: 0), Point(x: width, y: 0)), (Point(x: 0, y: -height), Point(x: 0, y: 0)),
    (Point(x: width, y: 0), Point(x: width, y: -height)),
  ]
}

private final class Box2DHeap: HeapPeer {
  private let scene: OpaquePointer

  init(_ items: [Heap.Item], width: Double) {
    var options = box2d_scene_options()
    options.points_per_metre = 150
    options.gravity = GravityBehavior.accelerationOfOne
    (options.collides, options.allows_rotation, options.allows_sleep) = (1, 1, 1)
    (options.elasticity, options.friction) = (Heap.properties.elasticity, Heap.properties.friction)
    (options.velocity_iterations, options.position_iterations) = (8, 3)
    scene = box2d_scene_create(options)
    for (from, to) in walls(width) { box2d_scene_add_wall(scene, from.x, from.y, to.x, to.y) }
    for item in items {
      let isRound: Int32 = item.collisionBoundsType == .ellipse ? 1 : 0
      box2d_scene_add_body(scene, item.center.x, item.center.y, item.size.width, item.size.height, isRound)
      box2d_scene_turn_last(scene, item.angle)
    }
  }

  deinit { box2d_scene_destroy(scene) }

  func step() { box2d_scene_step(scene, timestep) }
  func readMotions(into motions: CenterBuffer) { box2d_scene_read_motions(scene, motions) }
  var awakeCount: Int { box2d_scene_awake_count(scene) }
}

private final class ChipmunkHeap: HeapPeer {
  private let heap: OpaquePointer

  init(_ items: [Heap.Item], width: Double) {
    heap = chipmunk_heap_create(
      items.count, GravityBehavior.accelerationOfOne, Heap.properties.friction, Heap.properties.elasticity)
    for (from, to) in walls(width) { chipmunk_heap_add_wall(heap, from.x, from.y, to.x, to.y) }
    for item in items {
      let isRound: Int32 = item.collisionBoundsType == .ellipse ? 1 : 0
      chipmunk_heap_add_body(heap, item.center.x, item.center.y, item.size.width, item.size.height, item.angle, isRound)
    }
  }

  deinit { chipmunk_heap_destroy(heap) }

  func step() { chipmunk_heap_step(heap, timestep) }
  func readMotions(into motions: CenterBuffer) { chipmunk_heap_read_motions(heap, motions) }
  var awakeCount: Int { chipmunk_heap_awake_count(heap) }
}
