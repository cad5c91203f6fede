import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import LockStep
@testable import Platform

/// Tests that a comparison neither waits for ever for a worker nor lets it fill the memory.
@Suite struct TurnProcessTests {
  /// Starts a worker that runs a shell script, and waits until it fails.
  /// - Returns: The reason, and the bytes of memory that the worker's stderr takes.
  private func failure(of script: String, timeout: Duration = hangLimit) async throws -> (reason: String, bytes: Int) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/worker"
    // If this process wrote the script itself, a child of another test could hold the file open, and the system would
    // refuse to execute it.
    let writer = ChildProcess(
      executable: "/bin/sh",
      arguments: ["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > worker && chmod 755 worker", "sh", script],
      timeout: hangLimit, folder: folder.path)
    let end = try await writer.run()
    #expect(end.isSuccess)
    return try await DedicatedThread.run { _ in
      let id = BenchmarkID(scenario: "any", strategy: "mine", size: 10)
      let worker = try TurnProcess(
        .candidate, program: ProgramImage(of: path),
        request: WorkerRequest(benchmark: id, pass: .frames, options: RunOptions()), timeout: timeout,
        isCancelled: { false })
      let failure = #expect(throws: WorkerProcess.Failure.self) { try worker.readiness() }
      var status = stat()
      #expect(fstat(worker.errors.number, &status) == 0)
      return (try #require(failure).reason, Int(status.st_blocks) * 512)
    }
  }

  @Test func aWorkerThatAnswersByteByByteIsStopped() async throws {
    let reason = try await failure(of: "while :; do printf x; sleep 0.05; done", timeout: .seconds(1)).reason
    #expect(reason == "in the candidate, the worker did not answer within 1 s and was stopped")
  }

  @Test func aWorkerThatCrashedIsNotWaitedForBecauseOfItsChildren() async throws {
    let reason = try await failure(of: "sleep 600 & kill -SEGV $$").reason
    #expect(reason.hasPrefix("in the candidate, the worker crashed: signal 11 (Segmentation fault)"), "\(reason)")
  }

  @Test func timeInWhichSpringbenchIsStoppedDoesNotCount() {
    let start = ContinuousClock.now
    var limit = TimeLimit(.seconds(1), from: start)
    // Between two calls, springbench is stopped for an hour, which counts as 0.2 s. Other calls are 0.1 s apart.
    let late = (1...13).map { limit.isExceeded(at: start + .milliseconds(100 * $0) + .seconds($0 > 4 ? 3_600 : 0)) }
    #expect(late == Array(repeating: false, count: 9) + Array(repeating: true, count: 4))
  }

  @Test func anAnswerWithoutAnEndIsNotRead() async throws {
    let reason = try await failure(of: "yes x | tr -d '\\n'").reason
    #expect(reason == "in the candidate, the worker's reply has no end, and it was stopped")
  }

  @Test func ofWhatAWorkerPrintsTheEndIsKept() async throws {
    let end = try await failure(of: "yes x | head -c 40000000 >&2; printf x; echo the end >&2; exit 3")
    #expect(end.reason.hasSuffix("; last line of stderr: the end"), "\(end.reason)")
    #expect(end.bytes <= TurnProcess.errorLimit)
  }
}
