import Foundation
import Testing

@testable import FrameBench
@testable import Markup
@testable import Measurements
@testable import Pages

@Suite struct FlameGraphTests {
  private static func graph(_ stacks: [ProfileStack]) -> String {
    FlameGraph(
      tree: CallTree(root: "all", stacks: stacks) { Double($0.count) }, title: "a <b> & c", subtitle: "samples",
      text: { "\(Int($0))" }
    ).render()
  }

  @Test func widthsAreShares() throws {
    let boxes = try Self.boxes(Self.graph(ProfileFixtures.stacks))
    #expect(boxes.map(\.name) == ["all", "solve", "query", "body", "body", "heavy", "light", "memcpy"])
    let width = { (name: String) in boxes.first { $0.name == name }?.width ?? 0 }
    #expect(width("all") == 1)
    #expect(abs(width("heavy") - 0.7) < 1e-6)
    #expect(abs(width("light") - 0.3) < 1e-6)
    #expect(abs(width("memcpy") - 0.1) < 1e-6)
  }

  /// Returns the boxes in the order of the file: outer boxes first, then from left to right.
  private static func boxes(_ svg: String) throws -> [(name: String, width: Double)] {
    let parsed = ParsedSVG(svg)
    try #require(parsed.problem == nil, "\(parsed.problem ?? "")")
    return parsed.elements.compactMap { element in
      guard let name = element.attributes["data-n"], let width = element.attributes["data-w"] else { return nil }
      return (name, Double(width) ?? .nan)
    }
  }

  @Test func namesThatAreMarkupStayText() throws {
    let svg = Self.graph(ProfileFixtures.hostileStacks)
    let boxes = try Self.boxes(svg)
    #expect(boxes.count == 3)
    #expect(boxes[1].name.hasPrefix("f<T>(\"a\";&b)"))
    #expect(
      !svg.contains("http://")
        || svg.components(separatedBy: "http://").dropFirst().allSatisfy { $0.hasPrefix("www.w3.org/") })
    #expect(!svg.contains("https://") && !svg.contains("href"))
  }

  @Test func anEmptyProfileIsStillAPicture() { #expect(ParsedSVG(Self.graph([])).problem == nil) }

  @Test func aDifferenceIsRedWhereMoreIsSpentAndBlueWhereLess() throws {
    var other = ProfileFixtures.stacks
    other[0].count = 1_400
    other[1].count = 20
    let difference = DifferentialProfile(
      id: ProfileFixtures.id, baselineName: "a", baseline: ProfileFixtures.sampled(), candidateName: "b",
      candidate: ProfileFixtures.sampled(other, nanoseconds: 1_520))
    let parsed = ParsedSVG(difference.flameGraph())
    #expect(parsed.problem == nil)
    let colors = parsed.elements.reduce(into: [String: String]()) { colors, element in
      if let name = element.attributes["data-n"] { colors[name] = element.attributes["class"] }
    }
    #expect(colors["heavy"] == "d3")
    #expect(colors["light"] == "d-3")
    #expect(colors["memcpy"] == "d0")
  }

  @Test func whatVanishedStillHasItsPlace() throws {
    let gone = DifferentialProfile(
      id: ProfileFixtures.id, baselineName: "a", baseline: ProfileFixtures.sampled(), candidateName: "b",
      candidate: ProfileFixtures.sampled([ProfileFixtures.stacks[1]], nanoseconds: 200))
    let boxes = try Self.boxes(gone.flameGraph())
    #expect(abs((boxes.first { $0.name == "heavy" }?.width ?? 0) - 0.7) < 1e-6)
  }
}

/// Tests how a browser shows standalone files of flame graphs.
@Suite(.enabled(if: Browser.path != nil, "Chromium is not installed"), .serialized) struct ProfileBrowserTests {
  private static let picture = FlameGraph(
    tree: CallTree(root: "all", stacks: ProfileFixtures.stacks) { Double($0.count) }, title: "t", subtitle: "s",
    text: { "\(Int($0))" }
  ).render()

  /// Runs a script in the picture, which is opened as a standalone file.
  private func evaluate(_ script: String, isDark: Bool = false) async throws -> [String: Any] {
    let probe = """
      <script><![CDATA[
      document.documentElement.setAttribute("data-findings", JSON.stringify((() => {\(script)})()));
      ]]></script></svg>
      """
    let visit = try await Browser.open(
      Self.picture.replacingOccurrences(of: "</svg>", with: probe), as: "picture.svg", isDark: isDark)
    #expect(visit.consoleLines.isEmpty, "\(visit.consoleLines)")
    #expect(visit.requesters.isEmpty, "\(visit.requesters)")
    let found = try #require(visit.html.firstMatch(of: #/data-findings="([^"]*)"/#)).1
    let text = found.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func aFlameGraphZoomsAndComesBack() async throws {
    let found = try await evaluate(
      """
      const box = name => [...document.querySelectorAll("#boxes > g")].find(g => g.dataset.n === name);
      const width = name => +box(name).querySelector("rect").getAttribute("width");
      const shown = () => [...document.querySelectorAll("#boxes > g")].filter(g => g.style.display !== "none").map(g => g.dataset.n);
      const before = width("light");
      box("query").dispatchEvent(new MouseEvent("click", { bubbles: true }));
      const zoomed = { light: width("light"), shown: shown(), reset: document.querySelector("#reset").style.display };
      dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
      return { inner: innerWidth - 24, before, zoomed, after: width("light"), all: shown().length };
      """)
    let zoomed = try #require(found["zoomed"] as? [String: Any], "\(found)")
    let inner = try #require(found["inner"] as? Double)
    #expect(abs((found["before"] as? Double ?? 0) - (0.3 * inner - 0.6)) < 0.5)
    #expect(abs((zoomed["light"] as? Double ?? 0) - (inner - 0.6)) < 0.5)
    #expect(zoomed["shown"] as? [String] == ["all", "query", "body", "light", "memcpy"])
    #expect(zoomed["reset"] as? String == "inline")
    #expect(found["after"] as? Double == found["before"] as? Double)
    #expect(found["all"] as? Int == 8)
  }

  @Test func aFlameGraphFindsFunctionsAndTheirShare() async throws {
    let found = try await evaluate(
      """
      const input = document.querySelector("input");
      const found = [];
      for (const word of ["LIGHT|memcpy", "(", "nothing", ""]) {
        input.value = word;
        input.dispatchEvent(new Event("input"));
        found.push([document.querySelector("#found").textContent, document.querySelectorAll(".hit").length]);
      }
      return { found: found.map(String) };
      """)
    #expect(found["found"] as? [String] == ["30.0% in 2 found,2", "0.0% in 0 found,0", "0.0% in 0 found,0", ",0"])
  }

  @Test func aFlameGraphHasTheColorsThatTheReaderPrefers() async throws {
    let script = """
      const fill = selector => getComputedStyle(document.querySelector(selector)).fill;
      return { page: fill(".page"), text: fill("text.title") };
      """
    #expect(try await evaluate(script)["page"] as? String == "rgb(255, 255, 255)")
    #expect(try await evaluate(script, isDark: true)["page"] as? String == "rgb(13, 17, 23)")
  }

  @Test func theTraceOpensWithoutAnError() async throws {
    let trace = ChromeTrace(timeline: ProfileFixtures.timeline(worst: [3])).render()
    let visit = try await Browser.open(trace, as: "timeline.json")
    #expect(visit.consoleLines.isEmpty, "\(visit.consoleLines)")
    let script = "const trace = \(trace); return { events: trace.traceEvents.length };"
    let found = try await Browser.evaluate(script, in: "<body></body>", width: 800)
    #expect(found["events"] as? Int == (try TraceFormat(trace)).events.count)
  }
}
