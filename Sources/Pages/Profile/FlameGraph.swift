import Markup
import Measurements
import TextFormat

/// A call tree as an SVG picture, with the root at the top. The width of a box is the cost of a function including its
/// callees. A script in the picture zooms and searches.
package struct FlameGraph {
  package var tree: CallTree
  package let title: String
  package let subtitle: String
  /// Whether colors show a difference: red if the candidate spends more, blue if it spends less. If false, colors show
  /// where the code is from, such as the system.
  package var isDifference = false
  package let text: (Double) -> String

  package static let width = 1_200.0
  private static let rowHeight = 19.0
  private static let margin = 12.0

  /// Returns the complete file, 1,200 points wide. It leaves out functions narrower than 0.02 points.
  package func render() -> String {
    var graph = self
    graph.tree.layOut()
    return graph.drawn
  }

  private var drawn: String {
    let boxes = boxes()
    let rows = Double((boxes.map(\.node.depth).max() ?? 0) + 1)
    let height = Self.top + rows * Self.rowHeight + 14
    let elements =
      [
        SVG.element("title", [("id", "flame-title")], XMLText.escape(title)),
        SVG.element("desc", [("id", "flame-desc")], XMLText.escape(subtitle)),
        SVG.element("style", [], Self.styleSheet(isDifference: isDifference)),
        SVG.element("rect", [("class", "page"), ("width", "100%"), ("height", "100%")]),
        SVG.text(title, at: Point(x: Self.margin, y: 24), class: "title", size: 15),
        SVG.text(subtitle, at: Point(x: Self.margin, y: 43), class: "muted", size: 12),
      ] + legend + [
        SVG.element("g", [("id", "boxes")], boxes.map(element).joined(separator: "\n")),
        "<script><![CDATA[\n\(Self.script)\n]]></script>\n",
      ]
    return SVG.element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("class", "flame"),
        ("viewBox", "0 0 \(SVG.number(Self.width)) \(SVG.number(height))"), ("width", SVG.number(Self.width)),
        ("height", SVG.number(height)), ("role", "img"), ("aria-labelledby", "flame-title flame-desc"),
        ("font-family", Self.fonts), ("font-size", "12"),
      ], elements.joined(separator: "\n")) + "\n"
  }

  private static let top = 78.0
  private static let fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace"
  /// The width of a character in these fonts at a size of 12 points, in points.
  private static let characterWidth = 7.23

  private var legend: [String] {
    let origins = CallFrame.Origin.allCases.filter { origin in
      tree.nodes.dropFirst().contains { $0.frame.origin == origin }
    }
    let items = isDifference ? [("d-3", "less"), ("d0", "as before"), ("d3", "more")] : origins.map(\.look)
    var x = Self.margin
    return items.map { name, label in
      let width = 18 + Double(label.count) * Self.characterWidth + 16
      defer { x += width }
      // The script reads the width (`data-w`) to wrap the legend on a narrow page.
      return SVG.element(
        "g", [("class", "key"), ("data-w", SVG.number(width)), ("transform", "translate(\(SVG.number(x)) 0)")],
        SVG.element("rect", [("class", name), ("y", "54"), ("width", "12"), ("height", "12"), ("rx", "2")])
          + SVG.text(label, at: Point(x: 17, y: 64.5), class: "muted"))
    }
  }

  /// A node and its place in the picture. `start` and `width` are fractions of the root's width.
  private typealias Box = (node: CallTree.Node, start: Double, width: Double)

  private func boxes() -> [Box] {
    let whole = tree.nodes[0].width
    guard whole > 0 else { return [] }
    var boxes: [Box] = []
    var waiting: [(index: Int, start: Double)] = [(0, 0)]
    while let (index, start) = waiting.popLast() {
      let node = tree.nodes[index]
      let width = node.width / whole
      // Boxes below 0.02 points are left out. Boxes below a tenth of a point are hidden until a reader zooms in.
      guard width * Self.width >= 0.02 else { continue }
      boxes.append((node, start, width))
      var x = start
      for child in node.children {
        waiting.append((child, x))
        x += tree.nodes[child].width / whole
      }
    }
    return boxes.sorted { ($0.node.depth, $0.start) < ($1.node.depth, $1.start) }
  }

  private func element(_ box: Box) -> String {
    let inner = Self.width - 2 * Self.margin
    let (x, width) = (Self.margin + box.start * inner, box.width * inner)
    let y = Self.top + Double(box.node.depth) * Self.rowHeight
    let attributes =
      [
        ("class", colorClass(box.node)), ("data-x", fraction(box.start)), ("data-w", fraction(box.width)),
        ("data-d", "\(box.node.depth)"), ("data-n", box.node.frame.function),
      ] + (width < 0.1 ? [("display", "none")] : [])
    let rect = SVG.element(
      "rect",
      [
        ("x", SVG.number(x)), ("y", SVG.number(y)), ("width", SVG.number(max(0.3, width - 0.6))),
        ("height", SVG.number(Self.rowHeight - 1)), ("rx", "2"),
      ])
    let label = SVG.element(
      "text", [("x", SVG.number(x + 4)), ("y", SVG.number(y + 13))],
      XMLText.escape(Self.fitted(box.node.frame.function, width)))
    return SVG.element("g", attributes, SVG.element("title", [], XMLText.escape(tip(box.node))) + rect + label)
  }

  /// Cuts a name to fit a width in points. The script's function `fitted` does the same.
  private static func fitted(_ name: String, _ width: Double) -> String {
    let room = Int((width - 8) / characterWidth)
    guard room >= 3 else { return "" }
    return name.count <= room ? name : name.prefix(room - 1) + "…"
  }

  private func fraction(_ value: Double) -> String {
    let tenMillionths = Int((value * 1e7).rounded())
    return tenMillionths >= 10_000_000 ? "1" : "0." + String(String(10_000_000 + tenMillionths).dropFirst())
  }

  private func tip(_ node: CallTree.Node) -> String {
    let place = [node.frame.position, node.frame.library].compactMap { $0 }.joined(separator: ", ")
    let name = node.frame.function + (place.isEmpty ? "" : " (\(place))")
    guard !isDifference else {
      let change = node.total - node.baselineTotal
      return "\(name): \(text(node.baselineTotal)) → \(text(node.total))"
        + " (\(change < 0 ? "−" : "+")\(text(abs(change))))"
    }
    let whole = tree.nodes[0].total
    let share = whole > 0 ? node.total / whole : 0
    let itself = node.own > 0 && !node.children.isEmpty ? "; itself \(text(node.own))" : ""
    return "\(name): \(text(node.total)), \(Format.percent(share))\(itself)"
  }

  private func colorClass(_ node: CallTree.Node) -> String {
    if node.parent == nil { return "root" }
    guard !isDifference else {
      return "d\(Self.step(baseline: node.baselineTotal, candidate: node.total, whole: tree.nodes[0]))"
    }
    return node.frame.origin.look.className
  }

  /// The strength of a change, from -3 (much less) to 3 (much more). It is 0 if the change is below a five-hundredth of
  /// the whole frame, because that is noise.
  private static func step(baseline: Double, candidate: Double, whole: CallTree.Node) -> Int {
    let change = candidate - baseline
    guard abs(change) > max(whole.total, whole.baselineTotal) * 0.002 else { return 0 }
    let relative = change / max(baseline, candidate)
    let strength = [0.03, 0.15, 0.5].count { abs(relative) >= $0 }
    return relative < 0 ? -strength : strength
  }
}

extension CallFrame.Origin {
  /// The CSS class of the color, and the label in the legend.
  fileprivate var look: (className: String, label: String) {
    switch self {
    case .standardLibrary: ("swift", "Swift's library")
    case .system: (rawValue, "runtime and C")
    case .engine: (rawValue, "springbench's engine")
    case .program, .phase, .harness: (rawValue, rawValue)
    }
  }
}
