/// The comparison as a Markdown page.
struct PeersReport {
  var machine: Machine
  var options: Race.Options
  /// The shortest time between two consecutive reads of the clock, nanoseconds.
  var clockCost: UInt64
  var checks: [PeerCheck]
  var heats: [Race.Heat]
  /// The costs of whole frames of lists in a view.
  var lists: [ListRace.Heat] = []
  /// The costs of the coupled systems, and how far Box2D's motion deviates from this engine's.
  var systems: [SystemRace.Heat] = []
  var agreements: [SystemAgreement] = []
  /// The heaps that were measured, and the path of their picture relative to the report.
  var courses: [HeapCourse] = []
  var picturePath: String?
  /// Claims about all measurements. Missed claims were measured a second time.
  var claims: [Claim] = []

  func render() -> String {
    let sections = [
      "# The same springs on other engines", verdict.map { "**\($0)**" }, machineParagraph, claimsSection,
      costSection(.solve, title: "Steps", "Nanoseconds per spring and step; steps alone."), ratioSection,
      costSection(
        .frame, title: "Frames of a scroll",
        "Nanoseconds per spring and frame: the scroll shifts every row along y, the engine steps, and all "
          + "centres are read back."), listsSection, systemsSection, heapsSection, checksSection, methodSection,
    ]
    return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  private var machineParagraph: String {
    let facts = [
      machine.processor.map { "\($0), \(machine.coreCount) cores" } ?? "\(machine.coreCount) cores",
      machine.core.map { "bound to core \($0)" } ?? "not bound to a core", machine.system, machine.kernel,
      "\(machine.vectors) vectors", machine.compiler,
      version(of: "Box2D", machine.box2DVersion, package: machine.box2DPackage),
      version(of: "Chipmunk", machine.chipmunkVersion, package: machine.chipmunkPackage),
      machine.commit.map { "commit \($0)" },
    ]
    let paragraph = facts.compactMap(\.self).joined(separator: " · ")
    guard machine.isDebugBuild else { return paragraph }
    return paragraph + "\n\n**A debug build: none of the figures mean anything. Use `make peers`.**"
  }

  /// Returns both the version that a library reports and that of its package, because Box2D 2.4.1 reports 2.4.0.
  private func version(of library: String, _ version: String, package: String?) -> String {
    "\(library) \(version)" + (package.map { " (package \($0))" } ?? "")
  }

  /// A sentence about how many claims hold, and which claims do not. Nil if there are no claims.
  var verdict: String? {
    guard !claims.isEmpty else { return nil }
    let missed = claims.filter { $0.verdict == .missed }
    guard missed.isEmpty else {
      return "\(missed.count) of \(claims.count) claims missed. \(missed.map(\.sentence).joined(separator: ". "))."
    }
    let unsure = claims.filter { $0.verdict == .inconclusive }
    guard unsure.isEmpty else {
      return "None of \(claims.count) claims is missed, but \(unsure.count) inconclusive. "
        + "\(unsure.map(\.sentence).joined(separator: ". "))."
    }
    let accepted = claims.filter { $0.verdict == .accepted }
    guard accepted.isEmpty else {
      return "\(claims.count - accepted.count) of \(claims.count) claims hold; the others are missed, but no further "
        + "than is accepted. \(accepted.map(\.sentence).joined(separator: ". "))."
    }
    let oneAxis = claims.count { $0.verdict == .heldAlongOneAxis }
    return "All \(claims.count) claims hold" + (oneAxis > 0 ? ", \(oneAxis) along one axis only." : ".")
  }

  private var claimsSection: String? {
    guard !claims.isEmpty else { return nil }
    var table = MarkdownTable(["at \(Figure.count(Claim.size)) springs, and of systems", "limit", "ratios", "verdict"])
    for claim in claims {
      table.append([claim.name, claim.limit.words, Self.list(claim.parts), claim.verdict.rawValue])
    }
    let accepted = claims.filter { $0.verdict == .accepted }.compactMap { claim in
      claim.acceptance.map { "- Accepted up to \($0.limit.words): \(claim.name). \($0.reason)" }
    }
    let twice = claims.compactMap { claim in
      claim.firstParts.map {
        "- Measured twice: \(claim.name). At first: \(Self.list($0)); the table has the second measurement, the other "
          + "tables the first."
      }
    }
    return
      ([
        """
        ## What is claimed

        \(table.render())

        In brackets the 99% interval of the median. A claim holds if all of its ratios do. It is missed if an interval \
        lies beyond the limit as a whole, in two measurements; if only the median does, it is inconclusive. Steps are \
        of this engine moving its springs along y only, as a list does, and along x and y, as Box2D and Chipmunk always \
        do; where a claim about them holds along y only, the table says so.
        """
      ] + (accepted + twice == [] ? [] : [(accepted + twice).joined(separator: "\n")])).joined(separator: "\n\n")
  }

  private static func list(_ parts: [Claim.Part]) -> String {
    parts.map { "\($0.name) \(Figure.withInterval($0.ratio))" }.joined(separator: ", ")
  }

  private func costSection(_ work: Work, title: String, _ caption: String) -> String? {
    let heats = heats.filter { $0.work == work }
    guard !heats.isEmpty else { return nil }
    var table = MarkdownTable(["springs", "axes"] + heats.map { Figure.count($0.size) })
    for contestant in options.contestants {
      table.append(
        [contestant.name, contestant.axes.name] + heats.map { $0.cost(of: contestant).map(Figure.significant) ?? "–" })
    }
    return "## \(title)\n\n\(caption)\n\n\(table.render())"
  }

  /// The pairs of contestants whose steps the report compares.
  static let ratios: [(other: Contestant, contestants: [Contestant])] = [
    (.bareLoopY, [.memoryCopyY, .engineRangeY]),
    (.bareLoopXY, [.memoryCopyXY, .engineRangeXY, .engineItems, .objects]), (.objects, [.engineItems]),
    (.engineRangeY, [.engineItems, .objects] + Contestant.libraries),
    (.engineRangeXY, [.engineItems, .objects] + Contestant.libraries),
  ]

  private var ratioSection: String? {
    let tables = Self.ratios.compactMap { ratioTable(to: $0.other, of: $0.contestants) }
    guard !tables.isEmpty else { return nil }
    return "## Steps, as ratios\n\nHow many times as long as what the table is named for; in brackets the middle "
      + "half of the rounds.\n\n" + tables.joined(separator: "\n\n")
  }

  /// Returns a table of the costs of contestants' steps, relative to another contestant. Nil if it would be empty.
  private func ratioTable(to other: Contestant, of contestants: [Contestant]) -> String? {
    let heats = heats.filter { $0.work == .solve }
    let contestants = contestants.filter(options.contestants.contains)
    guard !heats.isEmpty, !contestants.isEmpty, options.contestants.contains(other) else { return nil }
    var table = MarkdownTable(["÷ \(other.name) (\(other.axes.name))"] + heats.map { Figure.count($0.size) })
    for contestant in contestants {
      table.append(
        ["\(contestant.name) (\(contestant.axes.name))"]
          + heats.map { $0.ratio(of: contestant, to: other).map(Figure.ratio) ?? "–" })
    }
    return table.render()
  }
}

extension AxisSet {
  var name: String {
    switch self {
    case .y: "y"
    case .xy: "x, y"
    }
  }
}
