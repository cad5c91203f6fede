import Foundation
import FrameBench
import Testing

@testable import HistoryPages
@testable import Markup
@testable import Measurements
@testable import Pages
@testable import TextFormat

/// Tests the reports of a run as large as the catalogue of this repository.
@Suite struct CatalogueReportTests {
  /// The document has 12 scenarios of 2 strategies at 3 sizes, which are 72 benchmarks.
  private static let document: RunDocument = {
    let names = [
      "springs", "springs-objects", "spring-jumps", "cradle", "cradle-updates", "drag", "spring-updates", "updates",
      "rotation", "pinch", "layout-transition", "view-transition",
    ]
    var records: [BenchmarkRecord] = []
    for name in names {
      for size in [100, 1_000, 10_000] {
        for var record in [
          Fixtures.naive(size, nanosecondsPerItem: 13.7, frames: 120), Fixtures.tiled(size, frames: 120),
        ] {
          record.id.scenario = name
          records.append(record)
        }
      }
    }
    var document = Fixtures.document(records, frameCount: 120)
    document.summaries = Dictionary(uniqueKeysWithValues: names.map { ($0, "Rows of \($0) move.") })
    document.warnings = [
      Warning("The load average was 3.9 on 4 cores; run on an idle machine."),
      Warning("The machine slowed down by 7% meanwhile."),
    ]
    return document
  }()

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  @Test func markdownFitsThreeHundredLinesAndLeadsToThePages() {
    let pages = ScenarioPages(Self.document)
    let text = Self.document.report(detail: .linked, page: { pages.fileName($0, "md").map { "scenarios/\($0)" } })
      .markdown()
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 300)
    #expect(lines(text).count { $0.contains("](scenarios/springs.md)") } == 7)
    #expect(lines(text).count { $0.contains("Rows of springs move.") } == 1)
  }

  @Test func theTableStandsAboveTheFoldOfThePage() throws {
    let text = Self.document.report(detail: .linked).markdown()
    let first = try #require(lines(text).firstIndex { $0.hasPrefix("| benchmark") })
    #expect(first < 5)
  }

  @Test func everyLineOfTheWholeReportIsInAPageOrInTheReport() {
    let pages = ScenarioPages(Self.document)
    let whole = lines(Self.document.report().markdown())
    let parts =
      Self.document.report(detail: .linked).markdown()
      + pages.markdown(report: "../report.md", pictures: [], pictureFolder: "").map(\.text).joined()
    // Leaves out the numbers of footnotes, widths of tables and levels of headings, which differ from page to page.
    func words(_ line: Substring) -> String {
      line.replacing(#/\[\^\d+\]|^#+|[-: ]+/#, with: " ").trimmingCharacters(in: .whitespaces)
    }
    let known = Set(lines(parts).map(words))
    // Lines with the heading of a scenario are left out, because on the scenario's own page its name is the title.
    let missing = whole.filter { !known.contains(words($0)) && !$0.hasPrefix("## ") }
    #expect(missing.isEmpty, "\(missing.prefix(3))")
  }

  @Test func whatHoldsForAllIsSaidOnce() {
    let text = Self.document.report(detail: .linked).markdown()
    for phrase in ["Hyndman and Fan", "AMD EPYC 9B14", "smallest step", "16.67 ms", "120 Hz"] {
      #expect(text.components(separatedBy: phrase).count <= 3, "\(phrase)")
    }
  }

  @Test func aPictureOfAllBenchmarksStandsBeforeTheTable() throws {
    let pictures = Self.document.pictures
    let text = Self.document.report(detail: .linked, pictures: pictures, pictureFolder: "p/").markdown()
    let picture = try #require(text.range(of: "](p/overview.svg)")),
      table = try #require(text.range(of: "\n| benchmark"))
    #expect(picture.upperBound < table.lowerBound)
    let svg = try #require(pictures.first { $0.name == "overview.svg" }).svg
    #expect(svg.contains("springs/naive/10000: p50") && !svg.contains("springs/naive/100:"))
    #expect(svg.components(separatedBy: "<title>").count - 1 <= 20 + 3)
    #expect(!Fixtures.twoStrategies.pictures.contains { $0.kind == .overview })
  }

  @Test func htmlIsOneFileBelowAMegabyte() {
    let text = Self.document.htmlReport()
    #expect(text.utf8.count < 1_000_000, "\(text.utf8.count)")
    #expect(text.contains("<details>\n<summary>Figures of springs</summary>"))
    #expect(text.contains("<a href=\"#s-springs\">springs/naive/<wbr>100</a>"))
    #expect(text.contains("id=\"s-springs\""))
    #expect(!text.contains("cost of each frame"))
  }

  @Test(arguments: [40, 80, 120, 160]) func theTerminalShowsAScreenAtMost(_ width: Int) {
    let text = Self.document.terminalText(width: width, usesColor: false)
    // The text must leave room on a screen for the path of the report, which the program prints below it.
    #expect(lines(text).count < 42 || width < 80)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 43 || width < 80)
    #expect(lines(text).allSatisfy { $0.count <= width })
    for scenario in ["springs", "cradle", "view-transition"] { #expect(text.contains("\(scenario)/"), "\(scenario)") }
  }

  @Test func aStrategyIsALineWithItsSizesSideBySide() throws {
    let text = Self.document.terminalText(width: 80, usesColor: false)
    let header = try #require(lines(text).first).split(separator: " ").map(String.init)
    #expect(header.starts(with: ["benchmark", "items", "p99", "1st", "2nd", "3rd", "solve", "allocs", "÷naive"]))
    for strategy in ["naive", "tiled"] {
      let line = try #require(lines(text).first { $0.hasPrefix("springs/\(strategy) ") })
      #expect(line.contains("100–10k"))
      for size in [100, 1_000, 10_000] {
        let record = try #require(Self.document.benchmarks.first { $0.id.description == "springs/\(strategy)/\(size)" })
        #expect(line.contains(TimeUnit.text(try #require(record.frame.aligned).p99)))
      }
    }
    #expect(lines(text).count { $0.contains("/naive ") || $0.contains("/tiled ") } == 24)
  }

  @Test func aNarrowTerminalKeepsTheTailAndTheBudget() throws {
    let text = Self.document.terminalText(width: 60, usesColor: false)
    let header = try #require(lines(text).first)
    #expect(header.contains("p99") && header.contains("60 Hz"))
    #expect(!header.contains("frames"))
    let wide = Self.document.terminalText(width: 160, usesColor: false)
    #expect(try #require(lines(wide).first).hasSuffix("frames"))
    #expect(wide.contains("█"))
  }

  @Test func aSmallRunIsShownWhole() {
    let text = Fixtures.twoStrategies.terminalText(usesColor: false)
    #expect(text.contains("cheaper than naive"))
    for record in Fixtures.twoStrategies.benchmarks { #expect(text.contains("\(record.id) ")) }
    #expect(!text.contains("--verbose"))
  }

  @Test func manyFailuresAndWarningsLeaveRoomForTheTable() {
    var document = Self.document
    document.failures = (1...50).map {
      BenchmarkFailure(
        id: BenchmarkID(scenario: "s", strategy: "t", size: $0), reason: String(repeating: "it crashed ", count: 40),
        standardError: "")
    }
    document.warnings = (1...50).map { Warning("doubt \($0)") }
    let text = document.terminalText(usesColor: false)
    #expect(lines(text).count < 39)
    #expect(text.contains("48 more failures") && text.contains("48 more warnings"))
  }
}
