import FoundationEssentials

/// Writes JSON for scripts and files. Equal values give equal bytes. `compact` and `object` write keys in the given
/// order, which `JSONEncoder` would not keep.
package enum JSONText {
  package static func text(_ text: String?) -> String? { text.map(string) }

  /// Returns an object without white space. The members' values are JSON. Members whose value is nil are left out.
  package static func compact(_ members: [(key: String, value: String?)]) -> String {
    let present = members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
    return "{\(present.joined(separator: ","))}"
  }

  package static func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

  /// Returns a number, or `null` for infinite values and NaN, which JSON does not have.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }

  package static func string(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// - Parameter members: The members in their order, with values that are JSON. Nil becomes `null`.
  package static func object(_ members: [(key: String, value: String?)]) -> String {
    "{" + members.map { "\"\($0.key)\": \($0.value ?? "null")" }.joined(separator: ", ") + "}"
  }

  /// Returns an array with one row per line, and a line feed at its end. The rows are JSON without line feeds.
  package static func rows(_ rows: [String]) -> String { rows.isEmpty ? "[]\n" : "[\n" + lines(of: rows) + "\n]\n" }

  /// Returns the rows of an array, one per line, without its brackets.
  package static func lines(of rows: [String]) -> String { rows.map { "  " + $0 }.joined(separator: ",\n") }

  /// Returns the value as JSON without white space, with sorted keys.
  /// - Throws: `EncodingError` if a number is infinite or NaN.
  package static func line(_ value: some Encodable) throws -> String {
    String(decoding: try encoder(.sortedKeys, .withoutEscapingSlashes).encode(value), as: UTF8.self)
  }

  /// Returns the value as in `line(_:)`, with a line feed at its end, as the content of a file.
  package static func file(_ value: some Encodable) throws -> Data {
    try encoder(.sortedKeys, .withoutEscapingSlashes).encode(value) + Data("\n".utf8)
  }

  /// Returns the value as JSON that is indented for readers, with sorted keys, and a line feed at its end.
  package static func indented(_ value: some Encodable) throws -> String {
    let encoder = encoder(.sortedKeys, .withoutEscapingSlashes, .prettyPrinted)
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }

  private static func encoder(_ formatting: JSONEncoder.OutputFormatting...) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = JSONEncoder.OutputFormatting(formatting)
    return encoder
  }
}

/// JSON with its keys in a chosen order, which `JSONEncoder` does not keep.
package indirect enum JSONTree {
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  /// Returns the JSON, indented by two spaces.
  package func render() -> String { text(indentation: "") + "\n" }

  private func text(indentation: String) -> String {
    let inner = indentation + "  "
    switch self {
    case .number(let value): return JSONText.number(value)
    case .string(let text): return JSONText.string(text)
    case .array(let values) where values.isEmpty: return "[]"
    case .array(let values):
      return "[\n" + values.map { inner + $0.text(indentation: inner) }.joined(separator: ",\n") + "\n\(indentation)]"
    case .object(let members) where members.isEmpty: return "{}"
    case .object(let members):
      let lines = members.map { "\(inner)\(JSONText.string($0.key)): \($0.value.text(indentation: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
    }
  }
}
