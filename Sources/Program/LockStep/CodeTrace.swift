import CProcessControl
import Foundation
import FrameBench
import SystemPackage

/// Finds the benchmarks that run the same code in both builds, although the programs differ: they need not be measured.
///
/// The candidate runs all frames once. If every function that it enters is the same in the baseline, with all data that
/// they refer to, the baseline does the same, instruction by instruction. After Gligoric, Eloussi and Marinov,
/// "Practical Regression Test Selection with Dynamic File Dependencies" (ISSTA 2015), for functions of machine code.
struct CodeTrace: Sendable {
  /// The candidate.
  private let program: String
  /// Address at which it starts.
  private let entry: UInt64
  private let difference: CodeDifference

  enum Finding: Sendable, Equatable {
    case sameCode
    case changedCode
    /// Why nothing is known, to follow "since": without a full stop.
    case unknown(String)
  }

  init(_ orders: LinkOrderPool) async throws {
    let builds = try await orders.wholePrograms()
    let candidate = builds[builds.count - 1]
    program = candidate.path
    entry = candidate.content.image.entry
    difference = CodeDifference(baseline: builds[0].content, candidate: candidate.content)
  }

  /// What differs that every benchmark may depend on; nil if nothing does.
  var common: String? { difference.common }

  /// Follows a benchmark to the first changed code that it enters.
  ///
  /// To be called on a thread that has no other children.
  func find(_ request: WorkerRequest, timeout: Duration, isCancelled: () -> Bool) throws -> Finding {
    let changed = difference.changed
    if changed.isEmpty { return .sameCode }
    let (output, errors) = (try OwnDescriptor.unnamedFile(), try OwnDescriptor.unnamedFile())
    // After the first frame, all others of the scroll.
    let others = request.options.frameCount - 1
    let commands = [TurnCommand.frames(1)] + (others > 0 ? [.phases(others)] : [])
    let input = try Self.input([Array(try request.line())] + commands.map(\.bytes))
    var launch = ProgramImage(of: program).launch(from: nil, layoutSeed: 0)
    (launch.isTraced, launch.secondsLimit) = (true, Int(timeout.components.seconds))
    let process = try RunningProcess(launch, [input, output, errors])
    // Whoever cancels it from now on ends the process, too.
    if isCancelled() { throw CancellationError() }
    let status = process_control_follow(process.id, entry, changed, changed.count)
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

  /// A stdin that ends, and from which each read returns one message: the worker reads more than one line at once.
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
