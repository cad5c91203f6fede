import Judging
import Markup
import Statistics
import TextFormat

/// Charts of where two builds differ along the scroll (all frames in order), and of how frame costs are distributed.
extension ScrollRecord {
  /// The chart divides the scroll into at most this many pieces, and shows the change between the builds in each.
  private static let mostPieces = 240

  package func ratioChart() -> Chart? {
    let changes = changes(pieceCount: Self.mostPieces)
    guard changes.count > 1, changes.contains(where: { $0 != nil }) else { return nil }
    let frames = Double(baseline.count) / Double(changes.count)
    let points = changes.enumerated().compactMap { piece, change in
      change.map { Point(x: (Double(piece) + 0.5) * frames - 0.5, y: 100 * $0) }
    }
    let values = points.map(\.y)
    let (low, high) = (min(0, values.min() ?? 0), max(0, values.max() ?? 0))
    let reach = max(1, high - low)
    let last = Double(max(1, baseline.count - 1))
    let steps = NiceNumbers.linear(to: reach, steps: 4)
    let step = steps.count > 1 ? steps[1] - steps[0] : reach
    let ticks = stride(from: (low / step).rounded(.down) * step, through: high + step, by: step).map {
      Axis.Tick(value: $0, label: "\(Format.count($0))%")
    }
    let range = (ticks.first?.value ?? low)...(ticks.last?.value ?? high)
    let frameTicks = NiceNumbers.linear(to: last, steps: 8).filter { $0 <= last && $0 == $0.rounded() }
    return Chart(
      title: "\(id): change along the scroll",
      subtitle:
        "candidate against baseline, \(frames > 1 ? "means of \(Format.count(frames)) frames" : "frame by frame")",
      description: "From \(Words.signed(low / 100))% to \(Words.signed(high / 100))% of the baseline's time.",
      x: Axis(
        .linear, 0...last, ticks: frameTicks.map { Axis.Tick(value: $0, label: Format.count($0)) }, title: "frame"),
      y: Axis(.linear, range, ticks: ticks, title: "change of a frame's time"),
      series: [
        Chart.Series(
          look: SeriesLook(index: 1), name: "candidate", details: [], shapes: [.line(points)],
          end: points[points.count - 1].y)
      ])
  }

  /// A chart of each build's frames from the quickest to the slowest. Nil if a build has fewer than two frames.
  package func distributionChart() -> Chart? {
    let sides = [baseline, candidate].map { $0.compactMap(\.self).sorted() }
    guard sides.allSatisfy({ $0.count > 1 }) else { return nil }
    let shares = (0...200).map { Double($0) / 200 }
    return Chart(
      title: "\(id): frames from the quickest to the slowest", subtitle: "each build's own order",
      description: zip(["baseline", "candidate"], sides).map { name, costs in
        "\(name): p50 \(TimeUnit.text(Quantile.type7(sorted: costs, at: 0.5))), worst \(TimeUnit.text(costs[costs.count - 1]))."
      }.joined(separator: " "),
      x: Axis(
        .linear, 0...100, ticks: [0, 25, 50, 75, 90, 100].map { Axis.Tick(value: $0, label: "\(Format.count($0))%") },
        title: "share of frames"), y: .costs(sides.flatMap(\.self), title: "cost of a frame"),
      series: zip(["baseline", "candidate"], sides).enumerated().map { index, side in
        let points = shares.map { Point(x: 100 * $0, y: Quantile.type7(sorted: side.1, at: $0)) }
        return Chart.Series(
          look: SeriesLook(index: index), name: side.0, details: [], shapes: [.line(points)],
          end: points[points.count - 1].y)
      })
  }

  /// Returns the change along the scroll as text: `▁▁▁▇▇▁▁`. Each character stands for a piece of the scroll. If the
  /// scroll as a whole became slower, high characters are slower pieces. Otherwise high characters are faster pieces.
  /// The lowest character means no change, or a change in the opposite direction. Empty if nothing changed.
  package func sparkline(width: Int = 40) -> String {
    let changes = changes(pieceCount: width).map { $0 ?? 0 }
    let sign = changes.reduce(0, +) < 0 ? -1.0 : 1
    let most = changes.map { $0 * sign }.max() ?? 0
    guard most > 0 else { return "" }
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(changes.map { bars[max(0, min(7, Int(($0 * sign / most * 7).rounded())))] })
  }
}
