import Foundation
import TextFormat

extension RunDocument {
  /// The content of `run.json` in one line without white space. Keys are sorted, so equal documents have equal bytes.
  /// - Throws: `EncodingError` if a number is infinite or NaN; JSON has no such numbers.
  public func encoded() throws -> Data { try JSONText.file(self) }

  /// Reads the content of a `run.json`.
  /// - Throws: `RunDocumentError`, whose description does not contain the file's name.
  public init(contentsOf data: Data) throws {
    guard try !RunDocumentError.isComparison(data) else { throw RunDocumentError.notRunDocument(" but a comparison") }
    self = try RunDocumentError.decoding(data)
    try RunDocumentCheck.check(self)
  }
}

/// Why a file cannot be read as a run document. The description says what to do. The caller puts the file's name before
/// the description.
public enum RunDocumentError: Error, Hashable, CustomStringConvertible {
  case empty
  /// The data is not JSON. Line and column count from 1, and the column is in bytes. Both are nil if the parser reports
  /// no position.
  case notJSON(line: Int?, column: Int?, reason: String)
  /// The data is JSON, but not a run document. The text is appended to "not a run document" in the description, for
  /// example " but a comparison".
  case notRunDocument(String)
  /// A later version of springbench wrote the document.
  case newer(version: Int)
  /// A field is missing. Paths are written like `benchmarks[3].frame.pooled.p99`.
  case missing(path: String)
  case invalid(path: String, reason: String)

  public var description: String {
    switch self {
    case .empty: return "the file is empty; measure again (an interrupted run leaves no file)"
    case .notJSON(let line, let column, let reason):
      let place = line.flatMap { line in column.map { " at line \(line), column \($0)" } } ?? ""
      return "not JSON\(place): \(reason); restore the file, or measure again"
    case .notRunDocument(let sign): return "not a run document\(sign); name the run.json of a run"
    case .newer(let version):
      return "written by a newer springbench: schema \(version), this one reads only"
        + " \(RunDocument.currentSchemaVersion); update springbench"
    case .missing(let path):
      return "\(path) is missing; springbench always writes it, so restore the file, or measure again"
    case .invalid(let path, let reason):
      return "\(path): \(reason); springbench cannot have written this, so restore the file, or measure again"
    }
  }

  private struct Head: Decodable {
    var schemaVersion: Int?
    /// Only documents of comparisons have this field.
    var method: Method?

    struct Method: Decodable {}
  }

  /// Whether the data is the document of a comparison.
  /// - Throws: `RunDocumentError` if the data is not a document of a known version.
  package static func isComparison(_ data: Data) throws -> Bool {
    guard data.contains(where: isContent) else { throw RunDocumentError.empty }
    let head: Head = try decoded(data)
    guard let version = head.schemaVersion else { throw RunDocumentError.notRunDocument(": it has no schemaVersion") }
    guard version <= RunDocument.currentSchemaVersion else { throw RunDocumentError.newer(version: version) }
    return head.method != nil
  }

  /// Decodes a document.
  /// - Throws: `RunDocumentError`, which says what is wrong and where.
  package static func decoding<Document: Decodable>(_ data: Data) throws -> Document {
    _ = try isComparison(data)
    let document: Document = try decoded(data)
    // If a key occurs twice, some readers of JSON use the first value and some the last, so such data is refused.
    if let key = repeatedKey(in: data) { throw RunDocumentError.invalid(path: key, reason: "an object has it twice") }
    return document
  }

  /// Decodes a document, and checks neither its version nor its keys.
  package static func decoded<Value: Decodable>(_ data: Data) throws -> Value {
    do { return try JSONDecoder().decode(Value.self, from: data) } catch let error as DecodingError {
      throw RunDocumentError(error, from: data)
    }
  }

  /// Whether the byte is not white space in JSON.
  private static func isContent(_ byte: UInt8) -> Bool { !"\n\r\t ".utf8.contains(byte) }

  /// A key that occurs twice in an object of valid JSON; nil if there is none.
  private static func repeatedKey(in data: Data) -> String? {
    var keys: [Set<String>] = []
    let bytes = [UInt8](data)
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): keys.append([])
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = keys.popLast()
      case UInt8(ascii: "\""):
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        // The decoder also reads UTF-16, where this search finds no repeated keys.
        guard !keys.isEmpty, bytes.dropFirst(place + 1).first(where: isContent) == UInt8(ascii: ":") else { break }
        let raw = bytes[(start + 1)..<place]
        let isEscaped = raw.contains(UInt8(ascii: "\\"))
        let decoded = isEscaped ? try? JSONDecoder().decode(String.self, from: Data(bytes[start...place])) : nil
        let key = decoded ?? String(decoding: raw, as: UTF8.self)
        if !keys[keys.count - 1].insert(key).inserted { return key }
      default: break
      }
      place += 1
    }
    return nil
  }

  /// Converts an error of `JSONDecoder`. Because `JSONDecoder` says almost nothing about broken JSON and numbers out of
  /// range, such data is parsed again.
  private init(_ error: DecodingError, from data: Data) {
    switch error {
    case .keyNotFound(let key, let context): self = .missing(path: Self.path(context.codingPath + [key]))
    case .valueNotFound(_, let context) where !context.codingPath.isEmpty:
      self = .invalid(path: Self.path(context.codingPath), reason: "null instead of a value")
    case .typeMismatch(_, let context) where context.codingPath.isEmpty, .valueNotFound(_, let context):
      let isArray = data.first(where: Self.isContent) == UInt8(ascii: "[")
      self = .notRunDocument(
        isArray ? " but a list, such as `springbench run --json` prints" : ": a JSON object belongs here")
    case .typeMismatch(let type, let context):
      self = .invalid(path: Self.path(context.codingPath), reason: Self.expected(type, context))
    case .dataCorrupted(let context) where context.codingPath.isEmpty: self = Self.corruption(of: data)
    case .dataCorrupted(let context):
      let value = context.debugDescription.firstMatch(of: #/^Cannot initialize \S+ from invalid String value (.*)/#)?.1
      let reason = value.map { "\(String($0).debugDescription) is none of its values" } ?? context.debugDescription
      self = .invalid(path: Self.path(context.codingPath), reason: reason)
    @unknown default: self = .invalid(path: "the document", reason: "\(error)")
    }
  }

  /// Returns the path of a field, such as `benchmarks[3].frame.pooled.p99`.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }

  private static func expected(_ type: any Any.Type, _ context: DecodingError.Context) -> String {
    let wanted =
      switch type {
      case is Int.Type, is UInt64.Type: "a whole number"
      case is Double.Type: "a number"
      case is String.Type: "a string"
      case is Bool.Type: "true or false"
      case is [String: Any].Type: "an object"
      case is [Any].Type: "an array"
      default: "\(type)"
      }
    guard let found = context.debugDescription.firstMatch(of: #/ found (?:an? )?(\w+)/#)?.1 else {
      return "\(wanted) belongs here"
    }
    let names = ["array": "an array", "bool": "true or false", "dictionary": "an object", "null": "null"]
    return "\(wanted) belongs here, not \(names[String(found)] ?? "a \(found)")"
  }

  /// Finds out why data cannot be parsed, and where, if the parser reports a byte offset.
  private static func corruption(of data: Data) -> RunDocumentError {
    let reason: String
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return .invalid(path: "the document", reason: "a number in it does not fit its field")
    } catch { reason = ((error as NSError).userInfo["NSDebugDescription"] as? String) ?? "\(error)" }
    if reason.contains("end of file") { return syntaxError("the file is cut off", at: data.count, in: data) }
    guard let match = reason.firstMatch(of: #/ (?:around|starting from) character (\d+)\.?/#), let offset = Int(match.1)
    else { return .notJSON(line: nil, column: nil, reason: reason) }
    return syntaxError(reason.replacing(match.0, with: "").lowercased(), at: offset, in: data)
  }

  private static func syntaxError(_ reason: String, at offset: Int, in data: Data) -> RunDocumentError {
    let lines = data.prefix(offset).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return .notJSON(line: lines.count, column: (lines.last?.count ?? 0) + 1, reason: reason)
  }
}
