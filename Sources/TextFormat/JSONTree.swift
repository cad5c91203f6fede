/// JSON with its keys in a chosen order, which `JSONEncoder` does not keep.
package indirect enum JSONTree {
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  package static func numbers(_ values: [Double]) -> JSONTree { .array(values.map(JSONTree.number)) }

  /// Two spaces of indentation; an array of single values stands in one line.
  package func render() -> String { text(indentation: "") + "\n" }

  private func text(indentation: String) -> String {
    let inner = indentation + "  "
    switch self {
    case .number(let value): return JSONText.number(value)
    case .string(let text): return JSONText.string(text)
    case .array(let values) where values.allSatisfy(\.isFlat):
      return "[" + values.map { $0.text(indentation: "") }.joined(separator: ", ") + "]"
    case .array(let values):
      return "[\n" + values.map { inner + $0.text(indentation: inner) }.joined(separator: ",\n")
        + "\n\(indentation)]"
    case .object(let members) where members.isEmpty:
      return "{}"
    case .object(let members):
      let lines = members.map { "\(inner)\(JSONText.string($0.key)): \($0.value.text(indentation: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
    }
  }

  private var isFlat: Bool {
    switch self {
    case .number, .string: true
    case .array(let values): values.count <= 2 && values.allSatisfy(\.isFlat)
    case .object: false
    }
  }
}
