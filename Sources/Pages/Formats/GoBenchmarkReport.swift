import FrameBench
import Measurements
import TextFormat

extension RunDocument {
  /// Go's benchmark format (golang.org/design/14313-benchmark-format), for benchstat. A sample is a frame: a line of
  /// one iteration whose ns/op is the minimum of all runs, so that benchstat's median is the report's p50; no sample is
  /// repeated or invented. A single figure for all frames has a line of its own; exact counts are declared so.
  func goBenchmark() -> String {
    var names = UniqueNames(separator: "_", spell: Self.field)
    let own = ["ns/op", "p99-ns/op", "max-ns/op"] + Metric.all.flatMap { [Self.unit($0), "\(Self.unit($0))/op"] }
    var units = UniqueNames(taken: Set(own), separator: "_") { "\(Self.field($0))/op" }
    var exact: [String] = []
    let lines = benchmarks.flatMap { record in
      let name = names(Self.name(record.id)) + "-1"
      let figures = record.figures(in: self).filter { $0.phase == nil }.flatMap { figure in
        Self.figures(figure, &units, &exact)
      }
      let frames = record.frame.alignedNanoseconds
      // The format has no iteration count of 0, and frames that were not recorded have no figures either.
      let last = "\(name) \(max(1, frames.count)) \(figures.joined(separator: " "))"
      return frames.filter(\.isFinite).map { "\(name) 1 \(JSONText.number($0)) ns/op" }
        + (figures.isEmpty ? [] : [last])
    }
    return (comments + configuration + exact.unique.map { "Unit \($0) assume=exact" } + [""] + lines).map { $0 + "\n" }
      .joined()
  }

  /// Unit of a value for the whole run. Go has names of its own for allocations.
  private static func unit(_ metric: Metric) -> String {
    [.allocationCount: "allocs", .allocatedBytes: "B"][metric] ?? UniqueNames.slug(metric.label)
  }

  private static func figures(_ figure: RecordedFigure, _ units: inout UniqueNames, _ exact: inout [String]) -> [String]
  {
    let metric = figure.metric
    let figures: [(value: Double?, unit: String)]
    switch figure.values {
    case .times(let time): figures = [(time.aligned?.p99, "p99-ns/op"), (time.aligned?.max, "max-ns/op")]
    case .counts:
      let unit = metric.isOfHarness ? "\(Self.unit(metric))/op" : units(metric.name)
      if metric.nature == .exact { exact.append(unit) }
      figures = [(figure.single, unit)]
    case .figures, .distribution, .text: figures = [(figure.single, unit(metric))]
    }
    return figures.compactMap { figure in
      figure.value.flatMap { $0.isFinite ? "\(JSONText.number($0)) \(figure.unit)" : nil }
    }
  }

  /// Differences between two runs, on lines outside the format: benchstat separates runs whose configurations differ.
  private var comments: [String] {
    let changes = environment.isDirty == true ? " with local changes" : ""
    let commit = environment.commit.map { ["# commit \($0.withoutBlanks(" "))\(changes)"] } ?? []
    return ["# run of \(startedAt.withoutBlanks(" "))"] + commit
  }

  /// The conditions that two runs must share for comparable times.
  private var configuration: [String] {
    let pairs: [(String, String?)] = [
      ("pkg", suite), ("cpu", environment.cpuModel), ("machine", environment.machine), ("kernel", environment.kernel),
      ("toolchain", environment.toolchain), ("build", environment.buildConfiguration),
      ("allocator", environment.allocator), ("refresh-rate", "\(options.refreshRateHertz) Hz"),
      ("warm-up-frames", "\(options.warmUpFrameCount)"), ("frames", "\(options.frameCount)"),
      ("runs", "\(options.runCount)"), ("seed", "\(options.seed)"),
    ]
    return pairs.compactMap { key, value in
      value.map { $0.withoutBlanks(" ") }.flatMap { $0.isEmpty ? nil : "\(key): \($0)" }
    }
  }

  /// `BenchmarkSprings/strategy=tiled/items=100`: Go takes only a name that continues in upper case for a benchmark.
  private static func name(_ id: BenchmarkID) -> String {
    let scenario = id.scenario.prefix(1).uppercased() + id.scenario.dropFirst()
    let isLower = scenario.unicodeScalars.first?.properties.generalCategory == .lowercaseLetter
    return "Benchmark\(isLower ? "_" : "")\(scenario)/strategy=\(id.strategy)/items=\(id.size)"
      + id.parameters.map { "/\($0)" }.joined()
  }

  /// Replaces white space, which ends a field. Go spells unprintable characters as an underscore, too.
  private static func field(_ text: String) -> String { text.isEmpty ? "_" : text.withoutBlanks("_") }
}
