import Foundation
import FrameBench
import Measurements
import TextFormat

/// Counts instructions of benchmarks by running workers of a program under valgrind's callgrind.
struct CallgrindRunner: Sendable {
  /// A thirtieth of a run, or less: up to ten times slower, and a second to start.
  static let defaultTimeout = Duration.seconds(120)
  static let installRemedy = "install it: apt-get install valgrind"

  /// `3.19.0`
  let version: String
  var timeout: Duration
  let program: UndebuggedCopy

  /// What one run of a benchmark counted.
  struct Count: Equatable {
    var record: InstructionRecord
    /// Over the counted frames, as in any other pass.
    var checksum: String
  }

  /// Looks for valgrind in PATH and prepares the program.
  /// - Parameter executable: A program whose `worker` command speaks the worker protocol.
  /// - Throws: `InstructionFailure`, `CancellationError`.
  init(executable: String, timeout: Duration = Self.defaultTimeout) async throws {
    version = try await Self.installedVersion(timeout: min(timeout, .seconds(10)))
    self.timeout = timeout
    program = try UndebuggedCopy(of: executable)
  }

  /// - Throws: `InstructionFailure`, `CancellationError`.
  func count(_ id: BenchmarkID, options: RunOptions, frameCount: Int) async throws -> Count {
    let request = WorkerRequest(
      benchmark: id, work: .instructions(frameCount: frameCount), options: options, parentProcess: getpid())
    return try await run(request, collecting: "--combine-dumps=yes") {
      measurement, data throws(InstructionCountError) in
      let record = try InstructionRecord(
        callgrindFile: data, phaseNames: measurement.phases.map(\.name),
        frameCount: min(frameCount, options.frameCount))
      return Count(record: record, checksum: measurement.checksum)
    }
  }

  /// Runs a worker under callgrind, and reads the output of both.
  /// - Parameters:
  ///   - option: Callgrind option that says what to collect, and how.
  ///   - read: Nil where it finds nothing.
  /// - Throws: `InstructionFailure`, `CancellationError`.
  func run<Value>(
    _ request: WorkerRequest, collecting option: String,
    read: (RunMeasurement, Data) throws(InstructionCountError) -> Value?
  ) async throws -> Value {
    let file = "\(program.folder)/counts-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let worker = WorkerProcess(
      executablePath: program.path, timeout: timeout, launcher: Self.launcher(file: file, option))
    do {
      let measurement = try await worker.measure(request)
      guard let data = FileManager.default.contents(atPath: file), let value = try read(measurement, data)
      else {
        throw InstructionFailure(
          "valgrind wrote no counts", remedy: "check that `valgrind --tool=callgrind true` works")
      }
      return value
    } catch let failure as WorkerProcess.Failure {
      throw InstructionFailure(
        failure.reason + lastLine(ofStandardError: failure.standardError),
        remedy: "check that `valgrind --tool=callgrind true` works")
    } catch let error as InstructionCountError {
      throw InstructionFailure(error.description, remedy: "check that PATH leads to valgrind itself")
    }
  }

  /// Everything that could change the counts is said; a user's `.valgrindrc` is not read.
  /// The first recorded frames that are counted: all of a usual run, which takes a second or two at 10,000
  /// items; fewer in proportion above 20,000. A matter of the size alone, so that any two runs count the
  /// same frames.
  static func countedFrameCount(_ options: RunOptions, size: Int) -> Int {
    let limit = size <= 20_000 ? 1_200 : max(60, 24_000_000 / size)
    return min(options.frameCount, limit)
  }

  private static func launcher(file: String, _ option: String) -> [String] {
    [
      "valgrind", "--command-line-only=yes", "--tool=callgrind", "--quiet", "--vgdb=no",
      "--instr-atstart=no", option, "--cache-sim=no", "--branch-sim=no", "--separate-threads=no",
      "--callgrind-out-file=\(file.replacing("%", with: "%%"))",
    ]
  }

  private static func installedVersion(timeout: Duration) async throws -> String {
    let process = ChildProcess(executable: .name("valgrind"), arguments: ["--version"], timeout: timeout)
    let end = try await process.run(
      orThrow: InstructionFailure("valgrind is not installed", remedy: installRemedy))
    let words = String(decoding: end.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard end.isSuccess, words.hasPrefix("valgrind-"), words.count < 60 else {
      let why = end.stop == .timeout ? "did not answer" : "printed no version"
      throw InstructionFailure(
        "`valgrind --version` \(why)", remedy: "check which valgrind is on the PATH")
    }
    return String(words.dropFirst("valgrind-".count))
  }
}

/// Why instructions were not counted. The benchmark is measured all the same.
struct InstructionFailure: Error, Equatable, CustomStringConvertible {
  var reason: String
  var remedy: String

  init(_ reason: String, remedy: String) {
    self.reason = oneLine(reason)
    self.remedy = remedy
  }

  var description: String { "\(reason); \(remedy)" }
}
