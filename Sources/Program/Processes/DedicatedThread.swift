import Foundation
import Synchronization

/// Runs what blocks on a thread of its own.
enum DedicatedThread {
  /// - Parameter body: Is told by its argument whether the task was cancelled, and should look now and then.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
  ) async throws -> Value {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
          continuation.resume(with: Swift.Result { try body { flag.isSet } })
        }
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      flag.set()
    }
  }
}

private final class CancellationFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
