import Foundation
import Testing

@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests that a build which is stopped at any moment does not disturb the next one.
@Suite(.serialized) struct RevisionKillTests {
  @Test(arguments: ["INT", "TERM"]) func interruptedItCleansUp(_ signal: String) async throws {
    let repository = try await ThrowawayRepository()
    let before = try await repository.userState()
    let process = try await repository.build("HEAD", environment: ["FAKE_SIGNAL": signal])
    #expect(process.status == 1)
    #expect(process.error == "springbench: error: interrupted; nothing was written\n")
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
    #expect(try await repository.build("HEAD").status == 0)
  }

  @Test func killedWhileItBuildsTheCompilerGoesWithItAndTheNextRunClearsUp() async throws {
    let repository = try await ThrowawayRepository()
    let before = try await repository.userState()
    let killed = try await repository.build("HEAD", environment: ["FAKE_SIGNAL": "KILL"])
    #expect(killed.status == nil)
    #expect(try await ChildTable.eventually { compilers(of: repository).isEmpty })
    #expect(!repository.leftovers.isEmpty)
    let next = try await repository.build("HEAD")
    #expect(next.status == 0, "\(next.error)")
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  static let moments = [
    "ls-files", "update-index -z", "add", "write-tree", "worktree add", "checkout-index", "ls-tree", "update-index -q",
    "worktree remove",
  ].flatMap { command in ["before", "after"].map { (command, $0) } }

  @Test(arguments: moments) func killedAroundAnyGitCommandTheNextRunWorks(_ moment: (command: String, when: String))
    async throws
  {
    let repository = try await ThrowawayRepository()
    // Builds once, so that there are files that the next build could reuse.
    #expect(try await repository.build("HEAD").status == 0)
    try repository.write("changed", to: "source.txt")
    let before = try await repository.userState()
    let killed = try await repository.build(environment: [
      "FAKE_GIT_COMMAND": moment.command, "FAKE_GIT_WHEN": moment.when,
    ])
    #expect(killed.status == nil)
    let next = try await repository.build()
    #expect(next.status == 0, "\(next.error)")
    let path = next.output.trimmingCharacters(in: .newlines)
    #expect(FileManager.default.contents(atPath: path) == Data("changed".utf8))
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  /// The sandbox would refuse to change a worktree's record that is not its own.
  @Test(
    .enabled(if: RevisionTrustTests.hasSandbox, "bubblewrap is not installed, or not allowed here"),
    arguments: ["worktree add", "worktree remove"]) func killedInTheSandboxTheNextRunWorks(_ command: String)
    async throws
  {
    let repository = try await ThrowawayRepository()
    let before = try await repository.userState()
    let killed = try await repository.build(
      arguments: ["--sandbox", "HEAD"], environment: ["FAKE_GIT_COMMAND": command, "FAKE_GIT_WHEN": "after"])
    #expect(killed.status == 1 && killed.error.contains("signal 9"), "\(killed.error)")
    let next = try await repository.build(arguments: ["--sandbox", "HEAD"])
    #expect(next.status == 0, "\(next.error)")
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  @Test func worktreesOfOthersStay() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("worktree", "add", "--quiet", "--detach", repository.base + "/theirs")
    try await repository.git("worktree", "add", "--quiet", "--detach", repository.base + "/gone")
    try FileManager.default.removeItem(atPath: repository.base + "/gone")
    let before = try await repository.userState()
    _ = try await repository.build("HEAD", environment: ["FAKE_SIGNAL": "KILL"])
    #expect(try await repository.build("HEAD").status == 0)
    #expect(try await repository.userState() == before)
  }

  /// Returns the process ids of a repository's running fake compilers, including their subshells.
  private func compilers(of repository: ThrowawayRepository) -> [String] {
    let names = Paths.names(in: "/proc")
    return names.filter { Int($0) != nil }.filter { name in
      let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") ?? Data()
      let text = String(decoding: line, as: UTF8.self)
      return text.contains(repository.base + "/tools/swift") && text.contains("--scratch-path")
    }
  }
}
