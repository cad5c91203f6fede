import Measurements
import TextFormat

extension RunDocument {
  /// JSON for github-action-benchmark's tool `customSmallerIsBetter`, which alerts if a value grows: the p50 and p99 of
  /// frame times, the mean of counts, and the figures of a run, without phases and where smaller is better.
  func githubBenchmark() -> String {
    JSONTree.array(
      benchmarks.flatMap { record in
        record.figures(in: self).filter { $0.phase == nil && $0.metric.direction == .lowerIsBetter }.flatMap {
          entries(record, $0)
        }
      }
    ).render()
  }

  private func entries(_ record: BenchmarkRecord, _ figure: RecordedFigure) -> [JSONTree] {
    let unit = figure.metric.unit.rawValue
    if case .times(let time) = figure.values {
      return [FlatRow.Statistic.p50, .p99].compactMap { statistic in
        time.timing(statistic).flatMap {
          entry(record, "frame \(statistic.rawValue)", $0.nanoseconds, unit, halfWidth: $0.halfWidth)
        }
      }
    }
    let isCount = if case .counts = figure.values { true } else { false }
    let value = figure.single.flatMap { entry(record, figure.metric.title, $0, isCount ? "\(unit)/frame" : unit) }
    return value.map { [$0] } ?? []
  }

  private func entry(
    _ record: BenchmarkRecord, _ name: String, _ value: Double, _ unit: String, halfWidth: Double? = nil
  ) -> JSONTree? {
    guard value.isFinite else { return nil }
    return .object(
      [("name", .string("\(record.id) \(name)")), ("unit", .string(unit)), ("value", .number(value))]
        + (halfWidth.map { [("range", .string("± \(JSONText.number($0))"))] } ?? []) + [
          ("extra", .string(extra(record)))
        ])
  }

  /// The tooltip of a point of the chart: the conditions for comparing two points.
  private func extra(_ record: BenchmarkRecord) -> String {
    [
      "\(record.frame.alignedNanoseconds.count) frames, each the minimum of \(options.runsPhrase([record]))",
      "\(environment.machine), \(environment.toolchain), \(environment.buildConfiguration)",
      "checksum \(record.checksum)",
    ].joined(separator: "\n")
  }
}
