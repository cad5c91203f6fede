import Glibc
import Synchronization

/// Runs frames that may suspend. They run on the calling thread, or on the runtime's threads if the scenario uses
/// several cores. All frames share one task, because creating a task for each frame would allocate memory.
package final class FrameExecutor: @unchecked Sendable {
  /// Whether jobs of the main actor run while the measuring thread waits. Benchmark programs set this, because they
  /// measure on the main thread.
  nonisolated(unsafe) static var servesMainActor = false

  // Only the measuring thread uses these properties, except `jobs`, which has its own lock.
  private let jobs = ThreadJobs()
  private let body: Scenario.AsyncFrameBody
  private let usesPool: Bool
  private var next: UnsafeContinuation<Bool, Never>?
  private var input: (frame: Frame, timer: FrameTimer)?
  private var result: Result<UInt64, any Error> = .success(0)

  init(_ body: @escaping Scenario.AsyncFrameBody, _ options: Scenario.Options) {
    self.body = body
    usesPool = options.usesSeveralCores
    Task(executorPreference: jobs) { await self.runFrames() }
    jobs.run(until: { next != nil })
  }

  private func runFrames() async {
    while await withUnsafeContinuation({ next = $0 }), let input {
      do { result = .success(try await run(input.frame, input.timer)) } catch { result = .failure(error) }
    }
  }

  private func run(_ frame: Frame, _ timer: FrameTimer) async throws -> UInt64 {
    guard usesPool else { return try await body(frame, timer) }
    // Child tasks inherit the executor preference of their parent. With `jobs`, they would run one after another on one
    // thread.
    nonisolated(unsafe) let (body, timer) = (body, timer)
    return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await body(frame, timer) }
  }

  func runFrame(_ frame: Frame, _ timer: FrameTimer) throws -> UInt64 {
    input = (frame, timer)
    next.take()?.resume(returning: true)
    jobs.run(until: { next != nil })
    return try result.get()
  }

  /// The thread that watches for jobs of the main actor; nil if there is none.
  static var helper: pthread_t? { MainQueue.shared?.watcher }

  /// Whether jobs wait in the main queue. Do not use this after a frame or set-up that suspends: from then on, the
  /// helper thread consumes the signals that announce jobs.
  static var mainQueueHasJobs: Bool {
    guard servesMainActor, let handle = MainQueue.handle() else { return false }
    // If the signal were read instead of polled, a run loop of the benchmark would miss it.
    var descriptor = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Ends the task. No more frames can be run.
  func stop() {
    next.take()?.resume(returning: false)
    jobs.runReady()
  }

  /// Runs `work` on this thread and waits for its result.
  static func run<Result>(_ work: @escaping () async throws -> Result) throws -> Result {
    let jobs = ThreadJobs()
    // This function and the task run on the same thread, so these variables need no lock.
    nonisolated(unsafe) let work = work
    nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
    Task(executorPreference: jobs) { do { result = .success(try await work()) } catch { result = .failure(error) } }
    jobs.run(until: { result != nil })
    guard let result else { preconditionFailure("the work has not ended") }
    return try result.get()
  }

  /// Measures the time of a frame that does nothing, nanoseconds: the mean of many frames without the slowest tenth.
  package static func emptyFrameNanoseconds(_ clock: FrameClock, _ options: Scenario.Options = .init()) -> Double {
    let executor = FrameExecutor({ _, _ in 0 }, options)
    let timer = FrameTimer(mode: .output, clock: clock, state: .made())
    defer {
      executor.stop()
      timer.state.destroy()
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

private final class ThreadJobs: TaskExecutor, @unchecked Sendable {
  private var ready: [UnownedJob] = []
  private var mainQueueWaits = false
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
    wake { ready.append(job) }
  }

  /// Runs jobs on this thread and waits for new ones until `isDone` returns true.
  func run(until isDone: () -> Bool) {
    MainQueue.shared?.wakes(self)
    while !isDone() { runNext(waits: true) }
  }

  func runReady() { while runNext(waits: false) {} }

  /// Notes that the main queue has jobs. The main thread runs them, because it waits in `run(until:)`. May be called
  /// from any thread.
  func mainQueueIsReady() { wake { mainQueueWaits = true } }

  private func wake(_ change: () -> Void) {
    pthread_mutex_lock(mutex)
    change()
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  @discardableResult private func runNext(waits: Bool) -> Bool {
    pthread_mutex_lock(mutex)
    while ready.isEmpty, !mainQueueWaits, waits { pthread_cond_wait(condition, mutex) }
    let job = ready.isEmpty ? nil : ready.removeFirst()
    let drainsMainQueue = job == nil && mainQueueWaits
    if drainsMainQueue { mainQueueWaits = false }
    pthread_mutex_unlock(mutex)
    job?.runSynchronously(on: asUnownedTaskExecutor())
    if drainsMainQueue { MainQueue.shared?.drain() }
    return job != nil || drainsMainQueue
  }
}

/// Runs the main actor's jobs on the main thread while the main thread waits for a frame, as a run loop would. Another
/// thread watches for new jobs.
private final class MainQueue: @unchecked Sendable {
  /// The only instance. Nil if the program does not measure on the main thread, or if it does not contain libdispatch.
  static let shared = FrameExecutor.servesMainActor ? MainQueue() : nil

  private let handle: Int32
  private let callback: @convention(c) (UnsafeMutableRawPointer?) -> Void
  /// Who waits for jobs of the main queue, and whether the queue has jobs that nobody has run yet.
  private let state = Mutex<(waiting: ThreadJobs?, isReady: Bool)>((nil, false))
  private(set) var watcher: pthread_t?

  /// Returns the descriptor that becomes readable when the main queue gets jobs. Nil if the program does not contain
  /// libdispatch. This class uses two undocumented functions of libdispatch. Foundation's run loops also rely on them.
  static func handle() -> Int32? {
    dlsym(nil, "_dispatch_get_main_queue_handle_4CF").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self)() }
  }

  private init?() {
    guard let handle = Self.handle(), let callback = dlsym(nil, "_dispatch_main_queue_callback_4CF") else { return nil }
    self.handle = handle
    self.callback = unsafeBitCast(callback, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<MainQueue>.fromOpaque(context).takeUnretainedValue().watch()
      }, Unmanaged.passRetained(self).toOpaque())
    watcher = thread
  }

  func wakes(_ jobs: ThreadJobs) {
    let isReady = state.withLock { state in
      state.waiting = jobs
      return state.isReady
    }
    // Jobs may have come while no `ThreadJobs` waited, or the one that waited may have ended before it ran them.
    if isReady { jobs.mainQueueIsReady() }
  }

  func drain() {
    state.withLock { $0.isReady = false }
    callback(nil)
  }

  private func watch() -> Never {
    var count: UInt64 = 0
    while true {
      if read(handle, &count, MemoryLayout.size(ofValue: count)) < 0 {
        var event = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        poll(&event, 1, -1)
      } else {
        let waiting = state.withLock { state in
          state.isReady = true
          return state.waiting
        }
        waiting?.mainQueueIsReady()
      }
    }
  }
}
