import CAllocationCounter
import CStackProfiler
import Foundation
import Testing
import TextFormat

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Pages
@testable import Platform
@testable import Program

@Suite(.enabled(if: stack_profiler_can_sample(), "stacks cannot be sampled here")) struct ProfileCommandTests {
  private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "../../SuiteFixture/ProfiledScenarios.swift"
  ).standardized

  private func profile(_ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:])
    async throws -> FixtureProcess
  {
    try await FixtureProcess.run(
      ["profile"] + arguments + ["--run-frames", "30", "--warm-up", "2", "--output", folder.path, "--machine", "here"],
      environment: environment)
  }

  private func text(_ file: ProfileFile, in folder: TemporaryFolder) throws -> String {
    let path = try #require(folder.contents.first { $0.hasSuffix("/" + file.rawValue) }, "\(folder.contents)")
    return try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func aPlantedAllocationIsFoundByFunctionFileAndLine() async throws
  {
    let folder = try TemporaryFolder()
    let process = try await profile(["planted/mine/10", "--no-instructions", "--samples", "50"], in: folder)
    #expect(process.status == 0, "\(process.error)")
    let lines = try String(contentsOf: Self.source, encoding: .utf8).components(separatedBy: "\n")
    let line = try #require(lines.firstIndex { $0.contains("// the planted allocation") }) + 1
    let report = try text(.allocationsText, in: folder)
    let blocks = report.components(separatedBy: "\n\n").dropFirst()
    let block = try #require(blocks.first { $0.contains("first in frame 5") && $0.contains("432 B") }, "\(report)")
    // Nine frames allocate: 5, 8, … 29.
    #expect(block.contains("9 allocations, 432 B; per frame 0.3 of 14.4 B on average, at most 1; in 9 frames of 30"))
    #expect(block.contains(". PlantedLayout.remember(bytes:)  \(Self.source.path):\(line)\n"), "\(block)")
    for caller in ["PlantedLayout.prepare(_:itemCount:)", "phase prepare"] { #expect(block.contains(caller)) }
    #expect(!block.contains("FrameTimer") && !block.contains("ProfilePass"))
    #expect(try text(.allocationsFolded, in: folder).contains("PlantedLayout.remember(bytes:);malloc 9\n"))
    #expect(try text(.allocatedBytesFolded, in: folder).contains("PlantedLayout.remember(bytes:);malloc 432\n"))
  }

  @Test(.enabled(if: allocation_counter_is_active())) func framesThatDoNotAllocateAreSaidNotTo() async throws {
    let folder = try TemporaryFolder()
    let process = try await profile(
      ["planted/clean/10", "--no-instructions", "--samples", "50", "--frames", "3..7"], in: folder)
    #expect(process.output.contains("no allocations in 5 frames\n"), "\(process.output)\(process.error)")
    #expect(try text(.allocationsText, in: folder) == "planted/clean/10: no allocations in 5 frames\n")
  }

  @Test(arguments: [("seventy", 0.7), ("thirty", 0.3)]) func sharesOfTimeAreThoseOfTheWork(
    _ strategy: String, _ share: Double
  ) async throws {
    let folder = try TemporaryFolder()
    let process = try await profile(["split/\(strategy)/1000", "--no-instructions", "--samples", "2000"], in: folder)
    #expect(process.status == 0, "\(process.error)")
    var counts: [String: Int] = [:]
    var whole = 0
    for line in try text(.cpuFolded, in: folder).split(separator: "\n") {
      let parts = line.split(separator: " ")
      let count = try #require(parts.last.flatMap { Int($0) })
      whole += count
      for name in ["heavyWork", "lightWork", "harnessWork", "runFrames", "ProfilePass"] where line.contains(name) {
        counts[name, default: 0] += count
      }
    }
    // If the machine is too busy for this number of samples, the summary must mention it.
    #expect(try whole >= 1_300 || text(.summary, in: folder).contains("samples were taken within"))
    // With few samples, the tolerance is four standard errors.
    let tolerance = max(0.05, 4 * (share * (1 - share) / Double(max(1, whole))).squareRoot())
    #expect(abs(Double(counts["heavyWork", default: 0]) / Double(whole) - share) < tolerance, "\(counts) of \(whole)")
    #expect(
      abs(Double(counts["lightWork", default: 0]) / Double(whole) - (1 - share)) < tolerance, "\(counts) of \(whole)")
    #expect(counts["harnessWork"] == nil && counts["runFrames"] == nil && counts["ProfilePass"] == nil)
    #expect(try text(.cpuPicture, in: folder).contains("heavyWork"))
  }

  @Test func aProfileIsWrittenWholeAndItsFilesAreNamedOnThePage() async throws {
    let folder = try TemporaryFolder()
    let process = try await profile(
      ["split/seventy/50", "--no-instructions", "--samples", "50", "--worst", "5"], in: folder)
    #expect(process.status == 0, "\(process.error)")
    let name = try #require(
      folder.contents.first { $0.wholeMatch(of: #/here/[0-9TZ]+-[0-9a-z]+-profile-split-seventy-50/#) != nil })
    let page = try text(.summary, in: folder)
    let files = folder.contents.filter { $0.hasPrefix(name + "/") }.map { String($0.dropFirst(name.count + 1)) }
    for file in files where file != ProfileFile.summary.rawValue {
      #expect(page.contains("[\(file)](\(file))"), "\(file)")
    }
    #expect(Set(files).isSuperset(of: ["profile.md", "cpu.svg", "cpu.folded", "cpu.speedscope.json", "timeline.json"]))
    #expect(folder.contents.allSatisfy { !$0.contains("/.") })
    #expect(page.contains("the 5 worst of 30 frames"))
    #expect(process.output.hasSuffix("\(name)/profile.md\n"))
  }

  @Test func rowsAreOneArrayAndNothingElse() async throws {
    let folder = try TemporaryFolder()
    let process = try await profile(["planted/mine/10", "--no-instructions", "--samples", "50", "--json"], in: folder)
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]], "\(process.error)")
    #expect(rows.contains { $0["kind"] as? String == "time" })
    #expect(
      rows.contains { $0["kind"] as? String == "allocation" && $0["count"] as? Int == 9 }
        == allocation_counter_is_active())
    #expect(rows.allSatisfy { $0["id"] as? String == "planted/mine/10" && $0["function"] is String })
  }

  @Test func aScenarioThatShowsSomethingElseEachTimeIsNoProfile() async throws {
    let folder = try TemporaryFolder()
    let process = try await profile(["random/mine/10", "--samples", "50"], in: folder)
    #expect(process.status == 1)
    #expect(process.error.contains("not deterministic"))
    #expect(folder.contents.allSatisfy { !$0.contains("profile") })
  }

  @Test func aScenarioThatFailsIsNamedWithItsLastWords() async throws {
    let folder = try TemporaryFolder()
    let process = try await profile(["crashing/mine/10"], in: folder)
    #expect(process.status == 1)
    #expect(process.error.contains("crashing/mine/10: the worker crashed"))
    #expect(process.error.contains("frame 3 went wrong"))
  }

  @Test(arguments: [
    (["split/sevnty/100"], "did you mean \"split/seventy/100\"?"),
    (["split/seventy"], "\"split/seventy\" is not a benchmark"), (["split/seventy/0"], "is not a benchmark"),
    (["split/seventy/50", "--frames", "3..x"], "'3..x' is invalid for '--frames <a..b>': give a range of frames"),
    (["split/seventy/50", "--frames", "5..3"], "give a range of frames"),
    (["split/seventy/50", "--frames", "3..30"], "a run has no recorded frame 30; the last is 29"),
    (["split/seventy/50", "--worst", "31"], "--worst: a run has only 30 recorded frames"),
    (["split/seventy/50", "--worst", "2", "--frames", "1"], "cannot be combined"),
    (["split/seventy/50", "--samples", "0"], "'0' is invalid for '--samples <n>': give a whole number"),
    (["split/seventy/50", "--hz", "61"], "'61' is invalid for '--hz <rate>'"),
  ]) func aWrongCommandLineIsToldWithItsRemedy(_ arguments: [String], _ message: String) async throws {
    let folder = try TemporaryFolder()
    let process = try await profile(arguments, in: folder)
    #expect(process.status == 64)
    #expect(process.error.contains(message), "\(process.error)")
    #expect(process.errorLines.count == 1)
  }

  @Test func withoutToolsThereAreStillNames() async throws {
    let (folder, empty) = (try TemporaryFolder(), try TemporaryFolder())
    let process = try await profile(
      ["split/seventy/100", "--samples", "300"], in: folder, environment: ["PATH": empty.path])
    #expect(process.status == 0, "\(process.error)")
    let page = try text(.summary, in: folder)
    #expect(page.contains("llvm-symbolizer is not installed"))
    #expect(page.contains("Instructions were not counted: valgrind is not installed"))
    #expect(page.contains("heavyWork("))
  }

  @Test(.enabled(if: ValgrindProbe.isInstalled, "valgrind is not installed")) func instructionsAreCountedByFunction()
    async throws
  {
    let folder = try TemporaryFolder()
    let process = try await profile(["split/seventy/400", "--samples", "50"], in: folder)
    #expect(process.status == 0, "\(process.error)")
    let page = try text(.summary, in: folder)
    #expect(page.contains("counted by callgrind"), "\(page)")
    let file = Data(try text(.callgrind, in: folder).utf8)
    let functions = try CallgrindCosts(file).functions
    let total = { (name: String) in Double(functions.filter { $0.key.contains(name) }.map(\.value.total).max() ?? 0) }
    #expect(abs(total("heavyWork") / (total("heavyWork") + total("lightWork")) - 0.7) < 0.01)
    // The work after the end of a frame costs twice as much as the frame. The profile must not contain it.
    #expect(total("harnessWork") == 0)
    // Only frames are counted, so the functions that lead to them have no instructions of their own.
    let callers = functions.filter { name, _ in ["Suite.main", "Worker."].contains(where: name.hasPrefix) }
    #expect(!callers.isEmpty && callers.values.allSatisfy { $0.own == 0 }, "\(callers)")
    let whole = functions.values.reduce(0) { $0 + $1.own }
    #expect(String(decoding: file, as: UTF8.self).contains("totals: \(whole)\n"))
    #expect(page.contains("\(Format.count((Double(whole) / 30).rounded())) a frame, counted by callgrind"))
  }
}
