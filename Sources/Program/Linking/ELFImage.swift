import Foundation

/// An ELF file of 64 bits, little-endian: its sections and segments. See the generic ABI, System V, chapter 4.
struct ELFImage {
  /// A section with bytes in the file.
  struct Section: Equatable, Sendable {
    var name: String
    /// Offset of the name in the file.
    var nameOffset: Int
    /// Address in memory; 0 if it is not loaded.
    var address: UInt64
    /// Range in the file.
    var bytes: Range<Int>
  }

  /// A part that the system loads.
  struct Segment: Equatable, Sendable {
    var address: UInt64
    /// Bytes in memory; those beyond the file's are zero.
    var memorySize: UInt64
    /// Read, write, execute.
    var flags: UInt32
    /// Range in the file.
    var bytes: Range<Int>
  }

  /// The whole file.
  let bytes: [UInt8]
  /// Empty in a file that was stripped of its section headers.
  private(set) var sections: [Section] = []
  /// In the order of the file.
  private(set) var segments: [Segment] = []
  /// Address at which the program starts.
  private(set) var entry: UInt64 = 0
  /// Bytes of the file up to the end of the loaded part, program headers included; behind it lie symbols
  /// and debug information.
  private(set) var loadedEnd = 0

  /// Nil for any other file, and for a truncated one.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard let end = Self.loadedEnd(start: bytes, fileSize: bytes.count) else { return nil }
    loadedEnd = end
    entry = word(24, UInt64.self) ?? 0
    guard readSegments(), readSections() else { return nil }
  }

  /// `loadedEnd` of a file, from its beginning with the program headers. Nil for anything but a 64-bit ELF
  /// file of this machine's byte order, and for a truncated one.
  static func loadedEnd(start: [UInt8], fileSize: Int) -> Int? {
    func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Int? {
      guard let value = word(of: start, offset, Value.self) else { return nil }
      return Int(exactly: value)
    }
    guard start.count >= 64, start.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]),
      let table = number(32, UInt64.self), let size = number(54, UInt16.self),
      let count = number(56, UInt16.self), size >= 56, table <= fileSize
    else { return nil }
    var end = table + size * count
    for header in 0..<count {
      guard let offset = number(table + header * size + 8, UInt64.self),
        let length = number(table + header * size + 32, UInt64.self), offset <= fileSize,
        length <= fileSize - offset
      else { return nil }
      end = max(end, offset + length)
    }
    return end <= fileSize ? end : nil
  }

  /// The section of that name; nil if there is none.
  func section(_ name: String) -> Section? { sections.first { $0.name == name } }

  /// A number of the file; nil beyond its end.
  func word<Value: FixedWidthInteger>(_ offset: Int, _ type: Value.Type) -> Value? {
    Self.word(of: bytes, offset, type)
  }

  private static func word<Value: FixedWidthInteger>(
    of bytes: [UInt8], _ offset: Int, _: Value.Type
  ) -> Value? {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Value>.size else { return nil }
    return bytes.withUnsafeBytes {
      Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
  }

  private func range(_ offset: UInt64?, _ size: UInt64?) -> Range<Int>? {
    guard let offset, let size, offset <= bytes.count, size <= UInt64(bytes.count) - offset else {
      return nil
    }
    return Int(offset)..<Int(offset + size)
  }

  private mutating func readSegments() -> Bool {
    guard let table = word(32, UInt64.self).flatMap(Int.init(exactly:)), table < bytes.count,
      let size = word(54, UInt16.self),
      let count = word(56, UInt16.self)
    else { return false }
    for index in 0..<Int(count) {
      let start = table + index * Int(size)
      guard let type = word(start, UInt32.self) else { return false }
      // PT_LOAD.
      guard type == 1 else { continue }
      guard let bytes = range(word(start + 8, UInt64.self), word(start + 32, UInt64.self)),
        let address = word(start + 16, UInt64.self), let memory = word(start + 40, UInt64.self),
        let flags = word(start + 4, UInt32.self)
      else { return false }
      segments.append(Segment(address: address, memorySize: memory, flags: flags, bytes: bytes))
    }
    return true
  }

  private mutating func readSections() -> Bool {
    guard let table = word(40, UInt64.self).flatMap(Int.init(exactly:)), table < bytes.count,
      let count = word(60, UInt16.self),
      let names = word(62, UInt16.self)
    else { return false }
    guard table > 0, count > 0 else { return true }
    func header(_ index: Int) -> Int { table + index * 64 }
    guard let text = word(header(Int(names)) + 24, UInt64.self).flatMap(Int.init(exactly:)) else {
      return false
    }
    for index in 0..<Int(count) {
      let start = header(index)
      guard let name = word(start, UInt32.self), let type = word(start + 4, UInt32.self),
        let address = word(start + 16, UInt64.self)
      else { return false }
      // SHT_NULL and SHT_NOBITS have no bytes.
      guard type != 0, type != 8 else { continue }
      guard let bytes = range(word(start + 24, UInt64.self), word(start + 32, UInt64.self)) else {
        return false
      }
      let nameOffset = text &+ Int(name)
      sections.append(
        Section(name: string(at: nameOffset), nameOffset: nameOffset, address: address, bytes: bytes))
    }
    return true
  }

  /// Ends at a zero byte; empty beyond the end.
  func string(at offset: Int) -> String {
    guard offset >= 0, offset < bytes.count else { return "" }
    return String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Whether two programs are the same for the processor.
package enum ProgramIdentity {
  /// Whether the parts that the system loads from the two programs are the same: machine code, data and
  /// addresses. Symbols, debug information and the build ID are ignored. False for files that are not ELF.
  package static func areSame(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard let first = ELFImage(first), let second = ELFImage(second), first.entry == second.entry,
      first.segments.count == second.segments.count
    else { return false }
    let (ownBytes, otherBytes) = (loadedBytes(first), loadedBytes(second))
    return zip(first.segments, second.segments).allSatisfy { own, other in
      own.address == other.address && own.memorySize == other.memorySize && own.flags == other.flags
        && ownBytes[own.bytes].elementsEqual(otherBytes[other.bytes])
    }
  }

  private static func loadedBytes(_ image: ELFImage) -> [UInt8] {
    var bytes = image.bytes
    // The headers also hold the places of symbols and debug information, which are not loaded.
    let identity = image.section(".note.gnu.build-id")?.bytes ?? 0..<0
    for place in [40..<48, 58..<64, identity] { for index in place { bytes[index] = 0 } }
    return bytes
  }
}

/// The functions of an ELF file of 64 bits, little-endian, by address. Empty for any other file.
package struct ELFSymbols {
  private let image: ELFImage?
  /// Names are offsets in the file.
  private var entries: [(address: UInt64, size: UInt64, name: Int)] = []

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
      entries.append((address, size, names.lowerBound + Int(name)))
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

  /// The mangled name of the function at an address.
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
