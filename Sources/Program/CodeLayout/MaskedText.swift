/// The machine code of a program that was linked with `--emit-relocs`, with zeros where relocations filled
/// something in: what is left of a function does not depend on where it, or what it calls, was placed.
struct MaskedText {
  private var bytes: [UInt8]
  private let address: UInt64

  init(image: [UInt8]) throws(CodeLayoutError) {
    guard let image = ELFImage(image), let text = image.section(".text"),
      let relocations = image.section(".rela.text")
    else { throw CodeLayoutError("the program has no code with relocations that could be read") }
    address = text.address
    bytes = Array(image.bytes[text.bytes])
    // Entries of 24 bytes: place (8), type (4), symbol (4), addend (8).
    for entry in stride(from: relocations.bytes.lowerBound, to: relocations.bytes.upperBound - 23, by: 24) {
      guard let place = image.word(entry, UInt64.self), let type = image.word(entry + 8, UInt32.self),
        place >= address
      else { continue }
      let start = Int(clamping: place - address)
      guard start < bytes.count else { continue }
      for index in start..<min(bytes.count, start + Self.width(type)) { bytes[index] = 0 }
    }
  }

  /// Bytes that a relocation fills in: 8 for R_X86_64_64, DTPOFF64, TPOFF64, PC64, GOTOFF64, GOT64, GOTPCREL64,
  /// GOTPC64 and PLTOFF64, else 4 (the psABI for x86-64, table 4.9).
  private static func width(_ type: UInt32) -> Int {
    [1, 17, 18, 24, 25, 27, 28, 29, 31].contains(type) ? 8 : 4
  }

  /// The same within one process only.
  func hash(address start: UInt64, size: Int) throws(CodeLayoutError) -> Int {
    let offset = Int(clamping: start &- address)
    guard start >= address, size >= 0, offset <= bytes.count, size <= bytes.count - offset else {
      throw CodeLayoutError("the link map belongs to another program")
    }
    var hasher = Hasher()
    bytes[offset..<(offset + size)].withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
