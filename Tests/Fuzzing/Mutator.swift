import Foundation
import Statistics

/// Damages files, the same way for the same seed.
struct Mutator {
  private(set) var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }

  /// One to four changes; in every other file one number only, so that many files can still be read.
  ///
  /// - Parameter other: Another file of the same kind, to take pieces from.
  mutating func damage(_ file: Data, with other: Data) -> Data {
    var bytes = [UInt8](file)
    let keepsShape = below(2) == 0
    for _ in 0...(keepsShape ? 0 : below(4)) {
      if keepsShape {
        replaceNumber(&bytes, near: below(bytes.count + 1))
      } else {
        change(&bytes, [UInt8](other))
      }
    }
    return Data(bytes)
  }

  private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
    let place = below(bytes.count + 1)
    let end = min(bytes.count, place + below(64))
    switch below(10) {
    case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4 where !other.isEmpty:
      let start = below(other.count)
      bytes.insert(contentsOf: other[start..<min(other.count, start + below(200))], at: place)
    case 5: bytes.removeLast(below(bytes.count + 1) / 4)
    case 6: nest(&bytes, at: place)
    default: replaceToken(&bytes, near: place)
    }
  }

  /// Texts and numbers at the edges of what a reader may take for granted.
  private static let tokens = [
    "0", "-0.0", "-1", "1e308", "1e-320", "-1e300", "1e999", "NaN", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "18446744073709551616", "1000000000", "2147483648", "null",
    "true",
    "\"\"", "[]", "{}", "[[1,9007199254740992]]", "[[5,1000000000]]", "[[1e300,2]]", "\"..\"", "\"a/b\"",
    "\"\\u0000\"",
    "\"\\ud800\"", "&a", "*a", "<<", "!!binary", "? *a", ": ", "- ", "%", "#", ",", "\n",
  ]

  /// Puts a token in the place of the number, word or text that begins next.
  private mutating func replaceToken(_ bytes: inout [UInt8], near place: Int) {
    func isPart(_ byte: UInt8) -> Bool {
      Self.digits.contains(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || [UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
    }
    let start = bytes[place...].firstIndex(where: isPart) ?? bytes.count
    let end = bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Self.tokens[below(Self.tokens.count)].utf8)
  }

  private static let numbers =
    tokens.filter { $0.utf8.last.map { digits.contains($0) } ?? false } + ["1", "7.5", "60"]
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private mutating func replaceNumber(_ bytes: inout [UInt8], near place: Int) {
    guard let start = bytes[place...].firstIndex(where: Self.digits.contains) else { return }
    let end = bytes[start...].firstIndex { !Self.digits.contains($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Self.numbers[below(Self.numbers.count)].utf8)
  }

  /// Many brackets, which recursive readers dislike.
  private mutating func nest(_ bytes: inout [UInt8], at place: Int) {
    let bracket = Array(["[", "{", "{\"a\":", "- ", "? "][below(5)].utf8)
    let depth = 1 << below(14)
    bytes.insert(contentsOf: (0..<depth).flatMap { _ in bracket }, at: place)
  }
}
