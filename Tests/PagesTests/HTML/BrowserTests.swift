import FrameBench
import Testing

@testable import Markup
@testable import Pages
@testable import TextFormat

/// Tests how a browser shows the HTML report.
@Suite(.enabled(if: Browser.path != nil, "Chromium is not installed"), .serialized) struct BrowserTests {
  @Test(arguments: [PictureFixture.hostile, .zeros]) func pageOpensWithoutAnErrorAndAsksForNothing(
    _ fixture: PictureFixture
  ) async throws {
    let visit = try await Browser.open(fixture.document.htmlReport())
    #expect(visit.html.contains("<h1"))
    #expect(visit.consoleLines == [])
    #expect(visit.requesters == [])
  }

  /// Shows that the test above can fail.
  @Test func errorsAndRequestsOfOtherPagesAreSeen() async throws {
    let visit = try await Browser.open(
      "<!DOCTYPE html><h1></h1><script>nowhere()</script><img src='http://example.invalid/x.png'>")
    #expect(visit.consoleLines.contains { $0.contains("nowhere") })
    #expect(!visit.requesters.isEmpty)
  }

  @Test func policyStopsScriptsAndRequestsThatAreNotThePages() async throws {
    let html = Fixtures.oneStrategy.htmlReport().replacing(
      "</main>", with: "<script>document.title = 'taken'</script><img src='http://example.invalid/x.png'></main>")
    let visit = try await Browser.open(html)
    #expect(!visit.html.contains("taken</title>"))
    #expect(visit.consoleLines.count >= 2)
    #expect(visit.requesters == [])
  }

  @Test(arguments: [360, 1_440]) func textsDoNotOverlapAndThePageFitsItsWidth(_ width: Int) async throws {
    for fixture in [PictureFixture.troubled, .hostile] {
      let found = try await Browser.evaluate(Self.overlaps, in: fixture.document.htmlReport(), width: width)
      #expect(found["error"] == nil, "\(found)")
      #expect(found["width"] as? Int == width)
      #expect(found["overflow"] as? Int == 0, "\(fixture)")
      #expect(found["overlaps"] as? [String] == [], "\(fixture)")
      #expect((found["texts"] as? Int ?? 0) > 50)
    }
  }

  /// On a page as narrow as a phone, the script folds the list of sections. This page has no such list.
  @Test func aPageOfOneSectionRunsItsScriptOnAPhone() async throws {
    let page: [Block] = [.heading(level: 1, "gate"), .paragraph("passed")]
    let watched = page.html(title: "gate").replacing(
      "<head>",
      with: "<head><script>addEventListener('error', event => (window.told ||= []).push(event.message))</script>")
    for width in [390, 1_440] {
      let found = try await Browser.evaluate("return { told: window.told || [] };", in: watched, width: width)
      #expect(found["told"] as? [String] == [], "\(width)")
    }
  }

  @Test func overlappingTextsOfOtherPagesAreSeen() async throws {
    let found = try await Browser.evaluate(
      Self.overlaps, in: "<body><p>one</p><p style='margin-top:-2em;width:999px'>two</p></body>", width: 360)
    #expect(found["overlaps"] as? [String] == ["one / two"])
    #expect((found["overflow"] as? Int ?? 0) > 600)
  }

  @Test func pageHasTheColorsThatTheReaderPrefers() async throws {
    let script = """
      const color = element => getComputedStyle(element).backgroundColor;
      const fill = getComputedStyle(document.querySelector(".wide .page")).fill;
      return { page: color(document.body), picture: fill };
      """
    let html = Fixtures.oneStrategy.htmlReport()
    for (isDark, color) in [(false, "rgb(255, 255, 255)"), (true, "rgb(13, 17, 23)")] {
      let found = try await Browser.evaluate(script, in: html, width: 1_440, isDark: isDark)
      #expect(found["page"] as? String == color)
      #expect(found["picture"] as? String == color)
    }
  }

  @Test func arrowKeysReadTheFiguresOfAChart() async throws {
    let document = PictureFixtures.zeros
    let script = """
      const svg = [...document.querySelectorAll(".wide svg")].find(svg => svg.textContent.includes("cost of each frame"));
      const tip = svg.closest("figure").querySelector(".tip");
      const press = key => svg.dispatchEvent(new KeyboardEvent("keydown", { key }));
      svg.focus();
      const read = [];
      for (const key of ["Home", "ArrowRight", "End"]) {
        press(key);
        read.push([...tip.children].map(line => line.textContent).join("|"));
      }
      const isHidden = () => tip.hidden;
      const before = isHidden();
      press("Escape");
      return { read, focused: document.activeElement === svg, before, after: isHidden() };
      """
    let found = try await Browser.evaluate(script, in: document.htmlReport(), width: 1_440)
    let costs = document.benchmarks[0].frame.alignedNanoseconds
    let expected = [0, 1, costs.count - 1].map { index in
      "frame \(Format.integer(index))|mine\(TimeUnit.text(costs[index]))"
    }
    #expect(found["read"] as? [String] == expected, "\(found)")
    #expect(found["focused"] as? Bool == true)
    #expect(found["before"] as? Bool == false && found["after"] as? Bool == true)
  }

  @Test func columnsSortByWhatTheySayAndBack() async throws {
    let script = """
      const table = [...document.querySelectorAll("table")].find(table => table.textContent.includes("p99 frame"));
      const head = [...table.tHead.rows[0].cells].find(cell => cell.textContent === "p99 frame");
      const column = () => [...table.tBodies[0].rows].map(row => row.cells[head.cellIndex].textContent);
      const orders = [column()];
      for (let i = 0; i < 3; i++) { head.querySelector("button").click(); orders.push(column()); }
      const input = document.querySelector(".filter input");
      input.value = "checksum";
      input.dispatchEvent(new Event("input"));
      const rows = [...document.querySelector(".filter + div tbody").rows].filter(row => !row.hidden);
      return { orders, rows: rows.map(row => row.cells[0].textContent) };
      """
    let found = try await Browser.evaluate(script, in: Fixtures.troubled.htmlReport(), width: 1_440)
    let orders = try #require(found["orders"] as? [[String]], "\(found)")
    #expect(orders[0] == ["2.09 µs", "11.2 ms", "410 ns", "410 ns"])
    #expect(orders[1].last == orders[0].max { Self.nanoseconds($0) < Self.nanoseconds($1) })
    #expect(orders[1].map(Self.nanoseconds) == orders[0].map(Self.nanoseconds).sorted())
    #expect(orders[2].map(Self.nanoseconds) == orders[1].map(Self.nanoseconds).reversed())
    #expect(orders[3] == orders[0])
    #expect(found["rows"] as? [String] == ["output checksum"])
  }

  @Test func onlyTheFirstCellsOfARowStandForTheTextAbove() async throws {
    let rows: [[RichText]] = [["1", "a", "x", "2.00 MB/s", "slow"], ["", "", "y", "900 kB/s", ""]]
    let table = Table(
      rows,
      rows[0].indices.map { column -> TableColumn<[RichText]> in
        [0, 3].contains(column) ? .right("figure") { $0[column] } : .left("text") { $0[column] }
      })
    let script = """
      const body = document.querySelector("tbody");
      const same = [...body.rows[1].cells].map(cell => cell.dataset.same ?? "none");
      document.querySelectorAll("thead button")[3].click();
      return { same, order: [...body.rows].map(row => row.cells[2].textContent) };
      """
    let found = try await Browser.evaluate(script, in: [.table(table)].html(title: "t"), width: 1_440)
    #expect(found["same"] as? [String] == ["1", "a", "none", "none", "none"], "\(found)")
    #expect(found["order"] as? [String] == ["y", "x"], "900 kB/s is less than 2 MB/s")
  }

  @Test func smallCountsAreReadAsTheyAre() async throws {
    let figures: [[Double?]] = [[0.0025, 12_345_678, 10.25]]
    let chart = Chart(
      title: "t", subtitle: "", description: "", x: .zoomed([0, 2], .count), y: .zoomed([0, 20], .count),
      series: [Chart.Series(look: SeriesLook(index: 0), name: "n", details: [], shapes: [], end: 1, figures: figures)],
      readout: ChartReadout(places: [(0, "a"), (0.5, "b"), (1, "c")], unit: .count, columns: [""]))
    let script = """
      const svg = document.querySelector(".wide svg");
      return { read: ["Home", "ArrowRight", "End"].map(key => {
        svg.dispatchEvent(new KeyboardEvent("keydown", { key }));
        return document.querySelector(".tip").textContent;
      }) };
      """
    let page: [Block] = [.paragraph(RichText([.image(alternative: "", source: "chart")]))]
    let html = page.html(title: "t", figures: ["chart": chart.figure(id: "chart")])
    let found = try await Browser.evaluate(script, in: html, width: 1_440)
    #expect(found["read"] as? [String] == ["an0.0025", "bn12,345,678", "cn10.25"], "\(found)")
  }

  private static func nanoseconds(_ text: String) -> Double {
    let parts = text.split(separator: " ")
    let unit = TimeUnit.allCases.first { $0.symbol == parts.last.map(String.init) }
    return (Double(parts.first ?? "") ?? .nan) * (unit?.scale ?? .nan)
  }

  /// A script that finds pairs of visible pieces of text whose rectangles overlap.
  static let overlaps = """
    for (const details of document.querySelectorAll("main details")) details.open = true;
    const boxes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
      if (["SCRIPT", "STYLE"].includes(node.parentElement.nodeName)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects())
        if (box.width > 0) boxes.push({ node, box, isMark: !!node.parentElement.closest("sup") });
    }
    const clip = 1.5;
    const overlaps = [];
    boxes.sort((a, b) => a.box.top - b.box.top);
    boxes.forEach((one, i) => {
      for (let j = i + 1; j < boxes.length && boxes[j].box.top < one.box.bottom - clip; j++) {
        const other = boxes[j];
        if (one.node === other.node || one.isMark || other.isMark) continue;
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (width > clip && height > clip + 1)
          overlaps.push(one.node.textContent.trim() + " / " + other.node.textContent.trim());
      }
    });
    const root = document.documentElement;
    return {
      overlaps: overlaps.slice(0, 10), texts: boxes.length, width: innerWidth,
      overflow: Math.max(0, root.scrollWidth - root.clientWidth),
    };
    """
}
