/// A limit on this engine's cost relative to another engine's, with the measured ratios.
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

    /// The limit as text, such as `≤ 1.10`.
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
    /// The median is beyond the limit, but this may be chance.
    case inconclusive
    /// The claim misses its first limit, but not the wider one of its `Acceptance`.
    case accepted = "missed, accepted"
    case missed
  }

  /// A second, wider limit for a claim that misses its first one. It detects that the engine becomes even slower.
  struct Acceptance: Equatable {
    var limit: Limit
    /// Why the claim misses its first limit, as a sentence for the report.
    var reason: String
  }

  /// One of the ratios to which the limit applies.
  struct Part: Equatable {
    /// The key in the JSON document.
    var key: String
    var name: String
    var ratio: Ratio
  }

  /// What was simulated when the ratios were measured.
  enum Source: Equatable {
    case list(Work)
    case system(SystemScene)
    case view(ListScene)
  }

  /// The key in the JSON document.
  var key: String
  var name: String
  var limit: Limit
  var source: Source
  var parts: [Part]
  /// Whether the claim already holds if its ratio for one axis is within the limit. The libraries always move bodies
  /// along two axes, but a list that scrolls in one direction needs only one.
  var countsOneAxis = false
  var acceptance: Acceptance?
  /// The ratios of the first measurement, if it missed the limit and was repeated.
  var firstParts: [Part]?

  /// The number of springs in the lists about which the report makes claims.
  static let size = 10_000

  var verdict: Verdict {
    if countsOneAxis, let oneAxis = parts.first {
      guard limit.holds(oneAxis.ratio.median) else { return verdict(on: oneAxis) }
      return parts.allSatisfy { limit.holds($0.ratio.median) } ? .held : .heldAlongOneAxis
    }
    let verdicts = parts.map(verdict)
    return [.missed, .accepted, .inconclusive].first(where: verdicts.contains) ?? .held
  }

  /// A median changes a little from run to run, so an engine exactly at its limit would miss it in every second run.
  /// Therefore, a limit counts as missed only if the whole 99% interval of the median is beyond it.
  private func verdict(on part: Part) -> Verdict {
    guard misses(limit, part) else { return limit.holds(part.ratio.median) ? .held : .inconclusive }
    return acceptance.map { misses($0.limit, part) } ?? true ? .missed : .accepted
  }

  private func misses(_ limit: Limit, _ part: Part) -> Bool {
    guard let interval = part.ratio.interval else { return false }
    return ![part.ratio.median, interval.lowerBound, interval.upperBound].contains(where: limit.holds)
  }

  /// One line with the name, the measurement and the limit.
  var sentence: String {
    "\(name): \(parts.map { "\($0.name) \(Figure.withInterval($0.ratio))" }.joined(separator: ", "));"
      + " the limit is \(limit.words)"
  }
}

extension Claim {
  /// Returns the claims for which there are measurements, in the order of the table.
  static func all(_ heats: [Race.Heat], _ lists: [ListRace.Heat] = [], _ systems: [SystemRace.Heat] = []) -> [Claim] {
    func heat(_ work: Work) -> Race.Heat? { heats.first { $0.size == size && $0.work == work } }
    return (heat(.solve).map(ofSteps) ?? []) + (heat(.frame).map(ofFrames) ?? []) + lists.compactMap(of)
      + systems.compactMap(of)
  }

  /// Replaces missed claims with their repeated measurements. A claim stays missed only if it misses again.
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

  private static func of(_ heat: ListRace.Heat) -> Claim? {
    guard let ratio = heat.ratio else { return nil }
    let isTiled = if case .tiled = heat.scene { true } else { false }
    return Claim(
      key: heat.scene.key, name: "A frame of a \(heat.scene.name) ÷ of the same frame in C",
      limit: .atMost(isTiled ? 1.5 : 1.15), source: .view(heat.scene), parts: [Part(key: "y", name: "y", ratio: ratio)],
      acceptance: isTiled
        ? Acceptance(
          limit: .atMost(3), reason: "A view that can be updated and turned costs about as much as a dozen rows.") : nil
    )
  }

  /// Returns the claim about a system. The claim has one part for each scale (points per meter) used with Box2D.
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
