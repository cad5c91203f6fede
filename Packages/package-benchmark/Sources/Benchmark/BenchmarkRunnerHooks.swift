import Dispatch
import FrameBench

/// The program of a target of benchmarks, whose entry point `BenchmarkPlugin` writes.
public protocol BenchmarkRunnerHooks {
  /// Name of the target.
  static var target: String { get }
  /// Calls the suite's own `benchmarks`.
  static func registerBenchmarks()
}

extension BenchmarkRunnerHooks {
  /// Registers the benchmarks, and does what springbench asks for, on the main thread from the beginning.
  @MainActor public static func main() async {
    registerBenchmarks()
    await Suite(benchmarks: Benchmark.benchmarks, of: target).main()
  }
}

extension Suite {
  /// Time of a run, seconds, with which suites of some 20 benchmarks are measured within a minute.
  private static let secondsPerRun = 0.1
  /// The p99 rests on a thousand frames.
  private static let mostFrames = 1_000
  private static let mostWarmUpFrames = 100

  init(benchmarks: [Benchmark], of target: String) {
    self.init(target)
    var names: Set<String> = []
    let notes = MetricNotes(benchmarks)
    for benchmark in benchmarks {
      benchmark.target = target
      let name = BenchmarkName.plain(benchmark.name, unlike: names)
      names.insert(name)
      add(benchmark, as: name, notes)
    }
  }

  private mutating func add(_ benchmark: Benchmark, as name: String, _ notes: MetricNotes) {
    let configuration = benchmark.configuration
    let warning = notes.note(for: benchmark)
    let options = Scenario.Options(
      frameCount: min(max(configuration.maxIterations, 1), Self.mostFrames),
      warmUpFrameCount: min(max(configuration.warmupIterations, 0), Self.mostWarmUpFrames),
      secondsPerRun: min(Self.secondsPerRun, max(0, configuration.maxDuration / .seconds(1))),
      cores: configuration.cores, countsCalls: true, tolerancePercent: configuration.tolerancePercent,
      allocationTolerance: configuration.allocationTolerance, warnings: { _ in warning.map { [Warning($0)] } ?? [] })
    let tags = configuration.tags.map { BenchmarkName.plain("\($0.key)=\($0.value)").replacing(",", with: "_") }
      .sorted()
    let sizes = [configuration.scalingFactor.rawValue]
    // A worker runs one benchmark on one thread at a time.
    nonisolated(unsafe) let benchmark = benchmark
    switch benchmark.body {
    case .sync(let body):
      let frame = { benchmark.frame(body) }
      nonisolated(unsafe) let makeFrame = frame
      if benchmark.hasHooks {
        add(name, sizes: sizes, tags: tags, options: options) { context async throws -> Scenario.FrameBody in
          try await benchmark.setUp(context)
          return makeFrame()
        }
      } else {
        add(name, sizes: sizes, tags: tags, options: options) { context in
          benchmark.prepare(context)
          return makeFrame()
        }
      }
    case .async(let body):
      nonisolated(unsafe) let body = body
      add(name, sizes: sizes, tags: tags, options: options) { context async throws -> Scenario.AsyncFrameBody in
        try await benchmark.setUp(context)
        return benchmark.frame(body)
      }
    }
  }
}

extension Benchmark.Configuration {
  /// The cores that it asks for: as many as a tag says, as in `["threads": "4"]`, or all if it has threads counted. Nil:
  /// it does neither.
  var cores: Int? {
    let counts = ["cores", "threads"].compactMap { tags[$0].flatMap { Int($0) } }.filter { $0 > 0 }
    return counts.first ?? (metrics.contains { [.threads, .threadsRunning].contains($0) } ? .max : nil)
  }

  /// The largest change of the time that the suite's thresholds allow; nil: it has none above 0.
  var tolerancePercent: Double? {
    let ofTime = thresholds?[.wallClock] ?? thresholds?[.throughput]
    return ofTime?.relative.values.max().flatMap { $0 > 0 && $0 <= 1_000 ? $0 : nil }
  }

  /// The largest changes of the number of allocations that the suite's thresholds allow; nil: none.
  var allocationTolerance: AllocationTolerance? {
    guard let thresholds = thresholds?[.mallocCountTotal] else { return nil }
    let count = Double(thresholds.absolute.values.max() ?? 0)
    let percent = thresholds.relative.values.max() ?? 0
    guard count > 0 || percent > 0, count <= 1e9, percent <= 1_000 else { return nil }
    return AllocationTolerance(count: max(0, count), percent: max(0, percent))
  }
}

/// Names of scenarios: as package-benchmark writes them in names of files, without slashes and spaces.
enum BenchmarkName {
  /// - Parameter others: Names that are taken.
  static func plain(_ name: String, unlike others: Set<String> = []) -> String {
    let isPlain = { (character: Character) in
      !character.isWhitespace && character != "/"
        && !character.unicodeScalars.contains {
          $0.properties.generalCategory == .control || $0.properties.isBidiControl
        }
    }
    var plain = String(name.map { isPlain($0) ? $0 : "_" })
    while plain.utf8.count > 400 { plain.removeLast() }
    if plain.isEmpty { plain = "_" }
    return others.contains(plain) ? (2...).lazy.map { "\(plain)_\($0)" }.first { !others.contains($0) } ?? plain : plain
  }
}

/// Which metrics of a suite are left out, said once by the first benchmark that asks for one.
struct MetricNotes {
  private let first: ObjectIdentifier?
  private let text: String

  init(_ benchmarks: [Benchmark]) {
    let usual = Set(BenchmarkMetric.default)
    let asking = benchmarks.filter { benchmark in
      let metrics = benchmark.configuration.metrics
      return Set(metrics) != usual && metrics.contains { !$0.isMeasured }
    }
    let metrics = asking.flatMap(\.configuration.metrics).filter { !$0.isMeasured }.map(\.name)
    first = asking.first.map { ObjectIdentifier($0) }
    let counts = asking.count == 1 ? "1 benchmark asks" : "\(asking.count) benchmarks ask"
    text =
      "Metrics that springbench does not measure are left out: \(Set(metrics).sorted().joined(separator: ", "))"
      + " (\(counts) for them)."
  }

  func note(for benchmark: Benchmark) -> String? { first == ObjectIdentifier(benchmark) ? text : nil }
}
