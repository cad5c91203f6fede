import FrameBench
import Testing

@testable import Markup
@testable import Pages

/// The tests run one at a time. They wait for the same pictures, and would otherwise block threads that other tests
/// need.
@Suite(.serialized) struct GeometryTests {
  @Test(arguments: PictureFixture.allCases, [SVG.standardWidth, SVG.narrowWidth]) func picturesAreXMLAndFetchNothing(
    _ fixture: PictureFixture, _ width: Double
  ) throws {
    for picture in try #require(ParsedSVG.fixtures[fixture]?[width]) {
      let svg = picture.svg
      #expect(svg.problem == nil, "\(picture.name)")
      #expect(svg.elements.first?.name == "svg")
      #expect(svg.size.x == width)
      let names = Set(svg.elements.map(\.name))
      #expect(names.isSubset(of: ["svg", "title", "desc", "style", "rect", "g", "path", "circle", "text"]))
      for element in svg.elements {
        #expect(!element.attributes.keys.contains { $0.hasPrefix("on") || $0.contains("href") })
        #expect(!(element.attributes["style"] ?? element.text).contains("url("))
      }
    }
  }

  @Test(arguments: PictureFixture.allCases, [SVG.standardWidth, SVG.narrowWidth])
  func picturesHaveATitleAndSayWhatTheyShow(_ fixture: PictureFixture, _ width: Double) throws {
    for picture in try #require(ParsedSVG.fixtures[fixture]?[width]) {
      let svg = picture.svg
      let labels = try #require(svg.elements.first?.attributes["aria-labelledby"]).split(separator: " ")
      let texts = labels.map { id in svg.elements.first { $0.attributes["id"] == String(id) }?.text }
      #expect(svg.elements.first?.attributes["role"] == "img")
      #expect(texts.count == 2)
      #expect(texts.allSatisfy { !($0 ?? "").isEmpty })
    }
  }

  @Test(arguments: PictureFixture.allCases, [SVG.standardWidth, SVG.narrowWidth]) func pointsLieInsideThePlot(
    _ fixture: PictureFixture, _ width: Double
  ) throws {
    for picture in try #require(ParsedSVG.fixtures[fixture]?[width]) {
      let svg = picture.svg
      try #require(svg.plot.count == 4)
      let (x, y) = (svg.plot[0]...svg.plot[1], svg.plot[2]...svg.plot[3])
      #expect(x.lowerBound >= 0 && x.upperBound <= svg.size.x && y.upperBound <= svg.size.y)
      #expect(x.upperBound - x.lowerBound > 0.4 * width, "\(picture.name)")
      for point in svg.drawnPoints {
        #expect(x.contains(point.x) && y.contains(point.y), "\(point) of \(picture.name)")
      }
    }
  }

  /// Makes sure that there are pictures, because the other tests would pass without any.
  @Test(arguments: PictureFixture.allCases, [SVG.standardWidth, SVG.narrowWidth])
  func everyDocumentWithFramesHasPicturesWithPoints(_ fixture: PictureFixture, _ width: Double) throws {
    let pictures = try #require(ParsedSVG.fixtures[fixture]?[width])
    #expect(pictures.isEmpty == (fixture == .noFrames))
    #expect(pictures.contains { !$0.svg.drawnPoints.isEmpty } == (fixture != .noFrames))
  }

  @Test(arguments: PictureFixture.allCases, [SVG.standardWidth, SVG.narrowWidth])
  func textsNeitherOverlapNorLeaveThePicture(_ fixture: PictureFixture, _ width: Double) throws {
    for picture in try #require(ParsedSVG.fixtures[fixture]?[width]) {
      let svg = picture.svg
      let boxes = svg.textBoxes
      #expect(boxes.count > 5)
      for (index, box) in boxes.enumerated() {
        #expect(box.x.lowerBound >= -0.1 && box.x.upperBound <= svg.size.x + 0.1, "\(box) of \(picture.name)")
        #expect(box.y.lowerBound >= -0.1 && box.y.upperBound <= svg.size.y + 0.1, "\(box) of \(picture.name)")
        for other in boxes[(index + 1)...] {
          #expect(!box.overlaps(other), "\(box.text) and \(other.text) in \(picture.name), \(width) wide")
        }
      }
    }
  }

  @Test func dearerFramesStandHigher() throws {
    let svg = try #require(PictureFixtures.realistic.pictures.first { $0.name == "growth-springs.svg" })
    let lines = ParsedSVG(svg.svg).elements.filter { $0.classes == ["line"] && $0.environmentKey.count == 2 }
    let points = ParsedSVG.points(lines[0].attributes["d"] ?? "")
    try #require(points.count == 3)
    #expect(points[0].x < points[1].x && points[1].x < points[2].x)
    #expect(points[0].y > points[1].y && points[1].y > points[2].y)
  }

  @Test func barsOfPhasesAreAsWideAsTheirShares() throws {
    let record = Fixtures.naive(1_000)
    let picture = try #require(Fixtures.document([record]).pictures.first { $0.name == "phases-springs.svg" })
    let svg = ParsedSVG(picture.svg)
    let bars = svg.elements.filter { $0.classes == ["bar"] }.map { ParsedSVG.points($0.attributes["d"] ?? "") }.filter {
      $0[0].y > svg.plot[2]
    }
    let means = record.phases.compactMap { $0.time.aligned?.mean }
    try #require(bars.count == means.count)
    let width = svg.plot[1] - svg.plot[0]
    for (bar, mean) in zip(bars, means) {
      let share = mean / means.reduce(0, +)
      #expect(abs((bar[1].x - bar[0].x) / width - share) < 2 / width)
    }
    #expect(zip(bars, bars.dropFirst()).allSatisfy { $0[1].x <= $1[0].x })
    #expect(abs(bars[3][1].x - svg.plot[1]) <= 1.1)
  }

  @Test func sameDocumentDrawsTheSameBytes() {
    let texts = (0..<2).map { _ in PictureFixtures.crowded.pictures.map(\.svg) }
    #expect(Set(texts).count == 1)
  }

  @Test func pictureRendersAsItsGoldenFile() throws {
    let pictures = Fixtures.twoStrategies.pictures
    let growth = try #require(pictures.first { $0.name == "growth-springs.svg" })
    try Golden.expect(growth.svg, matches: "growth-springs.svg")
  }
}
