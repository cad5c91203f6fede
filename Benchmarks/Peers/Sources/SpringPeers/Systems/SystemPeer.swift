import Dynamics

/// An engine with a scene. Loops over frames run inside, so that the cost of calling it is not measured.
protocol SystemPeer: AnyObject {
  /// Runs this many frames: the finger's move if there is one, a step, and reading all centres as pairs x,
  /// y in points.
  func run(frames: Int, into centers: CenterBuffer)

  /// Bodies that the last step moved.
  var awakeCount: Int { get }
}

/// Engines for the systems.
enum SystemContestant: String, CaseIterable, Hashable, Sendable {
  case engine, box2D, box2DFine

  /// The name in tables.
  var name: String {
    switch self {
    case .engine: "this engine"
    case .box2D, .box2DFine: "Box2D, \(scale)"
    }
  }

  /// Length of Box2D's metre; empty for this engine, which uses points only.
  var scale: String {
    switch self {
    case .engine: ""
    case .box2D: "150 points a metre"
    case .box2DFine: "20 points a metre"
    }
  }

  static var others: [SystemContestant] { allCases.filter { $0 != .engine } }

  /// The contestants of a scene. Box2D limits movements to 2 metres per step: with small metres that is too
  /// little for items that a finger gathers.
  static func all(_ scene: SystemScene) -> [SystemContestant] {
    switch scene {
    case .cradle: allCases
    case .drag: [.engine, .box2D]
    }
  }

  /// The scene after it has been set up: a cradle with all its items in it, a drag at its first frame.
  func make(_ scene: SystemScene) throws -> any SystemPeer {
    switch self {
    case .engine: try EngineSystem(scene)
    case .box2D: Box2DSystem(scene, pointsPerMetre: 150)
    case .box2DFine: Box2DSystem(scene, pointsPerMetre: 20)
    }
  }
}
