import Foundation
import FrameBench
import JSONSchemaCheck
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements

/// Checks the JSON formats against the shapes that their readers publish.
@Suite struct JSONFormatTests {
  /// Bencher's schema of its metric format (bencher.dev/docs/reference/bencher-metric-format).
  private static let bencher = #"""
    {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {
      "type": "object", "required": ["value"], "additionalProperties": false, "properties": {
        "value": {"type": "number"}, "lower_value": {"type": "number"}, "upper_value": {"type": "number"}}}}}
    """#
  /// The shape that github-action-benchmark's `extractCustomBenchmarkResult` accepts.
  private static let gitHubBenchmark = #"""
    {"type": "array", "items": {"type": "object", "required": ["name", "unit", "value"],
      "additionalProperties": false, "properties": {"name": {"type": "string"}, "unit": {"type": "string"},
        "value": {"type": "number"}, "range": {"type": "string"}, "extra": {"type": "string"}}}}
    """#
  /// The shape that `compare.py` of Google's Benchmark library reads, version 1 of its schema.
  private static let googleBenchmark = #"""
    {"type": "object", "required": ["context", "benchmarks"], "properties": {
      "context": {"type": "object", "required": ["date", "host_name", "num_cpus", "library_build_type"],
        "properties": {"json_schema_version": {"const": 1}}},
      "benchmarks": {"type": "array", "items": {"type": "object",
        "required": ["name", "run_name", "run_type", "repetitions", "threads", "iterations", "real_time", "cpu_time",
          "time_unit"],
        "properties": {"name": {"type": "string"}, "run_name": {"type": "string"},
          "run_type": {"enum": ["iteration", "aggregate"]}, "label": {"type": "string"},
          "aggregate_name": {"type": "string"}, "aggregate_unit": {"const": "time"},
          "time_unit": {"const": "ns"}},
        "additionalProperties": {"type": "number"}}}}}
    """#

  @Test(arguments: FormatFixture.allCases) func theTextHasTheShapeThatItsReaderPublishes(_ fixture: FormatFixture)
    throws
  {
    for (format, schema) in [
      (ReportFormat.bmf, Self.bencher), (.githubBenchmark, Self.gitHubBenchmark),
      (.googleBenchmark, Self.googleBenchmark),
    ] {
      let text = try format.render(fixture.document)
      let schema = try JSONSchema(Data(schema.utf8))
      #expect(try schema.violations(in: Data(text.utf8)) == [], "\(format)")
    }
  }

  @Test func aRunIsARepetitionOfGooglesFormat() throws {
    var document = Fixtures.document([Fixtures.naive(50)], frameCount: 24)
    document.benchmarks[0].counters["real_time"] = CountSeries(repeatElement(7, count: 24))
    func entries() throws -> [[String: Any]] {
      let data = Data(try ReportFormat.googleBenchmark.render(document).utf8)
      let tree = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      return try #require(tree["benchmarks"] as? [[String: Any]])
    }
    let frame = document.benchmarks[0].frame
    let all = try entries()
    let runs = all.filter { $0["run_type"] as? String == "iteration" }
    #expect(runs.map { $0["real_time"] as? Double } == frame.runs?.map(\.p50))
    #expect(runs.map { $0["repetition_index"] as? Int } == [0, 1, 2])
    #expect(runs.allSatisfy { $0["allocs_per_iter"] as? Int == 0 && $0["real_time_2"] as? Int == 7 })
    #expect(
      all.dropFirst(3).map { $0["name"] as? String }
        == ["mean", "median", "p90", "p99", "max"].map { "springs/naive/50_\($0)" })
    document.benchmarks[0].frame.runs = nil
    #expect(try entries().first?["real_time"] as? Double == frame.aligned?.p50)
    #expect(try entries().count == 6)
  }

  @Test func bencherGetsOneNameForEachBenchmarkAndMeasure() throws {
    let document = Fixtures.twins
    let tree = try JSONSerialization.jsonObject(with: Data(try ReportFormat.bmf.render(document).utf8))
    let benchmarks = try #require(tree as? [String: [String: [String: Double]]])
    #expect(Set(benchmarks.keys) == Set(document.benchmarks.map(\.id.description)))
    // A benchmark has two measures of frames, ten of phases, ten of counters, four of allocations, two of the budget,
    // and ten of a run.
    for measures in benchmarks.values {
      #expect(measures.count == 38)
      #expect(measures.keys.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil })
      for measure in measures.values {
        let value = try #require(measure["value"])
        #expect(measure["lower_value"] ?? value <= value && value <= measure["upper_value"] ?? value)
      }
    }
  }

  @Test func bencherRefusesLongNames() {
    var document = Fixtures.minimal
    document.benchmarks[0].counters[String(repeating: "n", count: 65)] = CountSeries(repeatElement(1, count: 24))
    #expect(throws: ReportFormatError.self) { try ReportFormat.bmf.render(document) }
  }

  @Test func bencherCountsBytes() throws {
    var document = Fixtures.minimal
    document.benchmarks[0].id.scenario = String(repeating: "ä", count: 500)
    _ = try ReportFormat.bmf.render(document)
    document.benchmarks[0].id.scenario += String(repeating: "ä", count: 20)
    #expect { try ReportFormat.bmf.render(document) } throws: { "\($0)".contains("bytes of UTF-8") }
  }

  @Test(arguments: FormatFixture.allCases) func chartsHaveNamesThatStandOnce(_ fixture: FormatFixture) throws {
    let names = try chartEntries(fixture.document).map { "\($0["name"] ?? "")" }
    #expect(Set(names).count == names.count)
  }

  @Test func aChartShowsTheFigureOfTheFramesWithItsInterval() throws {
    let frame = Fixtures.troubled.benchmarks[0].frame
    let entry = try #require(try chartEntries(Fixtures.troubled).first)
    #expect(entry["name"] as? String == "springs/naive/1000 frame p50" && entry["unit"] as? String == "ns")
    #expect(entry["value"] as? Double == frame.aligned?.p50)
    #expect(entry["range"] as? String == "± \(Int(try #require(frame.halfWidths).p50))")
  }

  private func chartEntries(_ document: RunDocument) throws -> [[String: Any]] {
    let data = Data(try ReportFormat.githubBenchmark.render(document).utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
  }
}
