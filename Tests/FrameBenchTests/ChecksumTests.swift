import Testing

@testable import FrameBench

@Suite struct ChecksumTests {
  /// Uses the published hash of "foobar". A word has eight bytes, so two zero bytes follow the text. Each of them
  /// multiplies the hash by the prime.
  @Test func wordsAreHashedAsFowlerNollAndVoPublished() {
    var checksum = Checksum()
    #expect(checksum.hexadecimal == "cbf29ce484222325")
    let foobar = "foobar".utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    checksum.combine(foobar)
    let published: UInt64 = 0x8594_4171_f739_67e8
    let prime: UInt64 = 0x100_0000_01b3
    #expect(checksum.value == published &* prime &* prime)
  }

  /// Uses the published test vector.
  @Test func bytesAreHashedAsFowlerNollAndVoPublished() {
    #expect(Checksum("foobar".utf8).value == 0x8594_4171_f739_67e8)
  }

  @Test func aWholeWordThatFitsAByteIsHashedAsThatByte() {
    var words = Checksum()
    for byte in "foobar".utf8 { words.combine(whole: UInt64(byte)) }
    #expect(words == Checksum("foobar".utf8))
  }

  @Test func changesOfTwoTopBitsDoNotCancel() {
    var plain = Checksum()
    var flipped = Checksum()
    for word in [1, 2] as [UInt64] {
      plain.combine(word)
      flipped.combine(word ^ 1 << 63)
    }
    #expect(plain != flipped)
  }

  @Test func theOrderOfFramesCounts() {
    var forward = Checksum()
    var backward = Checksum()
    for word in 0..<4 as Range<UInt64> {
      forward.combine(word)
      backward.combine(3 - word)
    }
    #expect(forward != backward)
  }

  @Test func everyValueHasSixteenDigits() {
    // Among 200 values, some have a leading zero, which must not be omitted.
    for word in 0..<200 as Range<UInt64> {
      var checksum = Checksum()
      checksum.combine(word)
      #expect(checksum.hexadecimal.count == 16)
      #expect(UInt64(checksum.hexadecimal, radix: 16) == checksum.value)
    }
  }

  @Test func allBitsOfAnIntegerCount() {
    let half = Int128(1) << 64
    #expect(Set([0, half, 2 * half, 1].map { Checksum.word(of: $0) }).count == 4)
    #expect(Checksum.word(of: Int64(-1)) == .max && Checksum.word(of: UInt8(7)) == 7)
  }
}
