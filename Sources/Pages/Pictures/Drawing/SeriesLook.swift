import Measurements

/// How a strategy is distinguished from the others: by its color, and without color by the shape of its
/// markers and a label beside it. The same in all pictures of a document.
struct SeriesLook: Sendable, Hashable {
  /// Position among the strategies of the document.
  let index: Int

  /// By first appearance in the document, so that a strategy keeps its look from picture to picture.
  static func byStrategy(_ document: RunDocument) -> [String: SeriesLook] {
    var looks: [String: SeriesLook] = [:]
    for strategy in document.benchmarks.map(\.id.strategy) where looks[strategy] == nil {
      looks[strategy] = SeriesLook(index: looks.count)
    }
    return looks
  }

  var className: String { "c\(index % Palette.series.count)" }

  /// A closed outline around a point.
  func marker(at point: Point, radius r: Double, isFilled: Bool = true) -> String {
    let outline = outline(r).map { Point(x: point.x + $0.x, y: point.y + $0.y) }
    let name = isFilled ? "mark" : "ring"
    guard !outline.isEmpty else {
      return SVG.element(
        "circle",
        [("class", name), ("cx", SVG.number(point.x)), ("cy", SVG.number(point.y)), ("r", SVG.number(r))])
    }
    return SVG.element("path", [("class", name), ("d", SVG.path(outline) + "Z")])
  }

  /// Relative to the center; empty for a circle. Shifted by one in every round of colors, so that color
  /// and shape together come again after 64 strategies only.
  private func outline(_ r: Double) -> [Point] {
    func points(_ pairs: [(Double, Double)]) -> [Point] { pairs.map { Point(x: $0.0 * r, y: $0.1 * r) } }
    switch (index + index / Palette.series.count) % 8 {
    case 1: return points([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
    case 2: return points([(0, -1.2), (1.1, 0.8), (-1.1, 0.8)])
    case 3: return points([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)])
    case 4: return points([(0, 1.2), (1.1, -0.8), (-1.1, -0.8)])
    case 5:
      return points([
        (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2),
        (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4),
      ])
    case 6: return points([(-1.2, -0.6), (0, -1.3), (1.2, -0.6), (1.2, 0.6), (0, 1.3), (-1.2, 0.6)])
    case 7: return points([(-1.2, 0), (1.0, -1.1), (1.0, 1.1)])
    default: return []
    }
  }
}
