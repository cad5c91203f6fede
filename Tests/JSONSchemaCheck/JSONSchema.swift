import Foundation

/// A JSON Schema of draft 2020-12, with the keywords that `docs/run.schema.json` uses. Any other keyword is an error,
/// because a schema that is only half understood would accept anything.
public struct JSONSchema {
  /// A place where a value violates the schema, with the reason.
  public struct Violation: Hashable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public var description: String { "\(path.isEmpty ? "the document" : path): \(reason)" }
  }

  public struct SchemaError: Error, Hashable, CustomStringConvertible { public let description: String }

  public let root: [String: Any]

  private static let annotations: Set<String> = ["$schema", "$id", "title", "description"]
  private static let assertions: Set<String> = [
    "$ref", "$defs", "type", "const", "enum", "pattern", "minimum", "exclusiveMinimum", "maximum", "minItems",
    "maxItems", "properties", "required", "additionalProperties", "items", "prefixItems",
  ]
  private static let types: Set<String> = ["object", "array", "string", "number", "integer", "boolean"]

  public init(_ data: Data) throws {
    guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw SchemaError(description: "a schema is an object")
    }
    self.root = root
    try check(root, at: "#")
  }

  public func violations(in data: Data) throws -> [Violation] {
    violations(of: try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
  }

  public func violations(of value: Any) -> [Violation] { violations(value, root, "") }
}

extension JSONSchema {
  /// Throws if the schema contains a keyword that the validator does not support.
  private func check(_ schema: Any, at place: String) throws {
    guard let schema = schema as? [String: Any] else { throw SchemaError(description: "\(place) is no schema") }
    for keyword in schema.keys.sorted() where !Self.annotations.contains(keyword) {
      guard Self.assertions.contains(keyword) else {
        throw SchemaError(description: "\(place): unknown keyword \"\(keyword)\"")
      }
    }
    if let type = schema["type"], !Self.types.contains(type as? String ?? "") {
      throw SchemaError(description: "\(place): unknown type \(type)")
    }
    if let reference = schema["$ref"] as? String, target(reference) == nil {
      throw SchemaError(description: "\(place): \"\(reference)\" leads nowhere")
    }
    for keyword in ["properties", "$defs"] {
      for (name, inner) in schema[keyword] as? [String: Any] ?? [:] {
        try check(inner, at: "\(place)/\(keyword)/\(name)")
      }
    }
    if let items = schema["items"] { try check(items, at: "\(place)/items") }
    for inner in schema["prefixItems"] as? [Any] ?? [] { try check(inner, at: "\(place)/prefixItems") }
    if let rest = schema["additionalProperties"], rest as? Bool != false {
      try check(rest, at: "\(place)/additionalProperties")
    }
  }

  public func target(_ reference: String) -> [String: Any]? {
    guard reference.hasPrefix("#/$defs/") else { return nil }
    return (root["$defs"] as? [String: Any])?[String(reference.dropFirst(8))] as? [String: Any]
  }

  private func violations(_ value: Any, _ schema: [String: Any], _ path: String) -> [Violation] {
    var found: [Violation] = []
    if let reference = (schema["$ref"] as? String).flatMap(target) { found += violations(value, reference, path) }
    if let type = schema["type"] as? String, !JSONValue.is(value, type) {
      return found + [Violation(path: path, reason: "not of type \(type)")]
    }
    if let constant = schema["const"] as? NSObject, constant != value as? NSObject {
      found.append(Violation(path: path, reason: "not \(constant)"))
    }
    if let text = JSONValue.string(value), let pattern = schema["pattern"] as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append(Violation(path: path, reason: "does not match \(pattern)"))
    }
    if let allowed = schema["enum"] as? [NSObject], !allowed.contains(where: { $0 == value as? NSObject }) {
      found.append(Violation(path: path, reason: "none of \(allowed)"))
    }
    if let number = JSONValue.number(value) { found += rangeViolations(number.doubleValue, schema, path) }
    if let array = JSONValue.array(value) { found += arrayViolations(array, schema, path) }
    if let object = JSONValue.object(value) { found += objectViolations(object, schema, path) }
    return found
  }

  private func rangeViolations(_ number: Double, _ schema: [String: Any], _ path: String) -> [Violation] {
    let broken: [(String, (Double) -> Bool)] = [
      ("minimum", { number < $0 }), ("exclusiveMinimum", { number <= $0 }), ("maximum", { number > $0 }),
    ]
    return broken.compactMap { keyword, isBroken in
      guard let limit = (schema[keyword] as? NSNumber)?.doubleValue, isBroken(limit) else { return nil }
      return Violation(path: path, reason: "\(number) against the \(keyword) \(limit)")
    }
  }

  private func arrayViolations(_ array: [Any], _ schema: [String: Any], _ path: String) -> [Violation] {
    var found: [Violation] = []
    if let least = schema["minItems"] as? Int, array.count < least {
      found.append(Violation(path: path, reason: "fewer than \(least) items"))
    }
    if let most = schema["maxItems"] as? Int, array.count > most {
      found.append(Violation(path: path, reason: "more than \(most) items"))
    }
    let prefix = schema["prefixItems"] as? [Any] ?? []
    let rest = schema["items"] as? [String: Any]
    for (index, item) in array.enumerated() {
      if let inner = index < prefix.count ? prefix[index] as? [String: Any] : rest {
        found += violations(item, inner, "\(path)[\(index)]")
      }
    }
    return found
  }

  private func objectViolations(_ object: [String: Any], _ schema: [String: Any], _ path: String) -> [Violation] {
    let prefix = path.isEmpty ? "" : "\(path)."
    var found = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map {
      Violation(path: prefix + $0, reason: "missing")
    }
    let properties = schema["properties"] as? [String: Any] ?? [:]
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      if let inner = (properties[name] ?? schema["additionalProperties"]) as? [String: Any] {
        found += violations(value, inner, prefix + name)
      } else if schema["additionalProperties"] as? Bool == false {
        found.append(Violation(path: prefix + name, reason: "not in the schema"))
      }
    }
    return found
  }
}

/// Determines the JSON types of values from `JSONSerialization`, which represents both true and 1 as `NSNumber`.
enum JSONValue {
  static func `is`(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "object": return object(value) != nil
    case "array": return array(value) != nil
    case "string": return string(value) != nil
    case "boolean": return Swift.type(of: value) is NSNumber.Type && number(value) == nil
    case "number": return number(value) != nil
    case "integer": return number(value).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    default: return false
    }
  }

  // Compares the types first, because this is much faster than a cast that fails.
  static func object(_ value: Any) -> [String: Any]? {
    Swift.type(of: value) == [String: Any].self ? value as? [String: Any] : nil
  }

  static func array(_ value: Any) -> [Any]? { Swift.type(of: value) == [Any].self ? value as? [Any] : nil }

  static func string(_ value: Any) -> String? { Swift.type(of: value) == String.self ? value as? String : nil }

  static func number(_ value: Any) -> NSNumber? {
    guard Swift.type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return nil }
    // An `NSNumber` for true or false has the Objective-C type `c`.
    return String(cString: number.objCType) == "c" ? nil : number
  }
}
