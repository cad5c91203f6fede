extension RecordedTrace {
  static let csvColumns = ["milliseconds", "contentOffset", "touchX", "touchY", "phase"]
  static let csvHeader = csvColumns.joined(separator: ",")

  /// Reads CSV text.
  ///
  /// - Parameters:
  ///   - csv: CSV in the format of `docs/traces.md`.
  ///   - file: The name of the file in error messages.
  public init(csv: String, file: String) throws(TraceError) { try self.init(utf8: Array(csv.utf8), file: file) }

  /// Reads CSV text from the bytes of a file, which must be UTF-8.
  public init(utf8 bytes: [UInt8], file: String) throws(TraceError) {
    guard var text = String(validating: bytes, as: UTF8.self)?[...] else { throw TraceError.notUTF8(bytes, file: file) }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    var reader = TraceReader(file: file)
    for (index, line) in text.csvLines.enumerated() { try reader.read(line, number: index + 1) }
    self.init(checked: try reader.finish())
  }

  /// Returns the rows as CSV. Each number has enough digits to be read back exactly.
  public func csv() -> String {
    var text = Self.csvHeader + "\n"
    for row in rows {
      text += "\(row.milliseconds),\(row.contentOffset),\(row.touchX),\(row.touchY),\(row.phase.csvName)\n"
    }
    return text
  }
}

private struct TraceReader {
  /// The largest absolute value of an offset or a touch, points. No screen or list is larger, and a Double of this size
  /// still resolves `ScrollTrace.offsetStep`.
  static let pointLimit = 1e12
  /// The largest time, milliseconds. Times counted from 1970 are far below this limit, and a Double of this size still
  /// resolves hundredths of a millisecond.
  static let timeLimit = 1e13

  let file: String
  private var hasHeader = false
  private var rows: [RecordedTrace.Row] = []
  /// The number of the last line that was neither blank nor a comment.
  private var lastLine = 1

  init(file: String) { self.file = file }

  mutating func read(_ line: Substring, number: Int) throws(TraceError) {
    let content = line.trimmed
    if content.isEmpty || content.utf8.first == UInt8(ascii: "#") { return }
    lastLine = number
    let reading = TraceLine(file: file, number: number, text: line)
    if hasHeader {
      rows.append(try reading.row(after: rows.last))
    } else {
      try reading.checkHeader()
      hasHeader = true
    }
  }

  func finish() throws(TraceError) -> [RecordedTrace.Row] {
    guard hasHeader else { throw TraceError(file: file, line: 1, column: 1, problem: .empty) }
    guard rows.count >= 2 else {
      throw TraceError(file: file, line: lastLine, column: 1, problem: .tooFewRows(rows.count))
    }
    return rows
  }
}

/// A line that is neither blank nor a comment.
private struct TraceLine {
  let file: String
  let number: Int
  let text: Substring
  /// The trimmed fields between the commas.
  let fields: [Substring]

  init(file: String, number: Int, text: Substring) {
    self.file = file
    self.number = number
    self.text = text
    fields = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      Substring($0).trimmed
    }
  }

  func checkHeader() throws(TraceError) {
    for (field, expected) in zip(fields, RecordedTrace.csvColumns) where field != expected {
      guard number(field) == nil else { throw error(.missingHeader, at: field) }
      throw error(.wrongHeader(found: String(field), expected: expected), at: field)
    }
    let columns = RecordedTrace.csvColumns
    if fields.count < columns.count { throw errorAtEnd(.wrongHeader(found: nil, expected: columns[fields.count])) }
    if fields.count > columns.count {
      let extra = fields[columns.count]
      throw error(.wrongHeader(found: String(extra), expected: nil), at: extra)
    }
  }

  func row(after previous: RecordedTrace.Row?) throws(TraceError) -> RecordedTrace.Row {
    let columns = RecordedTrace.csvColumns.count
    if fields.count < columns { throw errorAtEnd(.wrongFieldCount(fields.count)) }
    if fields.count > columns { throw error(.wrongFieldCount(fields.count), at: fields[columns]) }
    let milliseconds = try time(after: previous)
    let contentOffset = try value(1, limit: TraceReader.pointLimit)
    let touchX = try value(2, limit: TraceReader.pointLimit)
    let touchY = try value(3, limit: TraceReader.pointLimit)
    guard let phase = ScrollPhase(csvName: fields[4]) else {
      throw error(.unknownPhase(text: String(fields[4])), at: fields[4])
    }
    return RecordedTrace.Row(
      milliseconds: milliseconds, contentOffset: contentOffset, touchX: touchX, touchY: touchY, phase: phase)
  }

  private func time(after previous: RecordedTrace.Row?) throws(TraceError) -> Double {
    let field = fields[0]
    let time = try value(0, limit: TraceReader.timeLimit)
    if time < 0 { throw error(.negativeTime(text: String(field)), at: field) }
    if let previous, time <= previous.milliseconds {
      throw error(.timeNotIncreasing(text: String(field), previous: previous.milliseconds), at: field)
    }
    return time
  }

  private func value(_ index: Int, limit: Double) throws(TraceError) -> Double {
    let field = fields[index]
    let name = RecordedTrace.csvColumns[index]
    let text = String(field)
    guard let value = number(field) else { throw error(.notANumber(field: name, text: text), at: field) }
    guard value.isFinite else { throw error(.notFinite(field: name, text: text), at: field) }
    guard abs(value) <= limit else { throw error(.outOfRange(field: name, text: text, limit: limit), at: field) }
    return value
  }

  /// Parses a decimal number, infinity or NaN. A hexadecimal number is refused, because no recorder writes one.
  private func number(_ field: Substring) -> Double? {
    field.utf8.contains { $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "X") } ? nil : Double(field)
  }

  private func error(_ problem: TraceError.Problem, at field: Substring) -> TraceError {
    let column = text[..<field.startIndex].count + 1
    return TraceError(file: file, line: number, column: column, problem: problem)
  }

  private func errorAtEnd(_ problem: TraceError.Problem) -> TraceError {
    TraceError(file: file, line: number, column: text.count + 1, problem: problem)
  }
}
