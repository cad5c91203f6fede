import Dispatch
import FrameBench

/// The program of a target that contains benchmarks. `BenchmarkPlugin` generates its entry point.
public protocol BenchmarkRunnerHooks {
  /// The name of the target.
  static var target: String { get }
  /// Calls the closure `benchmarks`, in which the suite registers its benchmarks.
  static func registerBenchmarks()
}

extension BenchmarkRunnerHooks {
  /// Registers the benchmarks, and does what springbench requests. It starts on the main thread.
  @MainActor public static func main() async {
    registerBenchmarks()
    await Suite(benchmarks: Benchmark.benchmarks, of: target).main()
  }
}

extension Suite {
  /// The time limit of a run, in seconds. With this limit, a suite of about 20 benchmarks is measured within a minute.
  private static let secondsPerRun = 0.1
  /// The maximum number of frames in a run. 1,000 frames are enough for the p99.
  private static let mostFrames = 1_000
  private static let mostWarmUpFrames = 100

  init(benchmarks: [Benchmark], of target: String) {
    self.init(target)
    var names: Set<String> = []
    let notes = MetricNotes(benchmarks)
    for benchmark in benchmarks {
      benchmark.target = target
      benchmark.addCounters()
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
    // This is safe, because a worker runs only one benchmark, on one thread at a time.
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
  /// The number of cores that a tag such as `["threads": "4"]` asks for. Without such a tag, all cores if a metric
  /// counts threads, or else nil.
  var cores: Int? {
    let counts = ["cores", "threads"].compactMap { tags[$0].flatMap { Int($0) } }.filter { $0 > 0 }
    return counts.first ?? (metrics.contains { [.threads, .threadsRunning].contains($0) } ? .max : nil)
  }

  /// The change of the time that the suite's thresholds allow, in percent. Nil if they allow none.
  var tolerancePercent: Double? {
    let ofTime = thresholds?[.wallClock] ?? thresholds?[.throughput]
    return ofTime.flatMap { Self.tolerance($0.relative) }.flatMap { $0 > 0 && $0 <= 1_000 ? $0 : nil }
  }

  /// The changes of the number of allocations that the suite's thresholds allow. Nil if they allow none.
  var allocationTolerance: AllocationTolerance? {
    guard let thresholds = thresholds?[.mallocCountTotal] else { return nil }
    let count = Self.tolerance(thresholds.absolute).map(Double.init)
    let percent = Self.tolerance(thresholds.relative)
    // package-benchmark checks each threshold by itself, so a threshold of 0 allows no change at all.
    guard count ?? percent != nil, count ?? 1 > 0, percent ?? 1 > 0, count ?? 0 <= 1e9, percent ?? 0 <= 1_000 else {
      return nil
    }
    return AllocationTolerance(count: count ?? 0, percent: percent ?? 0)
  }

  /// Returns the threshold of the p90, which threshold files contain. If the suite names none, returns the largest.
  private static func tolerance<Value: Comparable>(_ thresholds: [BenchmarkResult.Percentile: Value]) -> Value? {
    thresholds[.p90] ?? thresholds.values.max()
  }
}

/// Converts the names of benchmarks to names of scenarios, without slashes and spaces, as package-benchmark does for
/// file names.
enum BenchmarkName {
  /// - Parameter others: The names of earlier scenarios, which must not be used again.
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

/// A warning that names the metrics that a suite asks for, but springbench does not measure. Only the first benchmark
/// that asks for such a metric has the warning. Benchmarks that ask for just the default metrics do not count.
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
