import FrameBench
import Measurements
import TextFormat

/// The pictures of a run: for each scenario the growth with the number of items, for each of its sizes the
/// cost along the scroll and its distribution, and where the time goes. The same text for the same document.
package struct Pictures: Sendable {
  private let drafts: [Draft]

  /// Points that a picture is wide: fits the column of a page on GitHub.
  package static let standardWidth = 840.0
  /// Fits the column of the HTML report on a desk.
  static let wideWidth = 1_000.0
  /// Fits a phone of 360 points, with a margin on either side.
  static let narrowWidth = 344.0

  private struct Draft {
    var name: String
    var title: String
    var description: String
    var place: Picture.Place
    var readout: ChartReadout?
    var render: @Sendable (_ id: String, _ width: Double) -> String
  }

  /// Lays out the charts; `all` draws them each time.
  package init(_ document: RunDocument) {
    let looks = SeriesLook.byStrategy(document)
    var names = FileNames(allowing: ".")
    var drafts: [Draft] = []
    for group in ScenarioGroup.all(in: document) {
      for (kind, size, chart) in Self.charts(group, document.options, looks) {
        drafts.append(
          Draft(
            name: Self.name(kind, group, size, &names), title: chart.title,
            description: chart.description,
            place: Picture.Place(scenario: group.name, size: size, kind: kind), readout: chart.readout,
            render: { chart.render(id: $0, width: $1) }))
      }
      if let phases = PhaseChart(group, options: document.options, clock: document.environment.clock) {
        drafts.append(
          Draft(
            name: Self.name(.phases, group, nil, &names), title: phases.title,
            description: phases.description,
            place: Picture.Place(scenario: group.name, size: nil, kind: .phases),
            render: { phases.render(id: $0, width: $1) }))
      }
    }
    self.drafts = drafts
  }

  /// What has nothing to show is absent: the growth of a single size, the frames of a benchmark that failed.
  package var all: [Picture] { pictures(width: Self.standardWidth) }

  /// - Parameters:
  ///   - mark: Tells apart several widths of a picture in one page.
  ///   - isOfAllSizes: Only those that show a scenario as a whole, and not the frames of one size.
  func pictures(width: Double, mark: String = "", isOfAllSizes: Bool = false) -> [Picture] {
    drafts.filter { !isOfAllSizes || $0.place.size == nil }.map { draft in
      Picture(
        name: "\(draft.name)\(mark).svg", title: draft.title, description: draft.description,
        svg: draft.render(draft.name + mark, width), place: draft.place, readout: draft.readout)
    }
  }

  private static func charts(
    _ group: ScenarioGroup, _ options: RunOptions, _ looks: [String: SeriesLook]
  ) -> [(kind: Picture.Kind, size: Int?, chart: Chart)] {
    var charts: [(kind: Picture.Kind, size: Int?, chart: Chart)] = []
    if let chart = GrowthChart(group, options: options, looks: looks).chart {
      charts.append((.growth, nil, chart))
    }
    for size in group.sizes {
      if let chart = FrameCostChart(group, size, options: options, looks: looks).chart {
        charts.append((.frames, size, chart))
      }
      if let chart = DistributionChart(group, size, options: options, looks: looks).chart {
        charts.append((.distribution, size, chart))
      }
    }
    return charts
  }

  private static func name(
    _ kind: Picture.Kind, _ group: ScenarioGroup, _ size: Int?, _ names: inout FileNames
  ) -> String {
    // Short enough that the size always stays.
    let scenario = String(group.name.prefix(60))
    guard let size else { return names.next(kind.rawValue, scenario) }
    return names.next(kind.rawValue, scenario, "\(size)")
  }
}
