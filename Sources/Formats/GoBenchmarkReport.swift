import FrameBench
import Measurements
import TextFormat

extension RunDocument {
  /// Returns the run in Go's benchmark format (golang.org/design/14313-benchmark-format), for benchstat. Each frame is
  /// a sample: a line of one iteration, whose ns/op is the minimum over the runs. So benchstat's median equals the
  /// report's p50. Figures of all frames together are on a separate line. Counts without noise are declared as exact.
  package func goBenchmark() -> String {
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
      // The format does not allow 0 iterations. So a benchmark without recorded frames gets 1, and its line contains
      // only figures of the whole run.
      let last = "\(name) \(max(1, frames.count)) \(figures.joined(separator: " "))"
      return frames.filter(\.isFinite).map { "\(name) 1 \(JSONText.number($0)) ns/op" }
        + (figures.isEmpty ? [] : [last])
    }
    return (comments + configuration + exact.unique.map { "Unit \($0) assume=exact" } + [""] + lines).map { $0 + "\n" }
      .joined()
  }

  /// Returns the unit of a metric, without `/op`. Allocations have Go's units, `allocs` and `B`.
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

  /// Facts that differ between runs, as comments. As configuration lines, they would keep benchstat from comparing
  /// runs.
  private var comments: [String] {
    let changes = environment.isDirty == true ? " with local changes" : ""
    let commit = environment.commit.map { ["# commit \($0.withoutBlanks(" "))\(changes)"] } ?? []
    return ["# run of \(startedAt.withoutBlanks(" "))"] + commit
  }

  /// The conditions that must be equal for times of two runs to be comparable, as configuration lines.
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

  /// Returns the name in the style of Go: `BenchmarkSprings/strategy=tiled/items=100`. Go does not recognize a
  /// benchmark if a lowercase letter follows `Benchmark`.
  private static func name(_ id: BenchmarkID) -> String {
    let scenario = id.scenario.prefix(1).uppercased() + id.scenario.dropFirst()
    let isLower = scenario.unicodeScalars.first?.properties.generalCategory == .lowercaseLetter
    return "Benchmark\(isLower ? "_" : "")\(scenario)/strategy=\(id.strategy)/items=\(id.size)"
      + id.parameters.map { "/\($0)" }.joined()
  }

  /// Returns the text with underscores in place of control characters and white space, because white space would end
  /// the field. Go replaces white space in the same way.
  private static func field(_ text: String) -> String { text.isEmpty ? "_" : text.withoutBlanks("_") }
}
