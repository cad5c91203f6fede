import FrameBench
import Measurements
import Statistics
import TextFormat

extension RunDocument {
  /// JSON as the Java Microbenchmark Harness writes it (`-rf json`), for tools that draw it, such as JMH
  /// Visualizer.
  ///
  /// A frame is one call of JMH's mode `ss`, single shot time; the size is the parameter `items`. The raw
  /// data are the aligned frames, one series, which is already the minimum over processes. An array in the
  /// order of the document, without benchmarks that recorded no frame.
  func jmh() -> String {
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

  /// Tools split the name at its dots: the last part is the benchmark, the rest its class. JMH's own names
  /// are Java's, without white space, and some tools read its text output, whose columns are separated by
  /// it.
  private static func identifier(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      let splits = scalar == "." || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
      return splits ? "_" : String(scalar)
    }
    return scalars.isEmpty ? "_" : scalars.joined()
  }

  /// Nil if no frame was recorded: the format has no absent score.
  private func entry(
    _ record: BenchmarkRecord, name: String, _ secondaryMetrics: () -> [(key: String, value: JSONTree)]
  ) -> JSONTree? {
    let frames = record.frame.alignedNanoseconds
    guard let primary = Self.metric(frames, noise: Self.noise(record.frame), unit: "ns/op") else { return nil }
    return .object([
      ("benchmark", .string(name)), ("mode", .string("ss")), ("threads", .number(1)), ("forks", .number(1)),
      ("warmupIterations", .number(Double(options.warmUpFrameCount))), ("warmupTime", .string("single-shot")),
      ("warmupBatchSize", .number(1)), ("measurementIterations", .number(Double(frames.count))),
      ("measurementTime", .string("single-shot")), ("measurementBatchSize", .number(1)),
      ("params", .object(parameters(record.id))), ("primaryMetric", primary),
      ("secondaryMetrics", .object(secondaryMetrics())),
    ])
  }

  private func parameters(_ id: BenchmarkID) -> [(String, JSONTree)] {
    [("items", .string(String(id.size)))] + id.parameters.map { ($0.name, .string($0.value)) }
  }

  /// Times of phases, counts of frames, and figures of runs.
  private static func secondaryMetric(
    _ figure: RecordedFigure, _ phases: inout UniqueNames, _ counters: inout UniqueNames
  ) -> (key: String, value: JSONTree)? {
    let metric = figure.metric
    let unit = [.bytes: "B", .count: "#"][metric.unit] ?? metric.unit.rawValue
    let (name, value): (String, JSONTree?)
    switch (figure.values, figure.phase) {
    case (.times(let time), let phase?):
      (name, value) = (
        "phase.\(phases(phase))", self.metric(time.alignedNanoseconds, noise: noise(time), unit: "ns/op")
      )
    case (.counts(let series), nil):
      (name, value) = (
        metric.isOfHarness ? metric.label : "counter.\(counters(metric.name))",
        self.metric(series.values.map(Double.init), noise: 0, unit: "\(unit)/op")
      )
    case (.figures(let figures), nil):
      (name, value) = (metric.label, self.metric([figures[0].value], noise: nil, unit: unit))
    default: return nil
    }
    return value.map { (name, $0) }
  }

  /// Half of the 95% interval of the mean, nanoseconds. JMH's own is a 99.9% interval of a mean of independent
  /// samples, which frames of one script are not.
  private static func noise(_ time: TimeRecord) -> Double? {
    time.halfWidths.map(\.mean).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func metric(_ values: [Double], noise: Double?, unit: String) -> JSONTree? {
    guard values.allSatisfy(\.isFinite), let mean = Summary(values)?.mean, mean.isFinite else { return nil }
    let sorted = values.sorted()
    // JMH writes unknown numbers as a string.
    let error = noise.map(JSONTree.number) ?? .string("NaN")
    let confidence = noise.map { JSONTree.numbers([mean - $0, mean + $0]) }
    return .object([
      ("score", .number(mean)), ("scoreError", error),
      ("scoreConfidence", confidence ?? .array([.string("NaN"), .string("NaN")])),
      (
        "scorePercentiles",
        .object(
          percentiles.map { text, probability in (text, .number(Quantile.type7(sorted: sorted, at: probability))) })
      ), ("scoreUnit", .string(unit)), ("rawData", .array([.numbers(values)])),
    ])
  }

  /// The percentiles that JMH writes, in its spelling.
  private static let percentiles: [(text: String, probability: Double)] = [
    ("0.0", 0), ("50.0", 0.5), ("90.0", 0.9), ("95.0", 0.95), ("99.0", 0.99), ("99.9", 0.999), ("99.99", 0.999_9),
    ("99.999", 0.999_99), ("99.9999", 0.999_999), ("100.0", 1),
  ]
}
