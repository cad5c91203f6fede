/// FNV-1a of 64 bits over the bytes of 64-bit words, lowest byte first.
///
/// Offset and prime as published by Fowler, Noll and Vo. Byte by byte, since whole words would let two
/// changes of a top bit cancel each other.
public struct Checksum: Sendable, Equatable {
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  public mutating func combine(_ word: UInt64) {
    var rest = word
    for _ in 0..<8 {
      value = (value ^ (rest & 0xff)) &* 0x100_0000_01b3
      rest >>= 8
    }
  }

  /// 16 hexadecimal digits.
  public var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
