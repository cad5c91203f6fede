/// A ratio that the engine is judged by, where it moves springs along one axis and along two.
struct Claim: Equatable {
  enum Limit: Equatable {
    case atMost(Double)
    case atLeast(Double)
  }

  enum Verdict: String {
    case held
    case heldAlongOneAxis = "held along one axis"
    case missed
  }

  var name: String
  var limit: Limit
  var oneAxis: Ratio
  var twoAxes: Ratio

  /// Springs of the list that claims are made for.
  static let size = 10_000

  /// The library engines move bodies along two axes, whether that is wanted or not. So a claim counts in full
  /// only where the engine that moves two axes holds it; a list that scrolls one way needs one.
  var verdict: Verdict {
    if holds(twoAxes) { return holds(oneAxis) ? .held : .missed }
    return holds(oneAxis) ? .heldAlongOneAxis : .missed
  }

  private func holds(_ ratio: Ratio) -> Bool {
    switch limit {
    case .atMost(let most): ratio.median <= most
    case .atLeast(let least): ratio.median >= least
    }
  }

  /// Those that can be made from these measurements: of solving, at 10,000 springs.
  static func all(_ heats: [Race.Heat]) -> [Claim] {
    guard let heat = heats.first(where: { $0.size == size && $0.work == .solve }) else { return [] }
    var claims: [Claim] = []
    if let oneAxis = heat.ratio(of: .engineRangeY, to: .bareLoopY),
      let twoAxes = heat.ratio(of: .engineRangeXY, to: .bareLoopXY)
    {
      claims.append(
        Claim(
          name: "this engine ÷ bare C loop of as many axes", limit: .atMost(1.15), oneAxis: oneAxis,
          twoAxes: twoAxes))
    }
    let fastest = heat.fastest(of: Contestant.libraries)
    let slower: [(Contestant?, String?, Double)] = [
      (fastest, "the fastest of Box2D and Chipmunk", 250), (.box2DUsual, nil, 1_000),
    ]
    for (library, role, least) in slower {
      guard let library, let oneAxis = heat.ratio(of: library, to: .engineRangeY),
        let twoAxes = heat.ratio(of: library, to: .engineRangeXY)
      else { continue }
      let name = role.map { "\($0) (\(library.name))" } ?? library.name
      claims.append(
        Claim(name: "\(name) ÷ this engine", limit: .atLeast(least), oneAxis: oneAxis, twoAxes: twoAxes))
    }
    return claims
  }
}
