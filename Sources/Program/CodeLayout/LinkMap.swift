/// The link map of lld (`--Map`): what lies where in the program.
enum LinkMap {
  /// An input section.
  struct Section: Equatable {
    var address: UInt64
    /// Bytes.
    var size: Int
    /// Bytes.
    var alignment: Int
    /// In the order of their addresses.
    var symbols: [String] = []
  }

  /// The input sections of `.text`, in the order of their addresses.
  ///
  /// A line is `VMA LMA Size Align`, the first three hexadecimal, one space, and a name: of an output section,
  /// of an input section behind 8 more spaces, or of a symbol behind 16.
  static func textSections(_ map: [UInt8]) -> [Section] {
    var sections: [Section] = []
    var isText = false
    for line in map.split(separator: UInt8(ascii: "\n")) {
      var scanner = Scanner(rest: line)
      guard let address = scanner.number(radix: 16), scanner.number(radix: 16) != nil,
        let size = scanner.number(radix: 16), let alignment = scanner.number(radix: 10)
      else { continue }
      scanner.rest = scanner.rest.dropFirst()
      switch scanner.skipSpaces() {
      case 0: isText = scanner.rest.elementsEqual(".text".utf8)
      case 8 where isText:
        sections.append(
          Section(address: address, size: Int(clamping: size), alignment: Int(clamping: alignment)))
      case 16 where isText && !sections.isEmpty:
        sections[sections.count - 1].symbols.append(String(decoding: scanner.rest, as: UTF8.self))
      default: break
      }
    }
    return sections
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func skipSpaces() -> Int {
      let end = rest.firstIndex { $0 != UInt8(ascii: " ") } ?? rest.endIndex
      defer { rest = rest[end...] }
      return end - rest.startIndex
    }

    /// Nil, and nothing read, where no digit comes next.
    mutating func number(radix: UInt64) -> UInt64? {
      _ = skipSpaces()
      var value: UInt64 = 0
      let start = rest.startIndex
      while let byte = rest.first, let digit = Self.digit(byte), digit < radix, value < 1 << 58 {
        value = value * radix + digit
        rest = rest.dropFirst()
      }
      return rest.startIndex == start ? nil : value
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
      default: nil
      }
    }
  }
}
