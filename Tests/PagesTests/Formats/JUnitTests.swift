import Foundation
import FoundationXML
import FrameBench
import Testing

@testable import Formats
@testable import Markup

@Suite struct JUnitTests {
  @Test(arguments: FormatFixture.allCases) func theTextIsWellFormedAndHoldsOnlyWhatTheSchemaKnows(
    _ fixture: FormatFixture
  ) throws {
    let document = fixture.document
    let elements = try JUnitElements(parsing: try ReportFormat.junit.render(document))
    let root = try #require(elements.all.first)
    #expect(root.attributes["tests"] == String(document.allIDs.count))
    #expect(root.attributes["failures"] == String(document.failures.count))
    #expect(elements.all.count { $0.name == "testcase" } == document.allIDs.count)
    #expect(elements.all.count { $0.name == "failure" } == document.failures.count)
    let suites = elements.all.filter { $0.name == "testsuite" }
    #expect(suites.compactMap { Int($0.attributes["tests"] ?? "") }.reduce(0, +) == document.allIDs.count)
    let time = root.attributes["time"]
    #expect((time?.wholeMatch(of: /[0-9]+\.[0-9]+/) != nil) == document.durationSeconds.isFinite)
    #expect((time == nil) == !document.durationSeconds.isFinite)
  }

  @Test func namesAndFiguresReadAsTheyWereWritten() throws {
    let elements = try JUnitElements(parsing: try ReportFormat.junit.render(Fixtures.hostile))
    let failure = try #require(elements.all.first { $0.name == "failure" })
    let readable = Fixtures.hostileText.replacing("\u{1}", with: "\u{FFFD}")
    #expect(failure.attributes["message"] == readable)
    #expect(failure.text == "]]>\n</details>\n```\n" + readable)
    let figures = elements.all.filter { $0.name == "property" }
    #expect(figures.contains { $0.attributes["name"] == "tiled/50 frameNanoseconds p50" })
    #expect(
      figures.contains {
        $0.attributes["name"] == "tiled/50 deviationPoints max" && $0.attributes["value"] == "3 points"
      })
  }
}

/// Checks that each element of a document is where junit-10.xsd allows it.
private final class JUnitElements: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
  }

  struct Malformed: Error { var reason: String }

  private static let places = [
    "testsuites": "", "testsuite": "testsuites", "properties": "testsuite", "property": "properties",
    "testcase": "testsuite", "failure": "testcase", "system-out": "testcase",
  ]
  private static let attributes: [String: (required: Set<String>, optional: Set<String>)] = [
    "testsuites": ([], ["name", "time", "tests", "failures", "errors"]),
    "testsuite": (
      ["name", "tests", "failures", "errors"], ["group", "time", "skipped", "timestamp", "hostname", "id"]
    ), "properties": ([], []), "property": (["name", "value"], []),
    "testcase": (["name"], ["time", "classname", "group"]), "failure": ([], ["type", "message"]),
    "system-out": ([], []),
  ]

  private(set) var all: [Element] = []
  private var open: [Int] = []
  private var problem: String?

  init(parsing text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse(), problem == nil else {
      throw Malformed(reason: problem ?? "not well-formed: line \(parser.lineNumber)")
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    let parent = open.last.map { all[$0].name } ?? ""
    if Self.places[name] != parent { problem = "<\(name)> in <\(parent)>" }
    let names = Set(attributes.keys)
    let known = Self.attributes[name] ?? ([], [])
    if !names.isSuperset(of: known.required) || !names.isSubset(of: known.required.union(known.optional)) {
      problem = "<\(name)> with \(names.sorted())"
    }
    open.append(all.count)
    all.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { if let last = open.last { all[last].text += text } }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }
}
