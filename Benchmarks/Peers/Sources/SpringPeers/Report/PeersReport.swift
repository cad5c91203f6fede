/// The comparison as markdown.
struct PeersReport {
  var machine: Machine
  var options: Race.Options
  /// Nanoseconds that a pair of clock reads costs.
  var clockCost: UInt64
  var checks: [PeerCheck]
  var heats: [Race.Heat]

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
      checksSection, methodSection,
    ]
    return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  private var machineParagraph: String {
    let facts = [
      machine.processor.map { "\($0), \(machine.coreCount) cores" } ?? "\(machine.coreCount) cores",
      machine.core.map { "bound to core \($0)" } ?? "not bound to a core",
      machine.system, machine.kernel, "\(machine.vectors) vectors", machine.compiler,
      "Box2D \(machine.box2DVersion)", "Chipmunk \(machine.chipmunkVersion)",
      machine.commit.map { "commit \($0)" },
    ]
    let paragraph = facts.compactMap(\.self).joined(separator: " · ")
    guard machine.isDebugBuild else { return paragraph }
    return paragraph + "\n\n**A debug build: none of the figures mean anything. Use `make peers`.**"
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

  /// Steps in terms of this engine's, with the spread.
  private var ratioSection: String? {
    let heats = heats.filter { $0.work == .solve }
    guard !heats.isEmpty else { return nil }
    let parts = [Contestant.engineRangeY, .engineRangeXY].compactMap { engine -> String? in
      guard options.contestants.contains(engine) else { return nil }
      var table = MarkdownTable(["÷ \(engine.name)", "axes"] + heats.map { Figure.count($0.size) })
      for contestant in options.contestants where contestant != engine {
        table.append(
          [contestant.name, contestant.axes.name]
            + heats.map { $0.ratio(of: contestant, to: engine).map(Figure.ratio) ?? "–" })
      }
      return table.render()
    }
    guard !parts.isEmpty else { return nil }
    return "## Steps, as ratios\n\nHow many times as long as this engine; in brackets the middle half of the "
      + "rounds.\n\n" + parts.joined(separator: "\n\n")
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
