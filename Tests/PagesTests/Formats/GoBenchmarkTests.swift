import FrameBench
import Testing

@testable import Formats
@testable import Markup

/// Checks the format against the grammar that golang.org/x/perf/benchfmt reads.
@Suite struct GoBenchmarkTests {
  @Test(arguments: FormatFixture.allCases) func everyLineIsOneThatBenchstatReads(_ fixture: FormatFixture) throws {
    let text = try ReportFormat.benchfmt.render(fixture.document)
    var names = Set<String>()
    for line in text.unicodeScalars.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
      if line.hasPrefix("Benchmark") {
        names.insert(try benchmark(line).name)
      } else if line.hasPrefix("Unit ") {
        #expect(fields(line).count == 3 && fields(line)[2] == "assume=exact", "\(line)")
      } else {
        let key = line.prefix { $0 != ":" }
        #expect(key.wholeMatch(of: /[a-z][a-z-]*/) != nil && line.dropFirst(key.count).hasPrefix(": "), "\(line)")
      }
    }
    // A benchmark without recorded frames still has a line if the allocations of its set-up were counted.
    #expect(names.count == fixture.document.benchmarks.count { $0.frame.aligned != nil || $0.allocations != nil })
  }

  @Test func eachFrameIsASampleAndCountsStandOnce() throws {
    let document = Fixtures.document([Fixtures.naive(50)], frameCount: 24)
    let lines = try ReportFormat.benchfmt.render(document).split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("Benchmark")
    }.map(benchmark)
    #expect(lines.count == 25)
    #expect(lines.dropLast().map { $0.values["ns/op"] } == document.benchmarks[0].frame.alignedNanoseconds)
    #expect(lines.last?.iterations == 24)
    #expect(lines.last?.values["allocs/op"] == 0)
    #expect(lines.last?.values["activeItems/op"] == 50)
    #expect(lines.last?.name == "BenchmarkSprings/strategy=naive/items=50-1")
  }

  private struct Line {
    var name: String
    var iterations: Int
    var values: [String: Double]
  }

  private func benchmark(_ line: String) throws -> Line {
    let fields = fields(line)
    let first = try #require(fields[0].unicodeScalars.dropFirst(9).first)
    #expect(first.properties.generalCategory != .lowercaseLetter, "go would not take \(line) for a benchmark")
    #expect(fields.count >= 4 && fields.count.isMultiple(of: 2), "\(line)")
    var values: [String: Double] = [:]
    for index in stride(from: 2, to: fields.count, by: 2) {
      let value = try #require(Double(fields[index]), "\(line)")
      #expect(value.isFinite && values.updateValue(value, forKey: fields[index + 1]) == nil, "\(line)")
    }
    return Line(name: fields[0], iterations: try #require(Int(fields[1])), values: values)
  }

  /// Splits a line like Go's `strings.Fields`.
  private func fields(_ line: String) -> [String] {
    line.unicodeScalars.split { $0.properties.isWhitespace }.map(String.init)
  }
}
