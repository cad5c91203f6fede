import CProcessControl

/// A piece of machine code that the linker moves as a whole: an input section of `.text`, which is one
/// function if the compiler makes function sections.
package struct CodeBlock: Sendable, Hashable {
  /// The symbol that identifies it for the linker. Sections that share a local symbol move together, and are one block.
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
        blocks.append(CodeBlock(symbol: symbol, size: section.size, alignment: section.alignment, fingerprint: hash))
      }
    }
    guard !blocks.isEmpty else { throw LinkProblem("the link map names no functions") }
    return blocks
  }
}

/// The link map of lld (`--Map`): places in the program.
enum LinkMap {
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
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
      guard fields.count == 5, let address = number(fields[0], radix: 16), number(fields[1], radix: 16) != nil,
        let size = number(fields[2], radix: 16), let alignment = number(fields[3], radix: 10)
      else { continue }
      let name = fields[4].drop { $0 == UInt8(ascii: " ") }
      switch name.startIndex - fields[4].startIndex {
      case 0: isText = name.elementsEqual(".text".utf8)
      case 8 where isText:
        sections.append(Section(address: address, size: Int(clamping: size), alignment: Int(clamping: alignment)))
      case 16 where isText && !sections.isEmpty:
        sections[sections.count - 1].symbols.append(String(decoding: name, as: UTF8.self))
      default: break
      }
    }
    return sections
  }

  private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> UInt64? {
    UInt64(String(decoding: digits, as: UTF8.self), radix: radix)
  }
}

/// The machine code of a program that was linked with `--emit-relocs`, with zeros in place of relocations:
/// the rest of a function does not depend on its place or its callees'.
struct MaskedText {
  private var bytes: [UInt8]
  private let address: UInt64

  init(image: [UInt8]) throws(LinkProblem) {
    guard let image = ELFImage(image), let text = image.section(".text"), let relocations = image.section(".rela.text")
    else { throw LinkProblem("the program has no code with relocations that could be read") }
    address = text.address
    bytes = Array(image.bytes[text.bytes])
    for relocation in image.entries(Elf64_Rela.self, of: relocations) where relocation.r_offset >= address {
      let start = Int(clamping: relocation.r_offset - address)
      guard start < bytes.count else { continue }
      let width = Self.width(UInt32(truncatingIfNeeded: relocation.r_info))
      for index in start..<min(bytes.count, start + width) { bytes[index] = 0 }
    }
  }

  /// Number of bytes of a relocation: 8 for R_X86_64_64, DTPOFF64, TPOFF64, PC64, GOTOFF64, GOT64,
  /// GOTPCREL64, GOTPC64 and PLTOFF64, else 4 (the psABI for x86-64, table 4.9).
  private static func width(_ type: UInt32) -> Int { [1, 17, 18, 24, 25, 27, 28, 29, 31].contains(type) ? 8 : 4 }

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
