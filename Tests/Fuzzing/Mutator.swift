import Foundation
import Statistics

/// Damages files at random. Equal seeds cause equal damage.
struct Mutator {
  private(set) var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }

  /// Makes up to four changes. Half of the files keep their structure: only a text, a list, an object, or one or two
  /// numbers change, so that many of these files remain readable.
  ///
  /// - Parameter other: Another file of the same kind, which supplies pieces.
  mutating func damage(_ file: Data, with other: Data) -> Data {
    var bytes = [UInt8](file)
    let keepsShape = below(2) == 0
    for _ in 0...(keepsShape ? 0 : below(4)) {
      if keepsShape {
        switch below(8) {
        case 0: replaceText(&bytes, near: below(bytes.count + 1))
        case 1: replaceGroup(&bytes, near: below(bytes.count + 1))
        case 2:
          replaceNumber(&bytes, near: below(bytes.count + 1))
          replaceNumber(&bytes, near: below(bytes.count + 1))
        default: replaceNumber(&bytes, near: below(bytes.count + 1))
        }
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

  /// Texts and numbers at the limits of what a reader may expect.
  private static let tokens = [
    "0", "-0.0", "-1", "1e308", "1e-320", "-1e300", "1e999", "NaN", "9007199254740993", "9223372036854775807", "5e-324",
    "1e-9", "0.5", "1e12", "1e15", "1e18", "9007199254740992", "268435456", "999999999", "2", "9223372036854775808",
    "-9223372036854775808", "18446744073709551616", "1000000000", "2147483648", "null", "true", "\"\"", "[]", "{}",
    "[[1,9007199254740992]]", "[[5,1000000000]]", "[[1e300,2]]", "\"..\"", "\"a/b\"", "\"\\u0000\"", "\"\\ud800\"",
    "&a", "*a", "<<", "!!binary", "? *a", ": ", "- ", "%", "#", ",", "\n",
  ]

  /// Replaces the next number, word or text with a token.
  private mutating func replaceToken(_ bytes: inout [UInt8], near place: Int) {
    func isPart(_ byte: UInt8) -> Bool {
      Self.digits.contains(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || [UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
    }
    let start = bytes[place...].firstIndex(where: isPart) ?? bytes.count
    let end = bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Self.tokens[below(Self.tokens.count)].utf8)
  }

  private static let numbers = tokens.filter { $0.utf8.last.map { digits.contains($0) } ?? false } + ["1", "7.5", "60"]
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private mutating func replaceNumber(_ bytes: inout [UInt8], near place: Int) {
    guard let start = bytes[place...].firstIndex(where: Self.digits.contains) else { return }
    let end = bytes[start...].firstIndex { !Self.digits.contains($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Self.numbers[below(Self.numbers.count)].utf8)
  }

  private static let texts = [
    "", " ", "a/b", "..", "\\u0000", "\\u001b[2J", "\\ud83d\\ude00", "::error::", "=1+1", "%", "|", "<b>", "`", "'",
    "0000-00-00T00:00:00Z", "9999-12-31T23:59:60Z", "1e999", "0123456789abcdef", String(repeating: "n", count: 70_000),
  ]

  /// Replaces the text between the next two quotation marks.
  private mutating func replaceText(_ bytes: inout [UInt8], near place: Int) {
    let mark = UInt8(ascii: "\"")
    guard let start = bytes[place...].firstIndex(of: mark), let end = bytes[(start + 1)...].firstIndex(of: mark) else {
      return
    }
    bytes.replaceSubrange((start + 1)..<end, with: Self.texts[below(Self.texts.count)].utf8)
  }

  /// Empties, removes or duplicates the next list or object, or replaces it with `null`.
  private mutating func replaceGroup(_ bytes: inout [UInt8], near place: Int) {
    let (opening, closing) = (Array("[{".utf8), Array("]}".utf8))
    guard let start = bytes[place...].firstIndex(where: opening.contains) else { return }
    var depth = 0
    let end = bytes[start...].firstIndex { byte in
      depth += (opening.contains(byte) ? 1 : 0) - (closing.contains(byte) ? 1 : 0)
      return depth == 0
    }
    guard let end else { return }
    let group = Array(bytes[start...end])
    let replacements: [[UInt8]] = [
      [group[0], group[group.count - 1]], Array("null".utf8), group + [UInt8(ascii: ",")] + group, [],
    ]
    bytes.replaceSubrange(start...end, with: replacements[below(replacements.count)])
  }

  /// Inserts many brackets, which are hard for recursive readers.
  private mutating func nest(_ bytes: inout [UInt8], at place: Int) {
    let bracket = Array(["[", "{", "{\"a\":", "- ", "? "][below(5)].utf8)
    let depth = 1 << below(14)
    bytes.insert(contentsOf: (0..<depth).flatMap { _ in bracket }, at: place)
  }
}
