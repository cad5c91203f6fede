import Foundation
import FoundationXML

@testable import Markup
@testable import Pages

/// An SVG file as an XML parser reads it.
struct ParsedSVG: Sendable {
  struct Element: Sendable {
    var name: String
    var attributes: [String: String]
    var text = ""
    /// The classes of the elements around this one, the outermost first.
    var environmentKey: [String] = []

    var classes: [Substring] { (attributes["class"] ?? "").split(separator: " ") }
  }

  let elements: [Element]
  /// The error of the parser. Nil if the file is well-formed.
  let problem: String?

  init(_ svg: String) {
    let parser = XMLParser(data: Data(svg.utf8))
    let reader = ElementReader()
    parser.delegate = reader
    problem = parser.parse() ? nil : parser.parserError.map { "\($0)" } ?? "not well-formed"
    elements = reader.elements
  }

  /// The pictures of each fixture, rendered and parsed once for all tests.
  static let fixtures: [PictureFixture: [Double: [(name: String, svg: ParsedSVG)]]] = Dictionary(
    uniqueKeysWithValues: PictureFixture.allCases.map { fixture in
      let pictures = fixture.document.pictures
      let widths = [SVG.standardWidth, SVG.narrowWidth]
      return (
        fixture,
        Dictionary(
          uniqueKeysWithValues: widths.map { width in
            (width, pictures.map { ($0.name, ParsedSVG($0.svg(width: width))) })
          })
      )
    })

  var size: Point {
    let numbers = (elements.first?.attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
    return numbers.count == 4 ? Point(x: numbers[2], y: numbers[3]) : Point(x: 0, y: 0)
  }

  /// The left, right, top and bottom of the plot.
  var plot: [Double] { (elements.first?.attributes["data-plot"] ?? "").split(separator: " ").compactMap { Double($0) } }

  /// The points of the lines and bands that series draw into the plot, without the marks next to labels.
  var drawnPoints: [Point] {
    let groups = elements.filter { $0.name == "path" && !$0.environmentKey.dropFirst().isEmpty }
    let lines = groups.filter { element in element.classes.contains { ["trace", "thin", "band"].contains($0) } }
    return lines.flatMap { Self.points($0.attributes["d"] ?? "") }
  }

  static func points(_ path: String) -> [Point] {
    path.split { "MLZ".contains($0) }.compactMap { pair in
      let numbers = pair.split(separator: " ").compactMap { Double($0) }
      return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }
  }

  /// A text and its rectangle, as estimated by `TextMetrics`.
  struct TextBox {
    var text: String
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>

    func overlaps(_ other: TextBox) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
  }

  var textBoxes: [TextBox] {
    elements.filter { $0.name == "text" }.map { element in
      let size = element.attributes["font-size"].flatMap(Double.init) ?? TextMetrics.standardSize
      let isBold = element.classes.contains { $0 == "title" || $0 == "name" }
      let width = TextMetrics.width(element.text, size: size, isBold: isBold)
      let x = element.attributes["x"].flatMap(Double.init) ?? .nan
      let y = element.attributes["y"].flatMap(Double.init) ?? .nan
      let start =
        switch element.attributes["text-anchor"] {
        case "middle": x - width / 2
        case "end": x - width
        default: x
        }
      return TextBox(text: element.text, x: start...(start + width), y: (y - 0.78 * size)...(y + 0.2 * size))
    }
  }
}

private final class ElementReader: NSObject, XMLParserDelegate {
  private(set) var elements: [ParsedSVG.Element] = []
  private var open: [Int] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    let environmentKey = open.compactMap { elements[$0].attributes["class"] }
    open.append(elements.count)
    elements.append(ParsedSVG.Element(name: name, attributes: attributes, environmentKey: environmentKey))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }
}
