/// Reads decimal numbers from lines of text.
final class Parsing: Work {
  private static let usualCount = 400
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let values: UnsafeMutableBufferPointer<Double>

  init() {
    var random = Numbers(seed: 1)
    var lines: [UInt8] = []
    let count = Amount.units(Self.usualCount)
    for _ in 0..<count {
      if random.next(below: 4) == 0 { lines.append(UInt8(ascii: "-")) }
      for place in 0..<(3 + random.next(below: 6)) {
        if place == 2 { lines.append(UInt8(ascii: ".")) }
        lines.append(UInt8(ascii: "0") + UInt8(random.next(below: 10)))
      }
      lines.append(UInt8(ascii: "\n"))
    }
    text = .allocate(capacity: lines.count)
    _ = text.initialize(from: lines)
    values = .allocate(capacity: count)
    values.initialize(repeating: 0)
  }

  deinit {
    text.deallocate()
    values.deallocate()
  }

  @inline(never) func call() { readNumbers(text, into: values) }

  var checksum: UInt64 {
    var sum: UInt64 = 0
    for index in stride(from: 0, to: Self.usualCount, by: 16) { sum = sum &* 31 ^ values[index].bitPattern }
    return sum
  }
}

/// One number a line; as many as there is room for.
@inline(never) private func readNumbers(
  _ text: UnsafeMutableBufferPointer<UInt8>, into values: UnsafeMutableBufferPointer<Double>
) {
  var position = 0
  for index in values.indices {
    var digits = 0
    var scale = 1.0
    var isFraction = false
    var isNegative = false
    scan: while true {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\n"): break scan
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      default:
        digits = digits &* 10 &+ Int(byte &- UInt8(ascii: "0"))
        if isFraction { scale *= 10 }
      }
    }
    let value = Double(digits) / scale
    values[index] = isNegative ? -value : value
  }
}
