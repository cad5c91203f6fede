/// A set of integers from 0 up to a bound, stored as one bit per integer.
struct BitSet: ~Copyable {
  private var words = Buffer<UInt64>()
  private var count = 0

  mutating func reserve(_ count: Int) { words.reserve(count / 64 + 1) }

  /// Makes the set contain exactly the numbers below `count`.
  mutating func fill(_ count: Int) {
    self.count = count
    words.fill(count / 64 + 1, with: ~0)
    words[count >> 6] = 1 << UInt64(count & 63) - 1
  }

  @inline(__always) func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

  @inline(__always) func remove(_ number: Int) { words[number >> 6] &= ~(1 << UInt64(number & 63)) }

  /// Returns the smallest member that is at least `number` or, if `goesBack` is true, the largest member that is at
  /// most `number`. Returns nil if there is none.
  @inline(__always) func next(from number: Int, goesBack: Bool = false) -> Int? {
    guard number >= 0, number < count else { return nil }
    var word = number >> 6
    var bits = words[word] & (goesBack ? ~0 >> UInt64(63 - number & 63) : ~0 << UInt64(number & 63))
    while bits == 0 {
      word += goesBack ? -1 : 1
      guard word >= 0, word < words.count else { return nil }
      bits = words[word]
    }
    return word << 6 + (goesBack ? 63 - bits.leadingZeroBitCount : bits.trailingZeroBitCount)
  }
}
