import Foundation
import Testing
import Yams

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Runs the recipes of docs/ci as their CI services would, in a temporary repository.
@Suite struct RecipeRunTests {
  private func recipe(_ name: String) throws -> Node {
    let text = try String(contentsOf: repositoryRoot.appendingPathComponent("docs/ci/\(name)"), encoding: .utf8)
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
      #expect(text.contains("0 → 20 allocations") && text.contains("rebuilt/mine/200"), "\(text)")
      #expect(!text.contains("<!-- nothing changed -->"))
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
    #expect(try job.text("comment.md").hasSuffix("\n<!-- nothing changed -->\n"))
  }

  /// A build cache is useful on a runner with a fresh checkout only if unchanged files keep their modification times.
  @Test func aFileHasTheSameTimeInEveryCheckoutThatHasTheSameContent() async throws {
    let job = try await RecipeJob()
    for name in ["with a space.txt", "öther \"file\".txt"] { try job.write("one", to: name) }
    try await job.commit(build: "slow")
    let steps = try #require(recipe("github-pull-request.yml")["jobs"]?["gate"]?["steps"]?.sequence)
    let script = try #require(steps.compactMap { $0["run"]?.string }.first { $0.contains("touch") })
    let list = "\nstat -c '%n %.Y' *"
    let first = try await job.run("\(script)\(list)")
    #expect(first.status == 0, "\(first.error)")
    let second = try await job.run("git clone --quiet . ../again && cd ../again && touch * && \(script)\(list)")
    #expect(first.output.split(separator: "\n").count == 5 && first.output == second.output, "\(second)")
    try job.write("two", to: "with a space.txt")
    try await job.commit(build: "slow")
    let third = try await job.run("\(script)\(list)")
    let changed = zip(first.output.split(separator: "\n"), third.output.split(separator: "\n")).filter { $0 != $1 }.map(
      \.0)
    #expect(changed.count == 1 && changed[0].contains("with a space"), "\(changed)")
  }

  @Test func nightsGatherInABranchWithoutLocksAndAreClean() async throws {
    let job = try await RecipeJob()
    let recipe = try recipe("github-nightly.yml")
    for night in 1...2 {
      let measured = try await job.runGitHub(recipe, job: "nightly", environment: ["GITHUB_ACTIONS": "true"])
      #expect(measured.status == 0, "\(measured.output) \(measured.error)")
      #expect(FileManager.default.fileExists(atPath: job.checkout + "/public/index.html"))
      // The job `keep` runs on another machine, which receives only the files of the artifact.
      let moved = try await job.run(
        """
        mkdir ../keeper && git clone --quiet ../origin.git ../keeper/checkout
        find history -type f ! -name '*.json' ! -name '*.svg' -delete && mv history ../keeper && rm -rf public results
        """)
      #expect(moved.status == 0, "\(moved.error)")
      let keeper = job.checkout + "/../keeper"
      let kept = try await job.runGitHub(
        recipe, job: "keep", environment: ["RUNNER_TEMP": keeper], in: keeper + "/checkout")
      #expect(kept.status == 0, "\(kept.output) \(kept.error)")
      let list = try await job.run(
        "rm -rf ../keeper; git fetch --quiet; git ls-tree -r --name-only origin/springbench-history"
      ).output
      let names = list.split(separator: "\n")
      #expect(names.allSatisfy { $0.hasSuffix(".json") && !$0.contains("/.") }, "\(list)")
      #expect(names.count { !$0.hasSuffix("index.json") } == night, "\(list)")
      let dirt = try await job.run(
        "git show origin/springbench-history:$(git ls-tree -r --name-only origin/springbench-history | grep -v index | tail -1)"
      )
      #expect(dirt.output.contains(#/"isDirty" ?: ?false/#), "\(dirt.output.prefix(600))")
    }
    try job.write("a change", to: "more.txt")
    let run = try await job.run("\"$SPRINGBENCH_HOME/bin/springbench\" run && cat results/*/*/run.json")
    #expect(run.output.contains(#/"isDirty" ?: ?true/#), "\(run.error)")
  }

  @Test func aNightOfCronIsSilentAndAFailedPullIsMailed() async throws {
    let job = try await RecipeJob()
    let crontab = try String(contentsOf: repositoryRoot.appendingPathComponent("docs/ci/crontab"), encoding: .utf8)
    _ = try await job.run("git branch --quiet --set-upstream-to=origin/main")
    let good = try await job.runCron(crontab)
    #expect(good.status == 0 && good.output.isEmpty && good.error.isEmpty, "\(good.output) \(good.error)")
    #expect(FileManager.default.fileExists(atPath: job.checkout + "/public/index.html"))
    _ = try await job.run("mv ../origin.git ../moved.git")
    let failed = try await job.runCron(crontab)
    #expect(failed.output.contains("origin.git") && !failed.output.contains("nightly.md"), "\(failed.output)")
  }

  /// GitHub's shell in a container is sh, unless a recipe chooses another one.
  @Test func everyStepThatNeedsBashHasIt() throws {
    for name in ["github-pull-request.yml", "github-nightly.yml"] {
      for (_, job) in try #require(recipe(name)["jobs"]?.mapping) {
        for step in job["steps"]?.sequence ?? [] where step["run"]?.string?.contains(#/\[\[|read -|\$\(\(/#) == true {
          #expect(RecipeJob.gitHubShell(step, of: job)[0] == "bash")
        }
      }
    }
  }

  /// A recipe builds springbench from source unless the installed program belongs to the commit that the recipe names.
  @Test func springbenchIsInstalledOnce() async throws {
    let job = try await RecipeJob()
    let source = try await job.pretendSource()
    let steps = try #require(recipe("github-pull-request.yml")["jobs"]?["gate"]?["steps"]?.sequence)
    let script = try #require(steps.first { $0["name"]?.string == "Install springbench" }?["run"]?.string)
    func install(_ commit: String, from source: String) async throws -> FixtureProcess {
      try await job.run(script, environment: ["SPRINGBENCH_SOURCE": source, "SPRINGBENCH_COMMIT": commit])
    }
    #expect(try await install("HEAD", from: source).output.isEmpty)
    let commit = try await Git(folder: source).output(["rev-parse", "HEAD"], to: "name a commit")
    let other = try await install(commit, from: source)
    #expect(other.status == 0 && other.output.contains("to \(job.home)"), "\(other.error)")
    _ = try await job.run("rm \"$SPRINGBENCH_HOME/share/springbench/commit\"")
    let newest = try await install("HEAD", from: source)
    #expect(newest.status == 0 && newest.output.contains("to \(job.home)"), "\(newest.error)")
    let unnamed = try await install("HEAD", from: "")
    #expect(unnamed.status != 0 && unnamed.error.contains("SPRINGBENCH_SOURCE: is empty"), "\(unnamed.error)")
  }

  @Test func aMergeRequestOnGitLabIsMeasuredInPartsAndJudged() async throws {
    let job = try await RecipeJob(sizes: [200, 400])
    try await job.commit(build: "allocating")
    let recipe = try recipe("gitlab-ci.yml")
    let target = ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"]
    for index in 1...2 {
      let part = try await job.runGitLab(
        recipe, job: "springbench-measure",
        environment: target.merging(["CI_NODE_INDEX": "\(index)", "CI_NODE_TOTAL": "2"]) { $1 })
      #expect(part.status == 0, "\(part.output) \(part.error)")
      // Each GitLab job has a new checkout, with only the artifacts of earlier jobs.
      _ = try await job.run("mv run-\(index).json comparison-\(index).json ..; git clean -ffdxq")
    }
    _ = try await job.run("mv ../run-*.json ../comparison-*.json .")
    // A budget is exceeded as well, but the regression takes precedence.
    try job.write(
      "budgets:\n  - ids: rebuilt/mine/*\n    limits:\n      allocationCount.max: 0\n", to: "springbench.yml")
    let process = try await job.runGitLab(recipe, job: "springbench-gate", environment: target)
    #expect(process.status == 2, "\(process.output) \(process.error)")
    for name in ["gate.xml", "metrics.txt", "gate.html"] { #expect(try !job.text(name).isEmpty, "\(name)") }
    #expect(try job.text("gate.html").contains("rebuilt/mine/{200,400}"))
  }

  /// Uses a fake `curl`, which answers like GitLab and records the requests.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/jq"), "jq is not installed"),
    arguments: [
      ("[]", "regressed", "notes --data-urlencode"), ("[]", "<!-- nothing changed -->", nil),
      (#"[{"id": 5, "author": {"id": 8}, "body": "<!-- springbench -->"}]"#, "regressed", "notes --data-urlencode"),
      (#"[{"id": 5, "author": {"id": 7}, "body": "<!-- springbench --> old"}]"#, "regressed", "notes/5 PUT"),
      (#"[{"id": 5, "author": {"id": 7}, "body": "<!-- springbench -->"}]"#, "<!-- nothing changed -->", "notes/5 PUT"),
    ]) func oneCommentOfAMergeRequestIsKeptUpToDate(_ notes: String, _ report: String, _ call: String?) async throws
  {
    let job = try await RecipeJob()
    try job.write(notes, to: "notes.json")
    try job.write(report, to: "comment.md")
    try job.tool(
      "curl",
      """
      #!/bin/sh
      for word in "$@"; do last=$word; done
      case "$last $*" in
        */user*) echo '{"id": 7}' ;;
        *PUT*) echo "${last##*/merge_requests/3/} PUT" >>calls ;;
        *--data-urlencode*) echo "${last##*/merge_requests/3/} --data-urlencode" >>calls ;;
        *) cat notes.json ;;
      esac
      """)
    try job.tool("apk", "#!/bin/sh\n")
    let recipe = try recipe("gitlab-ci.yml")
    let process = try await job.runGitLab(
      recipe, job: "springbench-comment",
      environment: [
        "GITLAB_COMMENT_TOKEN": "t", "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_MERGE_REQUEST_PROJECT_ID": "1", "CI_MERGE_REQUEST_IID": "3",
      ])
    #expect(process.status == 0, "\(process.output) \(process.error)")
    let calls = try? job.text("calls")
    #expect(calls?.trimmingCharacters(in: .newlines) == call)
    if call != nil { #expect(try job.text("note.md") == "<!-- springbench -->\n\(report)") }
  }

  @Test func theJobsOfAMatrixEndInOneVerdict() async throws {
    let job = try await RecipeJob(sizes: [200, 400])
    try await job.commit(build: "moved400")
    let recipe = try recipe("github-matrix.yml")
    for index in 0..<2 {
      let part = try await job.runGitHub(
        recipe, job: "measure",
        environment: ["GITHUB_BASE_REF": "main", "STRATEGY_JOB_INDEX": "\(index)", "STRATEGY_JOB_TOTAL": "2"])
      #expect(part.status == 0, "\(part.output) \(part.error)")
      _ = try await job.run("mkdir -p ../parts && mv parts/* ../parts; git clean -ffdxq")
    }
    _ = try await job.run("mv ../parts parts")
    let gate = try await job.runGitHub(recipe, job: "gate", environment: [:])
    #expect(gate.status == 5 && gate.output.contains("rebuilt/mine/400"), "\(gate.output) \(gate.error)")
    #expect(try job.text("gate.md").contains("in 2 parts") && !job.text("comment.md").isEmpty)
    _ = try await job.run("rm parts/*-1.json")
    let incomplete = try await job.runGitHub(recipe, job: "gate", environment: [:])
    #expect(incomplete.status == 1 && incomplete.output.contains("part 2/2 of the run is missing"), "\(incomplete)")
  }

  @Test func anArrayOfSlurmEndsInOneVerdictAndAPartThatFailedIsNamed() async throws {
    let job = try await RecipeJob(sizes: [200, 400])
    try await job.commit(build: "slow")
    let script = try String(contentsOf: repositoryRoot.appendingPathComponent("docs/ci/slurm.sh"), encoding: .utf8)
    try job.write(script, to: ".build-recipe")
    let whole = try await job.run("bash .build-recipe origin/main", environment: ["PARTS": "2"])
    #expect(whole.status == 2 && whole.output.contains("rebuilt/mine/{200,400}"), "\(whole.output) \(whole.error)")
    #expect(try job.text("gate.md").contains("in 2 parts") && !job.text("gate.html").isEmpty)
    let part = try await job.run(
      "bash .build-recipe origin/main", environment: ["PARTS": "2", "FIXTURE_DEAD_TASK": "1"])
    #expect(part.status == 1 && part.output.contains("part 1/2 of the comparison is missing"), "\(part.output)")
    let none = try await job.run("bash .build-recipe nowhere", environment: ["PARTS": "2"])
    #expect(none.status == 1 && none.output.contains("no part was measured"), "\(none.output) \(none.error)")
  }

  @Test func anIndexedJobOfKubernetesEndsInOneVerdict() async throws {
    let job = try await RecipeJob(sizes: [200, 400, 800])
    try await job.commit(build: "allocating")
    let text = try String(contentsOf: repositoryRoot.appendingPathComponent("docs/ci/kubernetes.yml"), encoding: .utf8)
    for index in 0..<3 {
      let pod = try await job.runKubernetes(
        text, job: "springbench-measure", environment: ["JOB_COMPLETION_INDEX": "\(index)"])
      #expect(pod.status == 0, "\(pod.output) \(pod.error)")
    }
    let gate = try await job.runKubernetes(text, job: "springbench-gate", environment: [:])
    #expect(gate.status == 2 && gate.output.contains("allocations"), "\(gate.output) \(gate.error)")
    #expect(try job.text("../shared/gate.md").contains("in 3 parts"))
    _ = try await job.run("rm -r ../shared/parts/*1*")
    let incomplete = try await job.runKubernetes(text, job: "springbench-gate", environment: ["PATIENCE": "1"])
    #expect(
      incomplete.status == 1 && incomplete.output.contains("part 2/3 of the run is missing"), "\(incomplete.output)")
  }
}
