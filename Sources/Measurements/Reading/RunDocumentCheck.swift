import FrameBench
import TextFormat

/// Checks what the types of a run document cannot express: plausible numbers, one value per frame in every series, and
/// unique names. All code that computes with a document relies on this check. It finds fields by reflection, so it also
/// checks fields that are not named here.
struct RunDocumentCheck {
  /// An upper limit for options: no run has as many frames, runs or hertz.
  private static let largestOption = 1_000_000_000
  /// Every reader of JSON represents whole numbers up to this limit exactly.
  private static let largestCount = 1 << 53
  /// An upper limit in nanoseconds, eleven days: no frame takes as long.
  private static let longestTime = 1e15
  private static let longestRun = 1e12
  /// The range of a share: above 0 and at most 1.
  private static let share = Double.leastNonzeroMagnitude...1
  /// The largest number of values in all series together. A file stores equal values only once, but in memory this many
  /// values take 2 GB.
  private static let largestSeriesLength = Double(1 << 28)

  // `scripts/run_schema.py` reads the two tables below, and takes the types of the fields from their declarations.
  // `a.b` is the field `b` of the object `a`, or of each object in the list `a`.

  /// The ranges of fields with whole numbers. A field that is not listed has the range 0 to `largestCount`.
  private static let wholes: [String: ClosedRange<Int>] = [
    "schemaVersion": 1...1, "options.frameCount": 1...largestOption, "options.warmUpFrameCount": 0...largestOption,
    "recorded": 1...largestOption, "warmUp": 0...largestOption, "runCount": 1...largestOption,
    "layoutCount": 2...largestOption, "refreshRateHertz": 1...largestOption, "coreCount": 1...largestOption,
    "machineCoreCount": 1...largestOption, "cores": 1...largestOption, "callsPerFrame": 1...largestOption,
    "amount": 1...largestCount, "roundCount": 1...largestOption, "itemCount": 1...largestCount,
    "exceedingItemCount": 1...largestCount, "stretches.size": 1...largestCount,
    "deviation.frameCount": 0...largestOption, "shard.index": 1...10_000, "shard.count": 1...10_000,
    "counters": -largestCount...largestCount, "netBytes": -largestCount...largestCount,
  ]

  /// The ranges of all fields whose numbers may have fractions.
  static let fractions: [String: ClosedRange<Double>] = [
    "alignedNanoseconds": 0...longestTime, "p50": 0...longestTime, "p90": 0...longestTime, "p99": 0...longestTime,
    "max": 0...longestTime, "mean": 0...longestTime, "fastest": 0...longestTime, "slowest": 0...longestTime,
    "p50Nanoseconds": 0...longestTime, "p99Nanoseconds": 0...longestTime, "budgetNanoseconds": 0...longestTime,
    "pairCostNanoseconds": 0...longestTime, "resolutionNanoseconds": 0...longestTime,
    "overrun.p50": -longestTime...longestTime, "overrun.p90": -longestTime...longestTime,
    "overrun.p99": -longestTime...longestTime, "overrun.max": -longestTime...longestTime,
    "overrun.mean": -longestTime...longestTime, "durationSeconds": 0...longestRun, "passSecondsLimit": 0...longestTime,
    "loadAverage": 0...longestRun, "budgetShare": share, "share": share, "precision": 0...longestTime,
    "coreQuota": 0...longestRun, "hitchTimeRatio": 0...longestTime, "layoutSpread": 0...longestTime,
    "tolerancesPercent": 0...1_000, "count": 0...1e9, "percent": 0...1_000,
    "largestDistance": 0...Double.greatestFiniteMagnitude, "meanDistance": 0...Double.greatestFiniteMagnitude,
  ]

  private let document: RunDocument
  /// The number of values in all series that were checked so far.
  private var seriesLength = 0.0
  /// The expected length of a series in the current object. If `isLimit` is true, a series may also be shorter.
  private var length = (frameCount: 0, isLimit: false)

  /// A fault, with its path relative to the checked value: `.frame.pooled.p99`.
  private typealias Problem = (path: String, reason: String)

  static func check(_ document: RunDocument) throws(RunDocumentError) {
    var check = RunDocumentCheck(document: document)
    guard
      let problem = check.problem(document, "", in: "") ?? check.problemOfTimes ?? check.problemOfNames
        ?? check.problemOfStretches
    else { return }
    throw .invalid(path: String(problem.path.trimmingPrefix(".")), reason: problem.reason)
  }

  /// Fields whose text must be a single line, because reports insert it into other lines, and some formats into
  /// comments.
  private static let lines: Set = [
    "allocator", "branch", "buildConfiguration", "commit", "cpuModel", "governor", "kernel", "machine", "name",
    "operatingSystem", "settings", "source", "suite", "toolchain",
  ]

  fileprivate static func hasControl(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private mutating func problem(_ value: Any, _ field: String, in object: String) -> Problem? {
    switch value {
    case let text as String where Self.lines.contains(field):
      return Self.hasControl(text) ? ("", "a control character in it") : nil
    case is String, is Bool, is UInt64, is BenchmarkID: return nil
    case let number as Int: return Self.problem(number, Self.whole(field, in: object))
    case let number as Double: return Self.problem(number, Self.fraction(field, in: object))
    // An empty list of any type also matches `[Double]`, so the field must be one of `fractions`.
    case let numbers as [Double] where Self.fractions[field] != nil:
      return lengthProblem(numbers.count) ?? Self.firstProblem(numbers, Self.fraction(field, in: object))
    case let series as CountSeries:
      let range = Self.whole(field, in: object)
      seriesLength += Double(series.count)
      guard seriesLength <= Self.largestSeriesLength else {
        let most = Int(Self.largestSeriesLength)
        return ("", "together with the series before it, it has over \(most) values; no run has")
      }
      return lengthProblem(series.count) ?? Self.firstProblem(series.runs.map(\.value), range)
        // The sum of a series is limited, too, so that adding the sums of several series cannot overflow.
        ?? Self.problem(series.total, range).map { ("", "the sum of its values: \($0.reason)") }
    case let record as BenchmarkRecord:
      let expected = document.options.of(record.id).frameCount
      length = (record.frame.alignedNanoseconds.isEmpty ? 0 : expected, false)
    case let record as StretchRecord:
      length = (document.options.of(variant: record.scenario, size: record.size).frameCount, false)
    // If counting instructions takes too long, they are counted only in the first frames.
    case is InstructionRecord: length.isLimit = true
    case let record as DeviationRecord:
      let count = max(0, record.frameCount)
      let problem =
        Self.problem(record.differingFrameCount, 0...count).map { (".differingFrameCount", $0.reason) }
        ?? Self.problem(record.largestDistanceFrame ?? 0, 0...max(0, count - 1)).map {
          (".largestDistanceFrame", $0.reason)
        }
      if let problem { return problem }
    case let record as ShardRecord where record.index > record.count:
      return (".index", "\(record.index) of \(record.count) parts")
    default: break
    }
    return problemOfParts(value, field, in: object)
  }

  private mutating func problemOfParts(_ value: Any, _ field: String, in object: String) -> Problem? {
    let mirror = Mirror(reflecting: value)
    var parts: [(path: String, value: Any, field: String, object: String)]
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.flatMap { problem($0.value, field, in: object) }
    case .collection: parts = mirror.children.enumerated().map { ("[\($0)]", $1.value, field, object) }
    case .dictionary:
      parts = mirror.children.map { child in
        let pair = Array(Mirror(reflecting: child.value).children)
        return (".\(pair[0].value)", pair[1].value, field, field)
      }.sorted { $0.path < $1.path }
    case .struct: parts = mirror.children.map { (".\($0.label ?? "")", $0.value, $0.label ?? "", field) }
    default: return nil
    }
    for part in parts {
      if let problem = problem(part.value, part.field, in: part.object) {
        return (part.path + problem.path, problem.reason)
      }
    }
    return nil
  }

  private static func whole(_ field: String, in object: String) -> ClosedRange<Int> {
    wholes["\(object).\(field)"] ?? wholes[field] ?? 0...largestCount
  }

  private static func fraction(_ field: String, in object: String) -> ClosedRange<Double> {
    fractions["\(object).\(field)"] ?? fractions[field] ?? 0...longestTime
  }

  private static func firstProblem<Number: Comparable>(_ numbers: [Number], _ range: ClosedRange<Number>) -> Problem? {
    numbers.firstIndex { !range.contains($0) }.flatMap { index in
      problem(numbers[index], range).map { ("[\(index)]", $0.reason) }
    }
  }

  private static func problem<Number: Comparable>(_ number: Number, _ range: ClosedRange<Number>) -> Problem? {
    guard !range.contains(number) else { return nil }
    if let share = range as? ClosedRange<Double>, share == self.share {
      return ("", "\(number) is not above 0 and up to 1")
    }
    return ("", "\(number) does not lie between \(range.lowerBound) and \(range.upperBound)")
  }

  private func lengthProblem(_ count: Int) -> Problem? {
    let (expected, isLimit) = length
    guard isLimit ? count > expected : count != expected else { return nil }
    let frames = expected == 0 ? "no frame was recorded" : "options say \(expected)"
    return ("", "\(Format.plural(count, "value")), and \(frames); every series has one value for each recorded frame")
  }

  private var problemOfTimes: Problem? {
    ([document.startedAt] + (document.parts ?? []).map(\.startedAt)).first { UTCTime(iso8601: $0) == nil }.map {
      ("startedAt", "\"\($0.prefix(40))\" is not a time like 2026-11-21T06:47:12Z")
    }
  }

  private var problemOfNames: Problem? {
    let benchmarks = document.benchmarks.map(\.id.description)
    if let problem = Self.repetition(benchmarks, { "benchmarks[\($0)].id" }) { return problem }
    for (index, record) in document.benchmarks.enumerated() {
      let counted = [("instructions.", record.instructions), ("hardwareInstructions.", record.hardwareInstructions)]
      for (owner, names) in [("", record.phases.map(\.name))] + counted.map({ ($0, ($1?.phases ?? []).map(\.name)) }) {
        let path = "benchmarks[\(index)].\(owner)phases"
        if let problem = Self.repetition(names, { "\(path)[\($0)].name" }) { return problem }
      }
    }
    // Each benchmark must be in exactly one part, because it was measured in the environment of its part.
    guard let parts = document.parts else { return nil }
    let ids = parts.flatMap(\.benchmarks)
    let places = parts.enumerated().flatMap { part, record in
      record.benchmarks.indices.map { "parts[\(part)].benchmarks[\($0)]" }
    }
    return Self.repetition(ids.map(\.description), { places[$0] })
      ?? document.allIDs.first { !ids.contains($0) }.map { ("parts", "\($0) is in none of them") }
  }

  private var problemOfStretches: Problem? {
    let records = document.stretches ?? []
    let places = records.map { "\($0.scenario), \(Format.items($0.size))" }
    if let problem = Self.repetition(places, { "stretches[\($0)]" }) { return problem }
    for (index, record) in records.enumerated() {
      guard !record.names.isEmpty else { return ("stretches[\(index)].names", "there is none; every frame needs one") }
      let range = 0...record.names.count - 1
      if let problem = Self.repetition(record.names, { "stretches[\(index)].names[\($0)]" }) { return problem }
      if let problem = Self.firstProblem(record.frames.runs.map(\.value), range) {
        return ("stretches[\(index)].frames\(problem.path)", problem.reason)
      }
    }
    return nil
  }

  private static func repetition(_ names: [String], _ path: (Int) -> String) -> Problem? {
    var seen = Set<String>()
    return names.firstIndex { !seen.insert($0).inserted }.map {
      (path($0), "\"\(names[$0])\" occurs for the second time")
    }
  }
}

extension RunMeasurement {
  /// Renames counters that have the name of one of the harness's metrics, because the rows of the counter and of the
  /// metric could not be told apart: `allocationCount` becomes `counter.allocationCount`.
  package mutating func keepCountersApart() {
    for name in counters.keys.sorted() where Metric.named(String(name.prefix { $0 != "." })) != nil {
      var own = "counter.\(name)"
      while counters[own] != nil { own = "counter.\(own)" }
      counters[own] = counters.removeValue(forKey: name)
      if let kind = counterKinds?.removeValue(forKey: name) { counterKinds?[own] = kind }
    }
  }

  /// Why a document cannot contain the names of the phases; nil if it can.
  package var problemOfPhaseNames: String? {
    let names = phases.map(\.name)
    if let name = names.first(where: RunDocumentCheck.hasControl) {
      return "phase \(name.debugDescription) has a control character in its name; leave it out"
    }
    guard Set(names).count < names.count else { return nil }
    return "two phases have names that read the same: \(Format.list(names)); rename one"
  }
}
