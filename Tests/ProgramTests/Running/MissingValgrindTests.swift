import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests that a run with a missing or broken valgrind succeeds, and explains why it has no instruction counts.
@Suite struct MissingValgrindTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// The script that is in PATH under the name valgrind. If nil, PATH has no valgrind.
    var script: String?
    var warning: String
    var testDescription: String { name }
  }

  @Test func anInterruptionKeepsWhatWasMeasuredBefore() async throws {
    let folder = try TemporaryFolder()
    let programs = try TemporaryFolder()
    let path = programs.path + "/valgrind"
    let script = "#!/bin/sh\n\(Self.version)kill -s TERM $PPID; exec /bin/sleep 600\n"
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let process = try await FixtureProcess.run(
      [
        "run", "--frames", "3", "--warm-up", "0", "--runs", "1", "--filter", "doubtful", "--instructions", "--output",
        folder.path,
      ], environment: ["PATH": programs.path])
    #expect(process.status == 1 && process.error.contains("what was measured by then is in"), "\(process.error)")
    let document = try document(in: folder)
    #expect(document.benchmarks.count == 1 && document.failures.isEmpty)
    #expect(document.warnings.contains { $0.message.hasPrefix("The run was interrupted while it counted") })
  }

  private static let version = "[ \"$1\" = --version ] && { echo valgrind-3.99.0; exit; }\n"
  /// Skips valgrind's own options.
  private static let skipOptions = "while [ \"${1#-}\" != \"$1\" ]; do shift; done\n"

  @Test(arguments: [
    Case(name: "missing", script: nil, warning: "valgrind is not installed; install it: apt-get install"),
    Case(
      name: "failing", script: version + "echo no such tool >&2; exit 1",
      warning: "the worker ended with status 1; last line of stderr: no such tool"),
    Case(name: "unknown", script: "exit 3", warning: "`valgrind --version` printed no version"),
    Case(name: "rubbish", script: version + "echo rubbish", warning: "\"rubbish\""),
    Case(
      name: "pretending", script: version + skipOptions + "exec \"$@\"",
      warning: "instructions can only be counted under valgrind"),
    Case(name: "hanging", script: "exec sleep 600", warning: "`valgrind --version` did not answer"),
  ]) func isAWarningAndNoFailure(_ fake: Case) async throws {
    let folder = try TemporaryFolder()
    let programs = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: programs.path + "/sleep", withDestinationPath: "/bin/sleep")
    if let script = fake.script {
      let path = programs.path + "/valgrind"
      try ("#!/bin/sh\n" + script + "\n").write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let process = try await FixtureProcess.run(
      [
        "run", "--frames", "3", "--warm-up", "0", "--runs", "1", "--filter", "doubtful", "--instructions", "--output",
        folder.path,
      ], environment: ["PATH": programs.path])
    #expect(process.status == 0)
    let document = try document(in: folder)
    #expect(document.benchmarks.count == 1)
    #expect(document.benchmarks.first?.instructions == nil)
    let messages = document.warnings.map(\.message).filter { $0.hasPrefix("Instructions were not counted: ") }
    #expect(messages.count == 1)
    #expect(messages.first?.contains(fake.warning) == true, "\(messages)")
  }

  @Test func aRunThatDoesNotAskSaysNothing() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "doubtful"], in: folder)
    #expect(try document(in: folder).warnings.allSatisfy { !$0.message.contains("nstructions") })
  }

  @Test func framesAreCountedByTheSizeAlone() {
    var options = RunOptions()
    #expect(CallgrindRunner.countedFrameCount(options, size: 100) == 1_200)
    #expect(CallgrindRunner.countedFrameCount(options, size: 20_000) == 1_200)
    #expect(CallgrindRunner.countedFrameCount(options, size: 40_000) == 600)
    #expect(CallgrindRunner.countedFrameCount(options, size: 1_000_000_000) == 60)
    options.frameCount = 20
    #expect(CallgrindRunner.countedFrameCount(options, size: 100) == 20)
  }
}

@Suite struct UndebuggedCopyTests {
  @Test func theCopyRunsHasNoDebugSectionsAndIsRemoved() async throws {
    var folder = ""
    do {
      let copy = try UndebuggedCopy(of: try FixtureProcess.path)
      folder = copy.folder
      let original = try Data(contentsOf: URL(fileURLWithPath: try FixtureProcess.path))
      let program = try Data(contentsOf: URL(fileURLWithPath: copy.path))
      #expect(program.count == original.count)
      #expect(original.range(of: Data("\0.debug_info\0".utf8)) != nil)
      #expect(program.range(of: Data("\0.debug_info\0".utf8)) == nil)
      let end = try await ChildProcess(executable: copy.path, arguments: ["describe"], timeout: hangLimit).run(
        input: Data())
      #expect(end.isSuccess)
      #expect(String(decoding: end.output, as: UTF8.self).contains("\"layered\""))
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func whatIsNoProgramIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/script"
    try "#!/bin/sh\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: InstructionFailure.self) { try UndebuggedCopy(of: path) }
    #expect(throws: InstructionFailure.self) { try UndebuggedCopy(of: folder.path + "/nothing") }
  }

  @Test(arguments: [6, 0x3f, 0x40, 200, 4_096]) func aProgramThatIsCutOffIsRefusedOrLeftAlone(_ length: Int) throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: try FixtureProcess.path))
    var program = [UInt8](whole.prefix(length))
    #expect(throws: InstructionFailure.self) { try UndebuggedCopy.hideDebugInformation(in: &program) }
  }
}
