import Glibc

extension RecordedTrace {
  /// Reads a CSV file.
  public init(contentsOfFile path: String) throws(TraceError) {
    let bytes: [UInt8]
    do { bytes = try Self.bytes(ofFile: path) } catch {
      throw TraceError(
        file: path, line: nil, column: nil, problem: .unreadable(reason: String(cString: strerror(error.code))))
    }
    try self.init(utf8: bytes, file: path)
  }

  private struct SystemError: Error { let code: Int32 }

  /// Reads the file with the C library, whose error messages are short.
  private static func bytes(ofFile path: String) throws(SystemError) -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw SystemError(code: errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard ferror(file) == 0 else { throw SystemError(code: errno) }
    return bytes
  }
}

extension TraceError {
  /// Returns the error for a file with invalid UTF-8, at the position of the first invalid byte.
  static func notUTF8(_ bytes: [UInt8], file: String) -> TraceError {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var length = 0
    parsing: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): length += scalar.count
      case .error, .emptyInput: break parsing
      }
    }
    var valid = String(decoding: bytes.prefix(length), as: UTF8.self)[...]
    if valid.unicodeScalars.first == "\u{FEFF}" { valid.unicodeScalars.removeFirst() }
    let lines = valid.csvLines
    return TraceError(file: file, line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: .notUTF8)
  }
}

extension Substring {
  /// The lines, which end with LF, CR LF or CR. The text after the last line ending is also a line, even if it is
  /// empty.
  var csvLines: [Substring] {
    var lines: [Substring] = []
    var start = startIndex
    for index in utf8.indices {
      let byte = utf8[index]
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
      let next = utf8.index(after: index)
      let isFirstOfTwo = byte == UInt8(ascii: "\r") && next < endIndex && utf8[next] == UInt8(ascii: "\n")
      if isFirstOfTwo { continue }
      let isSecondOfTwo =
        byte == UInt8(ascii: "\n") && index > start && utf8[utf8.index(before: index)] == UInt8(ascii: "\r")
      lines.append(self[start..<(isSecondOfTwo ? utf8.index(before: index) : index)])
      start = next
    }
    lines.append(self[start...])
    return lines
  }

  /// The text without leading and trailing spaces and tabs.
  var trimmed: Substring {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
    else { return self[startIndex..<startIndex] }
    return self[first..<utf8.index(after: last)]
  }
}
