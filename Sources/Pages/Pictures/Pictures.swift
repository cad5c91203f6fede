import FrameBench
import Measurements
import TextFormat

/// A picture of a run: one self-contained SVG file, for light and dark pages.
package struct Picture: Sendable {
  /// File name, unique among the pictures of a document, safe in a folder and in a link:
  /// `frames-springs-10000.svg`.
  package let name: String
  let title: String
  /// For readers who cannot see it; plain text.
  let description: String
  /// The whole file. Text stays text, nothing is fetched.
  package let svg: String
  /// Values that a page shows under the pointer.
  let readout: ChartReadout?
  let scenario: String
  /// Number of items; nil for a picture of all sizes.
  let size: Int?
  let kind: Kind

  enum Kind: String { case growth, frames, distribution, phases }
}

/// The pictures of a run: for each scenario the growth with the number of items and the shares of the
/// phases, for each of its sizes the cost along the scroll and its distribution. The same text for the same
/// document.
package struct Pictures: Sendable {
  private typealias Draft = (scenario: String, size: Int?, kind: Picture.Kind, name: String, drawable: any Drawable)
  private let drafts: [Draft]

  /// Width of a picture, points: fits the column of a page on GitHub.
  static let standardWidth = 840.0
  /// Fits the column of the HTML report on a desktop.
  static let wideWidth = 1_000.0
  /// Fits a phone of 360 points, with a margin on either side.
  static let narrowWidth = 344.0

  /// Lays out the charts; `all` draws them each time.
  package init(_ document: RunDocument) {
    let looks = SeriesLook.byStrategy(document)
    var names = FileNames(allowing: ".")
    var drafts: [Draft] = []
    for group in ScenarioGroup.all(in: document) {
      let charts = ScenarioCharts(group: group, looks: looks)
      var drawn: [(Picture.Kind, Int?, (any Drawable)?)] = [(.growth, nil, charts.growth())]
      for size in group.sizes {
        drawn += [(.frames, size, charts.frames(size)), (.distribution, size, charts.distribution(size))]
      }
      drawn.append((.phases, nil, PhaseChart(group)))
      for case (let kind, let size, let drawable?) in drawn {
        // Short enough to always keep the size.
        let scenario = String(group.name.prefix(60))
        let name = size.map { names.next(kind.rawValue, scenario, "\($0)") } ?? names.next(kind.rawValue, scenario)
        drafts.append((group.name, size, kind, name, drawable))
      }
    }
    self.drafts = drafts
  }

  /// Pictures without content are absent: the growth of a single size, the frames of a benchmark that
  /// failed.
  package var all: [Picture] { pictures(width: Self.standardWidth) }

  /// - Parameters:
  ///   - mark: Distinguishes several widths of a picture in one page.
  ///   - isOfAllSizes: Leaves out charts of the frames of one size.
  func pictures(width: Double, mark: String = "", isOfAllSizes: Bool = false) -> [Picture] {
    drafts.filter { !isOfAllSizes || $0.size == nil }.map { scenario, size, kind, name, drawable in
      Picture(
        name: "\(name)\(mark).svg", title: drawable.title, description: drawable.description,
        svg: drawable.render(id: name + mark, width: width), readout: drawable.readout, scenario: scenario, size: size,
        kind: kind)
    }
  }
}
