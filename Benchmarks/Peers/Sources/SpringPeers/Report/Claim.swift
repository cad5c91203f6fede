/// A limit on this engine's cost relative to another's, and the measurements.
struct Claim: Equatable {
  enum Limit: Equatable {
    case atMost(Double)
    case atLeast(Double)

    func holds(_ value: Double) -> Bool {
      switch self {
      case .atMost(let most): value <= most
      case .atLeast(let least): value >= least
      }
    }

    var value: Double {
      switch self {
      case .atMost(let value), .atLeast(let value): value
      }
    }

    /// `≤ 1.10`
    var words: String {
      switch self {
      case .atMost(let most): "≤ \(Figure.significant(most))"
      case .atLeast(let least): "≥ \(Figure.significant(least))"
      }
    }
  }

  enum Verdict: String, Encodable {
    case held
    case heldAlongOneAxis = "held along one axis"
    /// The median misses the limit, but by no more than chance explains.
    case inconclusive
    /// Missed, but within the accepted margin.
    case accepted = "missed, accepted"
    case missed
  }

  /// The accepted margin of a missed claim. A known miss must not hide the next one.
  struct Acceptance: Equatable {
    var limit: Limit
    /// Cause of the miss, in a sentence for the report.
    var reason: String
  }

  /// One of the ratios that the limit holds for.
  struct Part: Equatable {
    /// The key in documents.
    var key: String
    /// The name in tables.
    var name: String
    var ratio: Ratio
  }

  /// What the ratios were measured on.
  enum Source: Equatable {
    case list(Work)
    case system(SystemScene)
  }

  /// The key in documents.
  var key: String
  var name: String
  var limit: Limit
  var source: Source
  var parts: [Part]
  /// Whether the parts are one axis and two axes, and the claim counts as held along one. The libraries always move
  /// bodies along two axes, but a list that scrolls one way needs only one.
  var countsOneAxis = false
  var acceptance: Acceptance?
  /// The first measurement, if it missed and was repeated.
  var firstParts: [Part]?

  /// Springs of the list that claims are made for.
  static let size = 10_000

  var verdict: Verdict {
    if countsOneAxis, let oneAxis = parts.first {
      guard limit.holds(oneAxis.ratio.median) else { return verdict(on: oneAxis) }
      return parts.allSatisfy { limit.holds($0.ratio.median) } ? .held : .heldAlongOneAxis
    }
    let verdicts = parts.map(verdict)
    return [.missed, .accepted, .inconclusive].first(where: verdicts.contains) ?? .held
  }

  /// A median of rounds moves a little from run to run. An engine exactly at its limit would miss it in every second
  /// run, and a check that fails by chance is soon ignored. So a limit is missed only if the whole 99% interval of the
  /// median lies beyond it, and a miss is measured once more.
  private func verdict(on part: Part) -> Verdict {
    guard misses(limit, part) else { return limit.holds(part.ratio.median) ? .held : .inconclusive }
    return acceptance.map { misses($0.limit, part) } ?? true ? .missed : .accepted
  }

  private func misses(_ limit: Limit, _ part: Part) -> Bool {
    guard let interval = part.ratio.interval else { return false }
    return ![part.ratio.median, interval.lowerBound, interval.upperBound].contains(where: limit.holds)
  }

  /// The name, the measurement, and the limit, in a line.
  var sentence: String {
    "\(name): \(parts.map { "\($0.name) \(Figure.withInterval($0.ratio))" }.joined(separator: ", "));"
      + " the limit is \(limit.words)"
  }
}

extension Claim {
  /// The claims that these measurements allow, in the order of the table.
  static func all(_ heats: [Race.Heat], _ systems: [SystemRace.Heat] = []) -> [Claim] {
    func heat(_ work: Work) -> Race.Heat? { heats.first { $0.size == size && $0.work == work } }
    return (heat(.solve).map(ofSteps) ?? []) + (heat(.frame).map(ofFrames) ?? []) + systems.compactMap(of)
  }

  /// The claims with repeated measurements for missed ones: a claim stays missed only if it is missed
  /// again.
  static func confirmed(_ claims: [Claim], by others: [Claim]) -> [Claim] {
    claims.map { claim in
      guard claim.verdict == .missed, var other = others.first(where: { $0.key == claim.key }) else { return claim }
      other.firstParts = claim.parts
      return other
    }
  }

  private static func ofSteps(_ heat: Race.Heat) -> [Claim] {
    let fastest = heat.fastest(of: Contestant.libraries)
    return [
      claim(
        "bareLoop", "A step of this engine ÷ of a bare C loop along as many axes", .atMost(1.1),
        heat.ratio(of: .engineRangeY, to: .bareLoopY), heat.ratio(of: .engineRangeXY, to: .bareLoopXY)),
      fastest.flatMap {
        claim(
          "fastestLibrary", "A step of the fastest of Box2D and Chipmunk (\($0.name)) ÷ of this engine", .atLeast(250),
          heat.ratio(of: $0, to: .engineRangeY), heat.ratio(of: $0, to: .engineRangeXY), countsOneAxis: true)
      },
      claim(
        "box2D", "A step of \(Contestant.box2DUsual.name) ÷ of this engine", .atLeast(1_000),
        heat.ratio(of: .box2DUsual, to: .engineRangeY), heat.ratio(of: .box2DUsual, to: .engineRangeXY),
        countsOneAxis: true),
    ].compactMap(\.self)
  }

  private static func claim(
    _ key: String, _ name: String, _ limit: Limit, _ oneAxis: Ratio?, _ twoAxes: Ratio?, countsOneAxis: Bool = false
  ) -> Claim? {
    guard let oneAxis, let twoAxes else { return nil }
    let parts = [
      Part(key: "oneAxis", name: "y", ratio: oneAxis), Part(key: "twoAxes", name: "x and y", ratio: twoAxes),
    ]
    return Claim(key: key, name: name, limit: limit, source: .list(.solve), parts: parts, countsOneAxis: countsOneAxis)
  }

  private static func ofFrames(_ heat: Race.Heat) -> [Claim] {
    guard let ratio = heat.ratio(of: .engineItems, to: .objects) else { return [] }
    return [
      Claim(
        key: "itemsFrame", name: "A frame of \(Contestant.engineItems.name) ÷ of \(Contestant.objects.name)",
        limit: .atMost(1.2), source: .list(.frame), parts: [Part(key: "twoAxes", name: "x and y", ratio: ratio)],
        acceptance: Acceptance(limit: .atMost(1.35), reason: "Some machines need a little more."))
    ]
  }

  /// A claim about a system is made against each of Box2D's scales.
  private static func of(_ heat: SystemRace.Heat) -> Claim? {
    let parts = SystemContestant.others.compactMap { other in
      heat.ratio(of: other, to: .engine).map { Part(key: other.rawValue, name: other.scale, ratio: $0) }
    }
    guard !parts.isEmpty else { return nil }
    let isLarge = heat.scene == .cradle(1_000)
    return Claim(
      key: heat.scene.key, name: "A \(heat.scene.name) on Box2D ÷ on this engine", limit: .atLeast(isLarge ? 2 : 1),
      source: .system(heat.scene), parts: parts,
      acceptance: isLarge ? Acceptance(limit: .atLeast(1.6), reason: "Some machines run Box2D a little faster.") : nil)
  }
}
