import Measurements
import TextFormat

/// A picture of a run: one self-contained SVG file, for light and dark pages.
package struct Picture: Sendable {
  enum Kind: String { case growth, frames, distribution, phases }

  let scenario: String
  let size: Int?
  let kind: Kind
  /// Unique among the pictures of a document.
  fileprivate let id: String
  let drawing: any Drawable

  /// File name, safe in a folder and in a link: `frames-springs-10000.svg`.
  package var name: String { "\(id).svg" }
  /// The whole file, drawn each time. Text stays text, nothing is fetched.
  package var svg: String { svg(width: SVG.standardWidth) }
  var figure: String { drawing.figure(id: id) }

  func svg(width: Double) -> String { drawing.render(id: id, width: width) }
}

extension RunDocument {
  /// Of each scenario its growth and the shares of its phases; of each size the cost along the scroll, and distributed.
  package var pictures: [Picture] {
    let strategies = benchmarks.map(\.id.strategy).unique
    var names = FileNames(allowing: ".")
    return ScenarioGroup.all(in: self).flatMap { group -> [Picture] in
      let charts = ScenarioCharts(group: group, strategies: strategies)
      var drawn: [(Picture.Kind, Int?, (any Drawable)?)] = [(.growth, nil, charts.growth())]
      for size in group.sizes {
        drawn += [(.frames, size, charts.frames(size)), (.distribution, size, charts.distribution(size))]
      }
      return (drawn + [(.phases, nil, PhaseChart(group))]).compactMap { kind, size, drawing in
        guard let drawing else { return nil }
        // Short enough to always keep the size.
        let parts = [kind.rawValue, String(group.name.prefix(60))] + (size.map { ["\($0)"] } ?? [])
        return Picture(
          scenario: group.name, size: size, kind: kind, id: names.next(parts.joined(separator: "-")), drawing: drawing)
      }
    }
  }
}
