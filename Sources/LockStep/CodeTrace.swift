import Builds
import CProcessControl
import Foundation
import FrameBench
import Linking
import Platform
import SystemPackage

/// Finds the benchmarks that run the same code in both builds, although the programs differ. These benchmarks need not
/// be measured.
///
/// The candidate runs all frames once. If every function that it enters is the same in the baseline, together with all
/// data to which these functions refer, the baseline executes exactly the same instructions. The method is that of
/// Gligoric, Eloussi and Marinov, "Practical Regression Test Selection with Dynamic File Dependencies" (ISSTA 2015),
/// applied to functions of machine code.
package struct CodeTrace: Sendable {
  /// The path of the candidate's program.
  private let program: String
  /// The address at which the program starts.
  private let entry: UInt64
  private let difference: CodeDifference

  package enum Finding: Sendable, Equatable {
    case sameCode
    case changedCode
    /// The code could not be traced. The text is the reason, a clause to follow "since", without a period.
    case unknown(String)
  }

  package init(_ orders: LinkOrderPool) async throws {
    let builds = try await orders.wholePrograms()
    let candidate = builds[builds.count - 1]
    self.init(baseline: builds[0].content, candidate: candidate.content, at: candidate.path)
  }

  init(baseline: LinkedProgram, candidate: LinkedProgram, at path: String) {
    (program, entry) = (path, candidate.image.entry)
    difference = CodeDifference(baseline: baseline, candidate: candidate)
  }

  /// A difference that may affect every benchmark; nil if there is none.
  package var common: String? { difference.common }

  /// Runs a benchmark until it enters changed code for the first time.
  ///
  /// The calling thread must not have started other processes that are still running, because tracing waits for every
  /// process that this thread started (`process_control_follow`).
  package func find(_ request: WorkerRequest, timeout: Duration, isCancelled: () -> Bool) throws -> Finding {
    let changed = difference.changed
    if changed.isEmpty { return .sameCode }
    let (output, errors) = (try OwnDescriptor.unnamedFile(), try OwnDescriptor.empty())
    // A comparison sends its workers both commands, so the code that runs for each of them is traced.
    let others = request.options.frameCount - 1
    let commands = [TurnCommand.frames(1)] + (others > 0 ? [.phases(others)] : [])
    let input = try Self.input([Array(try request.line())] + commands.map(\.bytes))
    var launch = ProgramImage(of: program).launch(from: nil, layoutSeed: 0)
    launch.isTraced = true
    let process: RunningProcess
    do { process = try RunningProcess(launch, [input, output, errors]) } catch let error as Errno {
      // Some containers, and some settings of Linux, do not allow tracing.
      return .unknown("it cannot be traced: \(error)")
    }
    // A cancellation ends all processes that exist (`RunningProcess.endAll`), but it may have come before this process
    // existed.
    if isCancelled() { throw CancellationError() }
    let status = process.follow(entry, to: changed, for: timeout)
    process.end()
    if isCancelled() { throw CancellationError() }
    let answer = Data(output.bytes(from: 0, atMost: 65_536).prefix { $0 != UInt8(ascii: "\n") })
    if status == Int32(process_control_entered) { return .changedCode }
    if status == Int32(process_control_other_program) { return .unknown("it starts another program") }
    guard status == 0, case .ready? = try? WorkerReply(line: answer).outcome else {
      return .unknown("it could not be followed")
    }
    return .sameCode
  }

  /// Returns a descriptor for stdin that contains the messages. Each read returns only one message, because the worker
  /// would otherwise read several lines at once and use only the first.
  private static func input(_ messages: [[UInt8]]) throws -> OwnDescriptor {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
      throw RunError("no socket: \(Errno.last)")
    }
    let (reading, writing) = (OwnDescriptor(ends[0]), OwnDescriptor(ends[1]))
    for message in messages { _ = try writing.file.writeAll(message) }
    return reading
  }
}
