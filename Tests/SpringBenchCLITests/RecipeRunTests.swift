import Foundation
import Testing
import Yams

@testable import SpringBenchCLI

/// The recipes of docs/ci, run as their services would, in a repository made for it.
@Suite struct RecipeRunTests {
  private func recipe(_ name: String) throws -> Node {
    let text = try String(
      contentsOf: repositoryRoot.appendingPathComponent("docs/ci/\(name)"), encoding: .utf8)
    return try #require(try Yams.compose(yaml: text))
  }

  private func pullRequest(_ job: RecipeJob) async throws -> FixtureProcess {
    try await job.runGitHub(
      recipe("github-pull-request.yml"), job: "gate",
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_BASE_REF": "main", "GITHUB_WORKSPACE": job.checkout,
        "GITHUB_STEP_SUMMARY": job.checkout + "/../summary.md",
      ])
  }

  @Test(.enabled(if: SystemCallFilter.canBeApplied, "bubblewrap is not there, or may not confine"))
  func aPullRequestThatAllocatesShutsTheGateInAContainerAndSaysSo() async throws {
    let job = try await RecipeJob(isContained: true)
    #expect(try await job.run("unshare --mount true").status != 0)
    try await job.commit(build: "allocating")
    let process = try await pullRequest(job)
    #expect(process.status == 2, "\(process.output) \(process.error)")
    #expect(process.output.contains("::error"))
    for report in ["comment.md", "gate.md", "../summary.md"] {
      let text = try job.text(report)
      #expect(text.contains("0 → 400 allocations") && text.contains("rebuilt/mine/200"), "\(text)")
    }
    #expect(try job.text("gate.xml").contains("<failure"))
  }

  @Test func aPullRequestThatChangesNothingThatRunsPasses() async throws {
    let job = try await RecipeJob()
    try job.write("words", to: "README.md")
    try await job.commit(build: "plain")
    let process = try await pullRequest(job)
    #expect(process.status == 0, "\(process.output) \(process.error)")
    #expect(try job.text("gate.md").contains("The gate passed"))
  }

  /// So that a cache serves on a runner that checks everything out anew.
  @Test func aFileHasTheSameTimeInEveryCheckoutThatHasTheSameContent() async throws {
    let job = try await RecipeJob()
    for name in ["with a space.txt", "öther \"file\".txt"] { try job.write("one", to: name) }
    try await job.commit(build: "slow")
    let steps = try #require(
      recipe("github-pull-request.yml")["jobs"]?["gate"]?["steps"]?.sequence)
    let script = try #require(
      steps.compactMap { $0["run"]?.string }.first { $0.contains("touch") })
    let list = "\nstat -c '%n %.Y' *"
    let first = try await job.run("\(script)\(list)")
    #expect(first.status == 0, "\(first.error)")
    let second = try await job.run(
      "git clone --quiet . ../again && cd ../again && touch * && \(script)\(list)")
    #expect(first.output.split(separator: "\n").count == 5 && first.output == second.output, "\(second)")
    try job.write("two", to: "with a space.txt")
    try await job.commit(build: "slow")
    let third = try await job.run("\(script)\(list)")
    let changed = zip(first.output.split(separator: "\n"), third.output.split(separator: "\n"))
      .filter { $0 != $1 }.map(\.0)
    #expect(changed.count == 1 && changed[0].contains("with a space"), "\(changed)")
  }

  @Test func nightsGatherInABranchWithoutLocksAndAreClean() async throws {
    let job = try await RecipeJob()
    for night in 1...2 {
      let process = try await job.runGitHub(
        recipe("github-nightly.yml"), job: "nightly", environment: ["GITHUB_ACTIONS": "true"])
      #expect(process.status == 0, "\(process.output) \(process.error)")
      let kept = try await job.run("git ls-tree -r --name-only origin/springbench-history").output
      let names = kept.split(separator: "\n")
      #expect(names.allSatisfy { $0.hasSuffix(".json") && !$0.contains("/.") }, "\(kept)")
      #expect(names.count { !$0.hasSuffix("index.json") } == night, "\(kept)")
      #expect(FileManager.default.fileExists(atPath: job.checkout + "/public/index.html"))
      let dirt = try await job.run(
        "git show origin/springbench-history:$(git ls-tree -r --name-only origin/springbench-history | grep -v index | tail -1)"
      )
      #expect(dirt.output.contains(#/"isDirty" ?: ?false/#), "\(dirt.output.prefix(600))")
      // A runner starts each night from an empty folder; the branch is all that it keeps.
      _ = try await job.run("rm -rf history public results")
    }
    try job.write("a change", to: "more.txt")
    let run = try await job.run(
      ".build/release/springbench run --frames 4 --warm-up 2 --runs 1 && cat results/*/*/run.json")
    #expect(run.output.contains(#/"isDirty" ?: ?true/#), "\(run.error)")
  }

  @Test func aMergeRequestOnGitLabIsMeasuredInPartsJudgedAndCompared() async throws {
    let job = try await RecipeJob(sizes: [200, 400])
    try await job.commit(build: "allocating")
    let recipe = try recipe("gitlab-ci.yml")
    for index in 1...2 {
      let part = try await job.runGitLab(
        recipe, job: "measure", environment: ["CI_NODE_INDEX": "\(index)", "CI_NODE_TOTAL": "2"])
      #expect(part.status == 0, "\(part.output) \(part.error)")
      // Each job has a checkout of its own; GitLab carries the artifacts over.
      _ = try await job.run("mv run-\(index).json ..; git clean -ffdxq")
    }
    _ = try await job.run("mv ../run-*.json .")
    let process = try await job.runGitLab(
      recipe, job: "gate", environment: ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"])
    #expect(process.status == 2, "\(process.output) \(process.error)")
    for name in ["gate.xml", "metrics.txt", "compare.html"] {
      #expect(try !job.text(name).isEmpty, "\(name)")
    }
  }
}
