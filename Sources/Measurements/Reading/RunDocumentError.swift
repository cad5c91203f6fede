import Foundation

/// Why a file cannot be read as a run document. The description says what to do; prefix it with the file's
/// name.
public enum RunDocumentError: Error, Hashable {
  case empty
  /// Line and column count from 1, the column in bytes; nil if the parser did not say.
  case notJSON(line: Int?, column: Int?, reason: String)
  case notRunDocument(Sign)
  /// A later springbench wrote it.
  case newer(version: Int, readable: ClosedRange<Int>)
  /// An earlier springbench wrote it, in a schema that this one no longer reads.
  case older(version: Int, readable: ClosedRange<Int>)
  /// The path of a field as in `benchmarks[3].frame.pooled.p99`.
  case missing(path: String)
  case invalid(path: String, reason: String)

  /// How the JSON shows that it is something else.
  public enum Sign: Hashable, Sendable {
    case noVersion
    /// Such as a list of flat rows.
    case array
    case otherValue
  }
}

extension RunDocumentError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty:
      return "the file is empty; measure again (an interrupted run leaves no file)"
    case .notJSON(let line, let column, let reason):
      let place = line.flatMap { line in column.map { " at line \(line), column \($0)" } } ?? ""
      return "not JSON\(place): \(reason); restore the file, or measure again"
    case .notRunDocument(.noVersion):
      return "not a run document: it has no schemaVersion; name the run.json of a run"
    case .notRunDocument(.array):
      return
        "not a run document but a list, such as `springbench run --json` prints; name the run.json of a run"
    case .notRunDocument(.otherValue):
      return "not a run document: a JSON object belongs here; name the run.json of a run"
    case .newer(let version, let readable):
      return
        "written by a newer springbench: schema \(version), this one reads \(Self.text(readable)); update"
        + " springbench"
    case .older(let version, let readable):
      return "written by an older springbench: schema \(version), this one reads \(Self.text(readable));"
        + " measure again, or use the springbench that wrote it"
    case .missing(let path):
      return "\(path) is missing; springbench always writes it, so restore the file, or measure again"
    case .invalid(let path, let reason):
      return "\(path): \(reason); springbench cannot have written this, so restore the file, or measure again"
    }
  }

  private static func text(_ versions: ClosedRange<Int>) -> String {
    versions.lowerBound == versions.upperBound
      ? "only \(versions.upperBound)" : "\(versions.lowerBound) up to \(versions.upperBound)"
  }
}

extension RunDocumentError {
  /// From what `JSONDecoder` says; for broken JSON and numbers that do not fit, that is next to nothing, so
  /// the data is parsed again.
  init(_ error: DecodingError, data: Data) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .missing(path: Self.path(context.codingPath + [key]))
    case .valueNotFound(_, let context):
      self = .invalid(path: Self.path(context.codingPath), reason: "null instead of a value")
    case .typeMismatch(let type, let context):
      if context.codingPath.isEmpty {
        let isArray = data.first { !"\n\r\t ".utf8.contains($0) } == UInt8(ascii: "[")
        self = .notRunDocument(isArray ? .array : .otherValue)
      } else {
        self = .invalid(path: Self.path(context.codingPath), reason: Self.expected(type, context))
      }
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      self = Self.corruption(of: data)
    case .dataCorrupted(let context):
      self = .invalid(path: Self.path(context.codingPath), reason: context.debugDescription)
    @unknown default:
      self = .invalid(path: "the document", reason: "\(error)")
    }
  }

  /// `benchmarks[3].frame.pooled.p99`
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
    let found = context.debugDescription.split(separator: " found ").dropFirst().first?
      .replacing(" instead.", with: "").replacing(" instead", with: "")
    return "\(wanted) belongs here" + (found.map { ", not \($0)" } ?? "")
  }

  private static func corruption(of data: Data) -> RunDocumentError {
    do {
      let tree = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      guard let path = MisfitNumber.path(in: tree) else {
        return .notJSON(line: nil, column: nil, reason: "the parser gave no reason")
      }
      return .invalid(path: path, reason: "a whole number of 64 bits belongs here")
    } catch {
      let reason = ((error as NSError).userInfo["NSDebugDescription"] as? String) ?? "\(error)"
      return syntaxError(reason, data)
    }
  }

  /// The parser gives the place as a byte offset, or not at all.
  private static func syntaxError(_ reason: String, _ data: Data) -> RunDocumentError {
    if reason.contains("end of file") {
      let (line, column) = place(of: data.count, in: data)
      return .notJSON(line: line, column: column, reason: "the file is cut off")
    }
    if let literal = reason.firstMatch(of: #/Number (\S+) is not representable/#)?.1,
      let path = MisfitNumber.path(ofLiteral: String(literal), in: data)
    {
      return .invalid(path: path, reason: "\(literal) is too large")
    }
    guard let match = reason.firstMatch(of: #/ around character (\d+)\.?/#), let offset = Int(match.1) else {
      return .notJSON(line: nil, column: nil, reason: reason)
    }
    let (line, column) = place(of: offset, in: data)
    return .notJSON(line: line, column: column, reason: reason.replacing(match.0, with: "").lowercased())
  }

  private static func place(of offset: Int, in data: Data) -> (line: Int, column: Int) {
    let before = data.prefix(offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    return (line, before.endIndex - start + 1)
  }
}
