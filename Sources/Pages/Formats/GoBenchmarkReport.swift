import FrameBench
import Measurements
import TextFormat

/// Go's benchmark format (golang.org/design/14313-benchmark-format), for benchstat.
///
/// A sample is a frame: a line of one iteration whose ns/op is the minimum of all runs, so that benchstat's
/// median is the report's p50. What is one figure for all frames stands on a line of its own; exact counts
/// are declared exact. No sample is repeated or made up to give benchstat the several runs that it likes: its
/// p-value compares the frames of two documents, and ignores the noise between processes.
package struct GoBenchmarkReport: Sendable {
  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// Configuration and exact units first, then by benchmark the frames and the line of its other figures.
  package func render() -> String {
    var names = UniqueNames(separator: "_", spell: Self.field)
    var units = UniqueNames(taken: Self.ownUnits, separator: "_") { "\(Self.field($0))/op" }
    let lines = document.benchmarks.map { record in
      let name = names(Self.name(record.id)) + "-1"
      return (frames: frames(record, name), figures: figures(record, name, &units))
    }
    let counters = document.benchmarks.counterNames.map { units($0) }
    let exact = (["B/op", "allocs/op", "other-thread-allocs/op", "other-thread-B/op"] + counters).map {
      "Unit \($0) assume=exact"
    }
    return (comments + configuration + exact + [""] + lines.flatMap { $0.frames + $0.figures })
      .map { $0 + "\n" }.joined()
  }

  private static let ownUnits: Set<String> = [
    "ns/op", "B/op", "allocs/op", "other-thread-allocs/op", "other-thread-B/op", "p99-ns/op", "max-ns/op",
    "max-deviation-points", "peak-resident-B", "live-heap-B",
  ]

  /// What differs between two runs that are to be compared. benchstat keeps apart what differs in its
  /// configuration, so it must not stand there; a line that starts with # is not part of the format.
  private var comments: [String] {
    let environment = document.environment
    let commit = environment.commit.map { commit in
      "# commit \(Self.line(commit))\(environment.isDirty == true ? " with local changes" : "")"
    }
    return ["# run of \(Self.line(document.startedAt))"] + (commit.map { [$0] } ?? [])
  }

  /// What two runs must have in common for their times to compare.
  private var configuration: [String] {
    let environment = document.environment
    let options = document.options
    let pairs: [(String, String?)] = [
      ("pkg", document.suite), ("cpu", environment.cpuModel), ("machine", environment.machine),
      ("kernel", environment.kernel), ("toolchain", environment.toolchain),
      ("build", environment.buildConfiguration), ("allocator", environment.allocator),
      ("refresh-rate", "\(options.refreshRateHertz) Hz"), ("warm-up-frames", "\(options.warmUpFrameCount)"),
      ("frames", "\(options.frameCount)"), ("runs", "\(options.runCount)"), ("seed", "\(options.seed)"),
    ]
    return pairs.compactMap { key, value in
      value.map(Self.line).flatMap { $0.isEmpty ? nil : "\(key): \($0)" }
    }
  }

  private func frames(_ record: BenchmarkRecord, _ name: String) -> [String] {
    record.frame.alignedNanoseconds.filter(\.isFinite).map { "\(name) 1 \(JSONText.number($0)) ns/op" }
  }

  private func figures(_ record: BenchmarkRecord, _ name: String, _ units: inout UniqueNames) -> [String] {
    var figures: [(value: Double?, unit: String)] = [
      (record.frame.aligned?.p99, "p99-ns/op"), (record.frame.aligned?.max, "max-ns/op"),
      (record.allocations?.frameThread.bytes.mean, "B/op"),
      (record.allocations?.frameThread.count.mean, "allocs/op"),
      (record.allocations?.otherThreads.count.mean, "other-thread-allocs/op"),
      (record.allocations?.otherThreads.bytes.mean, "other-thread-B/op"),
    ]
    for counter in [record].counterNames { figures.append((record.counters[counter]?.mean, units(counter))) }
    figures.append((record.deviation?.largestDistance, "max-deviation-points"))
    figures.append((record.memory.peakResidentBytes.map(Double.init), "peak-resident-B"))
    figures.append((record.memory.liveHeapBytes.map(Double.init), "live-heap-B"))
    let present = figures.compactMap { figure in
      figure.value.flatMap { $0.isFinite ? "\(JSONText.number($0)) \(figure.unit)" : nil }
    }
    // The format has no iteration count of 0, and frames that were not recorded have no figures either.
    let iterations = max(1, record.frame.alignedNanoseconds.count)
    return present.isEmpty ? [] : ["\(name) \(iterations) \(present.joined(separator: " "))"]
  }

  /// `springs/tiled/100` → `BenchmarkSprings/strategy=tiled/items=100`. Go takes a name that goes on in
  /// lower case for no benchmark; not every small letter has a great one.
  private static func name(_ id: BenchmarkID) -> String {
    let scenario = id.scenario.prefix(1).uppercased() + id.scenario.dropFirst()
    let isLower = scenario.unicodeScalars.first?.properties.generalCategory == .lowercaseLetter
    return "Benchmark\(isLower ? "_" : "")\(scenario)/strategy=\(id.strategy)/items=\(id.size)"
      + id.parameters.map { "/\($0)" }.joined()
  }

  /// A field ends at white space. Go spells what it cannot print as an underscore too. Scalars, since Swift
  /// takes several of them for one character.
  private static func field(_ text: String) -> String {
    let field = text.unicodeScalars.map { isBlank($0) ? "_" : String($0) }.joined()
    return field.isEmpty ? "_" : field
  }

  private static func line(_ text: String) -> String {
    text.unicodeScalars.map { isBlank($0) ? " " : String($0) }.joined()
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }
}
