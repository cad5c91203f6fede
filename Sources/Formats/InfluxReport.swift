import Judging
import Measurements
import TextFormat

extension RunDocument {
  /// Returns the run in InfluxDB's line protocol. Each benchmark has a point for its frame and a point for each of its
  /// phases. The timestamp of all points is the start of the run.
  /// - Throws: `RunDocumentError` if the start is not a time that fits into 64 bits of nanoseconds.
  package func influx() throws -> String {
    guard let start = UTCTime(iso8601: startedAt)?.unixNanoseconds else {
      throw RunDocumentError.invalid(path: "startedAt", reason: "\"\(startedAt)\" is not a time before 2262")
    }
    // Escaped names must not become equal, because a point overwrites an earlier one with the same key and time.
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

  /// Returns the measurement and the tags, which identify a point. Tags are sorted by name, as InfluxDB advises.
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

  /// Returns the escaped text of a tag's value or of a field's name. Different values of the same tag get different
  /// texts, and so do different fields.
  private static func spelling(_ name: String, of tag: String, _ names: inout [String: UniqueNames]) -> String {
    names[tag, default: UniqueNames(separator: "-", spell: key)](name)
  }

  /// Returns the value of a field. Totals and maxima of counts or bytes are always integers, and other numbers are
  /// always floats, because InfluxDB refuses a field that changes its type. Nil if a number is not finite.
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

  /// Escapes a tag's value or a field's name. The format has no escape for a backslash, so a backslash becomes a slash.
  /// This can hardly make two names equal, because the names in ids contain no slashes.
  private static func key(_ text: String) -> String { escape(text, [",": "\\,", "=": "\\=", " ": "\\ ", "\\": "/"]) }

  private static func string(_ text: String) -> String { "\"\(escape(text, ["\"": "\\\"", "\\": "\\\\"]))\"" }

  /// Replaces the characters that have a code in `codes`. Control characters have no escape, so each becomes its
  /// printable symbol, such as `␊` for a line feed.
  private static func escape(_ text: String, _ codes: [Unicode.Scalar: String]) -> String {
    text.escaped(codes) { scalar in
      if scalar.value == 0x7F { return "\u{2421}" }
      return String(scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? scalar : scalar)
    }
  }
}
