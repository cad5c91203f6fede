import FrameReport

/// A table of a page. Cells are HTML; the first of a row heads it.
struct HTMLTable {
  struct Column {
    var title: String
    var isNumber = false
    var className: String?
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  /// Whether the page offers to filter the rows, however few they are.
  private let hasFilter: Bool

  init(_ columns: [Column], hasFilter: Bool = false) {
    self.columns = columns
    self.hasFilter = hasFilter
  }

  mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "\(cells.count) cells for \(columns.count) columns")
    rows.append(cells)
  }

  func render() -> String {
    let head = columns.map { column in
      "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" : "")>\(SitePage.escape(column.title))</th>"
    }
    let body = rows.map { cells in
      let rendered = zip(columns, cells).enumerated().map { index, pair in
        let classes = [pair.0.isNumber ? "n" : nil, pair.0.className].compactMap { $0 }.joined(separator: " ")
        let attribute = classes.isEmpty ? "" : " class=\"\(classes)\""
        return index == 0
          ? "<th scope=\"row\"\(attribute)>\(pair.1)</th>" : "<td\(attribute)>\(pair.1)</td>"
      }
      return "<tr>\(rendered.joined())</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="table"><table\(hasFilter ? " data-filter" : "")>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>
      \(body.joined(separator: "\n"))
      </tbody>
      </table></div>
      """
  }
}

/// Figures as cells of a table.
enum HTMLCell {
  static func change(_ move: Trend.Move?, _ quantity: FigureText.Quantity) -> String {
    guard let move else { return "" }
    let text = SitePage.escape(FigureText.change(move.before, move.after, quantity))
    return move.isBeyondNoise ? toned(text, isBad: move.isRegression) : text
  }

  static func change(_ shift: Trend.Shift, _ quantity: FigureText.Quantity) -> String {
    toned(
      SitePage.escape(FigureText.change(shift.before, shift.after, quantity)), isBad: shift.isRegression)
  }

  static func toned(_ html: String, isBad: Bool) -> String {
    "<strong class=\"\(isBad ? "bad" : "good")\">\(html)</strong>"
  }

  static func link(_ text: String, _ address: String) -> String {
    "<a href=\"\(SitePage.escape(address))\">\(SitePage.escape(text))</a>"
  }

  /// `a1b2c3d..e4f5a6b`
  static func commits(_ range: (good: String, bad: String)?) -> String {
    guard let range else { return "" }
    return "<code>\(SitePage.escape("\(range.good.prefix(7))..\(range.bad.prefix(7))"))</code>"
  }
}
