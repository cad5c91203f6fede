import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests a comparison that is stopped while it measures both builds.
@Suite struct KilledCompareTests {
  /// - Parameters:
  ///   - other: The second program. Its file differs from the first one, because `compare` does not measure identical
  ///     programs.
  ///   - tolerance: The tolerance for times. With a small tolerance the comparison takes long.
  private static func arguments(_ path: String, _ other: String, seconds: String, tolerance: String) -> [String] {
    [
      "compare", "--program", path, other, "--filter", "steady/naive/100$", "--seconds", seconds, "--frames", "40",
      "--tolerance", tolerance, "--seed", "1",
    ]
  }

  @Test(arguments: [SIGINT, SIGKILL]) func nothingIsLeftBehindAndTheNextCompareWorks(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let path = try FixtureProcess.path
    let scripts = try TemporaryFolder()
    let other = scripts.path + "/other"
    try "#!/bin/sh\nexec '\(path)' \"$@\"\n".write(toFile: other, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try FixtureProcess.springbench)
    // With this tolerance the comparison takes so long that the signal arrives before it ends.
    process.arguments = Self.arguments(path, other, seconds: "3600", tolerance: "0.001%")
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    let messages = scripts.path + "/messages"
    try #require(FileManager.default.createFile(atPath: messages, contents: nil))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: messages))
    try process.run()
    let workers = try await Self.workers(of: process)
    let said = try String(contentsOfFile: messages, encoding: .utf8)
    #expect(workers.count >= 4, "\(said)")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    if signal == SIGINT { #expect(process.terminationReason == .exit && process.terminationStatus == 1) }

    #expect(try await ChildTable.eventually { !workers.contains(where: ChildTable.isRunning) })
    #expect(folder.contents.isEmpty)
    let next = try await FixtureProcess.run(Self.arguments(path, other, seconds: "1", tolerance: "90%"))
    #expect(next.status == 0, "\(next.error)")
  }

  /// Waits until the comparison has started its four workers or has ended. Returns the workers.
  private static func workers(of parent: Process) async throws -> [Int32] {
    var found: [Int32] = []
    _ = try await ChildTable.eventually {
      found = ChildTable.children(of: parent.processIdentifier)
      return found.count >= 4 || !parent.isRunning
    }
    return found
  }
}
