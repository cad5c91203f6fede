/// An engine, a loop or a memory copy in the comparison. The cases are in the order of the report's tables.
enum Contestant: String, CaseIterable, Hashable, Sendable {
  case memoryCopyY, bareLoopY, engineRangeY
  case memoryCopyXY, bareLoopXY, engineRangeXY, engineItems, objects
  case chipmunkFewest, chipmunkUsual, box2DFewest, box2DUsual

  func make(_ list: SpringList) throws -> any SpringPeer {
    switch self {
    case .memoryCopyY: MemoryCopyPeer(list, axes: .y)
    case .bareLoopY: BareLoopPeer(list, axes: .y)
    case .engineRangeY: try EngineRangePeer(list, axes: .y)
    case .memoryCopyXY: MemoryCopyPeer(list, axes: .xy)
    case .bareLoopXY: BareLoopPeer(list, axes: .xy)
    case .engineRangeXY: try EngineRangePeer(list, axes: .xy)
    case .engineItems: try EngineItemsPeer(list)
    case .objects: ObjectPeer(list)
    case .chipmunkFewest: ChipmunkPeer(list, iterations: ChipmunkPeer.fewestIterations)
    case .chipmunkUsual: ChipmunkPeer(list, iterations: ChipmunkPeer.usualIterations)
    case .box2DFewest: Box2DPeer(list, .fewest)
    case .box2DUsual: Box2DPeer(list, .usual)
    }
  }

  var name: String {
    switch self {
    case .memoryCopyY, .memoryCopyXY: "memory copy"
    case .bareLoopY, .bareLoopXY: "bare C loop"
    case .engineRangeY: "this engine, list"
    case .engineRangeXY: "this engine, two lists"
    case .engineItems: "this engine, items"
    case .objects: "object a behaviour"
    case .chipmunkFewest: "Chipmunk, 1 iteration"
    case .chipmunkUsual: "Chipmunk, 10 iterations"
    case .box2DFewest: "Box2D, 1/1 iterations"
    case .box2DUsual: "Box2D, 8/3 iterations"
    }
  }

  var axes: AxisSet {
    switch self {
    case .memoryCopyY, .bareLoopY, .engineRangeY: .y
    case .memoryCopyXY, .bareLoopXY, .engineRangeXY, .engineItems, .objects, .chipmunkFewest, .chipmunkUsual,
      .box2DFewest, .box2DUsual:
      .xy
    }
  }

  var oscillates: Bool {
    switch self {
    case .memoryCopyY, .memoryCopyXY: false
    case .bareLoopY, .engineRangeY, .bareLoopXY, .engineRangeXY, .engineItems, .objects, .chipmunkFewest,
      .chipmunkUsual, .box2DFewest, .box2DUsual:
      true
    }
  }

  var accuracy: Accuracy {
    switch self {
    case .memoryCopyY, .memoryCopyXY, .bareLoopY, .bareLoopXY, .engineRangeY, .engineRangeXY, .engineItems, .objects:
      .exact
    case .chipmunkFewest, .chipmunkUsual: .explicitForce
    case .box2DFewest, .box2DUsual: .implicitConstraint
    }
  }

  /// Box2D and Chipmunk, each with the fewest iterations and with its usual number.
  static let libraries: [Contestant] = [.chipmunkFewest, .chipmunkUsual, .box2DFewest, .box2DUsual]
}
