import Foundation
import Testing

@testable import FrameBench
@testable import SpringBenchCLI

/// A comparison that is stopped while its workers take turns.
@Suite struct KilledCompareTests {
  /// - Parameter other: What is not the same program, so that there is something to measure.
  private static func arguments(_ path: String, _ other: String, seconds: String) -> [String] {
    [
      "compare", "--base-executable", path, "--candidate-executable", other, "--filter", "steady/naive/100$",
      "--seconds", seconds, "--frames", "40", "--tolerance", "90%", "--seed", "1",
    ]
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func nothingIsLeftBehindAndTheNextCompareWorks(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let path = try FixtureProcess.path
    let scripts = try TemporaryFolder()
    let other = scripts.path + "/other"
    try "#!/bin/sh\nexec '\(path)' \"$@\"\n".write(toFile: other, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    // Long enough that the signal finds it at work.
    process.arguments = Self.arguments(path, other, seconds: "600")
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

    #expect(await Self.eventually { workers.allSatisfy { !Self.isRunning($0) } })
    #expect(folder.contents.isEmpty)
    let next = try await FixtureProcess.run(Self.arguments(path, other, seconds: "1"))
    #expect(next.status == 0, "\(next.error)")
  }

  /// The children, once there are four or the parent has ended.
  private static func workers(of parent: Process) async throws -> [Int32] {
    var found: [Int32] = []
    _ = await eventually {
      found = children(of: parent.processIdentifier).filter(isRunning)
      return found.count >= 4 || !parent.isRunning
    }
    return found
  }

  private static func children(of parent: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int32.init).filter { status($0)?.parent == parent }
  }

  private static func isRunning(_ process: Int32) -> Bool {
    guard let state = status(process)?.state else { return false }
    return state != "Z" && state != "X"
  }

  /// The fields behind the name, which may hold anything in its parentheses.
  private static func status(_ process: Int32) -> (state: Substring, parent: Int32)? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
    return (fields[0], parent)
  }

  /// Whether something becomes true within ten minutes.
  private static func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<30_000 {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return condition()
  }
}
