import Foundation
import FrameBench

/// Reads the large part of a night, its values, without `Codable`, which would take most of the time of
/// reading two thousand nights. It reads what `Night.data()` writes; everything else is left to
/// `JSONDecoder`, which knows all of JSON and reports errors.
struct NightScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Nil for what it does not understand.
  static func night(_ data: Data) throws -> Night? {
    try data.withUnsafeBytes { raw -> Night? in
      var scanner = NightScanner(bytes: raw.bindMemory(to: UInt8.self))
      guard let (range, benchmarks) = scanner.benchmarks() else { return nil }
      let rest = Data(raw[..<range.lowerBound]) + Data("[]".utf8) + Data(raw[range.upperBound...])
      var night = try JSONDecoder().decode(Night.self, from: rest)
      night.benchmarks = benchmarks
      return night
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The value of `benchmarks`, and where it stands.
  private mutating func benchmarks() -> (Range<Int>, [Night.Benchmark])? {
    guard let start = Self.find(Array("\"benchmarks\":[".utf8), in: bytes) else { return nil }
    position = start + "\"benchmarks\":".utf8.count
    let first = position
    var benchmarks: [Night.Benchmark] = []
    guard take("[") else { return nil }
    if take("]") { return (first..<position, benchmarks) }
    repeat {
      guard let benchmark = benchmark() else { return nil }
      benchmarks.append(benchmark)
    } while take(",")
    guard take("]") else { return nil }
    return (first..<position, benchmarks)
  }

  /// Where the key stands at the top level: nowhere inside of an object, a list or a string.
  private static func find(_ key: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var depth = 0
    var index = 0
    while index + key.count <= bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        if depth == 1, bytes[index..<(index + key.count)].elementsEqual(key) { return index }
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      default: break
      }
      index += 1
    }
    return nil
  }

  private mutating func benchmark() -> Night.Benchmark? {
    guard take("{\"checksum\":"), let checksum = string(), take(",\"id\":"), let text = string(),
      let id = BenchmarkID(text), take(",\"values\":["), let values = values(), take("}")
    else { return nil }
    return Night.Benchmark(id: id, checksum: checksum, values: values)
  }

  private mutating func values() -> [Double?]? {
    var values: [Double?] = []
    values.reserveCapacity(32)
    if take("]") { return values }
    repeat {
      if take("null") {
        values.append(nil)
      } else if let number = number() {
        values.append(number)
      } else {
        return nil
      }
    } while take(",")
    return take("]") ? values : nil
  }

  private mutating func number() -> Double? {
    let start = position
    while position < bytes.count, Self.isOfNumber(bytes[position]) { position += 1 }
    // Something follows, else the digits may go on behind the end.
    guard position > start, position < bytes.count, bytes[start] != UInt8(ascii: "+"),
      let address = bytes.baseAddress
    else { return nil }
    return UnsafeRawPointer(address + start).withMemoryRebound(to: CChar.self, capacity: position - start) {
      text in
      var end: UnsafeMutablePointer<CChar>?
      let value = strtod(text, &end)
      return end.map { UnsafePointer($0) } == text + (position - start) && value.isFinite ? value : nil
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Without escapes.
  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      guard bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") else { return nil }
      position += 1
    }
    guard let text = String(validating: bytes[start..<position], as: UTF8.self), take("\"") else {
      return nil
    }
    return text
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count, let address = bytes.baseAddress,
      memcmp(address + position, text.utf8Start, count) == 0
    else { return false }
    position += count
    return true
  }
}
