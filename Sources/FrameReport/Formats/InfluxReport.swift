import FrameBench

/// InfluxDB line protocol: a point for each benchmark's frame and one for each of its phases, at the time
/// when the run started. Fields are `metric_statistic`, as in the flat rows.
public struct InfluxReport: Sendable {
  private let document: RunDocument

  public init(_ document: RunDocument) {
    self.document = document
  }

  /// - Throws: `ReportFormatError.unreadableStart`.
  public func render() throws -> String {
    guard let start = UTCTime(iso8601: document.startedAt) else {
      throw ReportFormatError.unreadableStart(.influx, document.startedAt)
    }
    var points = Points()
    for row in FlatRows(document).rows {
      guard let value = value(of: row) else { continue }
      points.append(Self.key("\(row.metric)_\(row.statistic.rawValue)") + "=" + value, to: key(of: row))
    }
    return points.all.map { "\($0.key) \($0.fields.joined(separator: ",")) \(start.unixNanoseconds)\n" }
      .joined()
  }

  /// Measurement and tags, which say what the point is of. Sorted by tag, as InfluxDB advises.
  private func key(of row: FlatRow) -> String {
    let tags = [
      ("build", document.environment.buildConfiguration), ("items", String(row.id.size)),
      ("machine", document.environment.machine), ("phase", row.phase ?? ""),
      ("scenario", row.id.scenario), ("strategy", row.id.strategy), ("suite", document.suite),
    ]
    // An empty tag is a syntax error.
    let present = tags.filter { !$0.1.isEmpty }.map { ",\($0.0)=\(Self.key($0.1))" }
    return (row.phase == nil ? "springbench_frame" : "springbench_phase") + present.joined()
  }

  /// A total of counts or bytes is an integer always, and everything else a float always: a field whose
  /// type changes is refused.
  private func value(of row: FlatRow) -> String? {
    switch row.value {
    case .text(let text): return Self.string(text)
    case .number(let number):
      guard number.isFinite else { return nil }
      guard row.statistic == .total || row.statistic == .max, row.unit != "ns",
        let integer = Int(exactly: number)
      else { return JSONText.number(number) }
      return "\(integer)i"
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
    scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? scalar : scalar
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
