/// The comparison as markdown.
struct PeersReport {
  var machine: Machine
  var options: Race.Options
  /// Nanoseconds that a pair of clock reads costs.
  var clockCost: UInt64
  var checks: [PeerCheck]
  var heats: [Race.Heat]
  /// What the coupled systems cost, and whether Box2D does the same.
  var systems: [SystemRace.Heat] = []
  var agreements: [SystemAgreement] = []

  func render() -> String {
    let sections = [
      "# The same springs on other engines", machineParagraph, claimsSection,
      costSection(
        .solve, title: "Steps", "Nanoseconds per spring and step; steps alone."),
      ratioSection,
      costSection(
        .frame, title: "Frames of a scroll",
        "Nanoseconds per spring and frame: the scroll shifts every row along y, the engine steps, and all "
          + "centres are read back."),
      systemsSection, checksSection, methodSection,
    ]
    return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  private var machineParagraph: String {
    let facts = [
      machine.processor.map { "\($0), \(machine.coreCount) cores" } ?? "\(machine.coreCount) cores",
      machine.core.map { "bound to core \($0)" } ?? "not bound to a core",
      machine.system, machine.kernel, "\(machine.vectors) vectors", machine.compiler,
      version(of: "Box2D", machine.box2DVersion, package: machine.box2DPackage),
      version(of: "Chipmunk", machine.chipmunkVersion, package: machine.chipmunkPackage),
      machine.commit.map { "commit \($0)" },
    ]
    let paragraph = facts.compactMap(\.self).joined(separator: " · ")
    guard machine.isDebugBuild else { return paragraph }
    return paragraph + "\n\n**A debug build: none of the figures mean anything. Use `make peers`.**"
  }

  /// What a library says of itself, and what the system says: Box2D 2.4.1 calls itself 2.4.0.
  private func version(of library: String, _ version: String, package: String?) -> String {
    "\(library) \(version)" + (package.map { " (package \($0))" } ?? "")
  }

  private var claimsSection: String? {
    let claims = Claim.all(heats)
    guard !claims.isEmpty else { return nil }
    var table = MarkdownTable(["at \(Figure.count(Claim.size)) springs", "limit", "y", "x and y", "verdict"])
    for claim in claims {
      let limit =
        switch claim.limit {
        case .atMost(let most): "≤ \(Figure.significant(most))"
        case .atLeast(let least): "≥ \(Figure.significant(least))"
        }
      table.append([
        claim.name, limit, Figure.ratio(claim.oneAxis), Figure.ratio(claim.twoAxes), claim.verdict.rawValue,
      ])
    }
    return """
      ## What is claimed

      \(table.render())

      Ratios of steps, where this engine moves its springs along y only, as a list does, and along x and y, \
      as Box2D and Chipmunk always do. A claim is held if both hold.
      """
  }

  private func costSection(_ work: Work, title: String, _ caption: String) -> String? {
    let heats = heats.filter { $0.work == work }
    guard !heats.isEmpty else { return nil }
    var table = MarkdownTable(["springs", "axes"] + heats.map { Figure.count($0.size) })
    for contestant in options.contestants {
      table.append(
        [contestant.name, contestant.axes.name]
          + heats.map { $0.cost(of: contestant).map(Figure.significant) ?? "–" })
    }
    return "## \(title)\n\n\(caption)\n\n\(table.render())"
  }

  private var ratioSection: String? {
    let tables = [
      ratioTable(to: .bareLoopY, of: [.memoryCopyY, .engineRangeY]),
      ratioTable(to: .bareLoopXY, of: [.memoryCopyXY, .engineRangeXY, .engineItems, .objects]),
      ratioTable(to: .engineRangeY, of: [.engineItems, .objects] + Contestant.libraries),
      ratioTable(to: .engineRangeXY, of: [.engineItems, .objects] + Contestant.libraries),
    ].compactMap(\.self)
    guard !tables.isEmpty else { return nil }
    return
      "## Steps, as ratios\n\nHow many times as long as what the table is named for; in brackets the middle "
      + "half of the rounds.\n\n" + tables.joined(separator: "\n\n")
  }

  /// What these contestants' steps cost in terms of another's.
  private func ratioTable(to other: Contestant, of contestants: [Contestant]) -> String? {
    let heats = heats.filter { $0.work == .solve }
    let contestants = contestants.filter(options.contestants.contains)
    guard !heats.isEmpty, !contestants.isEmpty, options.contestants.contains(other) else { return nil }
    var table = MarkdownTable(
      ["÷ \(other.name) (\(other.axes.name))"] + heats.map { Figure.count($0.size) })
    for contestant in contestants {
      table.append(
        ["\(contestant.name) (\(contestant.axes.name))"]
          + heats.map { $0.ratio(of: contestant, to: other).map(Figure.ratio) ?? "–" })
    }
    return table.render()
  }
}

extension AxisSet {
  /// What the tables call it.
  var name: String {
    switch self {
    case .y: "y"
    case .xy: "x, y"
    }
  }
}
