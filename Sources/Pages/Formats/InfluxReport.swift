import Measurements
import TextFormat

/// InfluxDB line protocol: a point for each benchmark's frame and one for each of its phases, at the time
/// when the run started. Fields are `metric_statistic`, as in the flat rows.
package struct InfluxReport: Sendable {
  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// - Throws: `ReportFormatError.unreadableStart`.
  package func render() throws -> String {
    guard let start = UTCTime(iso8601: document.startedAt)?.unixNanoseconds else {
      throw ReportFormatError.unreadableStart(.influx, document.startedAt)
    }
    var points = Points()
    // What two names become must not be the same: points of one key and time overwrite each other.
    var names = Spellings()
    for row in FlatRows(document).rows {
      guard let value = value(of: row) else { continue }
      let field = names("\(row.metric)_\(row.statistic.rawValue)", of: "field")
      points.append("\(field)=\(value)", to: key(of: row, &names))
    }
    return points.all.map { "\($0.key) \($0.fields.joined(separator: ",")) \(start)\n" }
      .joined()
  }

  /// Measurement and tags, which say what the point is of. Sorted by tag, as InfluxDB advises.
  private func key(of row: FlatRow, _ names: inout Spellings) -> String {
    let tags = [
      ("build", document.environment.buildConfiguration), ("items", String(row.id.size)),
      ("machine", document.environment.machine),
      ("parameters", row.id.parameters.map(\.description).joined(separator: "/")),
      ("phase", row.phase ?? ""),
      ("scenario", row.id.scenario), ("strategy", row.id.strategy), ("suite", document.suite),
    ]
    // An empty tag is a syntax error.
    let present = tags.filter { !$0.1.isEmpty }.map { ",\($0.0)=\(names($0.1, of: $0.0))" }
    return (row.phase == nil ? "springbench_frame" : "springbench_phase") + present.joined()
  }

  /// A total or maximum of counts or bytes is an integer always, and everything else a float always: a field
  /// whose type changes from one run to the next is refused.
  private func value(of row: FlatRow) -> String? {
    switch row.value {
    case .text(let text): return Self.string(text)
    case .number(let number):
      guard number.isFinite else { return nil }
      let isInteger =
        (row.statistic == .total || row.statistic == .max) && (row.unit == "count" || row.unit == "bytes")
      guard isInteger else { return JSONText.number(number) }
      return Int(exactly: number).map { "\($0)i" }
    }
  }

  /// Of a tag's value or a field. There is no escape for a backslash, which becomes a slash (no part of
  /// an id holds one), nor for control characters, which become their pictures: `␊`.
  private static func key(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case ",", "=", " ": escaped += "\\\(scalar)"
      case "\\": escaped += "/"
      default: escaped.unicodeScalars.append(picture(of: scalar))
      }
    }
    return escaped
  }

  private static func string(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      default: quoted.unicodeScalars.append(picture(of: scalar))
      }
    }
    return "\"\(quoted)\""
  }

  private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? scalar
    case 0x7F: "\u{2421}"
    default: scalar
    }
  }

  /// Of the values of each tag, told apart.
  private struct Spellings {
    private var namesByTag: [String: UniqueNames] = [:]

    mutating func callAsFunction(_ name: String, of tag: String) -> String {
      namesByTag[tag, default: UniqueNames(separator: "-", spell: InfluxReport.key)](name)
    }
  }

  /// Points in the order of their first field.
  private struct Points {
    private(set) var all: [(key: String, fields: [String])] = []
    private var places: [String: Int] = [:]

    mutating func append(_ field: String, to key: String) {
      let place = places[key, default: all.count]
      if place == all.count {
        places[key] = place
        all.append((key, []))
      }
      all[place].fields.append(field)
    }
  }
}
