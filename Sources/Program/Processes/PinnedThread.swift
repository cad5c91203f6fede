import CProcessControl
import Foundation

/// Runs work on a thread of its own, pinned to a core, so that it meets what a worker meets there.
enum PinnedThread {
  /// - Parameters:
  ///   - core: Nil lets the system choose.
  ///   - body: Is told whether the thread keeps to the core.
  static func run<Value: Sendable>(
    core: Int?, _ body: @escaping @Sendable (_ isPinned: Bool) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        let isPinned = core.map { process_control_pin(Int32(clamping: $0)) } ?? false
        continuation.resume(returning: body(isPinned))
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}
