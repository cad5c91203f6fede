import CProcessControl
import Platform

/// The pieces of a program that was linked with `--emit-relocs`: its functions, and the data to which they refer. The
/// bytes that relocations fill in are set to zero, because they depend on where the linker places the pieces.
///
/// A function is a section of code that the linker moves as a whole. If an object file has several functions in one
/// section, they count as one, because each may continue into the next.
package struct LinkedProgram: Sendable {
  package struct Piece: Hashable {
    package var addresses: Range<UInt64>
    /// The name that identifies a function or a variable in both builds. Empty for constants, which are identified by
    /// their content.
    package var identity = ""
  }

  private enum Target: Equatable {
    /// A target that is not in the file, such as one in a library or in thread-local memory that is initially zero.
    case elsewhere(String)
    case code(String, offset: UInt64)
    case data(pieceCount: Int, offset: UInt64)
  }

  package let image: ELFImage
  package let text: ELFImage.Section
  /// The bytes of the file, with zeros in place of the bytes that relocations fill in.
  private var bytes: [UInt8]
  /// The relocations of all loaded sections. Like `functions`, `data` and `sections`, they are sorted by address.
  private var relocations: [Elf64_Rela] = []
  package private(set) var functions: [Piece] = []
  /// The addresses of the symbols in each function. The keys are indices in `functions`.
  private var entries: [Int: [UInt64]] = [:]
  private var data: [Piece] = []
  package let sections: [LinkMap.Section]
  private let symbols: [ELFSymbol]

  /// - Parameter map: The output of lld for `--Map` with `--no-demangle`.
  package init(image file: [UInt8], map: [UInt8]) throws(LinkProblem) {
    guard let image = ELFImage(file), let text = image.section(".text"), image.section(".rela.text") != nil else {
      throw LinkProblem("the program has no code with relocations that could be read")
    }
    (self.image, self.text, bytes) = (image, text, file)
    for section in image.sections where section.address > 0 {
      guard let table = image.section(".rela\(section.name)") else { continue }
      for relocation in image.entries(Elf64_Rela.self, of: table) where section.contains(relocation.r_offset) {
        let start = section.bytes.lowerBound + Int(relocation.r_offset - section.address)
        for index in start..<min(section.bytes.upperBound, start + relocation.width) { bytes[index] = 0 }
        relocations.append(relocation)
      }
    }
    relocations.sort { $0.r_offset < $1.r_offset }
    let inFile = image.sections.filter { $0.address > 0 && !$0.bytes.isEmpty }
    let loaded = Set(inFile.map(\.name)).union([".bss"])
    sections = LinkMap(map).sections.filter { loaded.contains($0.output) && $0.size > 0 }.sorted {
      $0.address < $1.address
    }
    symbols = image.symbols()
    for section in sections where text.contains(section.address) {
      let name = section.input.split(separator: "/").last.map(String.init) ?? ""
      functions.append(Piece(addresses: section.address..<section.end, identity: name))
    }
    let ofThreads = symbols.filter(\.isOfThreads).compactMap { symbol in
      address(of: symbol).map { address in
        var located = symbol
        located.address = address
        return located
      }
    }
    let places = (symbols.filter(\.isPiece) + ofThreads).sorted {
      ($0.address, $1.size, $0.name) < ($1.address, $0.size, $1.name)
    }
    var numbers: [String: Int] = [:]
    for (index, symbol) in places.enumerated() {
      // A symbol without a size ends at the next symbol, or at the end of its section.
      let next = index + 1 < places.count ? places[index + 1].address : .max
      let end = symbol.size > 0 ? symbol.address + symbol.size : min(next, section(at: symbol.address)?.end ?? 0)
      let addresses = symbol.address..<max(symbol.address, end)
      if text.contains(symbol.address) {
        guard let function = Self.place(of: symbol.address, in: functions) else { continue }
        if entries[function, default: []].isEmpty { functions[function].identity = symbol.name }
        entries[function, default: []].append(symbol.address)
        continue
      }
      if addresses.isEmpty || Self.extend(&data, addresses) { continue }
      numbers[symbol.name, default: 0] += 1
      let identity = "\(symbol.name) \(numbers[symbol.name] ?? 0)"
      data.append(Piece(addresses: addresses, identity: isVariable(symbol.address) ? identity : ""))
    }
    numbers = [:]
    for index in functions.indices {
      numbers[functions[index].identity, default: 0] += 1
      functions[index].identity += " \(numbers[functions[index].identity] ?? 0)"
    }
  }

  /// Extends the last piece if it overlaps the addresses, and returns whether it does. Symbols that overlap are one
  /// piece: the metadata of a type, for example, is part of its full metadata.
  private static func extend(_ pieces: inout [Piece], _ addresses: Range<UInt64>) -> Bool {
    guard let last = pieces.last?.addresses, addresses.lowerBound < last.upperBound else { return false }
    pieces[pieces.count - 1].addresses = last.lowerBound..<max(last.upperBound, addresses.upperBound)
    return true
  }

  private func section(at address: UInt64) -> LinkMap.Section? {
    let next = sections.firstPlace { $0.address > address }
    return next > 0 ? sections[next - 1] : nil
  }

  private func isVariable(_ address: UInt64) -> Bool {
    [".data", ".bss", ".tdata"].contains(section(at: address)?.output)
  }

  /// Returns the addresses at which functions can be entered: their beginnings, their symbols, and the targets of
  /// references from outside the function.
  /// - Parameter places: Indices in `functions`.
  package func entryAddresses(of places: Set<Int>) -> [UInt64] {
    var addresses = Set(places.flatMap { [functions[$0].addresses.lowerBound] + (entries[$0] ?? []) })
    // Values of four bytes in data are left out, because they are relative to the beginning of a table.
    for relocation in relocations where relocation.width == 8 || isCounted(relocation) {
      guard let address = address(of: relocation), let place = Self.place(of: address, in: functions),
        places.contains(place), !functions[place].addresses.contains(relocation.r_offset)
      else { continue }
      addresses.insert(address)
    }
    return addresses.sorted()
  }

  /// Returns the piece of data at an address that no symbol covers.
  private func unnamed(at address: UInt64, isString: Bool) -> Piece {
    guard let section = section(at: address), address < section.end else {
      return Piece(addresses: address..<address, identity: "end of a section")
    }
    let following = data.firstPlace { $0.addresses.lowerBound > address }
    let end = min(section.end, following < data.count ? data[following].addresses.lowerBound : .max)
    let rest = address..<end
    let length =
      content(at: address, count: rest.count).map { section.unnamedLength($0, isString: isString) } ?? rest.count
    let name = section.input.split(separator: "/").last ?? ""
    return Piece(
      addresses: address..<(address + UInt64(length)),
      identity: isVariable(address) ? "\(name) \(address - section.address)" : "")
  }

  /// Returns the bytes at an address. Nil for zero-initialized memory, which is not in the file.
  private func content(at address: UInt64, count: Int) -> ArraySlice<UInt8>? {
    guard let section = image.sections.first(where: { $0.address > 0 && $0.contains(address) }) else { return nil }
    let offset = Int(address - section.address)
    guard count >= 0, count <= section.bytes.count - offset else { return nil }
    return bytes[section.bytes.lowerBound + offset..<section.bytes.lowerBound + offset + count]
  }

  /// Returns a hash of the code of a section. It is valid only within this process, because `Hasher` has a random seed.
  package func hash(of section: LinkMap.Section) throws(LinkProblem) -> Int {
    guard text.contains(section.address), let code = content(at: section.address, count: section.size) else {
      throw LinkProblem("the link map belongs to another program")
    }
    var hasher = Hasher()
    code.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Compares two pieces (functions or items of data). Returns the pairs of data items to which they refer: the two
  /// pieces are equal only if the items of each pair are also equal. Nil if the two pieces themselves differ.
  package static func needs(_ first: (LinkedProgram, Piece), _ second: (LinkedProgram, Piece)) -> [(Piece, Piece)]? {
    let (content, otherContent) = (first.0.content(first.1), second.0.content(second.1))
    let own = first.0.relocations(in: first.1.addresses), other = second.0.relocations(in: second.1.addresses)
    guard first.1.addresses.count == second.1.addresses.count, first.1.identity == second.1.identity,
      // Zero-initialized memory has no content.
      content?.hasBytes(of: otherContent ?? []) ?? (otherContent == nil), own.count == other.count
    else { return nil }
    var needs: [(Piece, Piece)] = []
    for (one, another) in zip(own, other) {
      guard one.kind == another.kind,
        one.r_offset - first.1.addresses.lowerBound == another.r_offset - second.1.addresses.lowerBound
      else { return nil }
      let (target, data) = first.0.target(of: one)
      let (otherTarget, otherData) = second.0.target(of: another)
      guard target == otherTarget else { return nil }
      needs += zip(data, otherData)
    }
    for case let (one?, another?) in zip(first.0.distances(in: first.1), second.0.distances(in: second.1)) {
      needs.append((one, another))
    }
    return needs
  }

  /// Reads each word of a constant as a relative address, which may count from the word itself or from the constant's
  /// beginning. Returns the pieces at these addresses; nil where there is none. Swift's metadata and clang's tables of
  /// relative pointers contain such addresses. The assembler computes them, so they have no relocations.
  private func distances(in piece: Piece) -> [Piece?] {
    let start = piece.addresses.lowerBound
    guard let section = section(at: start), section.output == ".rodata", start % 4 == 0, let bytes = content(piece)
    else { return [] }
    return stride(from: 0, to: bytes.count - 3, by: 4).flatMap { offset in
      let word = bytes[bytes.startIndex + offset..<bytes.startIndex + offset + 4]
      let distance = word.reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
      return [start, start + UInt64(offset)].map { (origin: UInt64) -> Piece? in
        let address = origin &+ UInt64(bitPattern: Int64(distance))
        guard address >= section.address, address < section.end, !piece.addresses.contains(address) else { return nil }
        return Self.piece(at: address, in: data)
      }
    }
  }

  private func relocations(in addresses: Range<UInt64>) -> ArraySlice<Elf64_Rela> {
    relocations[relocations.firstPlace { $0.r_offset >= addresses.lowerBound }...].prefix {
      addresses.contains($0.r_offset)
    }
  }

  private func content(_ piece: Piece) -> ArraySlice<UInt8>? {
    piece.addresses.isEmpty ? nil : content(at: piece.addresses.lowerBound, count: piece.addresses.count)
  }

  /// Returns the target of a relocation, and the pieces of data to which the relocation refers.
  private func target(of relocation: Elf64_Rela) -> (Target, [Piece]) {
    guard symbols.indices.contains(relocation.symbol),
      symbols[relocation.symbol].isPlaced || symbols[relocation.symbol].isOfThreads
    else {
      let symbol = symbols.indices.contains(relocation.symbol) ? symbols[relocation.symbol] : nil
      let number = symbol?.isAbsolute == true ? symbol?.address : nil
      return (.elsewhere("\(symbol?.name ?? "") \(number ?? 0) \(relocation.r_addend)"), [])
    }
    let symbol = symbols[relocation.symbol]
    // A symbol `__start_…` or `__stop_…` marks the start or the end of a section, so it stands for the whole section.
    if let name = Self.sectionName(symbol) {
      guard !Self.ofRuntime.contains(name), let piece = wholeSection(name) else { return (.elsewhere(symbol.name), []) }
      return (.data(pieceCount: 1, offset: symbol.address &- piece.addresses.lowerBound), [piece])
    }
    let isCounted = isCounted(relocation)
    guard let address = address(of: relocation) else {
      return (.elsewhere("\(symbol.name) \(symbol.size) \(relocation.r_addend)"), [])
    }
    if let function = Self.piece(at: address, in: functions) {
      return (.code(function.identity, offset: address - function.addresses.lowerBound), [])
    }
    // Swift's metadata refers to names by relative addresses, so relative addresses in data count as references to
    // strings.
    let isString = relocation.kind == R_X86_64_PC32 && !isCounted
    let start = self.address(of: symbol) ?? symbol.address
    let place = symbol.isSection ? address : start
    let ends = symbol.isSection && isCounted ? constantLengths(after: relocation.r_offset).map { place + $0 } : [place]
    let pieces = ends.filter { $0 >= start || !symbol.isSection }.map {
      Self.piece(at: $0, in: data) ?? unnamed(at: $0, isString: isString)
    }
    return (.data(pieceCount: pieces.count, offset: address &- (pieces.first?.addresses.lowerBound ?? 0)), pieces)
  }

  /// Returns the possible sizes, in bytes, of the constant operand that follows a relative address in an instruction; 0
  /// if none follows. The opcode before the address determines the size (AMD64 Architecture Programmer's Manual, volume
  /// 3, appendix A). The result has several sizes if the bytes before the opcode may be a prefix.
  private func constantLengths(after field: UInt64) -> [UInt64] {
    guard let bytes = content(at: field - 6, count: 6).map(Array.init), bytes[5] & 0xC7 == 0x05 else { return [0] }
    let (opcode, extended) = (bytes[4], bytes[5] >> 3 & 7)
    let isSurelyOneByte = bytes[3] != 0x0F && bytes[2] != 0xC5 && bytes[1] != 0xC4 && bytes[0] != 0x62
    let isOfThirdMap =
      bytes[2...3] == [0x0F, 0x3A] || bytes[1] == 0xC4 && bytes[2] & 0x1F == 3 || bytes[0] == 0x62 && bytes[1] & 7 == 3
    let found: [UInt64] =
      switch opcode {
      case 0x6B, 0x80, 0x83, 0xC0, 0xC1, 0xC6: [1]
      case 0xF6 where extended < 2: [1]
      case 0x69, 0x81, 0xC7: bytes[2...3].contains(0x66) ? [2, 4] : [4]
      case 0xF7 where extended < 2: bytes[2...3].contains(0x66) ? [2, 4] : [4]
      case 0x70, 0xA4, 0xAC, 0xBA, 0xC2, 0xC4: isSurelyOneByte ? [0] : [1]
      default: [0]
      }
    return isSurelyOneByte ? found : Set(found + [0] + (isOfThirdMap ? [1] : [])).sorted()
  }

  /// Whether a relocation fills in a relative address in code. The address counts from the end of its field of four
  /// bytes, or from the end of the instruction if a constant follows the field. Offsets of thread-local variables
  /// (DTPOFF32, TPOFF32) are excluded, because they do not depend on the position of the field.
  private func isCounted(_ relocation: Elf64_Rela) -> Bool {
    relocation.width == 4 && text.contains(relocation.r_offset) && ![21, 23].contains(relocation.kind)
  }

  /// Returns the address to which a relocation refers. Nil for a target outside the program, such as one in a library.
  private func address(of relocation: Elf64_Rela) -> UInt64? {
    guard symbols.indices.contains(relocation.symbol), let start = address(of: symbols[relocation.symbol]) else {
      return nil
    }
    return start &+ UInt64(bitPattern: relocation.r_addend) &+ (isCounted(relocation) ? 4 : 0)
  }

  private func address(of symbol: ELFSymbol) -> UInt64? {
    guard symbol.isOfThreads else { return symbol.isPlaced ? symbol.address : nil }
    guard let variables = image.threadVariables, symbol.address < variables.byteCount else { return nil }
    return variables.address &+ symbol.address
  }

  private static func sectionName(_ symbol: ELFSymbol) -> String? {
    ["__start_", "__stop_"].first(where: symbol.name.hasPrefix).map { String(symbol.name.dropFirst($0.count)) }
  }

  private func wholeSection(_ name: String) -> Piece? {
    image.section(name).map { section in
      Piece(addresses: section.address..<section.address &+ section.header.sh_size, identity: "section \(name)")
    }
  }

  /// Sections that the Swift runtime reads. They are not compared as a whole: protocol conformances are compared by
  /// name, and other data about types is compared where functions refer to it.
  private static let ofRuntime: Set<String> = Set(
    [
      "protocols", "protocol_conformances", "type_metadata", "type_metadata_2", "fieldmd", "builtin", "assocty",
      "capture", "reflstr", "typeref", "mpenum", "entry",
    ].map { "swift5_\($0)" })

  /// Sections that are not compared as a whole, because their content is compared where functions refer to it, or
  /// follows from other sections.
  private static let ofProgram: Set<String> = ofRuntime.union([
    ".text", ".plt", ".plt.got", ".iplt", ".rodata", ".data", ".data.rel.ro", ".bss", ".bss.rel.ro", ".tdata", ".tbss",
    ".init_array", ".fini_array", ".got", ".got.plt", ".dynamic", ".dynsym", ".dynstr", ".interp", ".gnu.hash", ".hash",
    ".gnu.version", ".gnu.version_r", ".gnu.version_d", ".rela.dyn", ".rela.plt", ".relr.dyn", ".eh_frame",
    ".eh_frame_hdr", ".relro_padding", ".tm_clone_table", ".swift_modhash", ".note.gnu.property", ".note.ABI-tag",
    ".note.gnu.build-id",
  ])

  /// Data that is compared even if no function refers to it: variables that libraries look up in the program, and
  /// sections of unknown purpose. The keys describe the data in words.
  package var unreferenced: [String: Piece] {
    let linked = Set(symbols.compactMap(Self.sectionName))
    var pieces: [String: Piece] = [:]
    for section in image.sections where section.address > 0 && section.header.sh_size > 0 {
      if Self.ofProgram.contains(section.name) || linked.contains(section.name) { continue }
      pieces["the section \(section.name)"] = wholeSection(section.name)
    }
    for symbol in exports where !symbol.isFunction {
      guard let address = address(of: symbol) else { continue }
      pieces["the variable \(symbol.name), which a library reads"] =
        Self.piece(at: address, in: data) ?? unnamed(at: address, isString: false)
    }
    return pieces
  }

  /// The names of the functions that libraries can look up in the program and call.
  package var exportedFunctions: Set<String> { Set(exports.filter(\.isFunction).map(\.name)) }

  private var exports: [ELFSymbol] {
    image.symbols(".dynsym", names: ".dynstr").filter { symbol in
      (symbol.isDefined && !symbol.name.isEmpty) && !["_end", "_edata", "__bss_start"].contains(symbol.name)
    }
  }

  /// The names of the symbols that describe conformances to protocols.
  package var conformances: Set<String> { Set(symbols.filter { $0.isPlaced && $0.name.hasSuffix("Mc") }.map(\.name)) }

  /// The identities of the functions with which the program starts and ends; "" for a function that is not in `.text`.
  package var entryFunctions: [String] { image.entryPoints.map { Self.piece(at: $0, in: functions)?.identity ?? "" } }

  /// The identities of the functions that run before the program starts, in the order in which they run.
  package var initializers: [String] {
    guard let table = image.section(".init_array") else { return [] }
    let end = max(table.address, table.address &+ UInt64(table.bytes.count))
    return relocations(in: table.address..<end).map { relocation in
      if case .code(let name, _) = target(of: relocation).0 { name } else { "" }
    }
  }

  package func looksUpConformances(_ function: Piece) -> Bool {
    relocations(in: function.addresses).contains { relocation in
      guard symbols.indices.contains(relocation.symbol) else { return false }
      let name = symbols[relocation.symbol].name
      return name.hasPrefix("swift_dynamicCast") || name.hasPrefix("swift_conformsToProtocol")
    }
  }

  private static func piece(at address: UInt64, in pieces: [Piece]) -> Piece? {
    place(of: address, in: pieces).map { pieces[$0] }
  }

  private static func place(of address: UInt64, in pieces: [Piece]) -> Int? {
    let next = pieces.firstPlace { $0.addresses.lowerBound > address }
    return next > 0 && pieces[next - 1].addresses.contains(address) ? next - 1 : nil
  }
}

extension LinkMap.Section {
  fileprivate var end: UInt64 { address &+ UInt64(clamping: size) }

  /// Returns the length of a piece of data without a symbol, in bytes.
  /// - Parameter content: The bytes from the beginning of the piece to the section's end.
  /// - Returns: For a string, the length including the zero byte that ends it. For a constant in a section where the
  ///   linker merges the constants of all object files, the size in the section's name (8 for `.rodata.cst8`).
  ///   Otherwise the length of `content`.
  fileprivate func unnamedLength(_ content: ArraySlice<UInt8>, isString: Bool) -> Int {
    let joined = input.firstRange(of: "<internal>:(.rodata.").map { input[$0.upperBound...] } ?? ""
    if isString || joined.hasPrefix("str1") { return min(content.prefix { $0 != 0 }.count + 1, content.count) }
    let size = joined.hasPrefix("cst") ? Int(joined.dropFirst(3).prefix(while: \.isNumber)) : nil
    return min(size ?? content.count, content.count)
  }
}

package struct CodeDifference: Sendable {
  /// The addresses at which the candidate's changed functions can be entered. A function is changed if its code differs
  /// from the baseline's, or if it refers to other functions or to data that differ.
  package let changed: [UInt64]
  /// A difference that may affect every benchmark, as a phrase without a period. Nil if there is none.
  package let common: String?

  private struct Pair: Hashable {
    var baseline: LinkedProgram.Piece
    var candidate: LinkedProgram.Piece
  }

  package init(baseline: LinkedProgram, candidate: LinkedProgram) {
    let known = Dictionary(baseline.functions.map { ($0.identity, $0) }) { first, _ in first }
    var pairs = candidate.functions.map { function in
      Pair(baseline: known[function.identity] ?? .init(addresses: 0..<0), candidate: function)
    }
    var places: [Pair: Int] = [:]
    // For each pair, the indices of the pairs that refer to it.
    var users = [[Int]](repeating: [], count: pairs.count)
    var differing: [Int] = []
    let (own, other) = (baseline.unreferenced, candidate.unreferenced)
    var roots: [(name: String, place: Int)] = []
    for (name, piece) in other.sorted(by: { $0.key < $1.key }) {
      guard let old = own[name] else { continue }
      roots.append((name, pairs.count))
      pairs.append(Pair(baseline: old, candidate: piece))
      users.append([])
    }
    var next = 0
    while next < pairs.count {
      let pair = pairs[next]
      if let needs = LinkedProgram.needs((baseline, pair.baseline), (candidate, pair.candidate)) {
        for need in needs.map(Pair.init) {
          let place = places[need] ?? pairs.count
          if place == pairs.count {
            places[need] = place
            pairs.append(need)
            users.append([])
          }
          users[place].append(next)
        }
      } else {
        differing.append(next)
      }
      next += 1
    }
    if baseline.conformances != candidate.conformances {
      differing += candidate.functions.indices.filter { candidate.looksUpConformances(candidate.functions[$0]) }
    }
    var isChanged = [Bool](repeating: false, count: pairs.count)
    for place in differing { isChanged[place] = true }
    while let place = differing.popLast() {
      for user in users[place] where !isChanged[user] {
        isChanged[user] = true
        differing.append(user)
      }
    }
    changed = candidate.entryAddresses(of: Set(candidate.functions.indices.filter { isChanged[$0] }))
    common =
      Self.common(baseline, candidate) ?? Set(own.keys).symmetricDifference(other.keys).min()
      ?? roots.first { isChanged[$0.place] }?.name
  }

  /// Compares what the system, a library or the Swift runtime uses although no function refers to it. Returns the first
  /// difference.
  private static func common(_ baseline: LinkedProgram, _ candidate: LinkedProgram) -> String? {
    if baseline.image.loading != candidate.image.loading { return "the libraries that the program loads" }
    if baseline.entryFunctions != candidate.entryFunctions {
      return "the functions that the system starts and ends with"
    }
    if baseline.initializers != candidate.initializers { return "the functions that run before the program starts" }
    if let gone = baseline.exportedFunctions.subtracting(candidate.exportedFunctions).min() {
      return "the function \(gone), which a library called"
    }
    let gone = baseline.conformances.subtracting(candidate.conformances).min()
    return gone.map { "the conformance \($0), which is gone" }
  }
}
