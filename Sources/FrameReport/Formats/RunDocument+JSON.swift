import Foundation
import FrameBench

extension RunDocument {
  /// Schema versions that this build reads.
  public static let readableSchemaVersions = 1...RunDocument.currentSchemaVersion

  /// The content of `run.json`: one line, no white space, keys sorted, so that the same document is the
  /// same bytes.
  ///
  /// - Throws: `EncodingError` where a number is infinite or none; JSON has no such numbers.
  public func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Reads the content of a `run.json`.
  ///
  /// - Throws: `RunDocumentError`, which says what is wrong and where. It does not know the file's name:
  ///   put that before it.
  public init(contentsOf data: Data) throws {
    try self.init(contentsOf: data, readableVersions: Self.readableSchemaVersions)
  }

  init(contentsOf data: Data, readableVersions: ClosedRange<Int>) throws {
    guard data.contains(where: { !"\n\r\t ".utf8.contains($0) }) else { throw RunDocumentError.empty }
    let decoder = JSONDecoder()
    do {
      let head = try decoder.decode(Head.self, from: data)
      guard let version = head.schemaVersion else { throw RunDocumentError.notRunDocument(.noVersion) }
      guard version <= readableVersions.upperBound else {
        throw RunDocumentError.newer(version: version, readable: readableVersions)
      }
      guard version >= readableVersions.lowerBound else {
        throw RunDocumentError.older(version: version, readable: readableVersions)
      }
      // Its series are checked before they are added up: sums of hostile counts would trap.
      _ = try decoder.decode(SeriesCheck.self, from: data)
      self = try decoder.decode(RunDocument.self, from: data)
    } catch let error as DecodingError {
      throw RunDocumentError(error, data: data)
    }
    try checkConsistency()
  }

  private struct Head: Decodable {
    var schemaVersion: Int?
  }
}

extension RunDocument {
  /// What the types cannot say: names that stand once, and one value a frame in every series.
  private func checkConsistency() throws(RunDocumentError) {
    for (index, name) in repeated(benchmarks.map(\.id.description)) {
      throw .invalid(path: "benchmarks[\(index)].id", reason: "\"\(name)\" stands here for the second time")
    }
    for (index, record) in benchmarks.enumerated() {
      let path = "benchmarks[\(index)]"
      for (phase, name) in repeated(record.phases.map(\.name)) {
        throw .invalid(
          path: "\(path).phases[\(phase)].name", reason: "\"\(name)\" stands here for the second time")
      }
      let frameCount = record.frame.alignedNanoseconds.count
      for (series, count) in Self.seriesLengths(record) where count != frameCount {
        throw .invalid(
          path: "\(path).\(series)",
          reason: "\(Format.plural(count, "value")), and \(path).frame.alignedNanoseconds has"
            + " \(Format.integer(frameCount)); every series has one value a recorded frame")
      }
    }
    guard options.refreshRateHertz > 0 else {
      throw .invalid(path: "options.refreshRateHertz", reason: "\(options.refreshRateHertz) is not above 0")
    }
  }

  /// The first name that stands twice, and where for the second time; nothing where there is none.
  private func repeated(_ names: [String]) -> [(index: Int, name: String)] {
    var seen = Set<String>()
    return names.enumerated().first { !seen.insert($0.element).inserted }.map { [($0.offset, $0.element)] } ?? []
  }

  private static func seriesLengths(_ record: BenchmarkRecord) -> [(path: String, count: Int)] {
    var lengths: [(String, Int)] = []
    func add(_ path: String, _ series: AllocationSeries?) {
      guard let series else { return }
      lengths += [("\(path).count", series.count.count), ("\(path).bytes", series.bytes.count)]
    }
    for (index, phase) in record.phases.enumerated() {
      lengths.append(("phases[\(index)].time.alignedNanoseconds", phase.time.alignedNanoseconds.count))
      add("phases[\(index)].allocations", phase.allocations)
    }
    add("allocations.frameThread", record.allocations?.frameThread)
    add("allocations.otherThreads", record.allocations?.otherThreads)
    for name in [record].counterNames {
      lengths.append(("counters.\(name)", record.counters[name]?.count ?? 0))
    }
    return lengths
  }
}
