import Foundation
import Testing

@testable import Orchestration

/// What a revision of others learns of the machine that builds it, and what is left of the user's own files.
@Suite struct RevisionTrustTests {
  @Test func secretsReachABuildOnlyWhereTheUserListsThem() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n// SECRET_TOKEN\n", to: "Package.swift")
    try await repository.commit("a manifest that asks for a secret")
    let secret = ["SECRET_TOKEN": "hush", "LC_TIME": "C"]
    let built = try await repository.build("HEAD", environment: secret)
    #expect(built.status == 0, "\(built.error)")
    #expect(
      built.error.contains(
        "the manifest seems to read SECRET_TOKEN, which revisions do not get;"
          + " SPRINGBENCH_PASS_ENVIRONMENT=SECRET_TOKEN passes it on"), "\(built.error)")
    #expect(!repository.buildEnvironment.contains("hush"))
    #expect(repository.buildEnvironment.contains("LC_TIME=C\n"))

    let listed = try await repository.build("HEAD", environment: secret, passing: ["SECRET_TOKEN"])
    #expect(listed.status == 0 && !listed.error.contains("SECRET_TOKEN"), "\(listed.error)")
    #expect(repository.buildEnvironment.contains("SECRET_TOKEN=hush\n"))
  }

  @Test func onlyWhatBuildingTakesIsInherited() {
    let all = [
      "PATH": "/bin", "CC": "clang", "LC_ALL": "C", "SPRINGBENCH_MACHINE": "here", "GITHUB_TOKEN": "a",
      "AWS_SECRET_ACCESS_KEY": "b", "SSH_AUTH_SOCK": "c", "DATA": "d",
    ]
    #expect(
      Set(InheritedEnvironment.reduced(all).keys) == ["PATH", "CC", "LC_ALL", "SPRINGBENCH_MACHINE"])
    let passing = all.merging(["SPRINGBENCH_PASS_ENVIRONMENT": "DATA, SSH_AUTH_SOCK,OTHER"]) { $1 }
    #expect(
      Set(InheritedEnvironment.reduced(passing).keys).subtracting(InheritedEnvironment.reduced(all).keys)
        == ["DATA", "SSH_AUTH_SOCK", "SPRINGBENCH_PASS_ENVIRONMENT"])
  }

  @Test func filesThatGitDoesNotKnowLeaveNothingInTheRepository() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("PASSWORD=hush", to: "untracked.txt")
    let before = try await repository.userState()
    let built = try await repository.build()
    #expect(built.status == 0, "\(built.error)")
    let path = built.output.trimmingCharacters(in: .newlines)
    #expect(FileManager.default.contents(atPath: path) == Data("firstPASSWORD=hush".utf8))
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }
}
