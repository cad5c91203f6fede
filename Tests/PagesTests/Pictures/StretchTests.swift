import FrameBench
import Testing

@testable import Markup
@testable import Measurements
@testable import Pages

/// Tests the named stretches of a run in charts and in sentences.
@Suite struct StretchTests {
  /// The document has 480 frames. The last 80 repeat the first 80.
  private let document = PictureFixtures.realistic

  private func frames(_ document: RunDocument, width: Double = SVG.standardWidth) throws -> ParsedSVG {
    let picture = try #require(document.pictures.first { $0.name == "frames-springs-100.svg" })
    return ParsedSVG(picture.svg(width: width))
  }

  /// Returns the lanes, from the top. A lane is a row of bars for the stretches with one name. Each bar has an outline.
  private func lanes(_ svg: ParsedSVG) -> [(name: String, bars: [[Point]])] {
    let names = svg.elements.filter { $0.name == "title" && $0.environmentKey.last == "stretches" }.map(\.text)
    let paths = svg.elements.filter { $0.name == "path" && $0.environmentKey.last == "stretches" }.map { path in
      (path.attributes["d"] ?? "").split(separator: "Z").map { ParsedSVG.points(String($0)) }
    }
    return zip(names, paths).map { ($0, $1) }
  }

  @Test(arguments: [SVG.standardWidth, SVG.narrowWidth]) func everyStretchIsABarOverItsFrames(_ width: Double) throws {
    let svg = try frames(document, width: width)
    let lanes = lanes(svg)
    #expect(lanes.map(\.name) == ["drag", "fling", "rest"])
    #expect(lanes.map(\.bars.count) == [2, 2, 1])
    let (left, right) = (svg.plot[0], svg.plot[1])
    func place(_ frame: Double) -> Double { left + (right - left) * min(max(frame / 479, 0), 1) }
    let fling = try #require(lanes[1].bars.first)
    #expect(abs(fling[0].x - place(39.5)) < 0.1 && abs(fling[1].x - place(299.5)) < 0.1)
    #expect(lanes[1].bars[1][1].x == right && lanes[0].bars[0][0].x == left)
  }

  @Test func lanesAreNamedBesideThem() throws {
    let svg = try frames(document)
    for lane in lanes(svg) {
      let label = try #require(svg.elements.first { $0.name == "text" && $0.text == lane.name })
      let y = try #require(label.attributes["y"].flatMap(Double.init))
      #expect(abs(y - lane.bars[0][0].y) < 13 && y > lane.bars[0][0].y)
    }
  }

  @Test func aChartWithoutStretchesHasNoLanes() throws {
    var unnamed = document
    unnamed.stretches = nil
    let (with, without) = (try frames(document), try frames(unnamed))
    #expect(lanes(without).isEmpty)
    #expect(without.size.y < with.size.y)
  }

  @Test func ofManyNamesTheLastShareALane() throws {
    let names = (0..<9).map { "part \($0)" }
    let lanes = lanes(try frames(document.withStretches(names)))
    #expect(lanes.map(\.name) == names.prefix(5) + ["others"])
    #expect(lanes[0].bars.count == 8)
  }

  @Test func theWorstFrameIsNamedWithItsStretch() throws {
    var document = document
    document.benchmarks[6].frame.alignedNanoseconds[350] = 90_000
    #expect(document.verdict.contains("worst 90.0 µs in frame 350 (rest)"))
    let record = document.benchmarks[6]
    let row = try #require(OverviewRow.all(in: document).first { $0.id == record.id })
    #expect(row.sparkline.description.hasSuffix("the worst is frame 350 (rest)."))
    document.stretches = nil
    #expect(document.verdict.contains("worst 90.0 µs in frame 350,"))
  }

  @Test func whoCannotSeeTheChartIsToldOfTheStretches() throws {
    let picture = try #require(document.pictures.first { $0.name == "frames-springs-100.svg" })
    #expect(
      picture.drawing.description.hasSuffix(
        "Below the plot: drag in 80 frames, fling in 300 frames and rest in 100 frames."))
    let readout = try #require(picture.drawing.data)
    #expect(readout.contains(#""stretches":[["drag",40],["fling",260],["rest",100],["drag",40],["fling",40]]"#))
  }
}
