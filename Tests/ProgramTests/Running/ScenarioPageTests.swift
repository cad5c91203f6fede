import Foundation
import Testing

@testable import Builds
@testable import Platform
@testable import Program

/// Tests the pages that are written next to a report of several scenarios, one page for each scenario.
@Suite struct ScenarioPageTests {
  @discardableResult private func measured(_ options: [String] = [], in folder: TemporaryFolder) async throws
    -> FixtureProcess
  {
    try await FixtureProcess.run(
      [
        "run", "--filter", "^(steady|doubtful)/", "--frames", "12", "--warm-up", "3", "--runs", "2", "--machine", "m",
        "--output", folder.path,
      ] + options)
  }

  /// Returns the paths to which the links and pictures of a page lead.
  private func targets(_ page: String) throws -> [String] {
    let text = try String(contentsOfFile: page, encoding: .utf8)
    return text.matches(of: #/\]\(([^)#]+)\)/#).map {
      Paths.parent(page) + "/" + (String($0.1).removingPercentEncoding ?? "")
    }
  }

  @Test func aRunOfSeveralScenariosHasAPageOfEachAndEveryLinkLeadsSomewhere() async throws {
    let folder = try TemporaryFolder()
    #expect(try await measured(in: folder).status == 0)
    let pages = folder.contents.filter { $0.contains("/scenarios/") }.map { Paths.name($0) }
    #expect(pages == ["doubtful.html", "doubtful.md", "steady.html", "steady.md"])
    for page in folder.contents.filter({ $0.hasSuffix(".md") && $0 != "README.md" }) {
      let targets = try targets("\(folder.path)/\(page)")
      #expect(!targets.isEmpty)
      for target in targets { #expect(FileManager.default.fileExists(atPath: target), "\(page): \(target)") }
    }
  }

  @Test func aReportElsewhereTakesItsPagesWithIt() async throws {
    let folder = try TemporaryFolder()
    try await measured(in: folder)
    for (format, suffix) in [("markdown", "md"), ("html", "html")] {
      let page = "\(folder.path)/my (page).\(suffix)"
      let report = try await FixtureProcess.run([
        "report", "latest", "--results", folder.path, "--format", format, "--output", page,
      ])
      #expect(report.status == 0)
      let beside = "\(folder.path)/my (page)-scenarios/steady.\(suffix)"
      #expect(FileManager.default.fileExists(atPath: beside))
      #expect(try String(contentsOfFile: beside, encoding: .utf8).contains("../my%20%28page%29.\(suffix)"))
      #expect(try String(contentsOfFile: page, encoding: .utf8).contains("my%20%28page%29-scenarios/steady.\(suffix)"))
    }
  }

  @Test func verboseSaysEverythingAtOnce() async throws {
    let folder = try TemporaryFolder()
    let short = try await measured(in: folder)
    let long = try await measured(["--verbose"], in: folder)
    #expect(short.output.contains("benchmark ") && !short.output.contains("After warm-up"))
    #expect(long.output.contains("After warm-up"))
    for output in [short.output, long.output] {
      #expect(output.split(separator: "\n").last?.hasSuffix("/report.md") == true)
    }
    let whole = try await FixtureProcess.run(["report", "latest", "--results", folder.path, "--verbose"])
    #expect(whole.output.contains("### steady, 100 items"))
    let brief = try await FixtureProcess.run(["report", "latest", "--results", folder.path])
    #expect(!brief.output.contains("### steady, 100 items"))
  }

  @Test func verboseIsRefusedWhereNothingHeedsIt() async throws {
    let folder = try TemporaryFolder()
    let report = try await FixtureProcess.run([
      "report", "latest", "--results", folder.path, "--format", "csv", "--verbose",
    ])
    #expect(report.status == 64 && report.error.contains("--verbose"))
    let night = try await FixtureProcess.run(["nightly", "--verbose", "--output", folder.path])
    #expect(night.status == 64 && night.error.contains("--verbose"))
  }
}
