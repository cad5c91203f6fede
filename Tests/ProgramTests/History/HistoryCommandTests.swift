import Foundation
import HistoryPages
import Markup
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Judging
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests `springbench history` as a process.
@Suite struct HistoryCommandTests {
  /// Returns nights of a machine. From the thirty-first night on, the times are 10% longer.
  private func nights(_ count: Int, machine: String = "m") -> [Night] {
    (0..<count).map { number in
      let environment = Environment(
        machine: machine, cpuModel: nil, coreCount: 2, memoryBytes: nil, kernel: "k", operatingSystem: nil,
        isVirtualMachine: nil, commit: String(format: "%040x", number), isDirty: false, toolchain: "Swift 6.3.1",
        buildConfiguration: "release", allocator: "jemalloc 5.3.0",
        clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 1), loadAverage: nil)
      let value = (number < 30 ? 1_000.0 : 1_100) * (1 + 0.003 * sin(Double(number) * 2))
      return Night(
        suite: "s", startedAt: String(format: "2026-%02d-%02dT03:00:00Z", 1 + number / 28, 1 + number % 28),
        environment: environment, metrics: ["frameNanoseconds.p50", "allocationCount.mean"],
        benchmarks: [
          Night.Benchmark(id: BenchmarkID(scenario: "a", strategy: "b", size: 10), checksum: "0", values: [value, 0]),
          Night.Benchmark(id: BenchmarkID(scenario: "a", strategy: "c", size: 10), checksum: "0", values: [5, nil]),
        ], failures: [])
    }
  }

  @Test func theVerdictThatAMachineOfAClassCouldNotDeliverIsItsOwn() {
    var nights = nights(3)
    for (index, member) in ["m1", "m3", "m2"].enumerated() {
      nights[index].environment.member = member
      nights[index].startedAt = "2026-01-01T0\(2 + index):00:00Z"
    }
    nights[2].environment.commit = nights[0].environment.commit
    nights[2].failures = [BenchmarkFailure(id: nights[2].benchmarks[0].id, reason: "it was killed", standardError: "")]
    let overdue = NightlyCommand.overdue([Undelivered.Key(nights[2])], nights)
    #expect(overdue.map(\.newestFailures.count) == [1])
    #expect(overdue.map { $0.nights.last?.environment.commit } == [nights[0].environment.commit])
  }

  private func write(_ nights: [Night], _ folder: TemporaryFolder) throws -> [String] {
    try nights.enumerated().map { number, night in
      let path = "\(folder.path)/\(night.environment.machine)-\(number).json"
      try night.data().write(to: URL(fileURLWithPath: path))
      return path
    }
  }

  @discardableResult private func show(_ arguments: [String], _ folder: TemporaryFolder) async throws -> FixtureProcess
  { try await FixtureProcess.run(["history", "--history", folder.path + "/history"] + arguments) }

  @Test func nightsOfOtherMachinesComeInOnce() async throws {
    let folder = try TemporaryFolder()
    let files = try write(nights(40), folder) + write(nights(3, machine: "other"), folder)
    let first = try await show(["--import"] + files, folder)
    #expect(first.status == 0 && first.error == "springbench: 43 nights imported\n", "\(first.error)")
    let second = try await show(["--import"] + files, folder)
    #expect(second.error == "springbench: 0 nights imported, 43 were there already\n")
    #expect(try HistoryFolder.machines(in: folder.path + "/history") == ["m", "other"])
    let content = try HistoryFolder(root: folder.path + "/history", machine: "m").load()
    #expect(content.entries.map(\.night) == nights(40))
  }

  @Test func beforeTheFirstNightTheRunsBelowResultsAreShown() async throws {
    let folder = try TemporaryFolder()
    let none = try await FixtureProcess.run(["history"], in: folder.path)
    #expect(none.status == 64 && none.error.contains("has no nights"), "\(none.error)")
    for day in [20, 21] {
      let run = try StoredRuns.document(startedAt: "2026-11-\(day)T06:47:12Z")
      try StoredRuns.write(run, to: "\(folder.path)/results/desk/202611\(day)T064712Z-nogit/run.json")
    }
    let shown = try await FixtureProcess.run(["history"], in: folder.path)
    #expect(shown.status == 0 && shown.output.contains("fixture on desk, 2 nights"), "\(shown.output) \(shown.error)")
    #expect(shown.output.contains("springs/naive/10") && shown.error.contains("no night is recorded"))
  }

  @Test func runDocumentsComeInToo() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "doubtful", "--machine", "m"], in: folder)
    let path = try #require(folder.contents.first { $0.hasSuffix("/run.json") })
    let process = try await show(["--import", folder.path + "/" + path], folder)
    #expect(process.status == 0)
    let content = try history(folder).load()
    #expect(content.entries.map(\.night.benchmarks.first?.id.description) == ["doubtful/mine/10"])
  }

  @Test func oneBadDocumentKeepsAllOut() async throws {
    let folder = try TemporaryFolder()
    let files = try write(nights(2), folder)
    for (name, text) in [("cut", "{\"schemaVersion\":1"), ("newer", "{\"schemaVersion\":99}"), ("other", "[]")] {
      let path = "\(folder.path)/\(name).json"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let process = try await show(["--import"] + files + [path], folder)
      #expect(process.status == 64 && process.errorLines.count == 1)
      #expect(process.error.contains("\(name).json") && process.error.contains("nothing was imported"))
    }
    let path = folder.path + "/outside.json"
    try nights(1, machine: "../up")[0].data().write(to: URL(fileURLWithPath: path))
    let outside = try await show(["--import", path], folder)
    #expect(outside.status == 64 && outside.error.contains("cannot name a folder"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/history"))
  }

  @Test func theTableFitsAndMarksTheChange() async throws {
    let folder = try TemporaryFolder()
    try await show(["--import"] + write(nights(60), folder), folder)
    let process = try await show([], folder)
    #expect(process.status == 0 && !process.output.contains("\u{1B}"))
    let lines = process.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first == "s on m, 60 nights")
    #expect(lines[1].hasPrefix("a/b/10") && lines[1].contains("1.10 µs"))
    #expect(lines[2].contains("^"))
    #expect(lines[3].contains("+10% on 2026-02-03 0000000..0000000"))
    #expect(lines[4].hasPrefix("a/c/10") && lines.count == 6)
    #expect(lines[5] == "no benchmark allocates in its frames")
    let page = try await show(["a/b/10"], folder)
    #expect(page.output.contains("frame time, p50") && page.output.contains("allocations a frame"))
  }

  @Test func jsonIsOneArrayOfTrends() async throws {
    let folder = try TemporaryFolder()
    try await show(["--import"] + write(nights(60), folder), folder)
    let process = try await show(["a/b/10", "--json"], folder)
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]])
    #expect(rows.map { $0["metric"] as? String } == ["frameNanoseconds.p50", "allocationCount.mean"])
    let points = try #require(rows[0]["changePoints"] as? [[String: Any]])
    #expect(points.count == 1 && points[0]["startedAt"] as? String == "2026-02-03T03:00:00Z")
    #expect(points[0]["bad"] as? String == String(format: "%040x", 30))
    #expect((rows[0]["nights"] as? [Any])?.count == 60)
  }

  @Test func csvHasALineANightAndFigure() async throws {
    let folder = try TemporaryFolder()
    try await show(["--import"] + write(nights(2), folder), folder)
    let process = try await show(["--csv"], folder)
    let lines = process.output.components(separatedBy: "\r\n")
    #expect(lines.first == "machine,suite,startedAt,commit,id,metric,value")
    // There is a header, and three lines for each of two nights. Figures without a value have no line.
    #expect(lines.count == 8 && lines.last == "")
    #expect(
      lines.contains {
        $0.hasPrefix("m,s,2026-01-01T03:00:00Z,0000") && $0.hasSuffix("a/b/10,allocationCount.mean,0.0")
      })
  }

  @Test func whatIsNotThereIsSaidWithARemedy() async throws {
    let folder = try TemporaryFolder()
    let none = try await show([], folder)
    #expect(none.status == 64 && none.error.contains("springbench nightly"))
    let pages = try await show(["--site", folder.path + "/public"], folder)
    #expect(pages.status == 64 && folder.contents.isEmpty, "\(pages.error)")
    try await show(["--import"] + write(nights(2), folder), folder)
    for (arguments, words) in [
      (["a/b/11"], "a/b/10"), (["nonsense"], "springs/tiled/10000"), (["--machine", "n"], "did you mean \"m\""),
      (["--json", "--csv"], "choose one"), (["--budgets", "/nowhere.yml", "--site", "x"], "/nowhere.yml"),
    ] {
      let process = try await show(arguments, folder)
      #expect(process.status == 64 && process.errorLines.count == 1, "\(arguments)")
      #expect(process.error.contains(words), "\(process.error)")
    }
  }

  @Test func theSiteIsWrittenAnewAsAWhole() async throws {
    let folder = try TemporaryFolder()
    try await show(["--import"] + write(nights(40), folder), folder)
    let site = folder.path + "/public"
    for _ in 0..<2 {
      let process = try await show(["--site", site + "/"], folder)
      #expect(process.status == 0 && process.output == "\(site)/index.html\n", "\(process.error)")
    }
    let pages = folder.contents.filter { $0.hasPrefix("public/") && $0.hasSuffix(".html") }
    #expect(
      pages == [
        "public/benchmarks/m-s-a-b-10.html", "public/benchmarks/m-s-a-c-10.html", "public/index.html",
        "public/reports/m-s.html",
      ])
    #expect(!folder.contents.contains { $0.contains("writing-") })
  }

  @Test func aBudgetIsALineOfItsChart() async throws {
    let folder = try TemporaryFolder()
    try await show(["--import"] + write(nights(40), folder), folder)
    let budgets = folder.path + "/budgets.yml"
    let text = "cpuSlowdown: 2\nbudgets:\n  - ids: a/b/*\n    limits:\n      frameNanoseconds.p50: 2.3us\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: budgets))
    try await show(["--site", folder.path + "/public", "--budgets", budgets], folder)
    let page = try String(contentsOfFile: folder.path + "/public/benchmarks/m-s-a-b-10.html", encoding: .utf8)
    #expect(page.contains("budget 2.3us on a machine 2.0 times slower"))
    #expect(page.contains("<td class=\"n\">1.15 µs</td>"))
  }
}
