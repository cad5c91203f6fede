import Foundation
import FrameBench
import Measurements

/// Adds instruction counts to benchmarks that have been measured; what cannot be counted stays absent, and
/// a warning says why.
struct InstructionStage {
  var options: RunOptions
  /// How long a worker may take; nil: as is usual under callgrind.
  var timeout: Duration?
  var core: Int?
  /// Workers that run under valgrind at the same time.
  var workerCount = 1
  /// The program whose times were measured.
  var programs: ProgramPaths

  /// Throws `CancellationError`.
  func run(on outcome: inout Runner.Outcome, progress: (BenchmarkID) -> Void) async throws {
    guard !outcome.records.isEmpty else { return }
    try await countByCallgrind(&outcome, progress)
    try await countByHardware(&outcome, progress)
  }

  private func countByCallgrind(_ outcome: inout Runner.Outcome, _ progress: (BenchmarkID) -> Void)
    async throws
  {
    let ids = outcome.records.map(\.id)
    var runners: [String: CallgrindRunner] = [:]
    do {
      for path in Set(ids.map { programs.path(of: $0) }) {
        runners[path] = try await CallgrindRunner(
          executable: path, timeout: timeout ?? CallgrindRunner.defaultTimeout)
      }
    } catch let failure as InstructionFailure {
      outcome.warnings.append(Warning("Instructions were not counted: \(failure)."))
      return
    }
    let finished = try await counts(of: ids, by: runners, progress)
    for index in outcome.records.indices {
      let id = outcome.records[index].id
      guard let result = finished.first(where: { $0.id == id })?.result else { continue }
      do {
        outcome.records[index].instructions = try checked(result.get(), outcome.records[index])
      } catch {
        outcome.warnings.append(Warning("Instructions were not counted: \(error).", benchmark: id))
      }
    }
  }

  private func checked(
    _ count: CallgrindRunner.Count, _ record: BenchmarkRecord
  ) throws(InstructionFailure) -> InstructionRecord {
    let isWhole = count.record.frameCount == options.of(scenario: record.id.scenario).frameCount
    guard !isWhole || count.checksum == record.checksum else {
      throw InstructionFailure(
        "under valgrind it shows something different (checksum \(count.checksum))",
        remedy: "make it independent of time and of the processor's features")
    }
    return count.record
  }

  /// What became of one benchmark.
  private struct Finished: Sendable {
    var id: BenchmarkID
    var result: Swift.Result<CallgrindRunner.Count, InstructionFailure>
  }

  /// In no order. Several at once: a busy machine changes no count.
  private func counts(
    of ids: [BenchmarkID], by runners: [String: CallgrindRunner], _ progress: (BenchmarkID) -> Void
  ) async throws -> [Finished] {
    try await withThrowingTaskGroup(of: Finished.self) { group in
      var finished: [Finished] = []
      for (started, id) in ids.enumerated() {
        if started >= max(1, workerCount), let next = try await group.next() { finished.append(next) }
        guard let runner = runners[programs.path(of: id)] else { continue }
        progress(id)
        group.addTask { try await count(id, by: runner) }
      }
      for try await next in group { finished.append(next) }
      return finished
    }
  }

  /// Throws `CancellationError`.
  private func count(_ id: BenchmarkID, by runner: CallgrindRunner) async throws -> Finished {
    do {
      let frameCount = CallgrindRunner.countedFrameCount(options.of(scenario: id.scenario), size: id.size)
      let count = try await runner.count(id, options: options, frameCount: frameCount)
      return Finished(id: id, result: .success(count))
    } catch let failure as InstructionFailure {
      return Finished(id: id, result: .failure(failure))
    }
  }

  private func countByHardware(_ outcome: inout Runner.Outcome, _ progress: (BenchmarkID) -> Void)
    async throws
  {
    if let obstacle = HardwareCounter.obstacle {
      outcome.warnings.append(
        Warning("The processor's own counter of instructions was not read: \(obstacle)."))
      return
    }
    for index in outcome.records.indices {
      let id = outcome.records[index].id
      progress(id)
      let worker = WorkerProcess(
        executablePath: programs.path(of: id),
        timeout: timeout ?? WorkerProcess.defaultTimeout(options, size: 0))
      let request = WorkerRequest(
        benchmark: id, work: .hardwareInstructions(frameCount: nil), options: options, core: core,
        parentProcess: getpid())
      do {
        outcome.records[index].hardwareInstructions = try await worker.measure(request).hardwareInstructions
      } catch let failure as WorkerProcess.Failure {
        outcome.warnings.append(
          Warning(
            "The processor's own counter of instructions was not read: \(failure.reason).", benchmark: id))
      }
    }
  }
}
