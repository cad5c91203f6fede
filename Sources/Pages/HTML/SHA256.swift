/// The hash by which a page names the one script that may run in it. FIPS 180-4.
enum SHA256 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    padded += Array(repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += bytes(UInt64(message.count) * 8)
    var state = initial
    for start in stride(from: 0, to: padded.count, by: 64) {
      mix(padded[start..<start + 64], into: &state)
    }
    return state.flatMap(bytes)
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var schedule: [UInt32] = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (schedule[index - 15], schedule[index - 2])
      let s0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let s1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      schedule.append(schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ s1 &+ choice &+ constants[index] &+ schedule[index]
      let s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ s0 &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func bytes(_ word: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian, Array.init)
  }

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  private static let initial: [UInt32] = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }

  /// The same of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes.map { fraction(of: cubeRoot(Double($0))) }

  private static let primes: [Int] = (2...311).filter { candidate in
    !(2..<candidate).contains { candidate % $0 == 0 }
  }

  private static func fraction(of root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 0x1p32)
  }

  /// By Newton's method; a Double holds some 18 bits more than are asked for.
  private static func cubeRoot(_ value: Double) -> Double {
    (0..<60).reduce(value / 2) { root, _ in root - (root * root * root - value) / (3 * root * root) }
  }
}
