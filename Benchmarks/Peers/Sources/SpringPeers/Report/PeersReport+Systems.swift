extension PeersReport {
  /// A table of the cost of the coupled systems on each engine. Nil if no system was measured.
  var systemsSection: String? {
    guard !systems.isEmpty else { return nil }
    var table = MarkdownTable(
      ["microseconds a frame"] + SystemContestant.allCases.map(\.name)
        + SystemContestant.others.map { "\($0.name) ÷ this engine" })
    for heat in systems {
      table.append(
        [heat.scene.name]
          + SystemContestant.allCases.map { heat.cost(of: $0).map { Figure.significant($0 / 1_000) } ?? "–" }
          + SystemContestant.others.map { heat.ratio(of: $0, to: .engine).map(Figure.ratio) ?? "–" })
    }
    var awake = MarkdownTable(["bodies awake"] + SystemContestant.allCases.map(\.name))
    for heat in systems {
      awake.append([heat.scene.name] + SystemContestant.allCases.map { heat.awake[$0].map(Figure.significant) ?? "–" })
    }
    return """
      ## Cradle and drag

      Frames of the coupled systems, each of which moves the finger (in a drag), steps, and reads all centres \
      back. An engine that lets bodies sleep does less work; how many were awake, on average over the rounds:

      \(table.render())

      \(awake.render())

      \(agreementTable)
      """
  }

  private var agreementTable: String {
    var table = MarkdownTable(["largest distance from this engine's items, points", "Box2D", "limit", "they go"])
    for agreement in agreements {
      table.append([
        "\(agreement.scene.name), \(agreement.contestant.name)", Figure.points(agreement.largestDifference),
        Figure.points(agreement.limit), Figure.points(agreement.span),
      ])
    }
    return table.render()
  }
}
