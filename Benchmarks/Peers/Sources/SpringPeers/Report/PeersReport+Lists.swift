extension PeersReport {
  /// A table of the cost of whole frames of lists in a view, and of the same frames in C. Nil if no list was measured.
  var listsSection: String? {
    guard !lists.isEmpty else { return nil }
    var table = MarkdownTable(["nanoseconds a frame"] + ListContestant.allCases.map(\.name) + ["this engine ÷ C"])
    for heat in lists {
      table.append(
        [heat.scene.name] + ListContestant.allCases.map { heat.cost(of: $0).map(Figure.significant) ?? "–" } + [
          heat.ratio.map(Figure.ratio) ?? "–"
        ])
    }
    return """
      ## Frames of a list in a view

      Frames as the scenario `springs` has them: the bounds of a collection view change, its layout moves and steps the \
      rows, and returns the visible ones. The bare loop in C does the same to two arrays of numbers, in one pass, and \
      writes the visible rows to a third; it knows the dimensions of the list, and nothing can be inserted, rotated or \
      asked. Before anything is timed, both have shown the same rows in every frame of the scroll.

      \(table.render())
      """
  }
}
