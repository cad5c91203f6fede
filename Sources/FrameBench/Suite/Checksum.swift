/// A 64-bit FNV-1a hash (Fowler, Noll and Vo). Unlike Swift's own hashes, it is the same on every machine and in every
/// run.
public struct Checksum: Sendable, Equatable {
  /// The hash so far. It is FNV's offset basis as long as nothing has been combined.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  /// Hashes the bytes in their order, one by one.
  public init(_ bytes: some Sequence<UInt8>) { for byte in bytes { combine(whole: UInt64(byte)) } }

  /// Adds the word's eight bytes one by one, lowest first. This is slower than `combine(whole:)`, but changes in two
  /// words do not cancel each other.
  public mutating func combine(_ word: UInt64) {
    var rest = word
    for _ in 0..<8 {
      combine(whole: rest & 0xff)
      rest >>= 8
    }
  }

  /// Adds a word in one step, which is faster for hashing many items in every frame. But if the top bits of two words
  /// change, the changes may cancel each other.
  public mutating func combine(whole word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }

  /// Returns the checksum of a result, for `measure(…, checksum: Checksum.of)`. The checksum of an integer is the
  /// integer itself. A value of another type is hashed. springbench switches off the random seed of hashes, so a hash
  /// is the same in every run unless it depends on addresses.
  @inlinable public static func of(_ value: some Hashable) -> Int { Int(truncatingIfNeeded: word(of: value)) }

  /// Returns the same as `of`, but 0 for `Void` and for values that cannot be hashed.
  @inlinable static func word<Value>(of value: Value) -> UInt64 {
    switch value {
    case let number as any FixedWidthInteger: word(of: number)
    case let value as any Hashable: UInt64(bitPattern: Int64(value.hashValue))
    default: 0
    }
  }

  /// Returns the integer itself. An integer of more than 64 bits is hashed.
  @inlinable static func word(of number: some FixedWidthInteger) -> UInt64 {
    guard number.bitWidth > 64 else { return UInt64(truncatingIfNeeded: number) }
    var checksum = Checksum()
    for word in number.words { checksum.combine(UInt64(word)) }
    return checksum.value
  }

  /// The value as 16 hexadecimal digits.
  public var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
