import Foundation
import Testing

@testable import FrameBench
@testable import HistoryPages
@testable import Judging
@testable import Markup
@testable import Measurements
@testable import Pages

/// Tests the pages of a history: their content, and how a browser shows them.
@Suite struct HistorySiteTests {
  /// A history with two toolchains, a step up and a step down, hostile names, a failure and a missing benchmark.
  static let site: [String: String] = {
    let nights = (0..<90).map(Self.night)
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    let site = Site([Site.Part(machine: "build-1", suite: "<s> & \"co\"", analysis: analysis)]) { id, column in
      id == slow && column == "frameNanoseconds.p50" ? (1_150, "budget 1.15us") : nil
    }
    return Dictionary(uniqueKeysWithValues: site.files().map { ($0.path, $0.text) })
  }()

  static let slow = BenchmarkID(scenario: "springs", strategy: "naive", size: 100_000)
  static let fast = BenchmarkID(scenario: "springs", strategy: "tiled", size: 10)
  static let hostile = BenchmarkID(scenario: "<script>alert(1)</script>", strategy: "ÄÖÜ|*_", size: 7)
  static let gone = BenchmarkID(scenario: "gone", strategy: "naive", size: 1)
  static let failing = BenchmarkID(scenario: "failing", strategy: "naive", size: 1)

  static func night(_ number: Int) -> Night {
    let environment = Environment(
      machine: "build-1", cpuModel: nil, coreCount: 2, memoryBytes: nil, kernel: "k", operatingSystem: nil,
      isVirtualMachine: nil, commit: String(format: "%07xffffffffffffffffffffffffffffffffff", number * 7_919),
      isDirty: number == 3, toolchain: number < 25 ? "Swift 6.3" : "Swift 6.3.1", buildConfiguration: "release",
      allocator: "jemalloc 5.3.0", clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 1),
      loadAverage: nil)
    let level = number < 50 ? 1_000.0 : number < 86 ? 950 : 1_045
    let ripple = 1 + 0.004 * sin(Double(number) * 2.4)
    let ids = [slow, fast, hostile] + (number < 89 ? [gone] : [])
    return Night(
      suite: "<s> & \"co\"", startedAt: day(number), environment: environment, options: RunOptions(),
      metrics: ["frameNanoseconds.p50", "frameNanoseconds.p99", "allocatedBytes.mean", "allocationCount.solve.mean"],
      benchmarks: ids.map { id in
        let factor = id == slow ? level : 500
        return Night.Benchmark(
          id: id, checksum: "0",
          values: [factor * ripple, factor * ripple * 1.3, 4_096, number < 70 || id != slow ? 0 : 3])
      }, failures: number == 89 ? [BenchmarkFailure(id: failing, reason: "crashed <b>", standardError: "")] : [])
  }

  private static func day(_ number: Int) -> String {
    let date = Date(timeIntervalSince1970: 1_767_236_400 + Double(number) * 86_400)
    return date.formatted(.iso8601)
  }

  static var overview: String { site["index.html"] ?? "" }
  static var page: String { site.first { $0.key.hasSuffix("springs-naive-100000.html") }?.value ?? "" }

  @Test func everyPageIsThereAndEveryLinkLeadsToOne() async throws {
    #expect(Self.site.count == 6)
    for (path, text) in Self.site {
      let folder = path.contains("/") ? String(path.prefix { $0 != "/" }) + "/" : ""
      for link in text.matches(of: /href="([^"#]+)"/) {
        let target = URL(fileURLWithPath: "/\(folder)\(link.1)").standardized.path.dropFirst()
        #expect(Self.site[String(target)] != nil, "\(path) → \(link.1)")
      }
    }
  }

  @Test func theOverviewSaysWhatIsRedAndWhatMoved() {
    for words in [
      "1 benchmark failed.", "1 benchmark is missing.", "New regressions: ", "crashed &lt;b&gt;",
      "slower since 2026-03-28", "steady",
    ] { #expect(Self.overview.contains(words), "\(words)") }
    #expect(Self.overview.contains("lead bad"))
  }

  @Test func figuresThatOneCommitMovedShareATable() {
    let moved = Self.overview.components(separatedBy: "What moved")[1].components(separatedBy: "Benchmarks<")[0]
    let commits = moved.matches(of: /commits <code>([0-9a-f.]+)<\/code>/).map { String($0.1) }
    #expect(!commits.isEmpty && Set(commits).count == commits.count, "\(commits)")
    #expect(moved.contains("<th scope=\"col\" class=\"n\">change</th><th scope=\"col\">figure</th>"))
  }

  @Test func namesAreText() {
    #expect(!Self.site.isEmpty)
    for (path, text) in Self.site {
      #expect(!text.contains("<script>alert"), "\(path)")
      #expect(text.components(separatedBy: "</script>").count >= 2)
    }
  }

  @Test func theChartOfABenchmarkHasItsLinesAndMarks() {
    for words in [
      "budget 1.15us", "other environment", "slower, or more", "faster, or less", "Swift 6.3 → Swift 6.3.1",
    ] { #expect(Self.page.contains(words), "\(words)") }
  }

  @Test func aSiteWithoutNightsSaysSo() {
    let files = Site([]).files()
    #expect(files.map(\.path) == ["index.html"] && files[0].text.contains("springbench nightly"))
  }
}

extension HistorySiteTests {
  /// Tests how Chromium shows the pages.
  @Suite(.enabled(if: Browser.path != nil, "Chromium is not installed"), .serialized) struct InABrowser {
    @Test func pagesOpenWithoutAnErrorAndAskForNothing() async throws {
      for (path, text) in HistorySiteTests.site where path.contains("naive-100000") || !path.hasPrefix("bench") {
        let visit = try await Browser.open(text)
        #expect(visit.consoleLines == [], "\(path)")
        #expect(visit.requesters == [], "\(path)")
      }
    }

    @Test(arguments: [360, 1_440]) func textsDoNotOverlapAndPagesFitTheirWidth(_ width: Int) async throws {
      for (path, text) in HistorySiteTests.site where !path.contains("gone") {
        let found = try await Browser.evaluate(BrowserTests.overlaps, in: text, width: width)
        #expect(found["error"] == nil, "\(found)")
        #expect(found["overlaps"] as? [String] == [], "\(path)")
        #expect(found["overflow"] as? Int == 0, "\(path)")
        #expect((found["texts"] as? Int ?? 0) > 20)
      }
    }

    @Test func theFilterOfTheOverviewLeavesWhatMatches() async throws {
      let script = """
        const [search, least] = [...document.querySelectorAll(".filter input")].slice(-2);
        const rows = [...[...document.querySelectorAll("table")].pop().tBodies[0].rows];
        const shown = (text, input = search) => {
          input.value = text;
          input.dispatchEvent(new Event("input"));
          return rows.filter(row => row.checkVisibility()).map(row => row.cells[0].textContent);
        };
        return { tiled: shown("tiled"), slower: shown("slower"), none: shown("nothing at all"), all: shown("").length,
          changed: shown("1", least), far: shown("1000", least), every: shown("", least).length };
        """
      let found = try await Browser.evaluate(script, in: HistorySiteTests.overview, width: 1_440)
      #expect(found["tiled"] as? [String] == ["springs/tiled/10"], "\(found)")
      #expect(found["slower"] as? [String] == ["springs/naive/100000"])
      #expect(found["none"] as? [String] == [])
      #expect(found["all"] as? Int == 4)
      #expect(found["changed"] as? [String] == ["springs/naive/100000"])
      #expect(found["far"] as? [String] == [])
      #expect(found["every"] as? Int == 4)
    }

    @Test func hoveringShowsCommitAndValue() async throws {
      let script = """
        const svg = document.querySelector(".chart .wide svg");
        const box = svg.getBoundingClientRect();
        const [left, right, top] = svg.dataset.plot.split(" ").map(Number);
        const scale = box.width / svg.viewBox.baseVal.width;
        const read = fraction => {
          const clientX = box.left + (left + fraction * (right - left)) * scale;
          svg.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY: box.top + top * scale + 5 }));
          const tip = svg.closest("figure").querySelector(".tip");
          return tip.hidden ? null : [...tip.children].map(line => line.textContent).join("|");
        };
        return { first: read(0.5 / 90), step: read(86.5 / 90), other: read(25.5 / 90) };
        """
      let found = try await Browser.evaluate(script, in: HistorySiteTests.page, width: 1_440)
      #expect(found["first"] as? String == "2026-01-01, 0000000|night1.00 µs|level1.00 µs", "\(found)")
      let step = try #require(found["step"] as? String)
      let commit = String(format: "%07x", 86 * 7_919)
      #expect(step == "2026-03-28, \(commit), +9.9%|night1.04 µs|level1.04 µs")
      #expect((found["other"] as? String)?.contains("toolchain: Swift 6.3 → Swift 6.3.1") == true)
    }

    @Test func arrowKeysWalkOverTheNights() async throws {
      let script = """
        const svg = document.querySelector(".chart .wide svg");
        const tip = svg.closest("figure").querySelector(".tip");
        svg.focus();
        return { heads: ["End", "ArrowLeft", "Home"].map(key => {
          svg.dispatchEvent(new KeyboardEvent("keydown", { key }));
          return tip.firstChild.textContent;
        }) };
        """
      let found = try await Browser.evaluate(script, in: HistorySiteTests.page, width: 1_440)
      let heads = try #require(found["heads"] as? [String], "\(found)")
      #expect(heads.map { $0.prefix(10) } == ["2026-03-31", "2026-03-30", "2026-01-01"])
    }

    @Test func withoutScriptsThePageSaysTheSame() async throws {
      let bare = HistorySiteTests.page.replacing(/<script>[\s\S]*?<\/script>/, with: "")
      let found = try await Browser.evaluate(
        "return { charts: document.querySelectorAll('.chart .wide svg path').length, text: document.body.innerText }",
        in: bare, width: 1_440)
      #expect((found["charts"] as? Int ?? 0) > 10)
      let text = try #require(found["text"] as? String)
      for words in ["slower since", "Change points", "All figures"] { #expect(text.contains(words)) }
    }
  }
}
