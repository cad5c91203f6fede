import CAllocationCounter
import CStackProfiler
import Foundation
import FrameBench
import Markup
import Pages
import Testing

@testable import Builds
@testable import Execution
@testable import Judging
@testable import LockStep
@testable import Platform
@testable import Program

/// Compares `SuiteFixture` with another build of itself, with `--profile`. The verdicts come from counted figures, so
/// they do not depend on the machine.
@Suite(.enabled(if: stack_profiler_can_sample(), "stacks cannot be sampled here")) struct CompareProfileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func compare(_ build: String, _ arguments: String...) async throws -> FixtureProcess {
    let candidate = try FixtureProcess.rebuilt(build, in: folder)
    return try await FixtureProcess.run(
      [
        "compare", "--program", try FixtureProcess.path, candidate, "--filter", "rebuilt", "--seconds", "1", "--frames",
        "400", "--tolerance", "90%", "--seed", "1",
      ] + arguments, environment: ["SPRINGBENCH_MACHINE": "here"], in: folder.path)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8)
  }

  @Test func aRegressionLinksAProfileThatNamesTheFunctionThatGrew() async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/the pages", withIntermediateDirectories: false)
    let process = try await compare(
      "slow", "--profile", "--report", "html=the pages/page.html", "--report", "markdown=compare.md", "--report",
      "json=rows.json", "--report", "junit=checks.xml")
    #expect(process.status == 2, "\(process.error)")

    let page = "the pages/page-profiles/rebuilt-mine-200/profile.md"
    #expect(try text(page).contains(#/\*\*`.*grew most: \+[0-9.]+ [nµm]s\*\*.*heavyWork/#))
    #expect(try text("the pages/page-profiles/rebuilt-mine-200/difference.svg").contains("heavyWork"))
    let markdown = try text("compare.md")
    #expect(
      markdown.contains(
        #/static FixtureSuite\.heavyWork\(_:rounds:\)` \+[0-9.]+ [nµm]s \(ProfiledScenarios\.swift:\d+\)\*\*; \[profile/#
      ), "\(markdown)")
    #expect(markdown.contains("(the%20pages/page-profiles/rebuilt-mine-200/profile.md)"))
    let html = try text("the pages/page.html")
    #expect(html.contains("<a href=\"page-profiles/rebuilt-mine-200/profile.md\">profile</a>"))
    #expect(html.contains("<a href=\"page-profiles/rebuilt-mine-200/difference.svg\">"))
    #expect(try text("checks.xml").contains(#/heavyWork.*profile in the pages\/page-profiles/#))
    let said = process.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(said.contains(#/profile rebuilt\/mine\/200: .*static FixtureSuite\.heavyWork/#), "\(said)")

    let parsed = try JSONSerialization.jsonObject(with: Data(try text("rows.json").utf8))
    let rows = try #require(parsed as? [[String: Any]])
    let regressed = rows.filter { $0["verdict"] as? String == "regressed" }
    #expect(regressed.contains { $0["metric"] as? String == "springEvaluations" })
    #expect(regressed.allSatisfy { $0["profile"] as? String == page })
    // The function that grew most may be inlined into `heavyWork`, which is then its caller.
    #expect(
      regressed.allSatisfy {
        "\($0["largestMover"] ?? "") \($0["largestMoverCaller"] ?? "")".contains("FixtureSuite.heavyWork")
      })
    #expect(rows.allSatisfy { $0["verdict"] as? String == "regressed" || $0["profile"] == nil })
    #expect(folder.contents.allSatisfy { !$0.split(separator: "/").contains { $0.hasPrefix(".") } })
  }

  @Test func whoAllocatesMoreIsNamedWithTheirNumbers() async throws {
    let process = try await compare("allocating", "--profile", "--markdown")
    #expect(process.status == 2, "\(process.error)")
    // Every third frame allocates. Of the 400 frames after the warm-up, these are 133 or 134.
    #expect(
      process.output.contains(
        #/PlantedLayout\.remember\(bytes:\)` 0 → 13[34] allocations \(ProfiledScenarios\.swift:\d+\)\*\*; \[profile/#),
      "\(process.output)")
    let link = try #require(process.output.firstMatch(of: #/\[profile\]\(([^)]+)\)/#)).1
    #expect(link.wholeMatch(of: #/results\/here\/[0-9TZ]+-compare\/rebuilt-mine-200\/profile.md/#) != nil)
    let page = try text(String(link))
    #expect(page.contains("## What allocates more") && page.contains("remember(bytes:)"))
    // Times did not regress, so they were not profiled.
    #expect(!page.contains("## Time") && !folder.contents.contains { $0.hasSuffix("difference.svg") })
  }

  @Test func noRegressionLeavesNoFile() async throws {
    let process = try await compare("plain", "--profile", "--report", "markdown=compare.md")
    #expect(process.status == 0, "\(process.error)")
    #expect(folder.contents == ["compare.md", "plain"])
    #expect(!(try text("compare.md").contains("rofile of")))
  }

  @Test func aProfilerThatFailsLeavesTheVerdictAndSaysWhy() async throws {
    let process = try await compare("unsampled", "--profile", "--markdown")
    #expect(process.status == 2, "\(process.error)")
    let line = try #require(
      process.output.split(separator: "\n").first { $0.contains("No profile of") }, "\(process.output)")
    #expect(line.hasPrefix("- No profile of `rebuilt/mine/200`: "), "\(line)")
    #expect(line.contains("cannot be profiled: ") && line.contains("there is no data"), "\(line)")
    #expect(folder.contents == ["unsampled"])
  }

  @Test func documentsHoldNoProgramToProfile() async throws {
    for name in ["old.json", "new.json"] {
      try "{}".write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
    }
    let process = try await FixtureProcess.run(["compare", "old.json", "new.json", "--profile"], in: folder.path)
    #expect(process.status == 64 && process.errorLines.count == 1)
    #expect(process.error.contains("--profile: a run document holds no program"), "\(process.error)")
  }

  @Test func aGateWithoutARevisionHasNothingToProfile() async throws {
    _ = try StoredRuns.write(StoredRuns.document(), to: "\(folder.path)/old.json")
    let process = try await FixtureProcess.run(["gate", "--baseline", "old.json", "--profile"], in: folder.path)
    #expect(process.status == 64 && process.errorLines.count == 1)
    #expect(process.error.contains("--profile: only a baseline that is a git revision"), "\(process.error)")
  }
}

@Suite struct RegressionProfilerTests {
  private static func profiles(
    of rows: [ComparisonRow], _ program: String, _ options: RunOptions, _ folder: TemporaryFolder
  ) async throws -> [RegressionProfile] {
    let plan = LockStepPlan.onThisMachine([program, program], options)
    let method = ComparisonMethod(tolerance: 0.01, familyAlpha: 0.01, testCount: 1, screeningSetCounts: 1...1, seed: 1)
    let names = [BuildName(name: "main", commit: "0123456789"), BuildName(name: "work")]
    let document = ComparisonDocument(
      startedAt: "2026-11-21T06:47:12Z", durationSeconds: 1, arguments: [], baseline: names[0], candidate: names[1],
      options: options, method: method, rows: rows)
    let profiler = RegressionProfiler(plan: plan, names: names, folder: folder.path + "/profiles")
    return try await profiler.profiles(of: document) { _, _ in }
  }

  private static func row(_ size: Int, _ change: Double) -> ComparisonRow {
    ComparisonRow(
      id: BenchmarkID(scenario: "springs", strategy: "naive", size: size), metric: .frameTime, baseline: .number(100),
      candidate: .number(100 * (1 + change)), change: change, verdict: .regressed)
  }

  @Test func theThreeWorstAreProfiledAndTheOthersNamed() async throws {
    let folder = try TemporaryFolder()
    let profiles = try await Self.profiles(
      of: [Self.row(1, 0.1), Self.row(2, 0.4), Self.row(3, 0.2), Self.row(4, 0.3)], "/bin/false", RunOptions(), folder)
    #expect(profiles.map(\.id.size) == [2, 4, 3, 1])
    #expect(profiles.allSatisfy { $0.folder == nil && $0.movers.isEmpty })
    for profile in profiles.prefix(3) {
      let problem = try #require(profile.problem)
      #expect(problem.hasPrefix("main (0123456) cannot be profiled: "), "\(problem)")
      #expect(!problem.contains("\(profile.id)") && !problem.contains("\n"), "\(problem)")
    }
    #expect(try #require(profiles.last?.problem).hasPrefix("only the 3 most regressed"))
    #expect(folder.contents.isEmpty)
  }

  @Test(.enabled(if: stack_profiler_can_sample() && allocation_counter_is_active()))
  func aScenarioIsProfiledOverItsOwnFrames() async throws {
    let folder = try TemporaryFolder()
    var options = RunOptions()
    options.scenarioFrames = ["planted": .init(recorded: 20, warmUp: 2)]
    let row = ComparisonRow(
      id: BenchmarkID(scenario: "planted", strategy: "mine", size: 10), metric: .allocationCount, baseline: .number(1),
      candidate: .number(2), change: 1, verdict: .regressed)
    let profile = try #require(try await Self.profiles(of: [row], try FixtureProcess.path, options, folder).first)
    #expect(profile.problem == nil)
    let page = try String(contentsOfFile: "\(try #require(profile.folder))/profile.md", encoding: .utf8)
    #expect(page.contains("20 frames"), "\(page)")
  }
}

@Suite struct ProfileFolderTests {
  private static let id = BenchmarkID(scenario: "Springs", strategy: "naive", size: 10)

  @Test func theWayToAFileStartsAtThePage() {
    #expect(fileLink(from: "out/a.md", to: "out/a-profiles/x/profile.md") == "a-profiles/x/profile.md")
    #expect(fileLink(from: "out/a.md", to: "results/x y/p.md") == "../results/x%20y/p.md")
    #expect(fileLink(from: nil, to: "results/x/p.md") == "results/x/p.md")
    #expect(fileLink(from: "/tmp/a.md", to: "/tmp/b)/p.md") == "b%29/p.md")
    #expect(fileLink(from: "a.md", to: "../b/p.md") == "../b/p.md")
  }

  @Test func aCommentLeadsToTheFilesOfItsJob() {
    let path = FileManager.default.currentDirectoryPath + "/gate-profiles/a b/difference.svg"
    let gitLab = [
      "CI_JOB_URL": "https://gitlab.example/p/-/jobs/7", "CI_PROJECT_DIR": FileManager.default.currentDirectoryPath,
    ]
    #expect(
      ReportDelivery.link(toArtifact: path, gitLab)
        == "https://gitlab.example/p/-/jobs/7/artifacts/file/gate-profiles/a%20b/difference.svg")
    let gitHub = ["GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "o/p", "GITHUB_RUN_ID": "12"]
    #expect(ReportDelivery.link(toArtifact: path, gitHub) == "https://github.example/o/p/actions/runs/12#artifacts")
    #expect(ReportDelivery.link(toArtifact: path, [:]) == nil)
  }

  @Test func profilesLieBesideThePageThatIsReadFirst() throws {
    let folder = try TemporaryFolder()
    func place(_ reports: String...) throws -> String? {
      ProfileFolders.place(beside: try ReportRequest.parse(reports.map { $0.replacing("DIR", with: folder.path) }))
    }
    #expect(try place("junit=DIR/x.xml", "html=DIR/a.b.html", "json") == folder.path + "/a.b-profiles")
    #expect(try place("junit=DIR/x.xml") == folder.path + "/x-profiles")
    #expect(try place("markdown=/dev/null", "json") == nil)
    #expect(try place() == nil)
  }

  @Test func aProfileReplacesTheEarlierOneWhole() throws {
    let folder = try TemporaryFolder()
    var folders = ProfileFolders(parent: folder.path + "/a-profiles")
    #expect(try folders.write([("old.md", Data())], for: Self.id).hasSuffix("/springs-naive-10"))
    var again = ProfileFolders(parent: folder.path + "/a-profiles")
    _ = try again.write([("new.md", Data("x".utf8))], for: Self.id)
    // Ids that differ only in upper and lower case have separate folders.
    let other = BenchmarkID(scenario: "springs", strategy: "naive", size: 10)
    #expect(try again.write([("new.md", Data())], for: other).hasSuffix("/springs-naive-10-2"))
    #expect(
      folder.contents == [
        "a-profiles", "a-profiles/springs-naive-10", "a-profiles/springs-naive-10-2",
        "a-profiles/springs-naive-10-2/new.md", "a-profiles/springs-naive-10/new.md",
      ])
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() throws {
    let folder = try TemporaryFolder()
    try "".write(toFile: folder.path + "/file", atomically: true, encoding: .utf8)
    var folders = ProfileFolders(parent: folder.path + "/file")
    #expect { _ = try folders.write([("new.md", Data())], for: Self.id) } throws: {
      "\($0)".hasPrefix("\"\(folder.path)/file/springs-naive-10\" could not be written: ")
    }
  }
}
