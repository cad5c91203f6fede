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
  /// Addresses of its functions that differ.
  private let changed: [UInt64]

  init(_ orders: LinkOrderPool) async throws {
    let builds = try await orders.wholePrograms()
    let candidate = builds[builds.count - 1]
    program = candidate.path
    entry = candidate.content.image.entry
    changed = CodeDifference(baseline: builds[0].content, candidate: candidate.content).changed
  }

  /// Whether a benchmark enters changed code; true also if it cannot be found out.
  ///
  /// To be called on a thread that has no other children.
  func entersChangedCode(_ request: WorkerRequest, timeout: Duration) throws -> Bool {
    if changed.isEmpty { return false }
    let (output, errors) = (try TurnProcess.unnamedFile(), try TurnProcess.unnamedFile())
    let input = try Self.input([Array(try request.line())] + commands(request.options.frameCount).map(\.bytes))
    let status = program.withCString { path in
      withCStrings(TurnProcess.arguments) { arguments in
        withCStrings(TurnProcess.environment(ProgramImage(of: program))) { environment in
          var start = process_control_program(
            path: path, arguments: arguments, environment: environment,
            descriptors: (input.number, output.number, errors.number),
            seconds: UInt32(clamping: max(1, timeout.components.seconds)))
          return process_control_follow(&start, entry, changed, changed.count)
        }
      }
    }
    return status != 0 || !Self.isReady(output)
  }

  /// All frames of the scroll.
  private func commands(_ frameCount: Int) -> [TurnCommand] {
    [.frames(1)] + (frameCount > 1 ? [.phases(frameCount - 1)] : [])
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

  /// Whether a worker's answers begin with the message that it is ready for turns.
  private static func isReady(_ answers: OwnDescriptor) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = pread(answers.number, &bytes, bytes.count, 0)
    guard case .ready? = try? WorkerReply(line: Data(bytes.prefix(max(0, count)).prefix { $0 != 10 })).outcome else {
      return false
    }
    return true
  }
}
