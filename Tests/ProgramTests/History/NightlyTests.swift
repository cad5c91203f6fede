import Foundation
import FrameBench
import HistoryPages
import Judging
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests `springbench nightly` as a process.
@Suite struct NightlyTests {
  @Test func aNightIsMeasuredAppendedReportedAndPublished() async throws {
    let folder = try TemporaryFolder()
    let process = try await nightly(["--filter", "steady"], in: folder)
    #expect(process.status == 0 && process.error.isEmpty, "\(process.error)")
    let lines = process.output.split(separator: "\n")
    #expect(lines.first == "Not compared: programs that are given by their paths belong to no commit.")
    #expect(lines[1] == "Too few nights for a verdict of the history: 1 of 16 in this environment.")
    #expect(lines.count == 4)
    for path in lines.dropFirst(2) { #expect(FileManager.default.fileExists(atPath: String(path))) }
    #expect(folder.contents.contains { $0.hasPrefix("m/") && $0.hasSuffix("/run.json") })
    let content = try history(folder).load()
    #expect(content.problems.isEmpty)
    let night = try #require(content.entries.first?.night)
    #expect(night.benchmarks.map(\.id.description).sorted().first == "steady/naive/10")
    #expect(night.benchmarks.count == 4 && night.options?.frameCount == 4)
    #expect(night.hasGivenPrograms == true, "so the next night that is compared covers the commits of this one")
    #expect(HistoryIndex.read(history(folder).indexPath) == HistoryIndex(content))
    let page = try String(contentsOfFile: folder.path + "/site/index.html", encoding: .utf8)
    #expect(page.contains("steady/tiled/<wbr>100"))
  }

  @Test func aBenchmarkThatVanishesIsAnErrorOnce() async throws {
    let folder = try TemporaryFolder()
    try await nightly(["--filter", "doubtful|steady/tiled/10$"], in: folder)
    #expect(try await nightly(["--filter", "doubtful"], in: folder).status == 0)
    var night = try #require(try history(folder).load().entries.last?.night)
    night.benchmarks[0].id = BenchmarkID(scenario: "doubtful", strategy: "gone", size: 10)
    _ = try history(folder).append(night)
    let next = try await nightly(["--filter", "doubtful"], in: folder)
    #expect(next.status == 5)
    #expect(next.output.contains("1 benchmark is missing"))
    #expect(try newestReport(folder).contains("- `doubtful/gone/10`"))
    #expect(try await nightly(["--filter", "doubtful"], in: folder).status == 0)
  }

  @Test func aBenchmarkThatFailsIsAnError() async throws {
    let folder = try TemporaryFolder()
    let process = try await nightly(["--filter", "doubtful|throwing"], in: folder)
    #expect(process.status == 1)
    #expect(process.errorLines.count == 1 && process.error.contains("throwing/mine/10"))
    let night = try #require(try history(folder).load().entries.first?.night)
    #expect(night.failures.map(\.id.scenario) == ["throwing"] && night.benchmarks.count == 1)
    // A benchmark that failed does not count as missing.
    #expect(try await nightly(["--filter", "doubtful|throwing"], in: folder).status == 1)
    #expect(try !newestReport(folder).contains("## Missing"))
  }

  @Test func anEmptyNightIsAnError() async throws {
    let folder = try TemporaryFolder()
    let process = try await nightly(["--filter", "throwing"], in: folder)
    #expect(process.status == 1)
    #expect(process.output.hasPrefix("Nothing was measured.") && !process.output.contains("Too few"))
  }

  @Test func aRegressionTurnsOneNightRed() async throws {
    let folder = try TemporaryFolder()
    try await nightly(["--filter", "steady/naive/100$"], in: folder)
    try plantCheaperNights(30, newLevel: 3, in: folder)
    let red = try await nightly(["--filter", "steady/naive/100$"], in: folder)
    #expect(red.status == 2, "\(red.output) \(red.error)")
    #expect(red.output.contains("\nNew regressions: "))
    let announced = try #require(try history(folder).load().entries.last?.night.announced)
    #expect(announced.contains { $0.metric == "frameNanoseconds.p50" })
    let after = try await nightly(["--filter", "steady/naive/100$", "--json"], in: folder)
    #expect(after.status == 0, "\(after.output)")
    let events = try JSONSerialization.jsonObject(with: Data(after.output.utf8)) as? [[String: Any]]
    #expect(events?.contains { $0["kind"] as? String == "regression" } == false)
  }

  /// Adds copies of the measured night: `count` with a thousandth of the measured time, then `newLevel` unchanged ones.
  private func plantCheaperNights(_ count: Int, newLevel: Int, in folder: TemporaryFolder) throws {
    let folder = history(folder)
    let real = try #require(try folder.load().entries.first?.night)
    for number in 0..<(count + newLevel) {
      var night = real
      night.startedAt = String(format: "2025-%02d-%02dT03:00:00Z", 1 + number / 28, 1 + number % 28)
      // Each night has its own commit, because one commit cannot have different times.
      night.environment.commit = String(format: "%040x", number)
      let factor = number < count ? 0.001 * (1 + 0.01 * sin(Double(number) * 2)) : 1
      for index in night.benchmarks.indices {
        night.benchmarks[index].values = zip(night.metrics, night.benchmarks[index].values).map {
          $0 == "frameNanoseconds.p50" ? $1.map { $0 * factor } : $1
        }
      }
      _ = try folder.append(night)
    }
  }

  @Test func nightliesAtOnceAllEndUpInTheHistory() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
      for _ in 0..<4 { group.addTask { try await nightly(["--filter", "doubtful"], output: path).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [0, 0, 0, 0])
    let content = try history(folder).load()
    #expect(content.entries.count == 4 && content.problems.isEmpty)
    #expect(HistoryIndex.read(history(folder).indexPath) == HistoryIndex(content))
  }

  @Test func damagedAndNewerNightsAreNamedAndStay() async throws {
    let folder = try TemporaryFolder()
    try await nightly(["--filter", "doubtful"], in: folder)
    let path = history(folder).path
    try Data("{\"schemaVersion\": 9}".utf8).write(to: URL(fileURLWithPath: path + "/20260101T030000Z-nogit.json"))
    try Data("{\"sch".utf8).write(to: URL(fileURLWithPath: path + "/20260102T030000Z-nogit.json"))
    let process = try await nightly(["--filter", "doubtful"], in: folder)
    #expect(process.status == 0)
    #expect(process.errorLines.count == 2)
    #expect(process.error.contains("20260101T030000Z-nogit.json: written by a newer springbench"))
    #expect(process.error.contains("20260102T030000Z-nogit.json: not JSON"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 5)
  }

  @Test func aNightThatIsGoneIsNoticedOnce() async throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { try await nightly(["--filter", "doubtful"], in: folder) }
    let first = try #require(try history(folder).load().entries.first)
    try FileManager.default.removeItem(atPath: history(folder).path + "/" + first.row.file)
    let process = try await nightly(["--filter", "doubtful"], in: folder)
    #expect(process.error.contains("has lost a night that its index names (\(first.row.file))"))
    #expect(try await nightly(["--filter", "doubtful"], in: folder).error.isEmpty)
  }

  @Test(arguments: [
    ("lists", ["lists"], "lists"), ("feed, lists", ["lists"], "lists"), ("lists", ["feed, lists"], "feed, lists"),
    ("lists, feed", ["feed, lists"], "feed, lists"), ("lists", ["feed, lists", "lists"], "lists"),
    ("lists", ["feed", "lists and more"], "lists"), ("lists, feed", ["feed@main", "feed"], "feed"),
    ("lists, feed@main", ["feed", "feed@main"], "feed@main"), ("lists", [], "lists"),
    ("feed, lists", ["feed", "lists"], "feed, lists"), ("feed, lists", ["feed, more", "feed"], "feed, more"),
  ]) func aHistoryContinuesIfProgramsComeAndGo(suites: String, known: [String], name: String) {
    #expect(HistoryFolder.name(of: suites, among: known) == name)
  }

  @Test func aFolderThatIsNotTheSitesIsNotTouched() async throws {
    let folder = try TemporaryFolder()
    let mine = folder.path + "/mine"
    try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: mine + "/index.html"))
    let process = try await nightly(["--filter", "doubtful", "--site", mine], in: folder)
    #expect(process.status == 64)
    #expect(process.errorLines.count == 1 && process.error.contains("--site"))
    #expect(folder.contents == ["mine", "mine/index.html"])
  }

  @Test func noNightIsLostToItsPages() async throws {
    let folder = try TemporaryFolder()
    let pages = folder.path + "/pages"
    for history in [pages, pages + "/history", folder.path + "/other/../pages/history"] {
      let process = try await nightly(["--filter", "doubtful", "--site", pages, "--history", history], in: folder)
      #expect(process.status == 64 && process.error.contains("would be lost"), "\(process.error)")
    }
    // If a symbolic link puts the history into the folder of the pages, this is noticed only after the night has been
    // written.
    try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: pages)
    let process = try await nightly(
      ["--filter", "doubtful", "--site", pages, "--history", folder.path + "/link/history"], in: folder)
    #expect(process.status == 1 && process.error.contains("which is not one of the pages"), "\(process.error)")
    #expect(folder.contents.contains { $0.hasPrefix("pages/history/m/2") })
  }
}

/// Measures a short night of machine `m`. All results go to the folder.
@discardableResult func nightly(_ arguments: [String], in folder: TemporaryFolder) async throws -> FixtureProcess {
  try await nightly(arguments, output: folder.path)
}

private func nightly(_ arguments: [String], output: String) async throws -> FixtureProcess {
  try await FixtureProcess.run(
    ["nightly", "--frames", "4", "--warm-up", "1", "--runs", "1", "--machine", "m", "--output", output] + arguments)
}

func history(_ folder: TemporaryFolder) -> HistoryFolder { HistoryFolder(root: folder.path + "/history", machine: "m") }

/// Returns the newest report by modification time, because the times in file names are only whole seconds.
private func newestReport(_ folder: TemporaryFolder) throws -> String {
  let reports = folder.contents.filter { $0.hasSuffix("/nightly.md") }.map { "\(folder.path)/\($0)" }
  let dated = try reports.map { path in
    (path, try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date ?? .distantPast)
  }
  let newest = try #require(dated.max { $0.1 < $1.1 })
  return try String(contentsOfFile: newest.0, encoding: .utf8)
}
