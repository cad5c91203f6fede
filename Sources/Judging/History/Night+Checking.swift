import Foundation
import FrameBench
import Measurements
import TextFormat

extension Night {
  /// Why a file is not a usable night.
  package enum ReadingError: Error, Equatable, CustomStringConvertible {
    case notJSON
    /// JSON, but not a night.
    case foreign(String)
    case newer(Int)
    case inconsistent(String)

    /// One line, without the file's name.
    package var description: String {
      switch self {
      case .notJSON: "is not JSON, perhaps cut off; restore it from a copy"
      case .foreign(let problem): "is not a night of a history: \(problem)"
      case .newer(let version):
        "has schema version \(version), and this springbench reads \(Night.currentSchemaVersion): use a newer one"
      case .inconsistent(let problem): "contradicts itself: \(problem); restore it from a copy"
      }
    }
  }

  /// Compact JSON and a line feed.
  package func data() throws -> Data { try JSONText.file(self) }

  /// - Parameter data: JSON, as `data()` writes it or in any other form.
  /// - Throws: If it is not a night, is of a newer schema version, or contradicts itself.
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
      return .foreign("\(path(context.codingPath)) has the wrong type")
    case .dataCorrupted(let context)? where !context.codingPath.isEmpty:
      return .foreign("\(path(context.codingPath)): \(context.debugDescription)")
    default: return .notJSON
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
  }

  private func check() throws(ReadingError) {
    guard UTCTime(iso8601: startedAt) != nil else {
      throw .inconsistent("startedAt is \"\(startedAt.prefix(40))\", not a time such as 2026-11-21T03:00:00Z")
    }
    guard Set(metrics).count == metrics.count else { throw .inconsistent("a metric occurs twice") }
    var ids: Set<BenchmarkID> = []
    for benchmark in benchmarks {
      guard benchmark.values.count == metrics.count else {
        throw .inconsistent(
          "\(benchmark.id) has \(benchmark.values.count) values for \(metrics.count) metrics")
      }
      guard ids.insert(benchmark.id).inserted else { throw .inconsistent("\(benchmark.id) is there twice") }
      for (metric, value) in zip(metrics, benchmark.values) {
        // What a scenario counts may be below zero.
        let isOfHarness = Metric.named(FigureName(metric)?.metric ?? metric) != nil
        let range = (isOfHarness ? 0 : -Self.largestValue)...Self.largestValue
        guard let value, !range.contains(value) else { continue }
        throw .inconsistent("\(metric) of \(benchmark.id) is \(value), which cannot have been measured")
      }
    }
  }
}
