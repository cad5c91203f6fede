import Judging
import Measurements
import TextFormat

extension RunDocument {
  /// InfluxDB line protocol: a point for each benchmark's frame and each of its phases, at the start of the run.
  func influx() throws -> String {
    guard let start = UTCTime(iso8601: startedAt)?.unixNanoseconds else {
      throw ReportFormatError.unreadableStart(.influx, startedAt)
    }
    // Two names must keep different spellings: points of one key and time overwrite each other.
    var names: [String: UniqueNames] = [:]
    let fields = FlatRows(self).rows.compactMap { row -> (point: String, field: String)? in
      guard let value = value(of: row) else { return nil }
      let field = Self.spelling("\(row.metric)_\(row.statistic.rawValue)", of: "field", &names)
      return (key(of: row, &names), "\(field)=\(value)")
    }
    return fields.grouped(by: \.point).map { point, fields in
      "\(point) \(fields.map(\.field).joined(separator: ",")) \(start)\n"
    }.joined()
  }

  /// Measurement and tags, which identify the point. Sorted by tag, as InfluxDB advises.
  private func key(of row: FlatRow, _ names: inout [String: UniqueNames]) -> String {
    let tags = [
      ("build", environment.buildConfiguration), ("items", String(row.id.size)), ("machine", environment.machine),
      ("parameters", row.id.parameters.map(\.description).joined(separator: "/")), ("phase", row.phase ?? ""),
      ("scenario", row.id.scenario), ("strategy", row.id.strategy), ("suite", suite),
    ]
    // An empty tag is a syntax error.
    let present = tags.filter { !$0.1.isEmpty }.map { ",\($0.0)=\(Self.spelling($0.1, of: $0.0, &names))" }
    return (row.phase == nil ? "springbench_frame" : "springbench_phase") + present.joined()
  }

  /// The spelling of a tag's value, unique among the names.
  private static func spelling(_ name: String, of tag: String, _ names: inout [String: UniqueNames]) -> String {
    names[tag, default: UniqueNames(separator: "-", spell: key)](name)
  }

  /// Totals and maxima of counts or bytes are integers, all else floats: a field that changes its type is refused.
  private func value(of row: FlatRow) -> String? {
    switch row.value {
    case .text(let text): return Self.string(text)
    case .number(let number):
      guard number.isFinite else { return nil }
      let isInteger = (row.statistic == .total || row.statistic == .max) && (row.unit == "count" || row.unit == "bytes")
      guard isInteger else { return JSONText.number(number) }
      return Int(exactly: number).map { "\($0)i" }
    }
  }

  /// Escapes a tag's value or a field. A backslash, which has no escape, becomes a slash: no part of an id holds one.
  private static func key(_ text: String) -> String { escape(text, [",": "\\,", "=": "\\=", " ": "\\ ", "\\": "/"]) }

  private static func string(_ text: String) -> String { "\"\(escape(text, ["\"": "\\\"", "\\": "\\\\"]))\"" }

  /// There is no escape for control characters either: they become their symbols, `␊`.
  private static func escape(_ text: String, _ codes: [Unicode.Scalar: String]) -> String {
    text.escaped(codes) { scalar in
      if scalar.value == 0x7F { return "\u{2421}" }
      return String(scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? scalar : scalar)
    }
  }
}
