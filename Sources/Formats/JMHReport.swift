import Markup
import Measurements
import Pages
import Statistics
import TextFormat

extension RunDocument {
  /// The run as JSON in the format of the Java Microbenchmark Harness (`-rf json`), for tools such as JMH Visualizer. A
  /// frame is one call in mode `ss`, single shot time. The raw data are the aligned frames. Benchmarks without frames
  /// are left out.
  package func jmh() -> String {
    let spelling = UniqueNames(separator: "_", spell: Self.identifier)
    var (scenarios, strategies, phases, counters) = (spelling, spelling, spelling, spelling)
    let suite = Self.identifier(suite)
    let entries = benchmarks.compactMap { record in
      entry(record, name: "\(suite).\(scenarios(record.id.scenario)).\(strategies(record.id.strategy))") {
        record.figures(in: self).compactMap { Self.secondaryMetric($0, &phases, &counters) }
      }
    }
    return JSONTree.array(entries).render()
  }

  /// The name without dots and white space. Tools split a name at its dots: the last part is the benchmark, the rest is
  /// its class. White space would end the name.
  private static func identifier(_ name: String) -> String {
    name.isEmpty ? "_" : name.withoutBlanks("_").escaped([".": "_"])
  }

  /// The entry of a benchmark. Nil if no frame was recorded, because the format requires a score.
  private func entry(_ record: BenchmarkRecord, name: String, _ secondaryMetrics: () -> JSONMembers) -> JSONTree? {
    let frames = record.frame.alignedNanoseconds
    guard let primary = Self.metric(frames, noise: Self.noise(record.frame), unit: "ns/op") else { return nil }
    let parameters = record.id.parameters.map { ($0.name, JSONTree.string($0.value)) }
    return .object([
      ("benchmark", .string(name)), ("mode", .string("ss")), ("threads", .number(1)), ("forks", .number(1)),
      ("warmupIterations", .number(Double(options.warmUpFrameCount))), ("warmupTime", .string("single-shot")),
      ("warmupBatchSize", .number(1)), ("measurementIterations", .number(Double(frames.count))),
      ("measurementTime", .string("single-shot")), ("measurementBatchSize", .number(1)),
      ("params", .object([("items", .string(String(record.id.size)))] + parameters)), ("primaryMetric", primary),
      ("secondaryMetrics", .object(secondaryMetrics())),
    ])
  }

  private static func secondaryMetric(
    _ figure: RecordedFigure, _ phases: inout UniqueNames, _ counters: inout UniqueNames
  ) -> (key: String, value: JSONTree)? {
    let metric = figure.metric
    let unit = [.bytes: "B", .count: "#"][metric.unit] ?? metric.unit.rawValue
    switch (figure.values, figure.phase) {
    case (.times(let time), let phase?):
      let name = "phase.\(phases(phase))"
      return self.metric(time.alignedNanoseconds, noise: noise(time), unit: "ns/op").map { (name, $0) }
    case (.counts(let series), nil):
      let name = metric.isOfHarness ? metric.label : "counter.\(counters(metric.name))"
      return self.metric(series.values.map(Double.init), noise: 0, unit: "\(unit)/op").map { (name, $0) }
    case (.figures(let figures), nil):
      return self.metric([figures[0].value], noise: nil, unit: unit).map { (metric.label, $0) }
    default: return nil
    }
  }

  /// Half of the 95% interval of the mean, nanoseconds. JMH itself writes a 99.9% interval for independent samples,
  /// which frames are not.
  private static func noise(_ time: TimeRecord) -> Double? {
    time.halfWidths.map(\.mean).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func metric(_ values: [Double], noise: Double?, unit: String) -> JSONTree? {
    guard values.allSatisfy(\.isFinite), let mean = Summary(values)?.mean, mean.isFinite else { return nil }
    let sorted = values.sorted()
    // JMH writes unknown numbers as a string.
    let error = noise.map(JSONTree.number) ?? .string("NaN")
    let confidence = noise.map { JSONTree.numbers([mean - $0, mean + $0]) }
    let percentiles = percentiles.map { ($0.text, JSONTree.number(Quantile.type7(sorted: sorted, at: $0.probability))) }
    return .object([
      ("score", .number(mean)), ("scoreError", error),
      ("scoreConfidence", confidence ?? .array([.string("NaN"), .string("NaN")])),
      ("scorePercentiles", .object(percentiles)), ("scoreUnit", .string(unit)), ("rawData", .array([.numbers(values)])),
    ])
  }

  private static let percentiles: [(text: String, probability: Double)] = [
    ("0.0", 0), ("50.0", 0.5), ("90.0", 0.9), ("95.0", 0.95), ("99.0", 0.99), ("99.9", 0.999), ("99.99", 0.999_9),
    ("99.999", 0.999_99), ("99.9999", 0.999_999), ("100.0", 1),
  ]
}
