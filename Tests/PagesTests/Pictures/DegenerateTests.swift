import Testing

@testable import FrameBench
@testable import Markup
@testable import Measurements
@testable import Pages
@testable import TextFormat

/// Tests documents with values that a document may contain, although no run should produce them.
@Suite(.serialized) struct DegenerateTests {
  @Test func documentWithoutFramesHasNoPictures() {
    #expect(Fixtures.document([]).pictures.isEmpty)
    #expect(PictureFixture.noFrames.document.pictures.isEmpty)
  }

  @Test func singleSizeHasNoGrowth() {
    #expect(
      Fixtures.oneStrategy.pictures.map(\.name) == [
        "frames-springs-250.svg", "distribution-springs-250.svg", "phases-springs.svg",
      ])
  }

  @Test func singleFrameIsAMarker() throws {
    let picture = try #require(PictureFixture.oneFrame.document.pictures.first)
    let svg = ParsedSVG(picture.svg)
    #expect(!svg.elements.contains { $0.classes.contains("trace") })
    let center = svg.elements.filter { $0.name == "circle" }.compactMap { $0.attributes["cy"].flatMap(Double.init) }
    #expect(center.contains { $0 > svg.plot[2] && $0 < svg.plot[3] })
  }

  @Test func spikeOfASingleFrameIsNotLost() throws {
    var record = Fixtures.naive(10, frames: 6_000)
    record.frame.alignedNanoseconds[4_321] = 9e6
    let picture = try #require(Fixtures.document([record]).pictures.first)
    let svg = ParsedSVG(picture.svg)
    let trace = try #require(svg.elements.first { $0.classes.contains("trace") })
    let points = ParsedSVG.points(trace.attributes["d"] ?? "")
    #expect(points.count < 3_000)
    let highest = try #require(points.min { $0.y < $1.y })
    let share = (highest.x - svg.plot[0]) / (svg.plot[1] - svg.plot[0])
    #expect(abs(share - 4_321.0 / 5_999) < 0.001)
    #expect(points.filter { $0.y < highest.y + 20 }.count == 1)
  }

  @Test func phasesThatAreTooShortForTheClockAreSaidToBe() {
    func phases(_ clock: ClockRecord) -> String {
      var document = Fixtures.document([Fixtures.naive(100_000)])
      document.environment.clock = clock
      return document.pictures.first { $0.name == "phases-springs.svg" }?.svg ?? ""
    }
    let coarse = ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10)
    #expect(phases(coarse).contains("times below 30.0 ns are too short"))
    let fine = ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 0.1)
    #expect(phases(fine).contains("beside the longest of its size<"))
  }

  @Test func fiftyStrategiesStayApart() throws {
    let svg = try #require(PictureFixture.fiftySeries.document.pictures.first).svg
    let names = ParsedSVG(svg).elements.filter { $0.classes.contains("name") }.map(\.text)
    #expect(Set(names).count == 50)
    let looks = (0..<50).map { index in
      let look = SeriesLook(index: index)
      return look.className + look.marker(at: Point(x: 0, y: 0), radius: 10)
    }
    #expect(Set(looks).count == 50)
  }

  @Test func namesOfFilesAreSafeAndNoTwoTheSame() {
    var names = FileNames(allowing: ".")
    let long = String(repeating: "n", count: 500)
    let all = ["a/../b", "a-..-b", "A/../B", "<x>&\"", long, long].map { names.next("frames", $0, "1") }
    #expect(Set(all.map { $0.lowercased() }).count == all.count)
    for name in all {
      #expect(name.wholeMatch(of: #/[A-Za-z0-9._~-]{1,130}/#) != nil, "\(name)")
      #expect(!name.hasPrefix("."))
    }
  }

  @Test func aNameOfAnyLengthLeavesRoomForTheSizeInThatOfItsPicture() {
    var document = PictureFixtures.realistic
    for index in document.benchmarks.indices {
      document.benchmarks[index].id.scenario = String(repeating: "é/", count: 250)
    }
    let names = document.pictures.map(\.name)
    #expect(Set(names).count == names.count && names.contains { $0.hasPrefix("frames-") })
    for name in names { #expect(name.wholeMatch(of: #/[a-z]+-[-]{60}(-[0-9]+)?~[0-9a-f]{8}\.svg/#) != nil, "\(name)") }
  }

  @Test func budgetThatIsFarAwayIsSaidInWords() throws {
    let frames = try #require(PictureFixtures.realistic.pictures.first { $0.name.hasPrefix("frames") })
    #expect(frames.svg.contains("of the budget at 120 Hz (8.33 ms)"))
    let stalled = try #require(PictureFixtures.zeros.pictures.first { $0.name.hasPrefix("frames") })
    #expect(!stalled.svg.contains("fills"))
    #expect(ParsedSVG(stalled.svg).elements.contains { $0.text.hasPrefix("budget at 120 Hz") })
  }
}
