import Foundation
import FrameBench
import TextFormat

extension Night {
  /// Why a file is no night that can be used.
  package enum ReadingError: Error, Equatable, CustomStringConvertible {
    case notJSON
    /// JSON, but of something else.
    case foreign(String)
    case newer(Int)
    case inconsistent(String)

    /// One line, without the file's name.
    package var description: String {
      switch self {
      case .notJSON: "is no JSON; it may be cut off: restore it from where it came"
      case .foreign(let problem): "is no night of a history: \(problem)"
      case .newer(let version):
        "has schema version \(version), and this springbench reads \(Night.currentSchemaVersion): use a newer one"
      case .inconsistent(let problem): "contradicts itself: \(problem); restore it from where it came"
      }
    }
  }

  /// Compact JSON and a line feed.
  package func data() throws -> Data { try JSONText.file(self) }

  /// - Parameter data: JSON, as `data()` writes it or in any other form.
  /// - Throws: Where it is no night, is of a newer schema version, or contradicts itself.
  package init(reading data: Data) throws(ReadingError) {
    do {
      self = try NightScanner.night(data) ?? JSONDecoder().decode(Night.self, from: data)
    } catch {
      throw Self.reason(data, error)
    }
    guard schemaVersion <= Self.currentSchemaVersion else { throw .newer(schemaVersion) }
    try check()
  }

  private struct Version: Decodable {
    var schemaVersion: Int?
  }

  private static func reason(_ data: Data, _ error: any Error) -> ReadingError {
    guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
      let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
      return isJSON ? .foreign("it has no schemaVersion") : .notJSON
    }
    if let number = version.schemaVersion, number > currentSchemaVersion { return .newer(number) }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context)?:
      return .foreign("\(path(context.codingPath + [key])) is missing")
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
      return .foreign("\(path(context.codingPath)) is of another type")
    case .dataCorrupted(let context)? where !context.codingPath.isEmpty:
      return .foreign("\(path(context.codingPath)): \(context.debugDescription)")
    default: return .notJSON
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
  }

  private func check() throws(ReadingError) {
    guard Moment(startedAt) != nil else {
      throw .inconsistent("startedAt is \"\(startedAt.prefix(40))\", no moment as 2026-11-21T03:00:00Z")
    }
    guard Set(metrics).count == metrics.count else { throw .inconsistent("a metric is named twice") }
    var ids: Set<BenchmarkID> = []
    for benchmark in benchmarks {
      guard benchmark.values.count == metrics.count else {
        throw .inconsistent(
          "\(benchmark.id) has \(benchmark.values.count) values for \(metrics.count) metrics")
      }
      guard ids.insert(benchmark.id).inserted else { throw .inconsistent("\(benchmark.id) is there twice") }
      guard benchmark.values.allSatisfy({ $0?.isFinite ?? true }) else {
        throw .inconsistent("a value of \(benchmark.id) is not finite")
      }
    }
  }
}

/// A UTC moment as documents write it, `2026-11-21T06:47:12Z`.
package struct Moment: Sendable, Hashable, Comparable {
  /// Days since 1970-01-01.
  package let day: Int
  /// Since midnight, up to 86,400 in a leap second.
  package let secondOfDay: Int

  /// Nil for any other form, fractions of a second too, and for a day that the month has not.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z") else {
      return nil
    }
    for (position, mark) in [(4, "-"), (7, "-"), (13, ":"), (16, ":")]
    where bytes[position] != mark.utf8.first {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(Int?(0)) { sum, byte in
        guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return sum * 10 + Int(byte - UInt8(ascii: "0"))
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let dayOfMonth = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), dayOfMonth >= 1, hour < 24, minute < 60, second <= 60
    else { return nil }
    day = Self.firstDay(year, month) + dayOfMonth - 1
    guard day < Self.firstDay(year, month + 1) else { return nil }
    secondOfDay = hour * 3_600 + minute * 60 + second
  }

  /// Days from the civil date, Howard Hinnant's algorithm: March is the first month of its year, so that a
  /// month 13 is the next January.
  private static func firstDay(_ year: Int, _ month: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func < (one: Moment, other: Moment) -> Bool {
    (one.day, one.secondOfDay) < (other.day, other.secondOfDay)
  }
}
