import Builds
import Foundation
import FrameBench
import Linking
import Measurements
import Platform
import TextFormat

/// Counts instructions of benchmarks by running workers of a program under valgrind's callgrind.
package struct CallgrindRunner: Sendable {
  /// The version of valgrind, as in `3.19.0`.
  package let version: String
  private let timeout: Duration
  package let program: UndebuggedCopy

  package typealias Count = (record: InstructionRecord, checksum: String)

  /// - Parameter timeout: The time limit of a worker. Valgrind takes a second to start, and makes the worker up to ten
  ///   times slower.
  package init(executable: String, timeout: Duration = .seconds(120)) async throws {
    version = try await Self.installedVersion()
    self.timeout = timeout
    program = try UndebuggedCopy(of: executable)
  }

  /// - Parameter frameCount: The number of frames to count. Nil means `countedFrameCount`.
  package func count(_ id: BenchmarkID, options: RunOptions, frameCount: Int? = nil) async throws -> Count {
    let options = options.of(id)
    let frameCount = frameCount ?? Self.countedFrameCount(options, size: id.size)
    let request = WorkerRequest(benchmark: id, pass: .instructions, options: options, countedFrameCount: frameCount)
    let (measurement, data) = try await run(request, collecting: "--combine-dumps=yes")
    let record = try InstructionRecord(
      callgrindFile: data, phaseNames: measurement.phases.map(\.name), frameCount: min(frameCount, options.frameCount))
    return (record, measurement.checksum)
  }

  /// Runs a worker under callgrind. Returns its reply and callgrind's file.
  /// - Parameter option: The option of callgrind that specifies what to collect.
  package func run(_ request: WorkerRequest, collecting option: String) async throws -> (RunMeasurement, Data) {
    let file = "\(program.folder)/counts-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    // A user's `.valgrindrc` is not read, and every option that could change the counts is given here.
    let launcher = [
      "valgrind", "--command-line-only=yes", "--tool=callgrind", "--quiet", "--vgdb=no", "--instr-atstart=no", option,
      "--cache-sim=no", "--branch-sim=no", "--separate-threads=no",
      "--callgrind-out-file=\(file.replacing("%", with: "%%"))",
    ]
    let worker = WorkerProcess(
      executablePath: program.path, timeout: timeout, launcher: launcher, original: program.original,
      scratch: program.folder)
    do {
      let measurement = try await worker.measure(request)
      guard let data = InputFile.untrusted(file) else {
        let limit = ByteUnit.text(Double(InputFile.sizeLimit))
        throw InstructionFailure.ofValgrind("valgrind wrote no counts, or more than \(limit) (then use fewer --frames)")
      }
      return (measurement, data)
    } catch let failure as WorkerProcess.Failure {
      throw InstructionFailure.ofValgrind(failure.reason + lastLine(ofStandardError: failure.standardError))
    }
  }

  /// Returns how many recorded frames are counted, starting with the first. Up to 20,000 items, all 1,200 frames of a
  /// usual run are counted. This takes a second or two at 10,000 items. Above 20,000 items, the number is inversely
  /// proportional to the size, but at least 60. The limit depends on the size alone, so that any two runs count the
  /// same frames.
  package static func countedFrameCount(_ options: RunOptions, size: Int) -> Int {
    let limit = size <= 20_000 ? 1_200 : max(60, 24_000_000 / size)
    return min(options.frameCount, limit)
  }

  private static func installedVersion() async throws -> String {
    let process = ChildProcess(executable: "valgrind", arguments: ["--version"], timeout: .seconds(10))
    let end = try await process.run { _ in
      InstructionFailure("valgrind is not installed", remedy: "install it: apt-get install valgrind")
    }
    let words = String(decoding: end.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard end.isSuccess, words.hasPrefix("valgrind-"), words.count < 60 else {
      let why = end.stop == .timeout ? "did not answer" : "printed no version"
      throw InstructionFailure("`valgrind --version` \(why)", remedy: "check which valgrind is on the PATH")
    }
    return String(words.dropFirst("valgrind-".count))
  }
}

/// The reason why instructions were not counted. The benchmark is still measured.
package typealias InstructionFailure = MessageError<CallgrindRunner>

extension InstructionFailure {
  package init(_ reason: String, remedy: String) { self.init("\(oneLine(reason)); \(remedy)") }

  package static func ofValgrind(_ reason: String) -> Self {
    Self(reason, remedy: "if `valgrind --tool=callgrind true` works, the benchmark does what valgrind does not support")
  }

  package static func unreadable(_ what: String) -> Self {
    Self("callgrind's file cannot be read: \(what)", remedy: "check that PATH leads to valgrind itself")
  }

  package static func malformed(_ what: String) -> Self {
    Self(
      "callgrind's file does not fit the frames: \(what)",
      remedy: "check that PATH leads to valgrind itself, and that the frames neither fork nor limit the size of files")
  }
}

/// A copy of a program whose debug information is hidden. Valgrind up to 3.19 cannot read the debug information of this
/// compiler (DWARF 5), and gives up.
///
/// The copy is in a temporary folder, with links to everything that is next to the program. The folder is removed when
/// this object is released.
package final class UndebuggedCopy: Sendable {
  private let scratch: HiddenEntry
  package let path: String
  package let original: String

  package var folder: String { scratch.path }

  /// - Parameter executable: The path of a program, or of a symbolic link to a program, such as `/proc/self/exe`.
  package init(of executable: String) throws(InstructionFailure) {
    let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: executable)) ?? executable
    original = target
    do {
      scratch = try HiddenEntry.scratch(in: NSTemporaryDirectory(), prefix: HiddenEntry.temporaryPrefix)
      path = "\(scratch.path)/\(Paths.name(target))"
      var program = [UInt8](try Data(contentsOf: URL(fileURLWithPath: executable)))
      try Self.hideDebugInformation(in: &program)
      try Data(program).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      // The program may need the files that are next to it.
      try BuildStore.link(Paths.names(in: Paths.parent(target)), of: Paths.parent(target), into: scratch.path)
    } catch let failure as InstructionFailure { throw failure } catch {
      throw InstructionFailure(
        "\(executable) cannot be copied to \(NSTemporaryDirectory()): \(systemReason(error))",
        remedy: "make room there, or set TMPDIR")
    }
  }

  /// Renames the sections of debug information, so that no reader recognizes them. Their sizes and offsets stay the
  /// same.
  package static func hideDebugInformation(in program: inout [UInt8]) throws(InstructionFailure) {
    guard let image = ELFImage(program) else {
      throw InstructionFailure("the program is not a 64-bit ELF file", remedy: "instructions are counted on Linux only")
    }
    for section in image.sections where [".debug_", ".zdebug_", ".gnu_debug"].contains(where: section.name.hasPrefix) {
      program[section.nameOffset] = UInt8(ascii: "_")
    }
  }
}

/// Counts the instructions of measured benchmarks. If counting fails, the count is nil, and a warning says why.
extension Runner {
  /// - Parameter workerCount: The number of workers that run under valgrind at the same time.
  package func countInstructions(_ outcome: inout Outcome, workerCount: Int, progress: (BenchmarkID) -> Void)
    async throws
  {
    guard !outcome.records.isEmpty else { return }
    try await countByCallgrind(&outcome, workerCount, progress)
    try await countByHardware(&outcome, progress)
  }

  private func countByCallgrind(_ outcome: inout Outcome, _ workerCount: Int, _ progress: (BenchmarkID) -> Void)
    async throws
  {
    var runners: [String: CallgrindRunner] = [:]
    do {
      for path in Set(outcome.records.map { programs.path(of: $0.id) }) {
        runners[path] = try await CallgrindRunner(executable: path)
      }
    } catch let failure as InstructionFailure {
      outcome.warnings.append(Warning("Instructions were not counted: \(failure)."))
      return
    }
    // Several workers run at the same time, in any order, because a busy machine does not change the counts.
    let results = try await concurrently(outcome.records, atMost: workerCount, begin: { progress($0.id) }) {
      [runners] record -> Swift.Result<InstructionRecord?, InstructionFailure> in
      do {
        let count = try await runners[programs.path(of: record.id)]?.count(record.id, options: options)
        return .success(try count.map { try checked($0, record) })
      } catch let failure as InstructionFailure { return .failure(failure) }
    }
    for (index, result) in results.enumerated() {
      do { outcome.records[index].instructions = try result.get() } catch {
        let id = outcome.records[index].id
        outcome.warnings.append(Warning("Instructions were not counted: \(error).", benchmark: id))
      }
    }
  }

  private func checked(_ count: CallgrindRunner.Count, _ record: BenchmarkRecord) throws -> InstructionRecord {
    let isWhole = count.record.frameCount == options.of(record.id).frameCount
    guard !isWhole || count.checksum == record.checksum else {
      throw InstructionFailure(
        "under valgrind it shows something different (checksum \(count.checksum))",
        remedy: "make it independent of time and of the processor's features")
    }
    return count.record
  }

  private func countByHardware(_ outcome: inout Outcome, _ progress: (BenchmarkID) -> Void) async throws {
    if let obstacle = HardwareCounter.obstacle {
      outcome.warnings.append(Warning("The processor's own counter of instructions was not read: \(obstacle)."))
      return
    }
    for index in outcome.records.indices {
      let id = outcome.records[index].id
      progress(id)
      do {
        let run = try await measure(id, .hardwareInstructions)
        outcome.records[index].hardwareInstructions = run.hardwareInstructions
      } catch let failure as WorkerProcess.Failure {
        outcome.warnings.append(
          Warning("The processor's own counter of instructions was not read: \(failure.reason).", benchmark: id))
      }
    }
  }
}
