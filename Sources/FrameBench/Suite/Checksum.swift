/// FNV-1a of 64 bits (Fowler, Noll and Vo): unlike Swift's own hashes, the same on every machine and in every run.
public struct Checksum: Sendable, Equatable {
  /// The hash so far; FNV's offset if nothing has been combined yet.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  /// The hash of the bytes in their order, byte by byte.
  public init(_ bytes: some Sequence<UInt8>) { for byte in bytes { combine(whole: UInt64(byte)) } }

  /// The word's eight bytes, lowest first: whole words would let two changes of a top bit cancel each other.
  public mutating func combine(_ word: UInt64) {
    var rest = word
    for _ in 0..<8 {
      combine(whole: rest & 0xff)
      rest >>= 8
    }
  }

  /// Adds a word in one step, for hashing item by item in every frame. Changes of the top bits of two words cancel out.
  public mutating func combine(whole word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }

  /// The checksum of a result, for `measure(…, checksum: Checksum.of)`. That of an integer is the integer. Other values
  /// have their hash, which is the same in every run, since workers hash alike, unless it is made of addresses.
  @inlinable public static func of(_ value: some Hashable) -> Int { Int(truncatingIfNeeded: word(of: value)) }

  /// Like `of`, but 0 for nothing, and for what cannot be hashed.
  @inlinable static func word<Value>(of value: Value) -> UInt64 {
    switch value {
    case let number as any FixedWidthInteger: UInt64(truncatingIfNeeded: number)
    case let value as any Hashable: UInt64(bitPattern: Int64(value.hashValue))
    default: 0
    }
  }

  /// 16 hexadecimal digits.
  public var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
