import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Kills every command that writes files, at several moments of its work. The next command must find all files intact,
/// and remove what the killed command left behind.
@Suite struct KilledWriterTests {
  /// The moments of the kills, in sixths of the command's duration.
  private static let moments = [2, 5]

  @Test(arguments: WritingCommand.oneForEachOption) func theNextOneFindsAllWholeAndClearsTheRest(
    _ command: WritingCommand
  ) async throws {
    let folder = try TemporaryFolder()
    try await WritingCommand.prepare(folder)
    let start = ContinuousClock.now
    #expect(try await FixtureProcess.run(command.words, in: folder.path).status == 0)
    let duration = ContinuousClock.now - start

    for moment in Self.moments {
      let process = ChildProcess(
        executable: try FixtureProcess.springbench, arguments: command.words,
        environment: try FixtureProcess.measuring(), timeout: duration * moment / 6, folder: folder.path)
      _ = try await process.run(input: Data())
      for name in folder.contents where name.hasSuffix(".json") && !name.contains("/.") {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        #expect(throws: Never.self, "\(name) is not whole") { try JSONSerialization.jsonObject(with: data) }
      }
    }
    let next = try await FixtureProcess.run(command.words, in: folder.path)
    #expect(next.status == 0, "\(next.error)")
    let hidden = folder.contents.filter { path in
      path.split(separator: "/").contains { $0.hasPrefix(".") } && !path.contains(".lock")
        && !path.contains(".measuring-")
    }
    #expect(hidden.isEmpty, "\(hidden)")
  }
}
