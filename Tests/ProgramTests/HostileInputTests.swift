import Foundation
import FrameBench
import Measurements
import Testing

@testable import Builds
@testable import Platform
@testable import Program

/// Tests inputs that are designed to do harm: devices, pipes, documents and suites.
@Suite struct HostileInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ["report", "/dev/zero"], ["merge", "/dev/zero"], ["history", "--import", "/dev/zero"],
    ["gate", "--budgets", "/dev/zero"], ["run", "--trace", "/dev/zero"], ["report", "."],
    ["gate", "--run", "/dev/zero", "--suggest"],
  ]) func whatHasNoEndIsRefusedByName(arguments: [String]) async throws {
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(process.status == 1 || process.status == 64)
    #expect(process.errorLines.count == 1)
    #expect(process.error.contains("is a device") || process.error.contains("has no run.json"), "\(process.error)")
  }

  @Test func aPipeThatNobodyWritesToIsNotWaitedForForEver() throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    var file = InputFile(path)
    file.patience = .milliseconds(50)
    #expect(throws: InputFile.Problem.silent(.milliseconds(50))) { try file.read() }
    #expect(throws: InputFile.Problem.readOnce) { try file.checkRepeatable() }
  }

  @Test func aFileThatIsTooLargeIsNotReadToItsEnd() throws {
    let path = folder.path + "/large"
    try Data(count: 100).write(to: URL(fileURLWithPath: path))
    #expect(throws: InputFile.Problem.tooLarge(limit: 99)) { try InputFile(path, sizeLimit: 99).read() }
    #expect(try InputFile(path, sizeLimit: 100).read().count == 100)
  }

  @Test func documentsComeThroughPipes() async throws {
    let run = try StoredRuns.write(StoredRuns.document(), to: folder.path + "/run.json")
    let script = """
      "$0" merge "$1" | "$0" report /dev/stdin --format csv | head -1
      "$0" report <(cat "$1") --format csv | head -1
      "$0" compare <(cat "$1") <(cat "$1") | grep "^No regression"
      """
    let process = ChildProcess(
      executable: "bash", arguments: ["-c", script, try FixtureProcess.springbench, run],
      environment: try FixtureProcess.measuring(), timeout: hangLimit)
    let end = try await process.run(input: Data())
    let header = "id,metric,phase,statistic,value,unit,text,low,high,scenario,strategy,size,commit,machine\r\n"
    #expect(
      String(decoding: end.output, as: UTF8.self) == header + header
        + "No regression in 1 benchmark, and 2 times not judged.\n")
  }

  @Test func aDocumentThatSwellsIsRefusedBeforeItDoes() async throws {
    var document = try StoredRuns.document()
    var series = CountSeries()
    series.append(5, repetitions: 1_000_000_000)
    document.benchmarks[0].instructions = InstructionRecord(
      source: .callgrind, version: nil, frames: series, phases: [], frameOverhead: 0)
    let swollen = try StoredRuns.write(document, to: folder.path + "/a.json")
    document.benchmarks[0].instructions = nil
    document.benchmarks[0].counters["n"] = CountSeries([1 << 53, 1 << 53])
    let heavy = try StoredRuns.write(document, to: folder.path + "/b.json")
    for (path, problem) in [(swollen, "together with the series before it"), (heavy, "the sum of")] {
      for command in [["report", path], ["history", "--history", folder.path + "/h", "--import", path]] {
        let process = try await FixtureProcess.run(command, in: folder.path)
        #expect(process.status == 1 || process.status == 64)
        #expect(process.errorLines.count == 1 && process.error.contains(problem), "\(process.error)")
      }
    }
  }

  @Test func aliasesOfYAMLAreNotExpanded() async throws {
    var text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for (name, before) in zip("bcdefghi", "abcdefgh") {
      text += "\(name): &\(name) [" + Array(repeating: "*\(before)", count: 9).joined(separator: ", ") + "]\n"
    }
    try (text + "? *i\n: 1\n").write(toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    let process = try await FixtureProcess.run(["gate", "--budgets", "b.yml"], in: folder.path)
    #expect(process.status == 64 && process.error.contains("is used as *a"), "\(process.error)")
  }

  @Test(arguments: [("a/b", "has a slash"), ("steady", "is in the suite twice"), ("a\u{1B}[2J", "control character")])
  func aMistakeInASuiteIsAMessage(name: String, problem: String) async throws {
    let process = try await FixtureProcess.run(["list"], environment: ["FIXTURE_SCENARIO": name])
    #expect(process.status == 1 && process.output.isEmpty)
    #expect(process.errorLines.count == 1 && process.error.contains(problem), "\(process.error)")
    #expect(!process.error.contains("\u{1B}"))
  }

  @Test func aJobObeysNoNameOfASuite() async throws {
    let environment = ["FIXTURE_SCENARIO": "::error::x", "GITHUB_ACTIONS": "true"]
    let process = try await FixtureProcess.run(["list", "--filter", "error"], environment: environment)
    #expect(process.output == ": :error::x/mine/10\n")
  }

  @Test func whatIsPastedIntoAShellRunsNothingElse() async throws {
    let id = BenchmarkID(scenario: "';id;'", strategy: "a", size: 1)
    var (before, after) = (try StoredRuns.document(), try StoredRuns.document(allocations: [0, 1]))
    before.benchmarks[0].id = id
    after.benchmarks[0].id = id
    let paths = [
      try StoredRuns.write(before, to: folder.path + "/a.json"),
      try StoredRuns.write(after, to: folder.path + "/b.json"),
    ]
    let process = try await FixtureProcess.run(["compare", "--report", "github-annotations"] + paths)
    #expect(process.status == 2)
    #expect(process.output.contains(#"--filter '^'\'';id;'\''/a/1$'"#), "\(process.output)")
  }
}
