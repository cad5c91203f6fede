/// A piece of machine code that the linker moves as a whole: an input section of `.text`, which is one
/// function where the compiler was asked for function sections.
public struct CodeBlock: Sendable, Hashable {
  /// The symbol that the linker knows it by. Sections that share a local symbol move together, and are one
  /// block.
  public var symbol: String
  /// Bytes.
  public var size: Int
  /// Bytes, a power of two.
  public var alignment: Int
  /// Hash of the instructions without what relocations fill in: equal for the same code under another name,
  /// at another address, or among other neighbors. Means nothing in another process.
  public var fingerprint: Int

  public init(symbol: String, size: Int, alignment: Int, fingerprint: Int) {
    self.symbol = symbol
    self.size = size
    self.alignment = alignment
    self.fingerprint = fingerprint
  }

  /// The blocks of a program, in the order of their addresses. Sections without a symbol cannot be moved, and
  /// are left out.
  ///
  /// - Parameters:
  ///   - map: What lld writes for `--Map`, with `--no-demangle`.
  ///   - image: The program, linked with `--emit-relocs`.
  /// - Throws: `CodeLayoutError` where the two do not belong together.
  public static func all(map: [UInt8], image: [UInt8]) throws(CodeLayoutError) -> [CodeBlock] {
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
    guard !blocks.isEmpty else { throw CodeLayoutError("the link map names no functions") }
    return blocks
  }
}

/// Why a program's code cannot be rearranged; one line.
public struct CodeLayoutError: Error, Equatable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
