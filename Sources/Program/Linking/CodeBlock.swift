/// A piece of machine code that the linker moves as a whole: an input section of `.text`, which is one
/// function if the compiler makes function sections.
package struct CodeBlock: Sendable, Hashable {
  /// The symbol that identifies it for the linker. Sections that share a local symbol move together, and
  /// are one block.
  package var symbol: String
  /// Size, bytes.
  package var size: Int
  /// Alignment, bytes, a power of two.
  package var alignment: Int
  /// Hash of the instructions without the bytes of relocations: equal for the same code under another name,
  /// at another address, or among other neighbors. Means nothing in another process.
  package var fingerprint: Int

  /// The blocks of a program, in the order of their addresses. Sections without a symbol cannot be moved,
  /// and are left out.
  ///
  /// - Parameters:
  ///   - map: Output of lld for `--Map`, with `--no-demangle`.
  ///   - image: The program, linked with `--emit-relocs`.
  /// - Throws: `LinkProblem` if the two do not match.
  package static func all(map: [UInt8], image: [UInt8]) throws(LinkProblem) -> [CodeBlock] {
    let text = try MaskedText(image: image)
    var blocks: [CodeBlock] = []
    var places: [String: Int] = [:]
    for section in LinkMap.textSections(map) {
      guard let symbol = section.symbols.first, section.size > 0 else { continue }
      let hash = try text.hash(address: section.address, size: section.size)
      if let place = places[symbol] {
        blocks[place].size += section.size
        blocks[place].fingerprint = blocks[place].fingerprint &* 31 &+ hash
        blocks[place].alignment = max(blocks[place].alignment, section.alignment)
      } else {
        places[symbol] = blocks.count
        blocks.append(
          CodeBlock(symbol: symbol, size: section.size, alignment: section.alignment, fingerprint: hash))
      }
    }
    guard !blocks.isEmpty else { throw LinkProblem("the link map names no functions") }
    return blocks
  }
}

/// The link map of lld (`--Map`): places in the program.
enum LinkMap {
  /// An input section.
  struct Section: Equatable {
    var address: UInt64
    /// Size, bytes.
    var size: Int
    /// Alignment, bytes.
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

    /// Nil, without reading anything, if there is no digit.
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

/// The machine code of a program that was linked with `--emit-relocs`, with zeros in place of relocations:
/// the rest of a function does not depend on its place or its callees'.
struct MaskedText {
  private var bytes: [UInt8]
  private let address: UInt64

  init(image: [UInt8]) throws(LinkProblem) {
    guard let image = ELFImage(image), let text = image.section(".text"),
      let relocations = image.section(".rela.text")
    else { throw LinkProblem("the program has no code with relocations that could be read") }
    address = text.address
    bytes = Array(image.bytes[text.bytes])
    // Entries of 24 bytes: place (8), type (4), symbol (4), addend (8).
    for entry in stride(from: relocations.bytes.lowerBound, to: relocations.bytes.upperBound - 23, by: 24) {
      guard let place = image.word(entry, UInt64.self), let type = image.word(entry + 8, UInt32.self),
        place >= address
      else { continue }
      let start = Int(clamping: place - address)
      guard start < bytes.count else { continue }
      for index in start..<min(bytes.count, start + Self.width(type)) { bytes[index] = 0 }
    }
  }

  /// Number of bytes of a relocation: 8 for R_X86_64_64, DTPOFF64, TPOFF64, PC64, GOTOFF64, GOT64,
  /// GOTPCREL64, GOTPC64 and PLTOFF64, else 4 (the psABI for x86-64, table 4.9).
  private static func width(_ type: UInt32) -> Int {
    [1, 17, 18, 24, 25, 27, 28, 29, 31].contains(type) ? 8 : 4
  }

  /// Comparable within one process only.
  func hash(address start: UInt64, size: Int) throws(LinkProblem) -> Int {
    let offset = Int(clamping: start &- address)
    guard start >= address, size >= 0, offset <= bytes.count, size <= bytes.count - offset else {
      throw LinkProblem("the link map belongs to another program")
    }
    var hasher = Hasher()
    bytes[offset..<(offset + size)].withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
