import CProcessControl

/// Code that the linker moves as a whole: an input section of `.text`. It is one function if the compiler put each
/// function into its own section.
package struct CodeBlock: Sendable, Hashable {
  /// The symbol that identifies the block for the linker. Sections that share a local symbol move together, so they are
  /// one block.
  package var symbol: String
  /// The size in bytes.
  package var size: Int
  /// The alignment in bytes, a power of two.
  package var alignment: Int
  /// A hash of the code without the bytes that depend on addresses. It is valid only within this process, because
  /// `Hasher` has a random seed.
  package var fingerprint: Int
}

extension LinkedProgram {
  /// Returns the blocks in the order of their addresses. Sections without a symbol cannot be moved, and are left out.
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

/// The link map of lld (`--Map`), which lists the addresses of all sections and symbols.
package struct LinkMap {
  package struct Section: Equatable {
    /// The name of the program's section that contains this input section.
    package var output: String
    /// The object file and its section, such as `main.swift.o:(.text.main)`.
    package var input: String
    package var address: UInt64
    /// The size in bytes.
    package var size: Int
    /// The alignment in bytes.
    package var alignment: Int
    /// The symbols in the order of their addresses.
    package var symbols: [String] = []
  }

  /// The input sections of all output sections, in the order of their addresses.
  package private(set) var sections: [Section] = []

  /// - Parameter map: The output of lld for `--Map` with `--no-demangle`. Each line has the fields
  ///   `VMA LMA Size Align`, one space, and a name. The first three fields are hexadecimal. The name of an input
  ///   section is indented by 8 more spaces, and the name of a symbol by 16.
  package init(_ map: [UInt8]) {
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
