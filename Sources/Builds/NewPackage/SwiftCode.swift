/// The code of a Swift file. Comments and strings are blank in `text`, so that a search finds only code. Offsets count
/// the bytes of the file.
package struct SwiftCode {
  package private(set) var text = ""
  private var bytes: [UInt8]

  private static let newline = UInt8(ascii: "\n")

  package init(_ source: String) {
    bytes = Array(source.utf8)
    var offset = 0
    while offset < bytes.count { offset = pass(offset) }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the offsets of a part of `text`.
  package func offsets(of part: Substring) -> Range<Int> {
    let start = text.utf8.distance(from: text.startIndex, to: part.startIndex)
    return start..<start + part.utf8.count
  }

  /// Returns the number of the line at an offset, from 1.
  package func line(at offset: Int) -> Int { bytes[..<offset].count { $0 == Self.newline } + 1 }

  /// Returns the code before an offset on the same line.
  package func lineBefore(_ offset: Int) -> String {
    String(decoding: bytes[..<offset].reversed().prefix { $0 != Self.newline }.reversed(), as: UTF8.self)
  }

  /// Returns how many of the braces that open at `start` or later are still open at an offset.
  package func depth(at offset: Int, from start: Int = 0) -> Int {
    bytes[start..<offset].reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0) }
  }

  /// Returns the offset of the bracket that closes the bracket at `offset`, or the end of the file if there is none.
  package func close(of offset: Int) -> Int {
    let open = bytes[offset]
    let close = open == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
    var depth = 0
    return bytes[offset...].firstIndex {
      depth += $0 == open ? 1 : $0 == close ? -1 : 0
      return depth == 0
    } ?? bytes.count
  }

  private func begins(_ word: String, at offset: Int) -> Bool {
    offset <= bytes.count && bytes[offset...].starts(with: word.utf8)
  }

  /// Blanks the comment or the string that begins at an offset, and returns the offset after it. If neither begins
  /// there, returns the offset of the next byte.
  private mutating func pass(_ start: Int) -> Int {
    let hashes = bytes[start...].prefix { $0 == UInt8(ascii: "#") }.count
    let end: Int
    if begins("//", at: start) {
      end = bytes[start...].firstIndex(of: Self.newline) ?? bytes.count
    } else if begins("/*", at: start) {
      end = endOfComment(start)
    } else if begins("\"", at: start + hashes) {
      end = endOfString(start, String(repeating: "#", count: hashes))
    } else {
      return start + 1
    }
    for offset in start..<end where bytes[offset] != Self.newline { bytes[offset] = UInt8(ascii: " ") }
    return end
  }

  private func endOfComment(_ start: Int) -> Int {
    var (offset, depth) = (start, 0)
    while offset < bytes.count {
      let isStart = begins("/*", at: offset)
      guard isStart || begins("*/", at: offset) else {
        offset += 1
        continue
      }
      depth += isStart ? 1 : -1
      offset += 2
      if depth == 0 { break }
    }
    return offset
  }

  private mutating func endOfString(_ start: Int, _ hashes: String) -> Int {
    let isBlock = begins("\"\"\"", at: start + hashes.count)
    let quote = isBlock ? "\"\"\"" : "\""
    let escape = "\\" + hashes
    var offset = start + hashes.count + quote.count
    while offset < bytes.count, isBlock || bytes[offset] != Self.newline {
      if begins(quote + hashes, at: offset) { return offset + quote.count + hashes.count }
      if begins(escape + "(", at: offset) {
        offset = endOfInterpolation(offset + escape.count)
      } else {
        offset += begins(escape, at: offset) ? escape.count + 1 : 1
      }
    }
    return min(offset, bytes.count)
  }

  /// Returns the offset after an interpolation. Blanks the strings in the interpolation, because they may contain
  /// parentheses.
  /// - Parameter start: The offset of the opening parenthesis.
  private mutating func endOfInterpolation(_ start: Int) -> Int {
    var (offset, depth) = (start, 0)
    while offset < bytes.count {
      depth += bytes[offset] == UInt8(ascii: "(") ? 1 : bytes[offset] == UInt8(ascii: ")") ? -1 : 0
      offset = pass(offset)
      if depth == 0 { break }
    }
    return offset
  }
}
