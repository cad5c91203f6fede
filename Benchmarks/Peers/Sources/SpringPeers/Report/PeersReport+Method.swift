extension PeersReport {
  /// A table of the accuracy of each contestant. Nil if the accuracy was not checked.
  var checksSection: String? {
    guard !checks.isEmpty else { return nil }
    var table = MarkdownTable(
      ["largest error, points"] + PeerCheck.dampings.flatMap { ["damping \($0)", "limit", "through its anchor"] } + [
        "scroll", "limit",
      ])
    for check in checks {
      let accuracy = check.contestant.accuracy
      table.append(
        ["\(check.contestant.name) (\(check.contestant.axes.name))"]
          + check.trajectories.flatMap { trajectory in
            [
              Figure.points(trajectory.largestError),
              Figure.points(accuracy.trajectoryLimit(damping: trajectory.damping)),
              "\(trajectory.crossingCount) of \(trajectory.expectedCrossingCount)",
            ]
          } + [
            Figure.points(check.scroll.largestDifference),
            Figure.points(accuracy.scrollLimit(largestDisplacement: check.scroll.largestDisplacement)),
          ])
    }
    let displacement = checks.map(\.scroll.largestDisplacement).max() ?? 0
    return """
      ## Does each of them really swing?

      A spring of \(Figure.significant(SpringList(count: 1).frequency)) Hz is let go \
      \(Figure.significant(Trajectory.initialDisplacement)) points from its anchor, and followed for \
      \(Trajectory.stepCount) steps against its analytic motion. "Scroll" is the largest distance of any of \
      \(ScrollAgreement.rowCount) rows from where the exact solution has it, in \
      \(ScrollAgreement.frameCount) frames of the scripted scroll, which displaces rows by up to \
      \(Figure.points(displacement)) points. A limit that is passed ends the run with an error.

      \(table.render())
      """
  }

  var methodSection: String {
    let list = SpringList(count: 1)
    let hertz = Int((1 / list.timestep).rounded())
    return """
      ## Method

      - Springs of \(Figure.significant(list.frequency)) Hz and damping ratio \
      \(Figure.significant(list.damping)) on anchors \(Figure.significant(SpringList.rowPitch)) points \
      apart, \(hertz) steps a second.
      - One process, one thread. In each of \(options.roundCount) rounds every contestant has one turn of at \
      least \(Figure.significant(options.turnNanoseconds / 1_000_000)) ms or one step, in an order drawn \
      anew (seed \(options.seed)), after one step that is not timed. Costs are medians over the rounds; a \
      ratio is the median of the ratios within the rounds.
      - After every \(Runner.period) steps the springs are set off again, untimed, so no engine meets a list \
      at rest. This engine must have evaluated every spring in every step, and everything must still move at \
      the end, or the run is an error.
      - Steps during which the system gave the core to another process are taken anew, up to \
      \(Runner.patience) times a turn.
      - The clock's own cost, \(clockCost) ns a pair of reads, is subtracted.
      - Bare C loop: the same arithmetic in Double over plain aligned arrays, compiled for several vector \
      widths, of which the loader picks the widest; nothing is fused, here or in the engine.
      - Memory copy: as many bytes as the state has (displacement and velocity, 16 bytes a spring and axis), \
      from one place to another; in a frame the centres' bytes too.
      - This engine, list: its range of springs, as springy lists use it. Items: an object and a behaviour a \
      row, as UIKit is used; each step writes all centres.
      - Object a behaviour: a straightforward port of UIKit, classes in arrays of references, which solves \
      each spring exactly.
      - Box2D: a body without shape on a mouse joint; no sleeping, no continuous collision. \
      8 velocity and 3 position iterations are its manual's, 1 and 1 the fewest. It computes in Float.
      - Chipmunk: a body without shape on a damped spring; 10 iterations are its default, 1 the fewest. \
      Debian's build has its assertions compiled in.
      """
  }
}
