import CProcessControl
import Foundation
import Platform

/// The sections and segments of a 64-bit little-endian ELF file. See the System V generic ABI: chapter 4 on sections,
/// chapter 5 on segments.
package struct ELFImage {
  package struct Section {
    package var name: String
    /// The offset of the name in the file.
    package var nameOffset: Int
    package var header: Elf64_Shdr
    /// The range of the section's bytes in the file. Empty for zero-initialized memory, which is not in the file.
    package var bytes: Range<Int>

    /// The address in memory; 0 if the section is not loaded.
    package var address: UInt64 { header.sh_addr }

    package func contains(_ place: UInt64) -> Bool { place >= address && place - address < UInt64(bytes.count) }
  }

  package let bytes: [UInt8]
  /// The sections of the file; empty if it was stripped of its section headers.
  package private(set) var sections: [Section] = []
  /// The parts of the file that the system loads, in the order of the program headers. If a part is larger in memory
  /// than in the file, the rest is zero.
  package private(set) var segments: [(header: Elf64_Phdr, bytes: Range<Int>)] = []
  /// The initial values of thread-local variables: their address in memory and size in the file. Nil if there are none.
  package private(set) var threadVariables: (address: UInt64, byteCount: UInt64)?
  package let entry: UInt64

  /// Nil if the file is not a 64-bit little-endian ELF file, or is truncated.
  package init?(_ bytes: [UInt8]) {
    guard Self.loadedEnd(start: bytes, fileSize: bytes.count) != nil,
      let header = Self.record(Elf64_Ehdr.self, of: bytes, at: 0), header.e_shoff < bytes.count
    else { return nil }
    self.bytes = bytes
    entry = header.e_entry
    let parts = records(Elf64_Phdr.self, from: header.e_phoff, header.e_phnum, size: header.e_phentsize)
    for part in parts.compactMap(\.self) {
      if part.p_type == PT_TLS { threadVariables = (part.p_vaddr, part.p_filesz) }
      if part.p_type == PT_LOAD, let range = range(part.p_offset, part.p_filesz) { segments.append((part, range)) }
    }
    guard header.e_shoff > 0, header.e_shnum > 0 else { return }
    let headers = records(Elf64_Shdr.self, from: header.e_shoff, header.e_shnum)
    guard headers.indices.contains(Int(header.e_shstrndx)),
      let text = headers[Int(header.e_shstrndx)].flatMap({ Int(exactly: $0.sh_offset) })
    else { return nil }
    for section in headers {
      guard let section else { return nil }
      let hasBytes = section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS
      guard let range = hasBytes ? range(section.sh_offset, section.sh_size) : 0..<0 else { return nil }
      let nameOffset = text &+ Int(section.sh_name)
      sections.append(Section(name: string(at: nameOffset), nameOffset: nameOffset, header: section, bytes: range))
    }
  }

  /// Returns the number of bytes from the beginning of a file to the end of its loaded part, including the program
  /// headers. Symbols and debug information come after it. Nil if the file is not a 64-bit little-endian ELF file, or
  /// is truncated.
  /// - Parameter start: The beginning of the file, with the program headers.
  package static func loadedEnd(start: [UInt8], fileSize: Int) -> Int? {
    guard start.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]), let header = record(Elf64_Ehdr.self, of: start, at: 0),
      let table = Int(exactly: header.e_phoff), header.e_phentsize >= MemoryLayout<Elf64_Phdr>.size, table <= fileSize
    else { return nil }
    let size = Int(header.e_phentsize)
    var end = table + size * Int(header.e_phnum)
    for index in 0..<Int(header.e_phnum) {
      guard let part = record(Elf64_Phdr.self, of: start, at: table + index * size),
        let offset = Int(exactly: part.p_offset), let length = Int(exactly: part.p_filesz), offset <= fileSize,
        length <= fileSize - offset
      else { return nil }
      end = max(end, offset + length)
    }
    return end <= fileSize ? end : nil
  }

  package func section(_ name: String) -> Section? { sections.first { $0.name == name } }

  /// The addresses of the program's entry point, and of the functions that the loader calls before and after the
  /// program (INIT and FINI; 0 if there is none).
  package var entryPoints: [UInt64] {
    let table = section(".dynamic").map { entries(DynamicEntry.self, of: $0) } ?? []
    let tags: [UInt64] = [12, 13]
    return [entry] + tags.map { tag in table.first { $0.tag == tag }?.value ?? 0 }
  }

  /// Everything that determines which libraries the system loads, from where and how: the path of the loader, then the
  /// entries of the dynamic section with names or flags, in their order.
  package var loading: [String] {
    let loader = section(".interp").map { string(at: $0.bytes.lowerBound) } ?? ""
    guard let table = section(".dynamic"), let names = section(".dynstr") else { return [loader] }
    return [loader]
      + entries(DynamicEntry.self, of: table).compactMap { entry in
        let (tag, value) = (entry.tag, entry.value)
        if Self.namingTags.contains(tag) {
          return "\(tag) " + string(at: names.bytes.lowerBound &+ Int(truncatingIfNeeded: value))
        }
        return Self.flagTags.contains(tag) ? "\(tag) \(value)" : nil
      }
  }

  /// The paths by which the system finds the program's libraries: the run paths (RPATH and RUNPATH), and the libraries
  /// that the program names by a path.
  package var libraryPaths: [String] {
    guard let table = section(".dynamic"), let names = section(".dynstr") else { return [] }
    return entries(DynamicEntry.self, of: table).flatMap { entry -> [String] in
      guard [1, 15, 29].contains(entry.tag) else { return [] }
      let text = string(at: names.bytes.lowerBound &+ Int(truncatingIfNeeded: entry.value))
      return entry.tag == 1 ? [text].filter { $0.contains("/") } : text.split(separator: ":").map(String.init)
    }
  }

  /// An entry of the dynamic section: `Elf64_Dyn` with an integer in place of its union.
  private struct DynamicEntry: BitwiseCopyable {
    var tag: UInt64
    var value: UInt64
  }

  /// The tags of entries with names: NEEDED, RPATH, RUNPATH, AUDIT, DEPAUDIT, AUXILIARY and FILTER.
  private static let namingTags: Set<UInt64> = [1, 15, 29, 0x6fff_fefc, 0x6fff_fefb, 0x7fff_fffd, 0x7fff_ffff]
  /// The tags of entries with flags: SYMBOLIC, BIND_NOW, FLAGS and FLAGS_1.
  private static let flagTags: Set<UInt64> = [16, 24, 30, 0x6fff_fffb]

  /// Returns the entries of a section. Bytes after the last complete entry are ignored.
  package func entries<Record: BitwiseCopyable>(_ type: Record.Type, of section: Section) -> [Record] {
    records(type, from: section.bytes.lowerBound, section.bytes.count / MemoryLayout<Record>.size).compactMap(\.self)
  }

  /// Reads `count` records. An element is nil if its record is beyond the end of the file.
  private func records<Record: BitwiseCopyable>(
    _ type: Record.Type, from table: some BinaryInteger, _ count: some BinaryInteger, size: UInt16? = nil
  ) -> [Record?] {
    let size = size.map(Int.init) ?? MemoryLayout<Record>.size
    return (0..<Int(count)).map { index in Self.record(type, of: bytes, at: Int(clamping: table) &+ index * size) }
  }

  private static func record<Entry: BitwiseCopyable>(_ type: Entry.Type, of bytes: [UInt8], at offset: Int) -> Entry? {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Entry>.size else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  private func range(_ offset: UInt64, _ size: UInt64) -> Range<Int>? {
    guard offset <= bytes.count, size <= UInt64(bytes.count) - offset else { return nil }
    return Int(offset)..<Int(offset + size)
  }

  /// Returns the text at an offset, up to a zero byte. Empty if the offset is beyond the end of the file.
  package func string(at offset: Int) -> String {
    guard offset >= 0, offset < bytes.count else { return "" }
    return bytes.withUnsafeBytes {
      let rest = UnsafeRawBufferPointer(rebasing: $0[offset...])
      guard let start = rest.baseAddress else { return "" }
      return String(decoding: rest.prefix(strnlen(start, rest.count)), as: UTF8.self)
    }
  }

  /// Returns the symbols of the full table (`.symtab`) or of the dynamic linker's table (`.dynsym`), in the order of
  /// the table.
  package func symbols(_ table: String = ".symtab", names: String = ".strtab") -> [ELFSymbol] {
    guard let table = section(table), let names = section(names) else { return [] }
    return entries(Elf64_Sym.self, of: table).map { ELFSymbol($0, names: names, in: self) }
  }
}

extension Elf64_Rela {
  package var kind: UInt32 { UInt32(truncatingIfNeeded: r_info) }
  package var symbol: Int { Int(r_info >> 32) }

  /// The number of bytes that the relocation fills in: 8 for R_X86_64_64, DTPOFF64, TPOFF64, PC64, GOTOFF64, GOT64,
  /// GOTPCREL64, GOTPC64 and PLTOFF64; 2 for R_X86_64_16 and PC16; 1 for R_X86_64_8 and PC8; and 4 for all others (see
  /// the psABI for x86-64, table 4.9).
  package var width: Int {
    switch kind {
    case 1, 17, 18, 24, 25, 27, 28, 29, 31: 8
    case 12, 13: 2
    case 14, 15: 1
    default: 4
    }
  }
}

package enum ProgramIdentity {
  /// Whether two programs are the same for the processor: the machine code, data and addresses that the system loads.
  /// Symbols, debug information and the build ID are ignored. False for files that are not ELF.
  package static func areSame(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard let first = ELFImage(first), let second = ELFImage(second), first.entry == second.entry,
      first.segments.count == second.segments.count
    else { return false }
    let (ownBytes, otherBytes) = (loadedBytes(first), loadedBytes(second))
    return zip(first.segments, second.segments).allSatisfy { own, other in
      own.header.p_vaddr == other.header.p_vaddr && own.header.p_memsz == other.header.p_memsz
        && own.header.p_flags == other.header.p_flags && ownBytes[own.bytes].hasBytes(of: otherBytes[other.bytes])
    }
  }

  private static func loadedBytes(_ image: ELFImage) -> [UInt8] {
    var bytes = image.bytes
    // Zeroes what does not affect the running program: the fields of the file header that locate the section headers
    // (they are not loaded), and the build ID.
    let identity = image.section(".note.gnu.build-id")?.bytes ?? 0..<0
    for place in [40..<48, 58..<64, identity] { for index in place { bytes[index] = 0 } }
    return bytes
  }
}

package struct ELFSymbol {
  package var address: UInt64
  package var size: UInt64
  package var name: String
  /// Whether the symbol is weak. A program that uses a weak symbol can be linked even if nothing defines it.
  package var isWeak: Bool
  private var kind: Int32
  private var section: UInt16
  private let isInEmptySection: Bool

  package init(_ symbol: Elf64_Sym, names: ELFImage.Section, in image: ELFImage) {
    address = symbol.st_value
    size = symbol.st_size
    name = image.string(at: names.bytes.lowerBound + Int(symbol.st_name))
    isWeak = Int32(symbol.st_info >> 4) == STB_WEAK
    kind = Int32(symbol.st_info & 0xf)
    section = symbol.st_shndx
    let index = Int(section)
    isInEmptySection = image.sections.indices.contains(index) && image.sections[index].header.sh_size == 0
  }

  /// Whether the symbol is a thread-local variable. Its address then counts from the beginning of all such variables.
  package var isOfThreads: Bool { kind == STT_TLS && section != SHN_UNDEF }
  package var isDefined: Bool { section != SHN_UNDEF && section != SHN_ABS }
  package var isFunction: Bool { [STT_FUNC, STT_GNU_IFUNC].contains(kind) && section != SHN_UNDEF }
  package var isSection: Bool { kind == STT_SECTION }
  /// Whether the symbol's address is a constant that does not depend on where the program is loaded.
  package var isAbsolute: Bool { section == SHN_ABS }
  /// Whether the program has code or data at the symbol's address. False for symbols of libraries, thread-local
  /// variables, constants, and symbols in empty sections.
  package var isPlaced: Bool { section != SHN_UNDEF && section != SHN_ABS && kind != STT_TLS && !isInEmptySection }
  /// Whether the symbol names a function or data. Labels without a type or a size count, too.
  package var isPiece: Bool {
    isPlaced && (isFunction || [STT_OBJECT, STT_NOTYPE].contains(kind)) && address > 0 && address < 1 << 48
      && size < 1 << 48
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are the same. This is much faster than `==`, which compares one byte after the other.
  package func hasBytes(of other: ArraySlice<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { own in
      other.withUnsafeBytes { other in
        guard let own = own.baseAddress, let start = other.baseAddress else { return true }
        return memcmp(own, start, other.count) == 0
      }
    }
  }
}

/// The functions of a 64-bit little-endian ELF file, sorted by address. Empty for any other file.
package struct ELFSymbols {
  private let image: ELFImage?
  package private(set) var entries: [ELFSymbol] = []

  package init(path: String) {
    // Only regular files are read. The process of a benchmark may name a pipe, and reading it would never end.
    let data =
      Paths.kind(path) == S_IFREG ? try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) : nil
    self.init(data ?? Data())
  }

  package init(_ data: Data) {
    image = ELFImage([UInt8](data))
    guard let image else { return }
    entries = (image.symbols() + image.symbols(".dynsym", names: ".dynstr")).filter(\.isFunction)
    entries.sort { ($0.address, $1.size) < ($1.address, $0.size) }
  }

  /// Whether an address is in a stub for a call into a library (`.plt`, `.iplt`, `.plt.got`). The name of the nearest
  /// symbol would be wrong there.
  package func isLinkageTable(_ address: UInt64) -> Bool {
    image?.sections.contains { section in
      [".plt", ".iplt"].contains(where: section.name.hasPrefix) && section.contains(address)
    } ?? false
  }

  /// Returns the mangled name of the function at an address.
  package func name(at address: UInt64) -> String? {
    let next = entries.firstPlace { $0.address > address }
    guard next > 0 else { return nil }
    let found = entries[next - 1]
    // Functions in assembly often have no size. They end at the next symbol.
    guard found.size == 0 || address - found.address < found.size else { return nil }
    return found.name.isEmpty ? nil : found.name
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that matches, by binary search; `endIndex` if none does. All elements after
  /// the first match must match, too.
  package func firstPlace(where matches: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if matches(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
