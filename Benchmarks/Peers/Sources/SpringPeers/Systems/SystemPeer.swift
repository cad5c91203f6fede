import Dynamics

/// An engine that runs a scene. The loop over frames is inside `run`, so that the cost of calls is not measured.
protocol SystemPeer: AnyObject {
  /// Runs frames. Each moves the finger if the scene has one, makes a step, and reads all centers (x, y in points).
  func run(frames: Int, into centers: CenterBuffer)

  /// The number of bodies that the last step moved.
  var awakeCount: Int { get }
}

/// The engines that run the scenes.
enum SystemContestant: String, CaseIterable, Hashable, Sendable {
  case engine, box2D, box2DFine

  var name: String {
    switch self {
    case .engine: "this engine"
    case .box2D, .box2DFine: "Box2D, \(scale)"
    }
  }

  /// The length of Box2D's meter in points. Empty for this engine, which does not use meters.
  var scale: String {
    switch self {
    case .engine: ""
    case .box2D: "150 points a metre"
    case .box2DFine: "20 points a metre"
    }
  }

  static var others: [SystemContestant] { allCases.filter { $0 != .engine } }

  /// Returns the contestants of a scene. A drag excludes Box2D at 20 points per meter. At that scale, Box2D limits the
  /// movement of a body to 40 points (2 meters) per step, but some dragged items move farther in a step.
  static func all(_ scene: SystemScene) -> [SystemContestant] {
    switch scene {
    case .cradle: allCases
    case .drag: [.engine, .box2D]
    }
  }

  /// Sets the scene up on this contestant's engine: a cradle with all its items, or a drag at its first frame.
  func make(_ scene: SystemScene) throws -> any SystemPeer {
    switch self {
    case .engine: try EngineSystem(scene)
    case .box2D: Box2DSystem(scene, pointsPerMetre: 150)
    case .box2DFine: Box2DSystem(scene, pointsPerMetre: 20)
    }
  }
}
