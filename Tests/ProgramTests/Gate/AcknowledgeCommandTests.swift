import Foundation
import Judging
import Testing

@testable import Builds
@testable import FrameBench
@testable import Platform
@testable import Program

@Suite struct AcknowledgeCommandTests {
  private func acknowledge(
    _ folder: TemporaryFolder, id: String = "steady/naive/10", reason: String = "it's worth it",
    until: String = "2999-01-31"
  ) async throws -> FixtureProcess {
    try await FixtureProcess.run([
      "acknowledge", id, "--metric", "allocationCount", "--reason", reason, "--until", until, "--budgets",
      folder.path + "/b.yml",
    ])
  }

  private func text(_ folder: TemporaryFolder) throws -> String {
    try String(contentsOfFile: folder.path + "/b.yml", encoding: .utf8)
  }

  @Test(arguments: [
    "# mine\nbudgets: []\n", "acknowledged: [] # mine: []\nbudgets: []\n", "acknowledged: ~\nbudgets: []\n",
    "acknowledged:\n- id: x/y/1\n  metric: m\n  reason: r\n  until: 2027-01-01\n",
    "acknowledged:  # kept\n    # and this\n    - id: x/y/1\n      metric: m\n      reason: r\n      until: 2027-01-01\n",
  ]) func anEntryIsAddedAndTheRestStays(before: String) async throws {
    let folder = try TemporaryFolder()
    try before.write(toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    let process = try await acknowledge(folder)
    #expect(process.status == 0, "\(process.error)")
    let after = try BudgetFile(reading: text(folder), path: "b.yml").acknowledgements
    let entry = try #require(after.first { $0.metric == "allocationCount" })
    #expect(entry.reason == "it's worth it" && entry.until == "2999-01-31")
    #expect(after.count == (before.contains("x/y/1") ? 2 : 1))
    for comment in ["# mine", "# mine: []", "# kept", "# and this"] where before.contains(comment) {
      #expect(try text(folder).contains(comment))
    }
  }

  @Test func aFileThatSomebodyMistypedIsNotMade() async throws {
    let folder = try TemporaryFolder()
    let process = try await acknowledge(folder)
    #expect(process.status == 64 && process.error.contains("b.yml is not there"))
    #expect(folder.contents.isEmpty)
  }

  @Test func theFileThatIsReadByDefaultIsMade() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      ["acknowledge", "steady/naive/10", "--metric", "allocationCount", "--reason", "r", "--until", "2999-01-31"],
      in: folder.path)
    #expect(process.status == 0 && folder.contents == ["springbench.yml"])
  }

  @Test func manyAtOnceAllEndUpInTheFile() async throws {
    let folder = try TemporaryFolder()
    try "budgets: []\n".write(toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    let path = folder.path + "/b.yml"
    let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
      for number in 0..<9 {
        group.addTask {
          try await FixtureProcess.run([
            "acknowledge", "steady/naive/10", "--metric", "allocationCount", "--reason", "number \(number)", "--until",
            "2999-01-31", "--budgets", path,
          ]).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 0, count: 9))
    let reasons = try BudgetFile(reading: text(folder), path: "b.yml").acknowledgements.map(\.reason)
    #expect(Set(reasons) == Set((0..<9).map { "number \($0)" }))
  }

  @Test func whatMakesNoSenseIsRefusedAndTheFileStays() async throws {
    let folder = try TemporaryFolder()
    let before = "budgets: []\n"
    try before.write(toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    #expect(try await acknowledge(folder, id: "stead/naive/10").error.contains("did you mean"))
    #expect(try await acknowledge(folder, until: "2020-01-01").status == 64)
    #expect(try await acknowledge(folder, until: "soon").status == 64)
    #expect(try await acknowledge(folder, reason: "  ").status == 64)
    #expect(try text(folder) == before)
  }
}
