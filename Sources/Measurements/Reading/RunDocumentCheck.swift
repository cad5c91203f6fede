import FrameBench
import TextFormat

/// Checks what the types of a run document cannot express: unique names, one value per frame in every series,
/// plausible numbers. Everything that computes with a document relies on it.
struct RunDocumentCheck {
  /// More frames, runs, or hertz than any run has.
  static let largestOption = 1_000_000_000
  /// Eleven days, in nanoseconds: more than any frame takes.
  static let longestTime = 1e15
  /// Up to here every reader of JSON gets a whole number exactly.
  static let largestCount = 1 << 53
  /// Values of all run-length series together, once they are expanded: 2 GB.
  static let largestSeriesLength = 1 << 28

  let document: RunDocument

  init(_ document: RunDocument) {
    self.document = document
  }

  func check() throws(RunDocumentError) {
    try number("durationSeconds", document.durationSeconds, upTo: 1e12)
    try checkOptions()
    try check(document.environment, "environment")
    try checkParts()
    try checkCalibration()
    try checkClaims()
    for (scenario, percent) in document.tolerancesPercent ?? [:] {
      try number("tolerancesPercent.\(scenario)", percent, upTo: 1_000)
    }
    try checkCapacities()
    try unique(document.benchmarks.map(\.id.description)) { "benchmarks[\($0)].id" }
    try checkLength()
    try checkStretches()
    for (index, record) in document.benchmarks.enumerated() { try check(record, "benchmarks[\(index)]") }
  }

  private func checkOptions() throws(RunDocumentError) {
    let options = document.options
    try count("options.frameCount", options.frameCount, 1...Self.largestOption)
    try count("options.warmUpFrameCount", options.warmUpFrameCount, 0...Self.largestOption)
    for (name, frames) in options.scenarioFrames ?? [:] {
      if let recorded = frames.recorded {
        try count("options.scenarioFrames.\(name).recorded", recorded, 1...Self.largestOption)
      }
      if let warmUp = frames.warmUp {
        try count("options.scenarioFrames.\(name).warmUp", warmUp, 0...Self.largestOption)
      }
    }
    try count("options.runCount", options.runCount, 1...Self.largestOption)
    try share("options.budgetShare", options.budgetShare)
    try number("options.passSecondsLimit", options.passSecondsLimit)
    if let layoutCount = options.layoutCount {
      try count("options.layoutCount", layoutCount, 2...Self.largestOption)
    }
    try count("options.refreshRateHertz", options.refreshRateHertz, 1...Self.largestOption)
  }

  private func check(_ environment: Environment, _ path: String) throws(RunDocumentError) {
    try count("\(path).coreCount", environment.coreCount, 1...Self.largestOption)
    try count("\(path).memoryBytes", environment.memoryBytes)
    try number("\(path).loadAverage", environment.loadAverage, upTo: 1e12)
    let clock = environment.clock
    try number("\(path).clock.pairCostNanoseconds", clock.pairCostNanoseconds)
    try number("\(path).clock.resolutionNanoseconds", clock.resolutionNanoseconds)
  }

  private func checkParts() throws(RunDocumentError) {
    guard let parts = document.parts else { return }
    for (index, part) in parts.enumerated() {
      try number("parts[\(index)].durationSeconds", part.durationSeconds, upTo: 1e12)
      try check(part.environment, "parts[\(index)].environment")
    }
    // So that each benchmark has one environment, and merging finds duplicates.
    let places = parts.indices.flatMap { part in
      parts[part].benchmarks.indices.map { (path: "parts[\(part)].benchmarks[\($0)]", part: part, index: $0) }
    }
    let ids = places.map { parts[$0.part].benchmarks[$0.index] }
    try unique(ids.map(\.description)) { places[$0].path }
    let known = Set(ids)
    if let id = document.allIDs.first(where: { !known.contains($0) }) {
      throw .invalid(path: "parts", reason: "\(id) is in none of them")
    }
  }

  private func check(_ record: BenchmarkRecord, _ path: String) throws(RunDocumentError) {
    let frames = Frames(path: path, count: record.frame.alignedNanoseconds.count)
    let expected = document.options.of(scenario: record.id.scenario).frameCount
    guard frames.count == 0 || frames.count == expected else {
      throw .invalid(
        path: "\(path).frame.alignedNanoseconds",
        reason: "\(Format.plural(frames.count, "value")), and options say \(expected); every series has one"
          + " value a recorded frame")
    }
    try check(record.frame, "\(path).frame", frames)
    try unique(record.phases.map(\.name)) { "\(path).phases[\($0)].name" }
    for (index, phase) in record.phases.enumerated() {
      try check(phase.time, "\(path).phases[\(index)].time", frames)
      try check(phase.allocations, "\(path).phases[\(index)].allocations", frames)
    }
    if let calls = record.callsPerFrame { try count("\(path).callsPerFrame", calls, 1...Self.largestOption) }
    if let amount = record.throughput?.amount {
      try count("\(path).throughput.amount", amount, 1...Self.largestOption)
    }
    if let allocations = record.allocations { try check(allocations, "\(path).allocations", frames) }
    for name in [record].counterNames {
      guard let series = record.counters[name] else { continue }
      try frames.check(series.count, "\(path).counters.\(name)")
      try check(series, "\(path).counters.\(name)", from: -Self.largestCount)
    }
    try count("\(path).memory.peakResidentBytes", record.memory.peakResidentBytes)
    try count("\(path).memory.liveHeapBytes", record.memory.liveHeapBytes)
    if let budget = record.budget { try check(budget, "\(path).budget") }
    try check(record.instructions, "\(path).instructions", frames)
    try check(record.hardwareInstructions, "\(path).hardwareInstructions", frames)
    if let deviation = record.deviation { try check(deviation, "\(path).deviation") }
  }

  private func check(
    _ time: TimeRecord, _ path: String, _ frames: Frames
  ) throws(RunDocumentError) {
    try frames.check(time.alignedNanoseconds.count, "\(path).alignedNanoseconds")
    for (index, value) in time.alignedNanoseconds.enumerated() {
      try number("\(path).alignedNanoseconds[\(index)]", value)
    }
    let pooled = time.pooled
    try count("\(path).pooled.sampleCount", pooled.sampleCount)
    try check(
      TimeFigures(p50: pooled.p50, p90: pooled.p90, p99: pooled.p99, max: pooled.max, mean: pooled.mean),
      "\(path).pooled")
    for (index, run) in (time.runs ?? []).enumerated() { try check(run, "\(path).runs[\(index)]") }
    if let halfWidths = time.halfWidths { try check(halfWidths, "\(path).halfWidths") }
    try number("\(path).layoutSpread", time.layoutSpread)
  }

  private func check(_ figures: TimeFigures, _ path: String) throws(RunDocumentError) {
    for (name, value) in zip(["p50", "p90", "p99", "max", "mean"], figures.all) {
      try number("\(path).\(name)", value)
    }
  }

  private func check(
    _ allocations: AllocationRecord, _ path: String, _ frames: Frames
  ) throws(RunDocumentError) {
    try check(allocations.frameThread, "\(path).frameThread", frames)
    try check(allocations.otherThreads, "\(path).otherThreads", frames)
    try count("\(path).setUpCount", allocations.setUpCount)
    try count("\(path).setUpBytes", allocations.setUpBytes)
    try count("\(path).warmUpCount", allocations.warmUpCount)
    try count("\(path).warmUpBytes", allocations.warmUpBytes)
  }

  private func check(
    _ series: AllocationSeries?, _ path: String, _ frames: Frames
  ) throws(RunDocumentError) {
    guard let series else { return }
    for (name, counts) in [("count", series.count), ("bytes", series.bytes)] {
      try frames.check(counts.count, "\(path).\(name)")
      try check(counts, "\(path).\(name)")
    }
  }

  /// So that totals of several series can be added.
  private func check(
    _ series: CountSeries, _ path: String, from smallest: Int = 0
  ) throws(RunDocumentError) {
    let range = smallest...Self.largestCount
    for (index, run) in series.runs.enumerated() { try count("\(path)[\(index)]", run.value, range) }
    try count("the sum of \(path)", series.total, range)
  }

  private func check(
    _ instructions: InstructionRecord?, _ path: String, _ frames: Frames
  ) throws(RunDocumentError) {
    guard let instructions else { return }
    try unique(instructions.phases.map(\.name)) { "\(path).phases[\($0)].name" }
    try count("\(path).frameOverhead", instructions.frameOverhead)
    let series =
      [("frames", instructions.frames)]
      + instructions.phases.indices.map { ("phases[\($0)].frames", instructions.phases[$0].frames) }
    for (name, counts) in series {
      // If counting takes too long, only the first frames are counted.
      try count("the length of \(path).\(name)", counts.count, 0...frames.count)
      try check(counts, "\(path).\(name)")
    }
  }

  private func checkLength() throws(RunDocumentError) {
    let stretches = (document.stretches ?? []).reduce(0.0) { $0 + Double($1.frames.count) }
    let length = document.benchmarks.reduce(stretches) { length, record in
      let series =
        Array(record.counters.values)
        + [record.instructions, record.hardwareInstructions]
        .compactMap(\.self).flatMap { [$0.frames] + $0.phases.map(\.frames) }
      return series.reduce(length) { $0 + Double($1.count) }
    }
    try number("the length of all series", length, upTo: Double(Self.largestSeriesLength))
  }

  private func check(_ deviation: DeviationRecord, _ path: String) throws(RunDocumentError) {
    try number("\(path).largestDistance", deviation.largestDistance, upTo: .greatestFiniteMagnitude)
    try number("\(path).meanDistance", deviation.meanDistance, upTo: .greatestFiniteMagnitude)
    try count("\(path).frameCount", deviation.frameCount, 0...Self.largestOption)
    try count("\(path).missingCount", deviation.missingCount)
    try count("\(path).extraCount", deviation.extraCount)
    try count("\(path).differingFrameCount", deviation.differingFrameCount, 0...deviation.frameCount)
    let lastFrame = max(0, deviation.frameCount - 1)
    try count("\(path).largestDistanceFrame", deviation.largestDistanceFrame, 0...lastFrame)
  }
}

extension RunDocumentCheck {
  /// How many frames a benchmark recorded, and which field says so.
  private struct Frames {
    let path: String
    let count: Int

    func check(_ found: Int, _ path: String) throws(RunDocumentError) {
      guard found != count else { return }
      throw .invalid(
        path: path,
        reason: "\(Format.plural(found, "value")), and \(self.path).frame.alignedNanoseconds has"
          + " \(Format.integer(count)); every series has one value a recorded frame")
    }
  }

  func unique(
    _ names: [String], path: (Int) -> String
  ) throws(RunDocumentError) {
    var seen = Set<String>()
    for (index, name) in names.enumerated() where !seen.insert(name).inserted {
      throw .invalid(path: path(index), reason: "\"\(name)\" occurs for the second time")
    }
  }

  func count(
    _ path: String, _ value: Int?, _ range: ClosedRange<Int> = 0...largestCount
  ) throws(RunDocumentError) {
    guard let value, !range.contains(value) else { return }
    throw .invalid(
      path: path, reason: "\(value) does not lie between \(range.lowerBound) and \(range.upperBound)")
  }

  func number(
    _ path: String, _ value: Double?, upTo limit: Double = longestTime
  ) throws(RunDocumentError) {
    guard let value, !(0...limit).contains(value) else { return }
    throw .invalid(path: path, reason: "\(value) does not lie between 0 and \(limit)")
  }
}
