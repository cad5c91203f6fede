import Budgets
import Foundation
import Testing

@testable import FrameBench
@testable import SpringBenchCLI

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
    "", "# mine\nbudgets: []\n", "acknowledged: []\nbudgets: []\n",
    "acknowledged:\n- id: x/y/1\n  metric: m\n  reason: r\n  until: 2027-01-01\n",
    "acknowledged:  # kept\n    # and this\n    - id: x/y/1\n      metric: m\n      reason: r\n      until: 2027-01-01\n",
  ])
  func anEntryIsAddedAndTheRestStays(before: String) async throws {
    let folder = try TemporaryFolder()
    if !before.isEmpty { try before.write(toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8) }
    let process = try await acknowledge(folder)
    #expect(process.status == 0, "\(process.error)")
    let after = try BudgetFile(reading: text(folder), path: "b.yml").acknowledgements
    let entry = try #require(after.first { $0.metric == "allocationCount" })
    #expect(entry.reason == "it's worth it" && entry.until == "2999-01-31")
    #expect(after.count == (before.contains("x/y/1") ? 2 : 1))
    for comment in ["# mine", "# kept", "# and this"] where before.contains(comment) {
      #expect(try text(folder).contains(comment))
    }
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
