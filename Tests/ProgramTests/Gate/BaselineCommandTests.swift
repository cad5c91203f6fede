import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

@Suite struct BaselineCommandTests {
  private func baseline(_ arguments: [String], in folder: TemporaryFolder) async throws -> FixtureProcess {
    try await FixtureProcess.run(["baseline"] + arguments + ["--results", folder.path, "--machine", "desk"])
  }

  @Test func aRunIsSavedListedShownAndRemoved() async throws {
    let folder = try TemporaryFolder()
    let run = try StoredRuns.write(StoredRuns.document(allocations: [0, 3]), to: folder.path + "/run.json")
    let saved = try await baseline(["save", "main", "--run", run], in: folder)
    #expect(saved.status == 0 && saved.output.contains("1 benchmark, 0 of them replaced"))
    #expect(folder.contents.contains("baselines/desk/main/springs/naive/10.json"))
    #expect(try await baseline(["list"], in: folder).output == "main\n")
    let shown = try await baseline(["show", "main"], in: folder)
    #expect(shown.output.hasPrefix("springs/naive/10  p50 110 ns  3 allocations  2026-11-21T06:47:12Z"))
    let rows = try await baseline(["show", "main", "--json"], in: folder)
    #expect(rows.output.hasPrefix("[\n") && rows.output.contains("\"allocationCount\""))
    #expect(try await baseline(["remove", "main"], in: folder).status == 0)
    #expect(try await baseline(["list"], in: folder).output.isEmpty)
    #expect(folder.contents.filter { $0.contains("main") }.isEmpty)
  }

  @Test func aPartIsRefreshedAndTheRestStays() async throws {
    let folder = try TemporaryFolder()
    let store = BaselineStore(results: folder.path, machine: "desk")
    try store.save(StoredRuns.document("s/a/1"), as: "main")
    try store.save(StoredRuns.document("s/b/1"), as: "main")
    #expect(try store.save(StoredRuns.document("s/b/1", allocations: [7, 7]), as: "main").replacedCount == 1)
    let baseline = try store.load("main")
    #expect(baseline.ids.map(\.description) == ["s/a/1", "s/b/1"])
    #expect(baseline[baseline.ids[1]]?.last?.benchmarks.first?.allocations?.frameThread.count.total == 14)
  }

  @Test func rowsHaveTheCommitOfTheirOwnMeasurement() async throws {
    let folder = try TemporaryFolder()
    let store = BaselineStore(results: folder.path, machine: "desk")
    for (id, commit) in [("s/a/1", "aaaaaaa"), ("s/b/1", "bbbbbbb")] {
      var document = try StoredRuns.document(id)
      document.environment.commit = commit
      try store.save(document, as: "main")
    }
    let shown = try await baseline(["show", "main", "--json"], in: folder)
    let rows = try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [[String: Any]] ?? []
    let commits = Set(rows.map { "\($0["strategy"] ?? "") \($0["commit"] ?? "")" })
    #expect(commits == ["a aaaaaaa", "b bbbbbbb"], "\(shown.output)")
  }

  @Test func measurementsAreAddedUpToALimitAndNoneCountsTwice() async throws {
    let folder = try TemporaryFolder()
    func save(_ number: Int, _ options: [String]) async throws -> FixtureProcess {
      let document = try StoredRuns.document(startedAt: "2026-11-21T06:47:\(10 + number)Z")
      let run = try StoredRuns.write(document, to: folder.path + "/run.json")
      return try await baseline(["save", "main", "--run", run] + options, in: folder)
    }
    #expect(try await save(0, []).error.contains("for 4 more"))
    for number in 1..<25 { #expect(try await save(number, ["--add"]).status == 0) }
    let twice = try await save(24, ["--add"])
    #expect(twice.status == 1 && twice.error.contains("in the baseline main already"))
    let kept = try BaselineStore(results: folder.path, machine: "desk").load("main")
    let starts = kept.values.first?.map(\.startedAt) ?? []
    #expect(starts.count == 20 && starts.last == "2026-11-21T06:47:34Z" && starts == starts.sorted())
    #expect(try await save(40, []).output.contains("1 of them replaced"))
    #expect(folder.contents.filter { $0.hasPrefix("baselines") && $0.hasSuffix(".json") }.count == 1)
  }

  @Test func namesOfScenariosLeadNowhereElse() throws {
    let folder = try TemporaryFolder()
    let store = BaselineStore(results: folder.path, machine: "desk")
    try store.save(StoredRuns.document("../../1"), as: "main")
    #expect(folder.contents.filter { $0.hasSuffix(".json") } == ["baselines/desk/main/%2E./%2E./1.json"])
    #expect(try store.load("main").ids.map(\.description) == ["../../1"])
  }

  @Test func aBaselineThatIsNotThereIsStatusFourAndNeverZero() async throws {
    let folder = try TemporaryFolder()
    try BaselineStore(results: folder.path, machine: "desk").save(StoredRuns.document(), as: "main")
    try BaselineStore(results: folder.path, machine: "other").save(StoredRuns.document(), as: "release")
    for (name, hint) in [("mian", "did you mean \"main\"?"), ("release", "other has one")] {
      let process = try await baseline(["show", name], in: folder)
      #expect(process.status == 4 && process.errorLines.count == 1 && process.error.contains(hint))
    }
    #expect(try await baseline(["remove", "nothing"], in: folder).status == 4)
  }

  @Test func aRunOfAnotherMachineIsNotSavedHere() async throws {
    let folder = try TemporaryFolder()
    let run = try StoredRuns.write(StoredRuns.document(machine: "laptop"), to: folder.path + "/run.json")
    let process = try await baseline(["save", "main", "--run", run], in: folder)
    #expect(process.status == 4 && process.error.contains("--machine laptop"))
  }

  @Test(arguments: ["", "a/b", "..", ".hidden", "a b", "-x"]) func whatIsNoNameIsAUsageError(name: String) async throws
  {
    let folder = try TemporaryFolder()
    #expect(try await baseline(["show", "--", name], in: folder).status == 64)
  }
}
