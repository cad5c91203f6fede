import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Platform
@testable import Program

@Suite struct OutputTests {
  @Test func resultsCanGoToAFolderOfOneLetter() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      ["run", "--filter", "doubtful", "--frames", "3", "--runs", "1", "--output", "r"], in: folder.path)
    #expect(process.status == 0, "\(process.error)")
    #expect(folder.contents.contains("r/README.md"))
  }

  @Test(arguments: ["main.swift", "Code.C", "link"]) func aSourceFileIsNotReplacedByAReport(name: String) async throws {
    let folder = try TemporaryFolder()
    try "mine".write(toFile: folder.path + "/main.swift", atomically: true, encoding: .utf8)
    #expect(symlink("main.swift", folder.path + "/link") == 0)
    let process = try await FixtureProcess.run(
      ["gate", "--baseline", "main", "--report", "json=\(name)"], in: folder.path)
    #expect(process.status == 64 && process.error.contains("\"\(name)\" has the name of a source"), "\(process.error)")
    #expect(try String(contentsOfFile: folder.path + "/main.swift", encoding: .utf8) == "mine")
  }

  @Test func aNameThatIsTakenGetsANumber() throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(path: folder.path + "/results")
    let names = try (0..<3).map { _ in try output.write(files: files, machine: "m", name: "20261121T064712Z-6a73046") }
    #expect(
      names.map { $0.split(separator: "/").last } == [
        "20261121T064712Z-6a73046", "20261121T064712Z-6a73046-2", "20261121T064712Z-6a73046-3",
      ])
    #expect(folder.contents.allSatisfy { !$0.contains("/.") })
  }

  @Test func whatCannotBeWrittenLeavesNothingBehind() throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(path: folder.path)
    let bad = files + [(name: String(repeating: "n", count: 300), data: Data())]
    #expect(throws: RunError.self) { try output.write(files: bad, machine: "m", name: "20261121T064712Z-a") }
    #expect(folder.contents == ["m"])
  }

  @Test func aFolderThatCanBeWrittenIsLeftAsItWas() throws {
    let folder = try TemporaryFolder()
    try OutputFolder(path: folder.path + "/a/b").checkWritable(machine: "m")
    #expect(folder.contents.isEmpty)
    try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
    try OutputFolder(path: folder.path + "/a/b").checkWritable(machine: "m")
    #expect(folder.contents == ["a", "a/b"])
  }

  @Test func theIndexLinksTheNewestAndListsTheRestNewestFirst() throws {
    let folder = try TemporaryFolder()
    for name in [
      "20261121T064712Z-aaaaaaa", "20261121T064712Z-aaaaaaa-2", "20261121T064712Z-aaaaaaa-10", "20251121T064712Z-nogit",
      "notes",
    ] { _ = try OutputFolder(path: folder.path).write(files: files, machine: "desk", name: name) }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/desk/20271121T064712Z-empty", withIntermediateDirectories: true)
    let text = try String(contentsOfFile: folder.path + "/README.md", encoding: .utf8)
    #expect(
      text == """
        # Results

        Written by `springbench run`; the newest report of each machine first.

        ## desk

        Newest: [20261121T064712Z-aaaaaaa-10](desk/20261121T064712Z-aaaaaaa-10/report.md)

        Earlier:

        - [20261121T064712Z-aaaaaaa-2](desk/20261121T064712Z-aaaaaaa-2/report.md)
        - [20261121T064712Z-aaaaaaa](desk/20261121T064712Z-aaaaaaa/report.md)
        - [20251121T064712Z-nogit](desk/20251121T064712Z-nogit/report.md)

        """)
  }

  @Test func timesAreWrittenInUTC() {
    let stamp = Date(timeIntervalSince1970: 1_795_243_632)
    #expect(stamp.iso8601 == "2026-11-21T06:47:12Z")
    #expect(stamp.compact == "20261121T064712Z")
  }

  private var files: [(name: String, data: Data)] { [("run.json", Data()), ("report.md", Data())] }
}
