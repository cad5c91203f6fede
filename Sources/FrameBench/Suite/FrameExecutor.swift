import Glibc

/// Runs frames that may suspend on the thread that asks for them, one after the other.
///
/// All frames of a run are one task, which waits for the next: a task for each frame would be allocated in each.
package final class FrameExecutor: @unchecked Sendable {
  // The measuring thread alone touches everything but the jobs.
  private let jobs = ThreadJobs()
  private let body: Scenario.AsyncFrameBody
  private var next: UnsafeContinuation<Bool, Never>?
  private var input: (frame: Frame, timer: FrameTimer)?
  private var result: Result<UInt64, any Error> = .success(0)

  init(_ body: @escaping Scenario.AsyncFrameBody) {
    self.body = body
    Task(executorPreference: jobs) { await self.runFrames() }
    jobs.run(until: { next != nil })
  }

  private func runFrames() async {
    while await withUnsafeContinuation({ next = $0 }), let input {
      do {
        result = .success(try await body(input.frame, input.timer))
      } catch {
        result = .failure(error)
      }
    }
  }

  func runFrame(_ frame: Frame, _ timer: FrameTimer) throws -> UInt64 {
    input = (frame, timer)
    resume(with: true)
    jobs.run(until: { next != nil })
    return try result.get()
  }

  /// Ends the task; no frame can follow.
  func stop() {
    resume(with: false)
    jobs.runReady()
  }

  private func resume(with continues: Bool) {
    let waiting = next
    next = nil
    waiting?.resume(returning: continues)
  }

  /// Awaits `work` on this thread.
  static func run<Result>(_ work: @escaping () async throws -> Result) throws -> Result {
    let jobs = ThreadJobs()
    // One thread runs both this and the task.
    nonisolated(unsafe) let work = work
    nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
    Task(executorPreference: jobs) {
      do { result = .success(try await work()) } catch { result = .failure(error) }
    }
    jobs.run(until: { result != nil })
    guard let result else { preconditionFailure("the work has not ended") }
    return try result.get()
  }

  /// Time of a frame that does nothing, nanoseconds: the mean of the lower nine tenths of many.
  package static func emptyFrameNanoseconds(_ clock: FrameClock) -> Double {
    let executor = FrameExecutor { _, _ in 0 }
    let timer = FrameTimer(mode: .output, clock: clock, state: .allocate(capacity: 1))
    defer {
      executor.stop()
      timer.state.deallocate()
    }
    let frame = Frame(index: 0, timestep: 0, isWarmUp: true)
    let samples = (0..<2_000).map { _ in
      let start = clock.startTicks()
      _ = try? executor.runFrame(frame, timer)
      return clock.endTicks() &- start
    }
    return max(0, clock.trimmedMean(samples) - clock.pairCostNanoseconds)
  }
}

/// The jobs of tasks that are to run on one thread.
private final class ThreadJobs: TaskExecutor, @unchecked Sendable {
  private var ready: [UnownedJob] = []
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    ready.reserveCapacity(16)
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// May be called from any thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(mutex)
    ready.append(job)
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Runs jobs on this thread, and waits for new ones, until `isDone`.
  func run(until isDone: () -> Bool) {
    while !isDone() {
      if let job = next(waits: true) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// Runs the jobs in the queue.
  func runReady() {
    while let job = next(waits: false) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next(waits: Bool) -> UnownedJob? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while ready.isEmpty, waits { pthread_cond_wait(condition, mutex) }
    return ready.isEmpty ? nil : ready.removeFirst()
  }
}
