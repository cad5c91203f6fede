import Testing

@testable import FrameBench
@testable import Judging
@testable import Measurements

/// Tests reading springbench.yml with correct and incorrect content.
@Suite struct BudgetReadingTests {
  private func read(_ text: String) throws -> BudgetFile { try BudgetFile(reading: text, path: "springbench.yml") }

  private func message(_ text: String) -> String {
    do {
      _ = try BudgetFile(reading: text, path: "b.yml")
      return "no error"
    } catch { return error.description }
  }

  @Test func everyKeyIsRead() throws {
    let file = try read(
      """
      version: 1
      refreshRate: 120
      share: 0.5
      cpuSlowdown: 4
      budgets:
        - ids: springs/*/10000
          limits:
            frameNanoseconds.p99: 50us
            frameNanoseconds.solve.max: 8.33ms
            allocationCount.max: 0
            peakResidentBytes: 2MiB
            hitchTimeRatio: 5ms/s
            growthExponent: 1.1
            ratio.naive/tiled: ">= 10"
      acknowledged:
        - id: springs/tiled/100
          metric: frameNanoseconds.p99
          reason: "the new shadow"
          until: 2027-01-31
      """)
    #expect((file.refreshRateHertz, file.share, file.cpuSlowdown) == (120, 0.5, 4))
    let limits = file.rules[0].limits
    #expect(limits.map(\.bound.value) == [50_000, 8_330_000, 0, 2_097_152, 5, 1.1, 10])
    #expect(limits.map(\.bound.direction) == Array(repeating: .atMost, count: 6) + [.atLeast])
    #expect(limits[1].key == .figure(FigureName(metric: "frameNanoseconds", phase: "solve", statistic: .max)))
    #expect(limits[6].key == .ratio(of: "naive", to: "tiled", statistic: .p50))
    #expect(limits[0].place == Place(line: 8, column: 29))
    #expect(file.acknowledgements[0].until == "2027-01-31" && file.acknowledgements[0].place.line == 16)
  }

  @Test(arguments: [
    ("50us", 50_000.0), ("50 µs", 50_000), ("1.5ms", 1_500_000), ("2s", 2e9), ("100ns", 100), ("0", 0), ("<= 3ns", 3),
    ("1_000ns", 1_000),
  ]) func timesAreWrittenWithTheirUnit(text: String, nanoseconds: Double) throws {
    #expect(try Metric.Unit.nanoseconds.limit(text).value == nanoseconds)
  }

  @Test(arguments: [("512B", 512.0), ("64KiB", 65_536), ("1.5MiB", 1_572_864), ("2kB", 2_000), ("0", 0)])
  func bytesAreDecimalOrBinary(text: String, bytes: Double) throws {
    #expect(try Metric.Unit.bytes.limit(text).value == bytes)
  }

  /// Each kind of mistake, with its line and column.
  @Test(arguments: [
    ("refreshrate: 60", "b.yml:1:1: unknown key \"refreshrate\"; did you mean \"refreshRate\"?"),
    ("refreshRate: sixty", "b.yml:1:14: refreshRate is \"sixty\"; write a number above 0"),
    ("share: 1.5", "b.yml:1:8: share is \"1.5\"; it is above 0 and at most 1"),
    ("cpuSlowdown: 0", "b.yml:1:14: cpuSlowdown is \"0\"; write a number above 0"),
    ("version: 2", "b.yml:1:10: version \"2\" is not known; this springbench reads version 1"),
    ("", "b.yml: the file is empty"), ("just words", "b.yml:1:1: the file is \"just words\"; write keys and values"),
    ("budgets: 3", "b.yml:1:10: budgets is a list"),
    ("budgets:\n  - ids: a/b/*\n", "b.yml:2:5: a budget lacks \"limits\""),
    ("budgets:\n  - limits: {}\n", "b.yml:2:5: a budget lacks \"ids\""),
    ("budgets:\n  - ids: a/b/*\n    limits: {}\n", "b.yml:3:13: no limits; write one"),
    (
      "budgets:\n  - ids: a/b/*\n    limit:\n      x: 1\n", "b.yml:3:5: unknown key \"limit\"; did you mean \"limits\"?"
    ), (limits("frameNanoseconds.p99: 50"), "b.yml:4:29: 50 has no unit; write it, as in 50us"),
    (limits("frameNanoseconds.p99: 50MiB"), "b.yml:4:29: \"MiB\" is not a unit of this metric"),
    (limits("frameNanoseconds.p99: fast"), "b.yml:4:29: \"fast\" is not a limit"),
    (limits("allocationCount.max: '<= >= 5'"), "b.yml:4:28: \"<= >= 5\" is not a limit"),
    (limits("frameNanoseconds.p99: [1, 2]"), "b.yml:4:29: the limit of frameNanoseconds.p99 is one value"),
    (limits("frameNanoseconds: 50us"), "b.yml:4:7: frameNanoseconds is measured for every frame: choose"),
    (limits("frameNanoseconds.p98: 50us"), "b.yml:4:7: \"frameNanoseconds.p98\" does not end in a statistic"),
    (limits("ratio.naive: 3"), "b.yml:4:7: \"ratio.naive\" does not name two strategies"),
    (limits("ratio.naive/naive: '>= 3'"), "b.yml:4:7: \"ratio.naive/naive\" compares naive with itself"),
    (limits("ratio.naive/tiled: 10"), "b.yml:4:26: ratio.naive/tiled: 10 is ambiguous"),
    (limits("checksum: 0"), "b.yml:4:7: a checksum has no limit"),
    (limits("missedFrames: 0\n      missedFrames: 1"), "b.yml:5:7: \"missedFrames\" occurs more than once"),
    ("budgets:\n  - ids: [a\n", "b.yml:3:1: this is not YAML"), ("a: b: c", "b.yml:1:5: this is not YAML"),
    (
      "acknowledged:\n  - id: a/b/1\n    metric: x\n    until: 2027-01-31\n",
      "b.yml:2:5: an acknowledgement lacks \"reason\""
    ), (acknowledged("2027-02-29"), "b.yml:5:12: until is \"2027-02-29\"; write a day as in 2027-01-31"),
    (acknowledged("soon"), "b.yml:5:12: until is \"soon\""),
    (acknowledged(metric: "a..b"), "b.yml:3:13: \"a..b\" is not the name of a limit"),
    (acknowledged(metric: "ratio.a"), "b.yml:3:13: \"ratio.a\" does not name two strategies"),
  ]) func aMistakeIsNamedWithLineAndColumn(text: String, expected: String) {
    #expect(message(text).hasPrefix(expected), "\(message(text))")
    #expect(!message(text).contains("\n"))
  }

  private static func limits(_ line: String) -> String { "budgets:\n  - ids: a/b/*\n    limits:\n      \(line)\n" }

  @Test func aStarWithinAPatternIsNoAlias() throws {
    let text = "budgets:\n  - ids: s/*tiled # like a/&tiled\n    limits:\n      missedFrames: 0\n"
    #expect(try BudgetFile(reading: text, path: "b.yml").rules[0].pattern.description == "s/*tiled")
  }

  private static func acknowledged(_ day: String = "2027-01-31", metric: String = "x") -> String {
    "acknowledged:\n  - id: a/b/1\n    metric: \(metric)\n    reason: y\n    until: \(day)\n"
  }

  @Test func twoSpellingsOfOneLimitAreFoundOut() {
    let text = Self.limits("ratio.naive/tiled: '>= 2'\n      ratio.naive/tiled.p50: '>= 3'")
    #expect(message(text).hasPrefix("b.yml:5:7: ratio.naive/tiled has a limit already, at line 4"))
  }

  @Test(arguments: [
    ("springs/tiled/100", "springs/tiled/100", true), ("springs/*/100", "springs/tiled/100", true),
    ("springs/*", "springs/tiled/100", false), ("**", "springs/tiled/100", true), ("**/100", "springs/tiled/100", true),
    ("springs/**", "springs/tiled/100", true), ("springs/t*d/10?", "springs/tiled/100", true),
    ("springs/t*d/10?", "springs/tiled/10", false), ("*/*/*", "springs/tiled/100", true),
    ("springs/tile/100", "springs/tiled/100", false), ("", "springs/tiled/100", false), ("*a*/*/1", "banana/x/1", true),
    ("**/b/**/d", "a/b/c/b/d", true), ("a/**/b", "a/b", true), ("**/*b?/**", "x/abc", true), ("a*b", "a/b", false),
    (String(repeating: "a*", count: 30) + "b", String(repeating: "a", count: 200), false),
  ]) func patternsMatchByPart(pattern: String, id: String, matches: Bool) {
    #expect(IDPattern(pattern).matches(id) == matches)
  }

  @Test func keysArePrintedAsTheyAreWritten() throws {
    for text in [
      "frameNanoseconds.p99", "frameNanoseconds.solve.p50", "peakResidentBytes", "missedFrames", "hitchTimeRatio",
      "growthExponent", "ratio.naive/tiled", "ratio.naive/tiled.p99", "allocationCount.total", "itemsPerSecond",
      "bytesPerCall",
    ] { #expect(try LimitKey.parse(text).description == text) }
  }
}
