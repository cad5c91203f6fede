/// Whether two programs are the same for the processor.
public enum ProgramIdentity {
  /// Whether everything that the system loads from the two programs is the same: machine code, data and
  /// addresses. Symbols, debug information and the build ID are ignored. False for files that are not ELF.
  public static func areSame(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard let first = Loaded(first), let second = Loaded(second) else { return false }
    return first == second
  }

  private struct Loaded: Equatable {
    var segments: [Contents]
    var entry: UInt64

    struct Contents: Equatable {
      var address: UInt64
      var memorySize: UInt64
      var flags: UInt32
      var bytes: ArraySlice<UInt8>

      static func == (first: Contents, second: Contents) -> Bool {
        first.address == second.address && first.memorySize == second.memorySize
          && first.flags == second.flags && first.bytes.elementsEqual(second.bytes)
      }
    }

    init?(_ file: [UInt8]) {
      guard let image = ELFImage(file) else { return nil }
      var bytes = image.bytes
      // The headers say where symbols and debug information are, which are not loaded.
      for header in [40..<48, 58..<64] { for index in header { bytes[index] = 0 } }
      if let identity = image.section(".note.gnu.build-id") {
        for index in identity.bytes { bytes[index] = 0 }
      }
      segments = image.segments.map {
        Contents(address: $0.address, memorySize: $0.memorySize, flags: $0.flags, bytes: bytes[$0.bytes])
      }
      entry = image.entry
    }
  }
}
