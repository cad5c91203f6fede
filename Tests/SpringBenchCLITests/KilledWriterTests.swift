import Foundation
import Testing

@testable import Orchestration
@testable import SpringBenchCLI

/// Every command that writes, killed at some moment of its work: the next one finds all whole, and clears the rest.
@Suite struct KilledWriterTests {
  private static let quick = [
    "--filter", "doubtful", "--frames", "4", "--warm-up", "1", "--runs", "1", "--machine", "m",
  ]

  private static let commands: [[String]] = [
    ["run"] + quick,
    ["nightly", "--site", "site"] + quick,
    ["baseline", "save", "main", "--machine", "m"],
    ["report", "latest", "--format", "html", "--output", "page.html"],
    ["report", "latest", "--format", "markdown", "--output", "page.md"],
    ["merge", "part.json", "--output", "merged.json"],
    ["history", "export", "--output", "nights.csv"],
    ["history", "--site", "site"],
    [
      "acknowledge", "doubtful/mine/10", "--metric", "frameNanoseconds", "--reason", "wanted", "--until",
      "2099-01-01",
    ],
  ]

  @Test(arguments: commands)
  func theNextOneFindsAllWholeAndClearsTheRest(_ command: [String]) async throws {
    let folder = try TemporaryFolder()
    for arguments in [["run"] + Self.quick, ["nightly"] + Self.quick] {
      #expect(try await FixtureProcess.run(arguments, in: folder.path).status == 0)
    }
    let run = try #require(folder.contents.first { $0.hasSuffix("/run.json") })
    try FileManager.default.copyItem(atPath: "\(folder.path)/\(run)", toPath: folder.path + "/part.json")
    let start = ContinuousClock.now
    #expect(try await FixtureProcess.run(command, in: folder.path).status == 0)
    let duration = ContinuousClock.now - start

    for moment in 1...5 {
      let process = ChildProcess(
        executable: .path(.init(try FixtureProcess.path)), arguments: command, timeout: duration * moment / 6,
        folder: folder.path)
      _ = try await process.run(input: Data())
      for name in folder.contents where name.hasSuffix(".json") && !name.contains("/.") {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        #expect(throws: Never.self, "\(name) is not whole") { try JSONSerialization.jsonObject(with: data) }
      }
    }
    let next = try await FixtureProcess.run(command, in: folder.path)
    #expect(next.status == 0, "\(next.error)")
    let hidden = folder.contents.filter { path in
      path.split(separator: "/").contains { $0.hasPrefix(".") } && !path.contains(".lock")
        && !path.contains(".measuring-")
    }
    #expect(hidden.isEmpty, "\(hidden)")
  }
}
