import TextFormat

/// The figures behind a chart, for a page that shows those under the pointer.
struct ChartReadout: Sendable, Hashable {
  enum Positions: Sendable, Hashable {
    /// This many frames, evenly along the axis.
    case frames(Int)
    case places([Place])

    static func named(_ places: [(fraction: Double, label: String)]) -> Positions {
      .places(places.map(Place.init))
    }
  }

  struct Place: Sendable, Hashable {
    /// Along the horizontal axis, 0 to 1.
    var fraction: Double
    /// Plain text.
    var label: String
  }

  /// Frames in succession that belong together.
  struct Stretch: Sendable, Hashable {
    /// Plain text.
    var name: String
    var frameCount: Int
  }

  struct Series: Sendable, Hashable {
    var name: String
    var look: SeriesLook
    /// By column, then by position; nil where there is no figure.
    var nanoseconds: [[Double?]]
  }

  var positions: Positions
  /// Those of the frames, from the first one on; empty where they have no names.
  var stretches: [Stretch] = []
  /// What the values count in, where it is not nanoseconds.
  var quantity = FigureText.Quantity.time
  /// Names of the figures of a series, plain text; empty for the one that needs none.
  var columns: [String]
  var series: [Series]

  /// For a `script` element: no `<` stands in it.
  func json() -> String {
    var members = [
      "\"columns\":\(JSONText.array(columns.map(JSONText.string)))",
      "\"series\":\(JSONText.array(series.map(Self.json)))",
    ]
    if quantity != .time { members.append("\"quantity\":\(JSONText.string(quantity.rawValue))") }
    switch positions {
    case .frames(let count):
      members.append("\"frames\":\(count)")
      if !stretches.isEmpty {
        let pairs = stretches.map { "[\(JSONText.string($0.name)),\($0.frameCount)]" }
        members.append("\"stretches\":\(JSONText.array(pairs))")
      }
    case .places(let places):
      members.append("\"at\":\(JSONText.array(places.map { Self.rounded($0.fraction) }))")
      members.append("\"labels\":\(JSONText.array(places.map { JSONText.string($0.label) }))")
    }
    return "{\(members.joined(separator: ","))}".replacing("<", with: "\\u003c")
  }

  private static func json(_ series: Series) -> String {
    let columns = series.nanoseconds.map { column in JSONText.array(column.map { $0.map(tenths) ?? "null" }) }
    return "{\"name\":\(JSONText.string(series.name)),\"look\":\"\(series.look.className)\","
      + "\"ns\":\(JSONText.array(columns))}"
  }

  private static func tenths(_ value: Double) -> String {
    abs(value) < 1e15 ? JSONText.number((value * 10).rounded() / 10) : JSONText.number(value)
  }

  private static func rounded(_ fraction: Double) -> String {
    JSONText.number((fraction * 1e5).rounded() / 1e5)
  }
}

extension JSONText {
  fileprivate static func array(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ","))]"
  }
}

extension SVG {
  /// A picture in two widths, of which the style sheet of a page shows one, and the figures behind it, as HTML.
  static func figure(wide: String, narrow: String, readout: ChartReadout?) -> String {
    let data = readout.map { "<script type=\"application/json\">\($0.json())</script>" } ?? ""
    return """
      <figure class="chart">
      <div class="wide">\(wide)</div>
      <div class="narrow">\(narrow)</div>
      \(data)</figure>
      """
  }
}
