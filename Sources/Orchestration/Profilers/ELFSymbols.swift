import Foundation

/// The functions of an ELF file of 64 bits, little-endian, by address. Empty for any other file.
struct ELFSymbols {
  private struct Entry {
    var address: UInt64
    var size: UInt64
    /// Place of the name in the file.
    var name: Int
  }

  private let data: Data
  private var entries: [Entry] = []
  private var linkageTables: [Range<UInt64>] = []

  init(path: String) {
    self.init((try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)) ?? Data())
  }

  init(_ data: Data) {
    self.data = data
    guard data.prefix(6).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2, 1]),
      let headers = integer(0x28, 8), let stride = integer(0x3a, 2), let count = integer(0x3c, 2),
      stride >= 64
    else { return }
    let sectionNames = integer(0x3e, 2).flatMap { integer(headers + $0 * stride + 24, 8) }
    for section in 0..<count {
      let header = headers + section * stride
      addLinkageTable(header, names: sectionNames)
      // Symbol tables: the full one, and that of the dynamic linker.
      guard let type = integer(header + 4, 4), type == 2 || type == 11,
        let start = integer(header + 24, 8), let length = integer(header + 32, 8),
        let strings = integer(header + 40, 4), strings < count,
        let names = integer(headers + strings * stride + 24, 8), start <= data.count,
        length <= data.count - start
      else { continue }
      addSymbols(start, length, names: names)
    }
    entries.sort { ($0.address, $1.size) < ($1.address, $0.size) }
  }

  /// `.plt`, `.iplt`, `.plt.got`: stubs that lead into libraries.
  private mutating func addLinkageTable(_ header: Int, names: Int?) {
    guard let names, let name = integer(header, 4), let address = integer(header + 16, 8),
      let size = integer(header + 32, 8), [".plt", ".iplt"].contains(where: text(at: names + name).hasPrefix)
    else { return }
    linkageTables.append(UInt64(address)..<UInt64(address + size))
  }

  /// Whether an address is in a stub, for which the nearest name would be wrong.
  func isLinkageTable(_ address: UInt64) -> Bool { linkageTables.contains { $0.contains(address) } }

  /// Entries of 24 bytes: name (4), info (1), other (1), section (2), value (8), size (8).
  private mutating func addSymbols(_ start: Int, _ length: Int, names: Int) {
    for symbol in stride(from: start, to: start + length - length % 24, by: 24) {
      guard let info = integer(symbol + 4, 1), [2, 10].contains(info & 0xf),
        let section = integer(symbol + 6, 2), section != 0,
        let name = integer(symbol, 4), let value = integer(symbol + 8, 8), let size = integer(symbol + 16, 8)
      else { continue }
      entries.append(Entry(address: UInt64(value), size: UInt64(size), name: names + name))
    }
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
    let name = text(at: found.name)
    return name.isEmpty ? nil : name
  }

  /// Up to a zero byte; empty beyond the end.
  private func text(at offset: Int) -> String {
    guard offset >= 0, offset < data.count else { return "" }
    return String(
      decoding: data[(data.startIndex + offset)...].prefix(4_096).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Nil beyond the end, and for what no file is long enough for.
  private func integer(_ offset: Int, _ bytes: Int) -> Int? {
    guard offset >= 0, offset <= data.count - bytes else { return nil }
    let start = data.startIndex + offset
    let value = data[start..<(start + bytes)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value < 1 << 48 ? Int(value) : nil
  }
}
