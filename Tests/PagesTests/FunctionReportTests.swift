import FrameBench
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements
@testable import Pages

/// Tests reports of functions, which have no display deadline.
@Suite struct FunctionReportTests {
  private func function(_ size: Int, calls: Int, nanoseconds: Double) -> BenchmarkRecord {
    var record = Fixtures.naive(size, frames: 20)
    record.id = BenchmarkID(scenario: "parse", strategy: "default", size: size)
    record.frame.alignedNanoseconds = Array(repeating: nanoseconds, count: 20)
    record.phases = []
    record.counters = [:]
    record.callsPerFrame = calls
    record.budget = nil
    return record
  }

  private var functions: RunDocument {
    var document = Fixtures.document([
      function(10, calls: 64, nanoseconds: 150), function(1_000, calls: 1, nanoseconds: 35e6),
    ])
    document.options.scenarioFrames = ["parse": RunOptions.FrameCounts(recorded: 20, warmUp: 5)]
    return document
  }

  private let wordsOfFrames = ["frame", "budget", "Hz", "hitch"]

  @Test func aReportOfFunctionsSpeaksOfCalls() {
    let report = functions.report().markdown()
    for word in wordsOfFrames {
      let lines = report.split(separator: "\n").filter { $0.contains(word) && !$0.contains("--") }
      #expect(lines.isEmpty, "\(word): \(lines)")
    }
    #expect(report.hasPrefix("# Costs of calls: springs\n"))
    #expect(report.contains("Slowest: parse/default/1000, p50 35.0 ms, worst 35.0 ms in sample 0."))
    #expect(report.contains("| **call p99**"))
    #expect(report.contains("5 warm-up samples and 20 samples that are recorded"))
    #expect(report.contains("are repeated within a sample, up to 64 times"))
  }

  @Test func theChartsAndTheTerminalDoToo() {
    let pictures = functions.pictures
    #expect(!pictures.isEmpty)
    let texts =
      pictures.map { $0.svg.replacing(/<style>[^<]*<\/style>/, with: "") } + [
        functions.terminalText(width: 160, usesColor: false),
        functions.terminalText(width: 160, usesColor: false, isVerbose: true),
      ]
    for text in texts {
      for word in ["budget", " frame ", " frames ", "Hz"] { #expect(!text.contains(word), "\(word): \(text)") }
    }
  }

  @Test func aFunctionWithoutASizeIsCalledByItsName() {
    let document = Fixtures.document([function(1, calls: 64, nanoseconds: 150)])
    let said = ScenarioGroup.all(in: document)[0]
    #expect(said.headline == "Median call: 150 ns.")
    #expect(!(said.details + document.pictures.map(\.drawing.title)).contains { $0.contains("1 item") })
  }

  @Test func oneSampleHasNoPercentiles() {
    var record = function(10, calls: 1, nanoseconds: 150)
    record.frame.alignedNanoseconds = [150]
    #expect(
      ScenarioGroup.all(in: Fixtures.document([record]))[0].headline
        == "The only sample: parse takes 150 ns at 10 items.")
  }

  @Test func whetherStrategiesReturnTheSameIsSaid() {
    var other = function(10, calls: 64, nanoseconds: 300)
    other.id.strategy = "other"
    func sentences(_ checksums: [String]) -> [String] {
      var records = [function(10, calls: 64, nanoseconds: 150), other]
      for index in records.indices { records[index].checksum = checksums[index] }
      return ScenarioGroup.all(in: Fixtures.document(records))[0].details
    }
    #expect(
      sentences(["00000000000000aa", "00000000000000aa"]).contains("other returns exactly what default returns."))
    #expect(
      sentences(["00000000000000aa", "00000000000000ab"]).contains(
        "other does not return exactly what default returns: checksums differ."))
  }

  @Test func whatReturnsSomethingElseIsNoWinner() throws {
    var wrong = function(10, calls: 64, nanoseconds: 20)
    wrong.id.strategy = "wrong"
    var records = [function(10, calls: 64, nanoseconds: 150), wrong]
    (records[0].checksum, records[1].checksum) = ("00000000000000aa", "00000000000000ab")
    let document = Fixtures.document(records)
    let said = "parse/wrong/10 does not return what parse/default/10 returns"
    #expect(document.terminalText(width: 100, usesColor: false).contains("\(said): their costs cannot be compared."))
    #expect(document.report().markdown().contains(said))
    #expect(OverviewRow.all(in: document).map { $0.ratio(.p50) } == ["1×", "differs"])
    #expect(ScenarioGroup.all(in: document)[0].headline == "Median call: wrong does not return what default returns.")
    let check = try #require(document.contradictionChecks(fail: true).first)
    #expect(check.outcome == .failed && check.kind == .behaviorChanged && check.sentence == said)
    #expect(try ReportFormat.junit.render(document).contains("<failure type=\"behaviorChanged\" message=\"\(said)\""))

    records[1].checksum = records[0].checksum
    #expect(Fixtures.document(records).contradictions.isEmpty)
    #expect(ScenarioGroup.all(in: Fixtures.document(records))[0].headline.contains("cheaper"))
  }

  /// Returns the record of a function with a throughput and a long name. The machine disturbed its last sample.
  private func disturbed(_ number: Int, size: Int = 1) -> BenchmarkRecord {
    var record = function(size, calls: 1, nanoseconds: 189_000)
    record.id.scenario = "Base64.encode of a picture, \(number)"
    record.frame.alignedNanoseconds[19] = 16.3e6
    record.throughput = .bytes(1_000_000)
    return record
  }

  @Test func aNarrowScreenKeepsTheMedianAndTheThroughputOfAFunction() throws {
    let few = Fixtures.document([disturbed(1), disturbed(2)]).terminalText(width: 66, usesColor: false)
    let header = try #require(few.split(separator: "\n").first)
    #expect(header.contains("p50") && header.contains("throughput") && !header.contains("p99"), "\(few)")
    #expect(few.contains("Slowest: Base64.encode of a picture, 1/default/1, p50 189 µs"))
  }

  @Test func aSingleSizeHasNoOrdinal() throws {
    func header(_ sizes: [Int]) throws -> Substring {
      let records = (1...60).flatMap { number in sizes.map { disturbed(number, size: $0) } }
      let text = Fixtures.document(records).terminalText(width: 100, usesColor: false)
      return try #require(text.split(separator: "\n").first)
    }
    let single = try header([1])
    #expect(single.contains("p50  throughput") && !single.contains("1st") && !single.contains("items"), "\(single)")
    let several = try header([10, 20])
    #expect(several.contains("p50 1st") && several.contains("2nd") && several.contains("items"), "\(several)")
  }

  @Test func aSeriesWithoutAStrategyHasTheNameOfItsScenario() {
    let document = Fixtures.document([
      function(10, calls: 1, nanoseconds: 150), function(100, calls: 1, nanoseconds: 900),
    ])
    let shown =
      document.pictures.map(\.svg) + [
        document.report().markdown().replacing("parse/default/", with: ""),
        document.terminalText(usesColor: false, isVerbose: true),
      ]
    for text in shown {
      #expect(text.contains("parse") && !text.contains("default<") && !text.contains(" default "), "\(text)")
    }
  }

  @Test func functionsBesideFramesHaveNoBudget() {
    let frames = Fixtures.twoStrategies.benchmarks
    let document = Fixtures.document(frames + [function(10, calls: 1, nanoseconds: 35e6)])
    let summary = document.verdict
    #expect(
      summary.hasPrefix(
        "Every frame fits the budget at 60 Hz and 120 Hz. Slowest: springs/naive/10000, p99 212 µs (1.3% of the"))
    #expect(summary.contains("allocs") || summary.contains("No frame or call allocates."))
    let page = document.report().markdown()
    #expect(page.hasPrefix("# Costs of frames and calls: springs\n"))
    #expect(page.contains("Allocs are allocations per frame or call, on average."))
    let rows = FlatRows(document).rows
    #expect(rows.contains { $0.metric == "missedFrames" && $0.id.scenario == "springs" })
    #expect(!rows.contains { $0.metric == "missedFrames" && $0.id.scenario == "parse" })
  }
}
