import Glibc

/// Runs frames that may suspend on the thread that asks for them, one after the other.
///
/// All frames of a run are one task, which waits for the next: a task for each frame would be allocated in each.
package final class FrameExecutor: @unchecked Sendable {
  /// Set by programs of benchmarks, where the measuring thread is the main actor's.
  nonisolated(unsafe) static var servesMainActor = false

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
  private var readyOnMainActor: [UnownedJob] = []
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
    MainActorJobs.take(self)
    while !isDone() { runNext(waits: true) }
  }

  /// Runs the jobs in the queue.
  func runReady() {
    while runNext(waits: false) {}
  }

  /// A job of the main actor, whose thread this one is; may be called from any thread.
  func enqueueOnMainActor(_ job: UnownedJob) {
    pthread_mutex_lock(mutex)
    readyOnMainActor.append(job)
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// - Returns: Whether there was a job.
  @discardableResult
  private func runNext(waits: Bool) -> Bool {
    pthread_mutex_lock(mutex)
    while ready.isEmpty, readyOnMainActor.isEmpty, waits { pthread_cond_wait(condition, mutex) }
    let job = ready.isEmpty ? nil : ready.removeFirst()
    let mainActorJob = job != nil || readyOnMainActor.isEmpty ? nil : readyOnMainActor.removeFirst()
    pthread_mutex_unlock(mutex)
    job?.runSynchronously(on: asUnownedTaskExecutor())
    mainActorJob?.runSynchronously(on: MainActor.sharedUnownedExecutor)
    return job != nil || mainActorJob != nil
  }
}

/// The main actor's jobs. Its thread is the one that measures and waits, so it has to run them meanwhile.
private enum MainActorJobs {
  // As in the runtime's Hooks.h. The measuring thread alone sets both.
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
  nonisolated(unsafe) private static var jobs: ThreadJobs?
  nonisolated(unsafe) private static let hook = dlsym(nil, "swift_task_enqueueMainExecutor_hook")?
    .assumingMemoryBound(to: Hook?.self)

  /// From now on `jobs` runs them.
  static func take(_ jobs: ThreadJobs) {
    guard FrameExecutor.servesMainActor, Self.jobs !== jobs, let hook else { return }
    Self.jobs = jobs
    hook.pointee = { job, _ in MainActorJobs.jobs?.enqueueOnMainActor(job) }
  }
}
