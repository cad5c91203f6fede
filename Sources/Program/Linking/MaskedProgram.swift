import CProcessControl

/// The bytes of a program that was linked with `--emit-relocs`, with zeros in place of relocations: the rest of a
/// function does not depend on its place or its callees'.
struct MaskedProgram {
  let image: ELFImage
  let text: ELFImage.Section
  /// Of what is loaded, by place.
  private(set) var relocations: [Elf64_Rela] = []
  /// Of the file.
  private var bytes: [UInt8]

  init(_ image: ELFImage?) throws(LinkProblem) {
    guard let image, let text = image.section(".text"), image.section(".rela.text") != nil else {
      throw LinkProblem("the program has no code with relocations that could be read")
    }
    self.image = image
    self.text = text
    bytes = image.bytes
    for section in image.sections where section.address > 0 {
      guard let table = image.section(".rela\(section.name)") else { continue }
      for relocation in image.entries(Elf64_Rela.self, of: table) where section.contains(relocation.r_offset) {
        let start = section.bytes.lowerBound + Int(relocation.r_offset - section.address)
        for index in start..<min(section.bytes.upperBound, start + relocation.width) { bytes[index] = 0 }
        relocations.append(relocation)
      }
    }
    relocations.sort { $0.r_offset < $1.r_offset }
  }

  /// Nil for memory that is zero at first, and is not in the file.
  func content(at address: UInt64, count: Int) -> ArraySlice<UInt8>? {
    guard let section = image.sections.first(where: { $0.address > 0 && $0.contains(address) }) else { return nil }
    let offset = Int(address - section.address)
    guard count >= 0, count <= section.bytes.count - offset else { return nil }
    return bytes[section.bytes.lowerBound + offset..<section.bytes.lowerBound + offset + count]
  }

  /// Comparable within one process only.
  func hash(address: UInt64, size: Int) throws(LinkProblem) -> Int {
    guard text.contains(address), let code = content(at: address, count: size) else {
      throw LinkProblem("the link map belongs to another program")
    }
    var hasher = Hasher()
    code.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

extension ELFImage.Section {
  func contains(_ place: UInt64) -> Bool { place >= address && place - address < UInt64(bytes.count) }
}

extension Elf64_Rela {
  var kind: UInt32 { UInt32(truncatingIfNeeded: r_info) }
  var symbol: Int { Int(r_info >> 32) }

  /// Number of bytes: 8 for R_X86_64_64, DTPOFF64, TPOFF64, PC64, GOTOFF64, GOT64, GOTPCREL64, GOTPC64 and PLTOFF64,
  /// else 4 (the psABI for x86-64, table 4.9).
  var width: Int { [1, 17, 18, 24, 25, 27, 28, 29, 31].contains(kind) ? 8 : 4 }
}
