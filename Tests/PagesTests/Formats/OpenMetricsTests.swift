import FrameBench
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements
@testable import Pages

@Suite struct OpenMetricsTests {
  @Test(arguments: FormatFixture.allCases) func theTextFollowsTheGrammar(_ fixture: FormatFixture) throws {
    let exposition = try Exposition(parsing: try ReportFormat.openmetrics.render(fixture.document))
    #expect(exposition.types["springbench_run_info"] == "gauge")
    for (name, unit) in exposition.units { #expect(name.hasSuffix("_\(unit)")) }
    let measured = exposition.samples.filter { $0.name == "springbench_benchmark_measured" }
    #expect(measured.count == fixture.document.allIDs.count)
  }

  @Test func labelsReadAsTheyWereNamed() throws {
    let exposition = try Exposition(parsing: try ReportFormat.openmetrics.render(Fixtures.hostile))
    let sample = try #require(exposition.samples.first { $0.name == "springbench_frame_seconds_count" })
    #expect(sample.labels["scenario"] == Fixtures.hostileText)
    #expect(sample.labels["suite"] == Fixtures.hostileName)
  }

  @Test func timesAreSecondsAndSumsAreOfAllFrames() throws {
    var document = Fixtures.document([Fixtures.naive(50)], frameCount: 24)
    document.benchmarks[0].memory.cpuUserNanoseconds = 41_300_000
    let exposition = try Exposition(parsing: try ReportFormat.openmetrics.render(document))
    let frames = document.benchmarks[0].frame.alignedNanoseconds
    func value(_ name: String, _ quantile: String? = nil) throws -> Double {
      try #require(exposition.samples.first { $0.name == name && $0.labels["quantile"] == quantile }).value
    }
    #expect(try value("springbench_frame_seconds_count") == 24)
    #expect(abs(try value("springbench_frame_seconds_sum") - frames.reduce(0, +) / 1e9) < 1e-15)
    #expect(try value("springbench_frame_seconds", "1") == (frames.max() ?? 0) / 1e9)
    #expect(try value("springbench_frame_seconds", "0") == (frames.min() ?? 0) / 1e9)
    #expect(try value("springbench_cpu_user_seconds") == 0.0413)
    #expect(try value("springbench_run_start_timestamp_seconds") == 1_795_243_632)
  }

  @Test func aCounterBelowZeroIsAGaugeAndNoSummary() throws {
    var document = Fixtures.document([Fixtures.naive(50)], frameCount: 24)
    document.benchmarks[0].counters = ["drift": CountSeries([-5] + repeatElement(1, count: 23))]
    let samples = try Exposition(parsing: try ReportFormat.openmetrics.render(document)).samples.filter {
      $0.labels["counter"] == "drift"
    }
    #expect(Set(samples.map(\.name)) == ["springbench_frame_counted_signed"])
    #expect(samples.first { $0.labels["statistic"] == "min" }?.value == -5)
  }

  @Test func aHeapThatShrinksIsAGaugeAndNoSummary() throws {
    var document = Fixtures.document([Fixtures.naive(50)], frameCount: 24)
    document.benchmarks[0].allocations?.netBytes = CountSeries([-64] + repeatElement(0, count: 23))
    let samples = try Exposition(parsing: try ReportFormat.openmetrics.render(document)).samples
    let minimum = samples.first { $0.name == "springbench_frame_net_bytes_signed" && $0.labels["statistic"] == "min" }
    #expect(minimum?.value == -64)
    #expect(!samples.contains { $0.name == "springbench_frame_net_bytes" })
  }

  @Test func aUnitIsDeclaredOnlyIfTheNameEndsInIt() throws {
    var document = Fixtures.document([Fixtures.naive(50)], frameCount: 24)
    document.benchmarks[0].throughput = .bytes(4_096)
    document.benchmarks[0].memory.otherThreadCPUNanoseconds = 2_000_000
    let exposition = try Exposition(parsing: try ReportFormat.openmetrics.render(document))
    for (name, unit) in exposition.units { #expect(name.hasSuffix("_\(unit)")) }
    #expect(exposition.units["springbench_other_thread_cpu_seconds"] == "seconds")
    #expect(exposition.types["springbench_bytes_per_call"] == "gauge")
  }
}

/// OpenMetrics 1.0.0 text, read strictly: each family is complete and occurs once, samples belong to their family,
/// labels occur once, and `# EOF` is at the end.
private struct Exposition {
  struct Malformed: Error { var reason: String }

  struct Sample {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  private(set) var types: [String: String] = [:]
  private(set) var units: [String: String] = [:]
  private(set) var samples: [Sample] = []
  private var family = ""
  private var seen = Set<String>()

  init(parsing text: String) throws {
    guard text.unicodeScalars.last == "\n" else { throw Malformed(reason: "no line feed at the end") }
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    guard lines.popLast().map(String.init) == "# EOF" else { throw Malformed(reason: "no # EOF") }
    for line in lines { try read(String(line)) }
  }

  private mutating func read(_ line: String) throws {
    if line.hasPrefix("# ") {
      try readMetadata(line)
      return
    }
    guard let match = line.unicodeScalars.firstIndex(of: "{") else { throw Malformed(reason: line) }
    let name = String(line.unicodeScalars[..<match])
    let type = try #require(types[family], "\(line) stands in no family")
    let suffixes = ["summary": ["", "_count", "_sum"], "gauge": [""]]
    guard suffixes[type]?.contains(where: { name == family + $0 }) == true else {
      throw Malformed(reason: "\(name) does not belong to \(family), a \(type)")
    }
    var rest = line.unicodeScalars[line.unicodeScalars.index(after: match)...]
    let labels = try Self.labels(&rest)
    guard rest.popFirst() == " ", let value = Self.number(String(rest)) else {
      throw Malformed(reason: "no value in \(line)")
    }
    guard seen.insert(name + labels.sorted { $0.key < $1.key }.description).inserted else {
      throw Malformed(reason: "\(line) stands twice")
    }
    if type == "summary", value < 0 { throw Malformed(reason: "a summary below 0 in \(line)") }
    if type == "summary" && name == family {
      guard let quantile = labels["quantile"].flatMap(Double.init), (0...1).contains(quantile) else {
        throw Malformed(reason: "no quantile in \(line)")
      }
    }
    samples.append(Sample(name: name, labels: labels, value: value))
  }

  private mutating func readMetadata(_ line: String) throws {
    let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[2].wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil else {
      throw Malformed(reason: line)
    }
    switch parts[1] {
    case "TYPE":
      guard types.updateValue(parts[3], forKey: parts[2]) == nil else {
        throw Malformed(reason: "\(parts[2]) is declared twice")
      }
      family = parts[2]
    case "UNIT" where parts[2] == family: units[family] = parts[3]
    case "HELP" where parts[2] == family: break
    default: throw Malformed(reason: line)
    }
  }

  /// Reads the labels, up to and including the closing brace.
  private static func labels(_ rest: inout Substring.UnicodeScalarView) throws -> [String: String] {
    var labels: [String: String] = [:]
    while rest.first != "}" {
      let name = String(rest.prefix { $0 != "=" })
      rest = rest.dropFirst(name.unicodeScalars.count + 1)
      guard name.wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]*/) != nil, rest.popFirst() == "\"" else {
        throw Malformed(reason: "label \(name)")
      }
      var value = ""
      while let scalar = rest.popFirst(), scalar != "\"" {
        guard scalar == "\\" else {
          value.unicodeScalars.append(scalar)
          continue
        }
        switch rest.popFirst() {
        case "n": value += "\n"
        case "\"": value += "\""
        case "\\": value += "\\"
        case let other: throw Malformed(reason: "the escape \(String(describing: other))")
        }
      }
      guard labels.updateValue(value, forKey: name) == nil else {
        throw Malformed(reason: "label \(name) stands twice")
      }
      if rest.first == "," { rest.removeFirst() }
    }
    rest.removeFirst()
    return labels
  }

  private static func number(_ text: String) -> Double? {
    switch text {
    case "NaN": .nan
    case "+Inf": .infinity
    case "-Inf": -.infinity
    default: text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/).flatMap { Double($0.0) }
    }
  }
}
