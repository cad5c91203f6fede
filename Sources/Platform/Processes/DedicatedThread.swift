import Foundation
import Synchronization

/// Runs blocking work on a thread of its own.
package enum DedicatedThread {
  /// - Parameter body: The work. Its argument returns whether the task was cancelled. Long work should check this from
  ///   time to time.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let flag = CancellationFlag()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start {
          continuation.resume(
            returning: Swift.Result { () throws(Failure) in try body { flag.isSet.load(ordering: .relaxed) } })
        }
      }
    } onCancel: {
      flag.isSet.store(true, ordering: .relaxed)
    }
    return try result.get()
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 8 << 20)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    for _ in 1...100 {
      let problem = pthread_create(
        &thread, &attributes,
        { context in
          guard let context else { return nil }
          Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
      if problem == 0 { return }
      // Other threads may end in the meantime.
      usleep(20_000)
    }
    Console().report(ProcessLimits.noThreads)
    exit(ExitStatus.failure.rawValue)
  }
}

private final class CancellationFlag: Sendable { let isSet = Atomic<Bool>(false) }
