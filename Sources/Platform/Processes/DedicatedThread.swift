import Dispatch
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

  fileprivate static func start(_ body: @escaping @Sendable () -> Void) {
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
      // Tries again, because other threads may end in the meantime.
      usleep(20_000)
    }
    Console().report(ProcessLimits.noThreads)
    exit(ExitStatus.failure.rawValue)
  }
}

/// A thread that works while its owner does something else. The processes that this thread starts end with it.
package final class HelperThread: Sendable {
  private let jobs = Jobs()

  /// Starts the thread. The thread is not pinned to a core, because processes that a pinned thread starts would also be
  /// pinned, and would count fewer cores when they load their libraries.
  package init() { DedicatedThread.start { [jobs] in while let job = jobs.next() { job() } } }

  deinit { jobs.add(nil) }

  /// Queues the work. The thread does it after all work that was queued earlier.
  package func begin<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> Work<Value> {
    let work = Work<Value>()
    jobs.add { work.finish(Swift.Result(catching: body)) }
    return work
  }

  /// Work that may not be finished yet.
  package final class Work<Value: Sendable>: Sendable {
    private let result = Mutex<Swift.Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    fileprivate func finish(_ result: Swift.Result<Value, any Error>) {
      self.result.withLock { $0 = result }
      isDone.signal()
    }

    /// Waits until the work is done. Returns its result the first time, and nil later.
    package func value() throws -> Value? {
      isDone.wait()
      defer { isDone.signal() }
      return try result.withLock { $0.take() }?.get()
    }
  }

  private final class Jobs: Sendable {
    private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ job: (@Sendable () -> Void)?) {
      waiting.withLock { $0.append(job) }
      count.signal()
    }

    func next() -> (@Sendable () -> Void)? {
      count.wait()
      return waiting.withLock { $0.removeFirst() }
    }
  }
}

private final class CancellationFlag: Sendable { let isSet = Atomic<Bool>(false) }
