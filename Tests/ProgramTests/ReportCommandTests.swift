import Formats
import Foundation
import JSONSchemaCheck
import Markup
import Testing

@testable import Builds
@testable import FrameBench
@testable import Measurements
@testable import Platform
@testable import Program

@Suite struct ReportCommandTests {
  @Test func aMeasuredDocumentIsValidByTheSchema() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "steady|allocating|doubtful"], in: folder)
    let docs = repositoryRoot.appendingPathComponent("docs/run.schema.json")
    let schema = try JSONSchema(try Data(contentsOf: docs))
    let path = try #require(folder.contents.first { $0.hasSuffix("run.json") })
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))
    #expect(try schema.violations(in: data) == [])
    #expect(try RunDocument(contentsOf: data).benchmarks.count > 4)
  }

  @Test func everyFormatOfAMeasuredRunGoesToStdout() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "steady/tiled/10$"], in: folder)
    let document = try document(in: folder)
    for format in ReportFormat.allCases where format != .markdown {
      let process = try await report(["latest", "--results", folder.path, "--format", format.rawValue])
      #expect(process.status == 0)
      #expect(process.error.isEmpty)
      #expect(process.output == (try format.render(document)), "\(format.rawValue)")
    }
  }

  @Test func aDocumentItsFolderAndLatestAreTheSameRun() async throws {
    let folder = try TemporaryFolder()
    let newest = try store("20261121T064712Z-bbbbbbb-10", in: folder)
    try store("20261121T064712Z-bbbbbbb-9", in: folder, suite: "older")
    try store("20251121T064712Z-ccccccc", in: folder, machine: "other", suite: "oldest")
    let texts = try await [newest, newest + "/run.json", "latest"].asyncMap {
      try await report([$0, "--results", folder.path]).output
    }
    #expect(Set(texts).count == 1)
    #expect(texts[0].hasPrefix("# Frame costs: newest\n"))
  }

  @Test func aFolderWithoutADocumentIsNotTheLatest() async throws {
    let folder = try TemporaryFolder()
    try store("20261121T064712Z-bbbbbbb", in: folder)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/desk/20271121T064712Z-aaaaaaa", withIntermediateDirectories: true)
    #expect(try await report(["latest", "--results", folder.path]).status == 0)
  }

  @Test func outputGoesToTheFileWholeAndNowhereElse() async throws {
    let folder = try TemporaryFolder()
    let run = try store("20261121T064712Z-bbbbbbb", in: folder)
    let target = folder.path + "/rows.csv"
    try Data(repeating: 65, count: 1_000_000).write(to: URL(fileURLWithPath: target))
    let process = try await report([run, "--format", "csv", "--output", target])
    #expect(process.status == 0)
    #expect(process.output.isEmpty)
    let text = try String(contentsOfFile: target, encoding: .utf8)
    #expect(text == (try ReportFormat.csv.render(Self.smallDocument(suite: "newest"))))
    #expect(folder.contents.filter { $0.contains("rows") } == ["rows.csv"])
  }

  @Test func aPageOfMarkdownShowsThePicturesOfTheRun() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "steady", "--machine", "m"], in: folder)
    let process = try await report(["latest", "--results", folder.path])
    let page = folder.path + "/my (page).md"
    #expect(try await report(["latest", "--results", folder.path, "--output", page]).status == 0)
    let written = try String(contentsOfFile: page, encoding: .utf8)
    #expect(written.contains("](my%20%28page%29-pictures/growth-steady.svg)"))
    for (text, base) in [(process.output, "/"), (written, folder.path)] {
      let sources = text.matches(of: #/!\[[^\]]*\]\(([^)]+)\)/#).map { String($0.1) }
      #expect(sources.count >= 6)
      for source in sources {
        let path = base + "/" + (source.removingPercentEncoding ?? "")
        #expect(FileManager.default.fileExists(atPath: path), "\(path)")
      }
    }
  }

  @Test func aDocumentAloneHasAPageWithoutPictures() async throws {
    let folder = try TemporaryFolder()
    let run = try store("20261121T064712Z-bbbbbbb", in: folder)
    let text = try await report([run]).output
    #expect(text == (try ReportFormat.markdown.render(Self.smallDocument(suite: "newest"))))
  }

  @Test func aDeviceIsWrittenToAndNotReplaced() async throws {
    let folder = try TemporaryFolder()
    let run = try store("20261121T064712Z-bbbbbbb", in: folder)
    let process = try await report([run, "--format", "json", "--output", "/dev/stdout"])
    #expect(process.status == 0)
    #expect(process.output == (try ReportFormat.json.render(Self.smallDocument(suite: "newest"))))
  }

  @Test(arguments: [
    (["latest", "--format", "cvs"], ["--format", "'cvs'", "did you mean \"csv\"?", "openmetrics"]),
    (["latest", "--format", ""], ["--format", "''"]), (["latest", "--format"], ["--format"]), ([], ["run"]),
    (["latest", "more"], ["more"]), (["latest", "--results", "/nowhere"], ["latest", "/nowhere", "springbench run"]),
    (["/nowhere/run.json"], ["/nowhere/run.json", "not there"]), ([""], ["\"\"", "not there"]),
    (["/proc"], ["/proc", "no run.json"]), (["latest", "--output", "/proc"], ["--output", "is a folder"]),
    (["latest", "--output", ""], ["--output", "\"\""]),
    (["latest", "--output", "/nowhere/x.csv"], ["--output", "/nowhere"]),
  ]) func aBadCommandLineIsReportedInOneLine(_ arguments: [String], _ mentions: [String]) async throws {
    let process = try await report(arguments)
    #expect(process.status == 64)
    #expect(process.output.isEmpty)
    #expect(process.errorLines.count == 1)
    for mention in mentions { #expect(process.error.contains(mention), "\(process.error)") }
  }

  @Test(arguments: [
    ("", "empty"), ("{\"schemaVersion\": 1", "cut off"), ("hello", "not JSON"), ("[]", "a list"),
    ("{}", "schemaVersion"), ("{\"schemaVersion\": 9}", "schema 9"), ("{\"schemaVersion\": 1}", "is missing"),
  ]) func anUnreadableDocumentIsNamedInOneLineAndStatusOne(_ text: String, _ mention: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/run.json"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let target = folder.path + "/out.json"
    let process = try await report([path, "--output", target])
    #expect(process.status == 1)
    #expect(process.output.isEmpty)
    #expect(process.errorLines.count == 1)
    #expect(process.error.contains(path) && process.error.contains(mention), "\(process.error)")
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func aStartThatIsNoTimeIsRefused() async throws {
    let folder = try TemporaryFolder()
    var document = Self.smallDocument(suite: "s")
    document.startedAt = "yesterday"
    try document.encoded().write(to: URL(fileURLWithPath: folder.path + "/run.json"))
    let process = try await report([folder.path, "--format", "influx"])
    #expect(process.status == 1)
    #expect(process.errorLines.count == 1)
    #expect(process.error.contains("startedAt: \"yesterday\" is not a time"), "\(process.error)")
  }

  private func report(_ arguments: [String]) async throws -> FixtureProcess {
    try await FixtureProcess.run(["report"] + arguments)
  }

  @discardableResult private func store(
    _ name: String, in folder: TemporaryFolder, machine: String = "desk", suite: String = "newest"
  ) throws -> String {
    let path = "\(folder.path)/\(machine)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.smallDocument(suite: suite).encoded().write(to: URL(fileURLWithPath: path + "/run.json"))
    return path
  }

  private static func smallDocument(suite: String) -> RunDocument {
    let clock = ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10)
    let environment = Environment(
      machine: "desk", cpuModel: nil, coreCount: 4, memoryBytes: nil, kernel: "6", operatingSystem: nil,
      isVirtualMachine: nil, commit: nil, isDirty: nil, toolchain: "6.3", buildConfiguration: "release",
      allocator: "system", clock: clock, loadAverage: nil)
    let pooled = PooledTimes(sampleCount: 2, p50: 110, p90: 120, p99: 120, max: 120, mean: 110)
    let record = BenchmarkRecord(
      id: BenchmarkID(scenario: "springs", strategy: "naive", size: 10),
      frame: TimeRecord(alignedNanoseconds: [100, 120], pooled: pooled), phases: [], allocations: nil, counters: [:],
      memory: MemoryRecord(), checksum: "00000000000000aa")
    var options = RunOptions()
    options.frameCount = 2
    return RunDocument(
      suite: suite, startedAt: "2026-11-21T06:47:12Z", durationSeconds: 1, arguments: ["run"], options: options,
      environment: environment, benchmarks: [record])
  }
}

extension Sequence {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var results: [T] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
