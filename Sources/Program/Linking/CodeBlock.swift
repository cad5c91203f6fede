import CProcessControl

/// Code that the linker moves as a whole: an input section of `.text`, one function if compiled with such sections.
package struct CodeBlock: Sendable, Hashable {
  /// Identifies it for the linker. Sections that share a local symbol move together, and are one block.
  package var symbol: String
  /// Bytes.
  package var size: Int
  /// Bytes, a power of two.
  package var alignment: Int
  /// Hash of the code without relocations: equal under another name or at another address. Different in each process.
  package var fingerprint: Int
}

extension LinkedProgram {
  /// The blocks in the order of their addresses. Sections without a symbol cannot be moved, and are left out.
  package func blocks() throws(LinkProblem) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var places: [String: Int] = [:]
    for section in sections where section.output == ".text" {
      guard let symbol = section.symbols.first else { continue }
      let hash = try hash(of: section)
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

/// The link map of lld (`--Map`).
struct LinkMap {
  struct Section: Equatable {
    /// The section of the program that it is part of.
    var output: String
    /// `main.swift.o:(.text.main)`
    var input: String
    var address: UInt64
    /// Bytes.
    var size: Int
    /// Bytes.
    var alignment: Int
    /// The symbols in the order of their addresses.
    var symbols: [String] = []
  }

  /// The input sections of all output sections, in the order of their addresses.
  private(set) var sections: [Section] = []

  /// - Parameter map: Output of lld for `--Map`, with `--no-demangle`: a line is `VMA LMA Size Align`, the first three
  ///   hexadecimal, one space, and a name: of an output section, of an input section behind 8 more spaces, or of a
  ///   symbol behind 16.
  init(_ map: [UInt8]) {
    var output = ""
    for line in map.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
      let numbers = zip(fields, [16, 16, 16, 10]).compactMap { UInt64(String(decoding: $0, as: UTF8.self), radix: $1) }
      guard fields.count == 5, numbers.count == 4 else { continue }
      let field = fields[4].drop { $0 == UInt8(ascii: " ") }
      let name = String(decoding: field, as: UTF8.self)
      switch field.startIndex - fields[4].startIndex {
      case 0: output = name
      case 8:
        sections.append(
          Section(
            output: output, input: name, address: numbers[0], size: Int(clamping: numbers[2]),
            alignment: Int(clamping: numbers[3])))
      case 16 where !sections.isEmpty: sections[sections.count - 1].symbols.append(name)
      default: break
      }
    }
  }
}
