import Measurements
import Pages
import TextFormat

extension RunDocument {
  /// Returns the run in Bencher Metric Format: each benchmark has measures, and each measure has a value with a lower
  /// and an upper bound. `latency`, Bencher's own measure, is the p50 frame time in nanoseconds with its interval.
  /// Bencher creates other measures on upload. A count has its mean as value, and its minimum and maximum as bounds.
  /// - Throws: `ReportFormatError` if the name of a benchmark has more than 1,024 bytes of UTF-8, or the
  ///   name of a measure more than 64.
  package func bencherMetrics() throws -> String {
    let own = ["latency", "latency-p99"] + Metric.all.map { UniqueNames.slug($0.label) }
    var slugs = UniqueNames(taken: Set(own), separator: "-", spell: UniqueNames.slug)
    let benchmarks = try benchmarks.map { record in
      let measures = try record.figures(in: self).flatMap { try Self.measures($0, &slugs) }
      return (key: try Self.checked(record.id.description, limit: 1_024), value: measures)
    }
    return JSONTree.object(benchmarks.filter { !$0.value.isEmpty }.map { ($0.key, .object($0.value)) }).render()
  }

  private static func measures(_ figure: RecordedFigure, _ slugs: inout UniqueNames) throws -> JSONMembers {
    let metric = figure.metric
    switch (figure.values, figure.phase) {
    case (.times(let time), nil):
      return try measure("latency", time.timing(.p50)) + measure("latency-p99", time.timing(.p99))
    case (.times(let time), let phase?): return try measure(slugs("\(phase) latency", kind: "phase"), time.timing(.p50))
    case (.counts(let series), nil):
      guard let summary = series.summary else { return [] }
      let name = metric.isOfHarness ? UniqueNames.slug(metric.label) : slugs(metric.name)
      return try measure(name, summary.mean, summary.min, summary.max)
    case (.figures(let figures), nil):
      return try figures.prefix(1).flatMap { try measure(UniqueNames.slug(metric.label), $0.value) }
    case (.counts, _), (.figures, _), (.distribution, _), (.text, _): return []
    }
  }

  private static func measure(_ name: String, _ time: Timing?) throws -> JSONMembers {
    guard let (value, half) = time.map({ ($0.nanoseconds, $0.halfWidth) }) else { return [] }
    return try measure(name, value, half.map { max(0, value - $0) }, half.map { value + $0 })
  }

  private static func measure(_ name: String, _ value: Double, _ lower: Double? = nil, _ upper: Double? = nil) throws
    -> JSONMembers
  {
    guard value.isFinite else { return [] }
    let bounds = [("lower_value", lower), ("upper_value", upper)].compactMap { key, bound in
      bound.flatMap { $0.isFinite ? (key: key, value: JSONTree.number($0)) : nil }
    }
    return [(try checked(name, limit: 64), .object([(key: "value", value: .number(value))] + bounds))]
  }

  private static func checked(_ name: String, limit: Int) throws -> String {
    guard name.utf8.count <= limit else {
      throw ReportFormatError(
        "--format bmf: the name \"\(name.prefix(40))…\" has \(Format.integer(name.utf8.count)) bytes of UTF-8 and this"
          + " format allows at most \(Format.integer(limit)); give the scenario, strategy, phase or counter a shorter name"
      )
    }
    return name
  }
}
