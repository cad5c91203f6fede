import FrameBench

/// The pictures of a run: for each scenario the growth with the number of items, for each of its sizes the
/// cost along the scroll and its distribution, and where the time goes. The same text for the same document.
public struct Pictures: Sendable {
  /// What has nothing to show is absent: the growth of a
  /// single size, the frames of a benchmark that failed.
  public let all: [Picture]

  /// Points that a picture is wide: fits the column of a page on GitHub.
  public static let standardWidth = 840.0
  /// Fits the column of the HTML report on a desk.
  static let wideWidth = 1_000.0
  /// Fits a phone of 360 points, with a margin on either side.
  static let narrowWidth = 344.0

  public init(_ document: RunDocument) {
    self.init(document, width: Self.standardWidth, suffix: "")
  }

  init(_ document: RunDocument, width: Double, suffix: String) {
    let looks = SeriesLook.byStrategy(document)
    var names = FileNames(suffix: suffix)
    var pictures: [Picture] = []
    for group in ScenarioGroup.all(in: document) {
      func add(
        _ kind: Picture.Kind, _ size: Int?, title: String, description: String, readout: ChartReadout? = nil,
        _ render: (_ id: String, _ width: Double) -> String
      ) {
        let name = names.next(kind.rawValue, group.name, size)
        pictures.append(
          Picture(
            name: name + ".svg", title: title, description: description, svg: render(name, width),
            place: Picture.Place(scenario: group.name, size: size, kind: kind), readout: readout))
      }
      for (kind, size, chart) in Self.charts(group, document.options, looks) {
        add(
          kind, size, title: chart.title, description: chart.description, readout: chart.readout, chart.render
        )
      }
      if let phases = PhaseChart(group, options: document.options) {
        add(.phases, nil, title: phases.title, description: phases.description, phases.render)
      }
    }
    all = pictures
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
}

/// Names that no file system and no link trips over, no two the same.
struct FileNames {
  private var taken: Set<String> = []
  private let suffix: String

  init(suffix: String = "") {
    self.suffix = suffix
  }

  mutating func next(_ kind: String, _ scenario: String, _ size: Int?) -> String {
    let safe = scenario.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "_-.".contains(character))
        ? character : "-"
    }
    let stem = "\(kind)-\(String(safe.prefix(60)))" + (size.map { "-\($0)" } ?? "") + suffix
    // Compared without case: some file systems hold the two for one.
    var name = stem
    var copy = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)~\(copy)"
      copy += 1
    }
    return name
  }
}
