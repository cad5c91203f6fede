import Foundation
import FrameBench
import Pages
import Testing

@testable import Builds
@testable import Execution
@testable import Measurements
@testable import Platform
@testable import Program

@Suite struct MergeCommandTests {
  @Test func partsOfTwoMachinesBecomeOneDocument() async throws {
    let folder = try TemporaryFolder()
    var later = try StoredRuns.document("springs/tiled/10", machine: "two", startedAt: "2026-11-21T06:50:00Z")
    later.warnings = [Warning("busy")]
    let paths = [
      try StoredRuns.write(later, to: folder.path + "/b.json"),
      try StoredRuns.write(StoredRuns.document(machine: "one"), to: folder.path + "/a.json"),
    ]
    let target = folder.path + "/merged.json"
    let process = try await FixtureProcess.run(["merge"] + paths + ["--output", target])
    #expect(process.status == 0 && process.output.isEmpty && process.error.isEmpty)
    let merged = try StoredRun(path: target).read()
    #expect(merged.benchmarks.map(\.id.strategy) == ["naive", "tiled"])
    #expect(merged.environment.machine == "one" && merged.parts?.map(\.environment.machine) == ["one", "two"])
    #expect(merged.environment(of: later.benchmarks[0].id).machine == "two")
    #expect(merged.durationSeconds == 2 && merged.warnings.count == 2)
    #expect(merged.benchmarks[1] == later.benchmarks[0])
  }

  @Test func aMergedDocumentMergesFurther() throws {
    let one = ("1", try StoredRuns.document("s/a/1")), two = ("2", try StoredRuns.document("s/a/2"))
    let three = ("3", try StoredRuns.document("s/a/3"))
    let pair = try DocumentMerge.merged([two, one]).document
    let all = try DocumentMerge.merged([("pair", pair), three]).document
    #expect(all.parts?.count == 3 && all.benchmarks.map(\.id.size) == [1, 2, 3])
    #expect(try DocumentMerge.merged([one]).document == one.1)
  }

  @Test func eachScenarioKeepsItsReferenceStrategy() throws {
    let ids = ["s/a/1", "s/b/1", "t/b/1", "t/a/1", "s/a/2"].compactMap { BenchmarkID($0) }
    let ordered = DocumentMerge.inOrder(ids) { $0 }
    #expect(ordered.map(\.description) == ["s/a/1", "s/b/1", "s/a/2", "t/b/1", "t/a/1"])
  }

  @Test func aBenchmarkIsInExactlyOnePart() throws {
    let merged = try DocumentMerge.merged([
      ("1", try StoredRuns.document("s/a/1")), ("2", try StoredRuns.document("s/a/2")),
    ]).document
    #expect(try RunDocument(contentsOf: merged.encoded()) == merged)
    let ids = merged.benchmarks.map(\.id)
    for (benchmarks, path) in [([], "parts"), (ids, "parts[1].benchmarks[0]")] {
      var wrong = merged
      wrong.parts?[1].benchmarks = benchmarks
      let error = #expect(throws: RunDocumentError.self) { try RunDocument(contentsOf: wrong.encoded()) }
      #expect(error?.description.hasPrefix("\(path): ") == true)
    }
  }

  @Test func whatIsInTwoDocumentsIsRefused() async throws {
    let folder = try TemporaryFolder()
    let paths = try ["a", "b"].map { try StoredRuns.write(StoredRuns.document(), to: "\(folder.path)/\($0).json") }
    let process = try await FixtureProcess.run(["merge"] + paths)
    #expect(process.status == 4 && process.output.isEmpty && process.errorLines.count == 1)
    #expect(process.error.contains("springs/naive/10 is in") && process.error.contains("--shard"))
  }

  @Test func documentsOfDifferentBuildsAreRefusedByName() async throws {
    let folder = try TemporaryFolder()
    let paths = [
      try StoredRuns.write(StoredRuns.document(), to: folder.path + "/a.json"),
      try StoredRuns.write(
        StoredRuns.document("springs/tiled/10", toolchain: "Swift 6.4"), to: folder.path + "/b.json"),
    ]
    let process = try await FixtureProcess.run(["merge"] + paths)
    #expect(process.status == 4)
    #expect(process.error.contains("toolchain: Swift 6.3.1 in") && process.error.contains("Swift 6.4 in"))
  }

  @Test func runsInAnotherNumberOfLinkOrdersAreRefused() throws {
    let one = try StoredRuns.document("s/a/1")
    var two = try StoredRuns.document("s/a/2")
    two.options.layoutCount = 4
    let error = #expect(throws: DocumentMerge.Failure.self) { try DocumentMerge.merged([("1", one), ("2", two)]) }
    #expect(error?.description.contains(", 4 link orders in 2; ") == true, "\(error?.description ?? "")")
  }

  @Test func nothingToMergeAndWhatIsNotThereAreUsageErrors() async throws {
    #expect(try await FixtureProcess.run(["merge"]).status == 64)
    #expect(try await FixtureProcess.run(["merge", "/nowhere/run.json"]).status == 64)
  }
}
