import Foundation
import FrameBench
import Measurements
import TextFormat

/// Runs a benchmark once, in a new process: the worker.
package struct WorkerProcess {
  package var executablePath: String
  package var timeout: Duration
  /// A program that runs the worker, such as valgrind, and its arguments. If empty, the worker is started directly.
  package var launcher: [String] = []
  /// The path of the original if the executable is a copy of another program.
  package var original: String?
  /// A folder to which the worker may write.
  package var scratch: String?
  /// What the user can do if the frames take too long, for the error message.
  package var remedy = Self.usualRemedy
  private static let usualRemedy =
    "ask for fewer with --frames and --warm-up, or in the scenario's options, or for more time with --worker-timeout"

  package init(
    executablePath: String, timeout: Duration, launcher: [String] = [], original: String? = nil, scratch: String? = nil
  ) {
    (self.executablePath, self.timeout, self.launcher, self.original, self.scratch) = (
      executablePath, timeout, launcher, original, scratch
    )
  }

  /// Returns the values, by name, of the environment variables and files that change how workers allocate memory and
  /// what they load. Empty values are left out.
  package static func settings(
    _ variables: [String: String] = InheritedEnvironment.ofWorkers, files: SystemFiles = SystemFiles()
  ) -> [String: String] {
    var settings = variables.filter { name, value in
      !value.isEmpty && (["LD_PRELOAD", "GLIBC_TUNABLES"].contains(name) || name.hasPrefix("MALLOC_"))
    }
    settings["/etc/ld.so.preload"] = files.value("/etc/ld.so.preload")
    // For jemalloc, the target of this symbolic link contains the options.
    settings["/etc/malloc.conf"] = try? FileManager.default.destinationOfSymbolicLink(
      atPath: files.root + "/etc/malloc.conf")
    return settings.mapValues { oneLine($0) }
  }

  package struct Failure: Error, Equatable {
    /// The reason in one line.
    package var reason: String
    /// The end of the worker's stderr.
    package var standardError = ""
    /// Whether two runs of the baseline differed, so that nothing can be said about the candidate.
    package var isOfRandomBaseline = false
    /// The build whose worker failed. Nil if no builds are compared.
    package var build: BenchmarkFailure.Build?

    package init(reason: String, standardError: String = "", isOfRandomBaseline: Bool = false) {
      (self.reason, self.standardError, self.isOfRandomBaseline) = (reason, standardError, isOfRandomBaseline)
    }

    /// Whether the frames took too long, or would have taken too long. Works only if `remedy` is unchanged, because
    /// this looks for the usual remedy in `reason`.
    package var isOfTime: Bool { reason.hasSuffix(WorkerProcess.usualRemedy) }
  }

  /// - Throws: `Failure` or `CancellationError`.
  package func measure(_ request: WorkerRequest) async throws -> RunMeasurement {
    var request = request
    (request.secondsLimit, request.remedy) = (timeout / .seconds(1), remedy)
    // The path is absolute, because the program may look for files next to itself after it has changed its directory.
    let path = Paths.absolute(executablePath)
    let process = ChildProcess(
      executable: launcher.first ?? path,
      arguments: launcher.isEmpty ? ["worker"] : launcher.dropFirst() + [path, "worker"], timeout: timeout,
      inherited: InheritedEnvironment.ofWorkers,
      role: .worker(files: [executablePath, original].compactMap(\.self), using: [scratch].compactMap(\.self)))
    let end = try await process.run(input: try request.line()) {
      Failure(reason: "the worker could not be started: \($0)")
    }
    return try measurement(from: end, of: request.options)
  }

  private func measurement(from end: ChildProcess.End, of options: RunOptions) throws(Failure) -> RunMeasurement {
    let reason: String
    switch (end.stop, end.status) {
    case (.timeout, _):
      let frameCount = options.warmUpFrameCount + options.frameCount
      reason =
        "the worker did not finish within \(timeout.components.seconds) s and was stopped; it had"
        + " \(Format.plural(frameCount, "frame")) to run: if each takes long, \(remedy)"
    case (.tooMuchOutput, _): reason = "the worker wrote more than a reply can be long and was stopped"
    case (nil, .signaled(let signal)):
      // In release builds, Swift's own checks end the program without a message.
      let isSilent = [SIGILL, SIGTRAP].contains(signal) && !end.errorTail.contains("Fatal error")
      reason =
        "the worker crashed: \(end.status)" + lastLine(ofStandardError: end.errorTail)
        + (isSilent ? "; a check of Swift failed, and a debug build says which" : "")
    case (nil, .exited(let status)) where status != 0: reason = "the worker ended with \(end.status)"
    case (nil, .exited):
      do {
        switch try WorkerReply(line: end.output).outcome {
        case .measured(var measurement):
          measurement.keepCountersApart()
          if let whole = end.nanoseconds, let before = measurement.processNanoseconds {
            measurement.memory.exitNanoseconds = max(0, whole - before)
          }
          guard let problem = measurement.problemOfPhaseNames else { return measurement }
          reason = problem
        case .failed(let ownReason): reason = ownReason
        case .ready: reason = "the worker answered a request that it was not sent"
        }
      } catch {
        reason =
          end.output.isEmpty
          ? "the worker ended before it answered; something called exit" : "the worker's reply cannot be read: \(error)"
      }
    }
    throw Failure(reason: oneLine(reason), standardError: end.errorTail)
  }

  /// Returns the usual time limit of a run: a minute, or proportionally more for many frames or large sizes.
  package static func defaultTimeout(_ options: RunOptions, size: Int) -> Duration {
    let usual = RunOptions()
    let frames = Double(options.warmUpFrameCount + options.frameCount)
    let usualFrames = Double(usual.warmUpFrameCount + usual.frameCount)
    return .seconds(60) * (max(1, frames / usualFrames) * max(1, Double(size) / 100_000))
  }
}

extension BenchmarkFailure {
  package init(_ id: BenchmarkID, _ failure: WorkerProcess.Failure) {
    self.init(id: id, reason: failure.reason, standardError: failure.standardError, build: failure.build)
  }
}

/// Calls `body` for all elements, several at the same time. Returns the results in the order of the elements. The first
/// error cancels the other calls and is thrown.
///
/// - Parameters:
///   - limit: The maximum number of calls at the same time. Nil means the number of cores.
///   - begin: Called before `body` is called for an element.
package func concurrently<Element: Sendable, Value: Sendable>(
  _ elements: [Element], atMost limit: Int? = nil, begin: (Element) -> Void = { _ in },
  _ body: @escaping @Sendable (Element) async throws -> Value
) async throws -> [Value] {
  let limit = max(1, limit ?? ProcessInfo.processInfo.activeProcessorCount)
  return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    var values: [Int: Value] = [:]
    for (index, element) in elements.enumerated() {
      if index >= limit, let (done, value) = try await group.next() { values[done] = value }
      begin(element)
      group.addTask { (index, try await body(element)) }
    }
    for try await (done, value) in group { values[done] = value }
    return elements.indices.compactMap { values[$0] }
  }
}
