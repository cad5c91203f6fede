import Foundation
import FoundationXML

@testable import FrameReport

/// An SVG file as a reader of XML sees it.
final class ParsedSVG: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
    /// Classes of the elements around it, outermost first.
    var surroundings: [String] = []

    var classes: [Substring] { (attributes["class"] ?? "").split(separator: " ") }
  }

  private(set) var elements: [Element] = []
  private(set) var problem: String?
  private var open: [Int] = []

  init(_ svg: String) {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    if !parser.parse() { problem = parser.parserError.map { "\($0)" } ?? "not well-formed" }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    let surroundings = open.compactMap { elements[$0].attributes["class"] }
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes, surroundings: surroundings))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  var size: Point {
    let numbers = (elements.first?.attributes["viewBox"] ?? "").split(separator: " ").compactMap {
      Double($0)
    }
    return numbers.count == 4 ? Point(x: numbers[2], y: numbers[3]) : Point(x: 0, y: 0)
  }

  /// Left, right, top and bottom.
  var plot: [Double] {
    (elements.first?.attributes["data-plot"] ?? "").split(separator: " ").compactMap { Double($0) }
  }

  /// What series draw into the plot: lines, bands and markers, but not what stands beside the labels.
  var drawnPoints: [Point] {
    let groups = elements.filter { $0.name == "path" && !$0.surroundings.dropFirst().isEmpty }
    let lines = groups.filter { element in
      element.classes.contains { ["trace", "thin", "band"].contains($0) }
    }
    return lines.flatMap { Self.points($0.attributes["d"] ?? "") }
  }

  static func points(_ path: String) -> [Point] {
    path.split { "MLZ".contains($0) }.compactMap { pair in
      let numbers = pair.split(separator: " ").compactMap { Double($0) }
      return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }
  }

  /// A text and the room that it takes by `TextMetrics`.
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
