extension PeersReport {
  /// A table that shows how heaps come to rest on each engine. Nil if no heap was measured.
  var heapsSection: String? {
    guard !courses.isEmpty else { return nil }
    var table = MarkdownTable([
      "heap", "engine", "µs a frame", "÷ this engine", "over 10 s, µs", "÷ this engine", "deepest overlap, points",
      "after 10 s", "asleep after, s", "energy grows by",
    ])
    for course in courses {
      let own = courses.first { $0.heap == course.heap && $0.contestant == .engine }
      table.append([
        course.heap.name, course.contestant.name, Figure.significant(course.cost / 1_000),
        own.map { Figure.significant(course.cost / $0.cost) } ?? "–", Figure.significant(course.meanCost / 1_000),
        own.map { Figure.significant(course.meanCost / $0.meanCost) } ?? "–", Figure.points(course.deepestOverlap),
        Figure.points(course.finalOverlap), course.timeToSleep.map(Figure.significant) ?? "awake",
        "\(Figure.significant(100 * course.growth))%",
      ])
    }
    return """
      ## Heaps

      Items of 12 to 30 points fall into a container once, with a friction and an elasticity of 0.2, and are followed for \
      ten seconds. A frame is the minimum of three runs, averaged while something is awake, and over all ten seconds, as \
      a heap that sleeps costs nothing; the engines have a frame in turns. Energy is that of places and velocities; it \
      grows where items that got into each other are pushed apart.

      \(table.render())\(picturePath.map { "\n\n![1,000 boxes and discs come to rest on each engine](\($0))" } ?? "")
      """
  }
}
