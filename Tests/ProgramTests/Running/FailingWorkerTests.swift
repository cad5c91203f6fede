import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Program

@Suite struct FailingWorkerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var scenario: String
    var reason: String
    var standardError = ""
    var testDescription: String { scenario }
  }

  @Test(arguments: [
    Case(scenario: "crashing", reason: "the worker crashed: signal", standardError: "frame 3 went wrong"),
    Case(scenario: "hanging", reason: "the worker did not finish within 20 s"),
    Case(scenario: "leaving", reason: "the worker ended before it answered; something called exit"),
    Case(scenario: "garbage", reason: "\"garbage\""),
    Case(scenario: "chatty", reason: "set-up failed", standardError: "the last words"),
    Case(scenario: "throwing", reason: "set-up failed: there is no data to set up from"),
    Case(scenario: "random", reason: "not deterministic: checksum"),
  ]) func failsItsBenchmarkAndTheOthersGoOn(_ bad: Case) async throws {
    let folder = try TemporaryFolder()
    var arguments = ["--filter", "^(\(bad.scenario)|doubtful)/"]
    if bad.scenario == "hanging" { arguments += ["--worker-timeout", "20"] }
    let process = try await run(arguments, in: folder)
    #expect(process.status == 1)
    #expect(process.errorLines.count == 1)
    #expect(process.error.hasPrefix("springbench: error: \(bad.scenario)/mine/10: "))
    #expect(process.error.contains(bad.reason))

    let document = try document(in: folder)
    #expect(document.benchmarks.map(\.id.scenario) == ["doubtful"])
    #expect(document.failures.map(\.id.scenario) == [bad.scenario])
    #expect(document.failures.first?.reason.contains(bad.reason) == true)
    #expect(document.failures.first?.standardError.contains(bad.standardError) ?? false || bad.standardError.isEmpty)
    #expect((document.failures.first?.standardError.utf8.count ?? 0) <= 4_000)
  }

  @Test func aRequestThatIsRubbishIsAnsweredInTheProtocol() async throws {
    let process = try await FixtureProcess.run(["worker"], input: "hello\n")
    let reply = try WorkerReply(line: Data(process.output.utf8))
    #expect(reply.outcome == .failed(reason: "not a line of the worker protocol: \"hello\""))
    #expect(process.status == 0)
  }

  @Test func aRequestOfAnotherVersionIsRefusedByName() async throws {
    let process = try await FixtureProcess.run(["worker"], input: "{\"protocolVersion\": 99}\n")
    guard case .failed(let reason) = try WorkerReply(line: Data(process.output.utf8)).outcome else {
      Issue.record("measured a request of version 99")
      return
    }
    #expect(reason.contains("version 99 instead of 2"))
  }

  /// With `--phase`, `calibrate` does not first run the benchmarks to find a phase. So the interruption arrives while
  /// it measures.
  @Test(arguments: [["run", "--runs", "1", "--frames", "3"], ["calibrate", "--phase", "solve"]])
  func anInterruptedCommandStopsItsWorkerAndWritesNothing(_ command: [String]) async throws {
    let folder = try TemporaryFolder()
    let run = try await signalDuringHang(SIGTERM, command, folder: folder)
    #expect(run.terminationReason == .exit && run.terminationStatus == 1)
    #expect(folder.contents.isEmpty)
  }

  @Test func aWorkerDiesWithAKilledParent() async throws {
    let run = try await signalDuringHang(
      SIGKILL, ["run", "--runs", "1", "--frames", "3"], folder: try TemporaryFolder())
    #expect(run.terminationReason == .uncaughtSignal && run.terminationStatus == SIGKILL)
  }

  /// Starts a command that hangs, waits for its worker, and sends a signal. Expects that no worker remains.
  private func signalDuringHang(_ signal: Int32, _ command: [String], folder: TemporaryFolder) async throws -> Process {
    let run = Process()
    run.executableURL = URL(fileURLWithPath: try FixtureProcess.springbench)
    run.arguments = command + ["--filter", "hanging", "--output", folder.path]
    // This limit is longer than the test has to wait, even on a busy machine.
    if command[0] == "run" { run.arguments? += ["--worker-timeout", "900"] }
    run.environment = ProcessInfo.processInfo.environment.merging(try FixtureProcess.measuring()) { $1 }
    (run.standardOutput, run.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try run.run()
    // Without a worker, the rest of the test would prove nothing.
    #expect(try await ChildTable.eventually { !Self.workers(of: run).isEmpty })
    let workers = Self.workers(of: run)
    kill(run.processIdentifier, signal)
    #expect(try await ChildTable.eventually { !workers.contains(where: ChildTable.isRunning) && !run.isRunning })
    return run
  }

  private static func workers(of run: Process) -> [Int32] {
    ChildTable.children(of: run.processIdentifier).filter { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return line.split(separator: 0).contains { $0.elementsEqual("worker".utf8) }
    }
  }
}
