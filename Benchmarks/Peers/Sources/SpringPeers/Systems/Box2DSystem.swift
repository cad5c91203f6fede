import CBox2DScenes
import Dynamics
import Foundation

/// A scene on Box2D, with the 8 velocity and 3 position iterations that Box2D's manual recommends. Bodies may sleep,
/// which is Box2D's default.
final class Box2DSystem: SystemPeer {
  private let scene: OpaquePointer
  private let drags: Bool
  private var frame = 0

  /// - Parameter pointsPerMetre: The scale of Box2D's thresholds, which are in meters. At 150, as in UIKit, bodies
  ///   slower than 150 points a second do not bounce. At 20 the thresholds are about as fine as this engine's.
  init(_ system: SystemScene, pointsPerMetre: Double) {
    var options = box2d_scene_options()
    options.points_per_metre = pointsPerMetre
    options.allows_sleep = 1
    (options.velocity_iterations, options.position_iterations) = (8, 3)
    switch system {
    case .cradle(let count):
      drags = false
      options.gravity = CradleParts.gravity
      options.collides = 1
      options.elasticity = CradleParts.elasticity
      scene = box2d_scene_create(options)
      hangCradle(count)
    case .drag(let count):
      drags = true
      options.allows_rotation = 1
      scene = box2d_scene_create(options)
      hold(count)
    }
  }

  deinit { box2d_scene_destroy(scene) }

  private func hangCradle(_ count: Int) {
    for index in 0..<count {
      let (start, anchor) = (CradleParts.start(index), CradleParts.anchor(index))
      box2d_scene_add_body(scene, start.x, start.y, CradleParts.diameter, CradleParts.diameter, 1)
      box2d_scene_add_spring(
        scene,
        box2d_scene_spring(
          body: index, anchor_x: anchor.x, anchor_y: anchor.y, length: CradleParts.length,
          frequency: CradleParts.frequency, damping: CradleParts.damping, follows_finger: 0))
      for _ in 0..<CradleParts.interval(count) { box2d_scene_step(scene, SystemScene.timestep) }
    }
  }

  private func hold(_ count: Int) {
    let (finger, half) = (DragParts.finger(0), RectangleAttachmentBehavior.side / 2)
    for index in 0..<count {
      let place = DragParts.place(index)
      box2d_scene_add_body(scene, place.x, place.y, DragParts.side, DragParts.side, 0)
      for (dx, dy) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
        let anchor = Point(x: finger.x + dx, y: finger.y + dy)
        box2d_scene_add_spring(
          scene,
          box2d_scene_spring(
            body: index, anchor_x: anchor.x, anchor_y: anchor.y, length: hypot(place.x - anchor.x, place.y - anchor.y),
            frequency: RectangleAttachmentBehavior.frequency, damping: RectangleAttachmentBehavior.damping,
            follows_finger: 1))
      }
    }
  }

  var awakeCount: Int { box2d_scene_awake_count(scene) }

  func run(frames: Int, into centers: CenterBuffer) {
    for _ in 0..<frames {
      frame += 1
      if drags {
        let (old, new) = (DragParts.finger(frame - 1), DragParts.finger(frame))
        box2d_scene_move_finger(scene, new.x - old.x, new.y - old.y)
      }
      box2d_scene_step(scene, SystemScene.timestep)
      box2d_scene_read(scene, centers)
    }
  }
}
