/// The reason why a file is not a valid trace, with the position and a remedy.
public struct TraceError: Error, Sendable, Equatable {
  public enum Problem: Sendable, Equatable {
    /// The file could not be opened or read, for the reason that the system gives.
    case unreadable(reason: String)
    case notUTF8
    /// The file contains only blank lines and comments.
    case empty
    /// The file starts with a row of data instead of the header.
    case missingHeader
    /// The first line is not the header. `found` is nil if a column is missing, `expected` is nil if there is a column
    /// too many.
    case wrongHeader(found: String?, expected: String?)
    case wrongFieldCount(Int)
    case notANumber(field: String, text: String)
    case notFinite(field: String, text: String)
    case outOfRange(field: String, text: String, limit: Double)
    case negativeTime(text: String)
    case timeNotIncreasing(text: String, previous: Double)
    case unknownPhase(text: String)
    case tooFewRows(Int)
  }

  /// The caller's name for the file.
  public var file: String
  /// Line number, from 1. Nil if the problem concerns the whole file.
  public var line: Int?
  /// The column of the first character of the invalid field, or of the place where a field is missing, from 1.
  public var column: Int?
  public var problem: Problem

  public init(file: String, line: Int?, column: Int?, problem: Problem) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
  }
}

extension TraceError: CustomStringConvertible {
  /// One line such as `trace.csv:7:12: contentOffset is "abc", …`.
  public var description: String {
    var place = file.escapedControls
    if let line { place += ":\(line)" }
    if let column { place += ":\(column)" }
    return "\(place): \(problem)"
  }
}

extension TraceError.Problem: CustomStringConvertible {
  /// The problem and its remedy, on one line.
  public var description: String {
    let header = RecordedTrace.csvHeader
    switch self {
    case .unreadable(let reason): return "cannot be read: \(reason); name a readable CSV file"
    case .notUTF8: return "is not UTF-8; save the file as UTF-8"
    case .empty: return "the trace is empty; its first line must be \"\(header)\", followed by rows"
    case .missingHeader: return "the header is missing; put \"\(header)\" before the first row"
    case .wrongHeader(let found?, let expected?):
      return "the header has \(found.quoted) where \"\(expected)\" belongs; it must be \"\(header)\""
    case .wrongHeader(nil, let expected?): return "the header ends before \"\(expected)\"; it must be \"\(header)\""
    case .wrongHeader(let found, nil):
      return "the header has a column too many, \((found ?? "").quoted); it must be \"\(header)\""
    case .wrongFieldCount(let count):
      return "the row has \(count) \(count == 1 ? "field" : "fields"), not 5; write \(header), "
        + "and decimals with a point"
    case .notANumber(let field, let text):
      return "\(field) is \(text.quoted), which is not a number; write a decimal such as 12.5"
    case .notFinite(let field, let text): return "\(field) is \(text.quoted), which is not finite; remove the row"
    case .outOfRange(let field, let text, let limit):
      return "\(field) is \(text.quoted), which lies beyond ±\(limit); check the unit or remove the row"
    case .negativeTime(let text):
      return "milliseconds is \(text.quoted), which is negative; count from the start of the recording"
    case .timeNotIncreasing(let text, let previous):
      return "milliseconds is \(text.quoted), but the row before has \(previous); "
        + "sort the rows by time and remove repeated ones"
    case .unknownPhase(let text):
      let names = ScrollPhase.allCases.map(\.csvName) + ScrollPhase.csvAliases.keys.sorted()
      return "phase is \(text.quoted), which is unknown; write one of \(names.joined(separator: ", "))"
    case .tooFewRows(let count): return "the trace has \(count) \(count == 1 ? "row" : "rows"); record at least two"
    }
  }
}

extension String {
  /// The text in quotes, on one line. It is cut after 40 characters.
  fileprivate var quoted: String {
    let shown = count > 40 ? prefix(39) + "…" : self[...]
    return "\"" + String(shown).escapedControls + "\""
  }

  /// The text with escape sequences for control and separator characters.
  fileprivate var escapedControls: String {
    unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format: "\\u{" + String(scalar.value, radix: 16) + "}"
      default: String(scalar)
      }
    }.joined()
  }
}
