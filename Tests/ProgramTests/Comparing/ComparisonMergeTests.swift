import Foundation
import FrameBench
import Statistics
import Testing

@testable import Builds
@testable import Execution
@testable import Judging
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests merging a comparison whose parts (shards) were measured on several machines.
@Suite struct ComparisonMergeTests {
  private static func id(_ size: Int) -> BenchmarkID { BenchmarkID(scenario: "springs", strategy: "naive", size: size) }

  /// Returns a row about a suspect time. Its verdict follows from its own p-value. A merge must correct the verdict,
  /// because many rows are tested at once.
  private static func time(_ size: Int, _ pValue: Double) -> ComparisonRow {
    ComparisonRow(
      id: id(size), metric: .frameTime, baseline: .number(100), candidate: .number(110), change: 0.1, low: 0.08,
      high: 0.12, pValue: min(1, 2 * pValue), suspicionPValue: pValue,
      verdict: pValue <= 0.01 ? .regressed : .inconclusive, control: 0.001, note: "in every frame")
  }

  private static func document(
    _ rows: [ComparisonRow], part: Int? = nil, of count: Int = 2, commit: String = "0123abc", testCount: Int? = nil,
    deal: String = "00000000000000aa"
  ) -> ComparisonDocument {
    var method = ComparisonMethod(source: .lockStep, ComparisonRule(tolerance: 0.01), seed: 7)
    method.testCount = testCount ?? rows.count
    method.screeningSetCounts = 16...16
    var document = ComparisonDocument(
      startedAt: "2026-11-21T06:47:1\(part ?? 0)Z", durationSeconds: 2,
      arguments: ["compare", "main", "--shard", "auto"], baseline: BuildName(name: "main", commit: commit),
      candidate: BuildName(name: "the working tree"), options: RunOptions(), method: method, rows: rows)
    document.shard = part.map { ShardRecord(index: $0, count: count, deal: deal) }
    document.rows.correct(testCount: method.testCount, familyAlpha: method.familyAlpha)
    return document
  }

  /// The verdicts after a merge must be those of one comparison, in which the p-values of all rows are corrected
  /// together. The p-values are random, around the significance level.
  @Test func verdictsAreThoseOfOneComparisonOfAllRows() throws {
    var random = SplitMix64(seed: 5)
    var withdrawnCount = 0
    for _ in 0..<200 {
      let rows = (1...12).map { Self.time($0, pow(10, -4 * Double.random(in: 0...1, using: &random))) }
      let whole = Self.document(rows, testCount: 20)
      let cuts = [0, Int.random(in: 1...5, using: &random), Int.random(in: 6...11, using: &random), 12]
      let parts = (1...3).map { part in
        Self.document(
          Array(rows[cuts[part - 1]..<cuts[part]]), part: part, of: 3, testCount: part == 1 ? 20 - 12 + cuts[1] : nil)
      }
      let merged = try DocumentMerge.merged(parts.map { ("\($0.shard?.index ?? 0)", $0) })
      #expect(merged.missing.isEmpty && merged.document.rows == whole.rows && merged.document.failures.isEmpty)
      withdrawnCount += zip(parts.flatMap(\.rows), merged.document.rows).count { $0.verdict != $1.verdict }
    }
    #expect(withdrawnCount > 50)
  }

  @Test func aDocumentIsReadAsItWasWritten() throws {
    var document = Self.document([Self.time(1, 1e-9)], part: 1)
    let counter = Metric(counter: "hits", CounterKind(unit: .nanoseconds, direction: .higherIsBetter))
    document.rows += [
      ComparisonRow(
        id: Self.id(1), metric: .checksum, baseline: .text("aa"), candidate: .text("bb"), verdict: .behaviorChanged),
      ComparisonRow(id: Self.id(1), metric: counter, baseline: .number(1), candidate: .number(2), verdict: .improved),
    ]
    document.profiles = [RegressionProfile(id: Self.id(1), problem: "no timer")]
    document.benchmarkSeconds = ["springs/naive/1": 5.25]
    document.method.scenarioTolerances = ["springs": 10]
    document.method.allocationTolerances = ["springs": AllocationTolerance(count: 50)]
    document.ruleChanges = [Self.change("springs")]
    // 2^53 is the largest count that a document may contain, so it must survive writing and reading.
    let bytes = FlatRow.Value.number(Double(1 << 53))
    document.rows.append(
      ComparisonRow(
        id: Self.id(1), metric: .allocatedBytes, baseline: .number(1), candidate: bytes, verdict: .regressed))
    let read = try ComparisonDocument(contentsOf: document.encoded())
    #expect(
      read == document && read.rows[2].metric.direction == .higherIsBetter && read.rows[2].metric.unit == .nanoseconds)
  }

  private static func change(_ scenario: String) -> RuleChange {
    RuleChange(scenario: scenario, rule: "tolerance of times", baseline: "1%", candidate: "9%", isHeld: true)
  }

  @Test func twoChangedWorkingTreesOfOneCommitAreNotMerged() throws {
    func merged(_ name: String, _ checksums: [String]) throws -> ComparisonDocument {
      try DocumentMerge.merged(
        checksums.enumerated().map { index, checksum in
          var document = Self.document([Self.time(index, 0.4)], part: index + 1)
          let name = name.isEmpty ? "/builds/\(index)/bench" : "work tree" + name
          document.candidate = BuildName(name: name, commit: name.hasPrefix("/") ? nil : "f00", checksum: checksum)
          return ("\(index)", document)
        }
      ).document
    }
    #expect(try merged(BuildName.dirtyMark, ["aa", "aa"]).rows.count == 2)
    #expect(try merged("", ["aa", "aa"]).rows.count == 2)
    #expect(throws: DocumentMerge.Failure.self) { try merged("", ["aa", "bb"]) }
    let error = #expect(throws: DocumentMerge.Failure.self) { try merged(BuildName.dirtyMark, ["aa", "bb"]) }
    let builds = ["aa", "bb"].map { "work tree\(BuildName.dirtyMark) f00 (files \($0))" }
    #expect(error?.description.hasPrefix("candidate: \(builds[0]) in 0, \(builds[1]) in 1;") == true)
  }

  @Test func theRulesOfAllPartsHold() throws {
    let parts = (1...2).map { part in
      var document = Self.document([Self.time(part, 0.4)], part: part)
      document.method.scenarioTolerances = ["s\(part)": 0.05]
      document.ruleChanges = [Self.change("s\(part)"), Self.change("both")]
      return ("\(part)", document)
    }
    let merged = try DocumentMerge.merged(parts).document
    #expect(merged.method.scenarioTolerances == ["s1": 0.05, "s2": 0.05])
    #expect(merged.method.allocationTolerances == nil)
    #expect(merged.ruleChanges?.map(\.scenario) == ["s1", "both", "s2"])
  }

  @Test(arguments: [
    ("\"suspicionPValue\":1e-09", "\"suspicionPValue\":2", "suspicionPValue: 2.0 is not possible"),
    ("\"index\":1", "\"index\":3", "shard: 3/2 is not possible"),
    ("\"count\":2", "\"count\":2000000000", "shard.count: 2000000000.0 is not possible"),
    ("\"change\":0.1", "\"change\":1e300", "rows[0].change: 1e+300 is not possible"),
    ("\"testCount\":1", "\"testCount\":-1", "method.testCount: -1.0 is not possible"),
    ("\"baseline\":{", "\"baseline\":[{", "not JSON"), ("\"method\":", "\"way\":", "arguments"),
  ]) func whatNoComparisonHasIsRefused(text: String, other: String, reason: String) throws {
    let good = String(decoding: try Self.document([Self.time(1, 1e-9)], part: 1).encoded(), as: UTF8.self)
    try #require(good.contains(text), "\(good)")
    let folder = try TemporaryFolder()
    let path = folder.path + "/part.json"
    try good.replacing(text, with: other, maxReplacements: 1).write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: RunError.self) { try MeasuredDocument(path) }
    let line = try #require(error?.description)
    #expect(line.hasPrefix("\(path): ") && !line.contains("\n"), "\(line)")
    #expect(text.contains("method") || line.contains(reason), "\(line)")
  }

  // MARK: Commands

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ document: ComparisonDocument, _ name: String) throws -> String {
    let path = "\(folder.path)/\(name).json"
    try document.encoded().write(to: URL(fileURLWithPath: path))
    return path
  }

  private func merge(_ paths: [String]) async throws -> FixtureProcess {
    try await FixtureProcess.run(["merge"] + paths)
  }

  @Test func mergedPartsAreJudgedByTheGateWithItsPageAndStatus() async throws {
    let paths = [
      try write(Self.document([Self.time(1, 1e-9)], part: 1), "one"),
      try write(Self.document([Self.time(2, 0.4)], part: 2), "two"),
    ]
    let page = folder.path + "/gate.md"
    let gate = try await FixtureProcess.run(
      ["gate", "--comparison"] + paths + ["--report", "markdown=\(page)"], in: folder.path)
    #expect(gate.status == 2, "\(gate.output) \(gate.error)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.hasPrefix("**The gate failed: springs/naive/1"), "\(text)")
    #expect(text.contains("Compared with main, commit 0123abc, in 2 parts."))
    #expect(text.contains("springbench compare main --filter '^springs/naive/1$'"), "\(text)")
    let merged = folder.path + "/merged.json"
    let process = try await FixtureProcess.run(["merge"] + paths + ["--output", merged])
    #expect(process.status == 0 && process.error.isEmpty, "\(process.error)")
    let again = try await FixtureProcess.run(["gate", "--comparison", merged], in: folder.path)
    #expect(again.status == 2 && again.output == gate.output, "\(again.output)")
  }

  @Test func theGateNamesWhatTheComparisonIsOf() async throws {
    let repository = try await ThrowawayRepository()
    let head = try await repository.git("rev-parse", "HEAD")
    var document = Self.document([Self.time(1, 0.4)])
    document.arguments = ["compare", "main", "--filter", "^springs/", "--sizes=1", "--product", "a"]
    let page = folder.path + "/gate.md"
    for commit in [head, "4567def4567def"] {
      document.candidate = BuildName(name: "HEAD", commit: commit)
      let gate = try await FixtureProcess.run(
        ["gate", "--comparison", try write(document, "one"), "--report", "markdown=\(page)"], in: repository.root)
      #expect(gate.status == 0, "\(gate.error)")
      for text in [gate.output, try String(contentsOfFile: page, encoding: .utf8)] {
        #expect(text.contains("The candidate is HEAD, commit \(commit.prefix(12))."), "\(text)")
        #expect(
          text.contains("comparison was made with --filter '^springs/' --product a --sizes 1, so it may"), "\(text)")
        let other = "The checkout here is at another commit, \(head.prefix(12)), which was not judged."
        #expect(text.contains(other) == (commit != head), "\(text)")
        #expect(!text.contains("has changes"), "\(text)")
      }
    }
    document.candidate.commit = head
    try repository.write("changed", to: "source.txt")
    let gate = try await FixtureProcess.run(["gate", "--comparison", try write(document, "one")], in: repository.root)
    #expect(gate.output.contains("The checkout here has changes, which were not judged."), "\(gate.output)")
  }

  @Test func documentsOfDifferentSelectionsAreNotMerged() async throws {
    let paths = try (1...2).map { size in
      var document = Self.document([Self.time(size, 0.4)])
      document.arguments += ["--filter", "/\(size)$"]
      return try write(document, "\(size)")
    }
    let merge = try await merge(paths)
    #expect(merge.status == 4 && merge.error.contains("selection: --filter /1$ in"), "\(merge.error)")
  }

  @Test func aMissingPartIsNamedAndIsStatus1() async throws {
    let path = try write(Self.document([Self.time(2, 0.4)], part: 2), "two")
    let merge = try await merge([path])
    #expect(merge.status == 1 && merge.output.isEmpty && merge.errorLines.count == 1)
    #expect(merge.error.contains("part 1/2 of the whole is missing; measure with --shard 1/2"), "\(merge.error)")
    let gate = try await FixtureProcess.run(["gate", "--comparison", path], in: folder.path)
    #expect(gate.status == 1 && gate.output.contains("part 1/2 of the comparison is missing"), "\(gate.output)")
  }

  @Test func aMissingPartOfARunIsNamedAndIsStatus1() async throws {
    var run = try StoredRuns.document()
    run.shard = ShardRecord(index: 3, count: 3, deal: "00000000000000aa")
    let path = try StoredRuns.write(run, to: folder.path + "/run.json")
    let merge = try await merge([path])
    #expect(merge.status == 1 && merge.error.contains("parts 1/3 and 2/3 of the whole are missing"), "\(merge.error)")
    let budgets = folder.path + "/springbench.yml"
    try "budgets:\n  - ids: \"**\"\n    limits:\n      allocationCount.max: 9\n".write(
      toFile: budgets, atomically: true, encoding: .utf8)
    let gate = try await FixtureProcess.run(["gate", "--run", path, "--budgets", budgets], in: folder.path)
    #expect(gate.status == 1 && gate.output.contains("part 1/3 of the run is missing"), "\(gate.output)")
  }

  @Test func partsThatDoNotBelongTogetherAreNamed() async throws {
    let one = try write(Self.document([Self.time(1, 0.4)], part: 1), "one")
    let others = [
      (Self.document([Self.time(2, 0.4)], part: 2, commit: "4567def"), "baseline: main 0123abc in"),
      (Self.document([Self.time(1, 0.4)], part: 2), "springs/naive/1 is in"),
      (Self.document([Self.time(2, 0.4)], part: 2, of: 3), "parts: 2 in"),
      (Self.document([Self.time(2, 0.4)], part: 2, deal: "00000000000000bb"), "benchmarks of all parts: "),
    ]
    for (document, words) in others {
      let process = try await merge([one, try write(document, "other")])
      #expect(process.status == 4 && process.errorLines.count == 1 && process.error.contains(words), "\(process.error)")
    }
    let run = try StoredRuns.write(StoredRuns.document(), to: folder.path + "/run.json")
    #expect(try await merge([one, run]).status == 64)
    let gate = try await FixtureProcess.run(["gate", "--comparison", run], in: folder.path)
    #expect(gate.status == 64 && gate.error.contains("name it with --run"), "\(gate.error)")
    var stored = try StoredRuns.document()
    stored.environment.commit = "9999999"
    let other = try StoredRuns.write(stored, to: folder.path + "/other.json")
    var compared = Self.document([Self.time(1, 1e-9)], part: 1)
    compared.candidate.commit = "4567def"
    let mixed = try await FixtureProcess.run(
      ["gate", "--run", other, "--comparison", try write(compared, "compared")], in: folder.path)
    #expect(mixed.status == 4 && mixed.error.contains("--run is of commit 9999999"), "\(mixed.error)")
    try Data("{\"schemaVersion\":1,\"method\":{".utf8).write(to: URL(fileURLWithPath: run))
    let damaged = try await merge([one, run])
    #expect(damaged.status == 1 && damaged.error.contains("the file is cut off"), "\(damaged.error)")
  }

  @Test func aComparisonIsMeasuredInPartsAndJudgedAsAWhole() async throws {
    let programs = [
      try FixtureProcess.rebuilt("plain", in: folder), try FixtureProcess.rebuilt("allocating", in: folder),
    ]
    var parts: [String] = []
    for index in 0..<2 {
      parts.append(folder.path + "/part-\(index).json")
      let process = try await FixtureProcess.run(
        ["compare", "--program"] + programs + [
          "--shard", "auto", "--seconds", "1", "--frames", "20", "--report", "document=\(parts[index])",
        ],
        environment: [
          "FIXTURE_ONLY_REBUILT": "200,400", "SPRINGBENCH_PASS_ENVIRONMENT": "FIXTURE_ONLY_REBUILT",
          "JOB_COMPLETION_INDEX": "\(index)", "JOB_COMPLETIONS": "2",
        ])
      #expect(process.status == 2, "\(process.output) \(process.error)")
    }
    let gate = try await FixtureProcess.run(
      ["gate", "--comparison"] + parts + ["--report", "html=gate.html"], in: folder.path)
    #expect(gate.status == 2 && gate.output.contains("allocations"), "\(gate.output) \(gate.error)")
    #expect(gate.output.contains("rebuilt/mine/{200,400}"), "\(gate.output)")
    guard case .comparison(let part) = try MeasuredDocument(parts[0]) else { throw Missing() }
    #expect(part.benchmarkSeconds?.count == 1 && part.baseline.checksum?.count == 16)
    let weighed = try await FixtureProcess.run(
      ["list", "--shard", "1/2", "--shard-durations", parts[0]], environment: ["FIXTURE_ONLY_REBUILT": "200,400"])
    #expect(weighed.status == 0 && weighed.output.split(separator: "\n").count == 1, "\(weighed.error)")
  }

  private struct Missing: Error {}
}
