import Foundation

/// The functions of an ELF file of 64 bits, little-endian, by address. Empty for any other file.
package struct ELFSymbols {
  private struct Entry {
    var address: UInt64
    var size: UInt64
    /// Place of the name in the file.
    var name: Int
  }

  private let image: ELFImage?
  private var entries: [Entry] = []

  init(path: String) {
    self.init((try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)) ?? Data())
  }

  package init(_ data: Data) {
    image = ELFImage([UInt8](data))
    // The full table, and that of the dynamic linker.
    addSymbols(".symtab", names: ".strtab")
    addSymbols(".dynsym", names: ".dynstr")
    entries.sort { ($0.address, $1.size) < ($1.address, $0.size) }
  }

  /// Entries of 24 bytes: name (4), info (1), other (1), section (2), value (8), size (8).
  private mutating func addSymbols(_ table: String, names: String) {
    guard let image, let table = image.section(table)?.bytes, let names = image.section(names)?.bytes else {
      return
    }
    for symbol in stride(from: table.lowerBound, through: table.upperBound - 24, by: 24) {
      guard let info = image.word(symbol + 4, UInt8.self), [2, 10].contains(info & 0xf),
        let section = image.word(symbol + 6, UInt16.self), section != 0,
        let name = image.word(symbol, UInt32.self), let address = image.word(symbol + 8, UInt64.self),
        let size = image.word(symbol + 16, UInt64.self)
      else { continue }
      entries.append(Entry(address: address, size: size, name: names.lowerBound + Int(name)))
    }
  }

  /// Whether an address is in a stub that leads into a library (`.plt`, `.iplt`, `.plt.got`), for which the nearest
  /// name would be wrong.
  package func isLinkageTable(_ address: UInt64) -> Bool {
    image?.sections.contains { section in
      [".plt", ".iplt"].contains(where: section.name.hasPrefix)
        && address >= section.address && address - section.address < section.bytes.count
    } ?? false
  }

  /// The name of the function that an address lies in, mangled.
  func name(at address: UInt64) -> String? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let found = entries[low - 1]
    // Assembler's functions often have no size; the next symbol ends them.
    guard found.size == 0 || address - found.address < found.size else { return nil }
    let name = image?.string(at: found.name) ?? ""
    return name.isEmpty ? nil : name
  }
}
