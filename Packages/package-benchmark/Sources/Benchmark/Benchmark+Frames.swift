import Dispatch
import FrameBench
import Glibc

extension Benchmark {
  /// Whether there are hooks for set-up or tear-down, of this benchmark or of all benchmarks.
  var hasHooks: Bool {
    let hooks = [setup, configuration.setup, Self.setup, Self.startupHook]
    let ends = [teardown, configuration.teardown, Self.teardown, Self.shutdownHook]
    return (hooks + ends).contains { $0 != nil }
  }

  /// Prepares a run. The size in the benchmark's id becomes the number of `scaledIterations` in a call.
  func prepare(_ context: ScenarioContext) {
    scale = context.size
    context.throughput = .items(context.size)
    currentIteration = 0
  }

  /// Makes counters for custom metrics that have none yet. The memory of a counter's name is never freed.
  func addCounters() {
    for metric in configuration.metrics {
      guard case .custom(let name, _, _) = metric, !counters.contains(where: { $0.name == name }),
        let counter = metric.makeCounter()
      else { continue }
      counters.append(counter)
    }
  }

  /// Runs the set-up hooks once per process, even if springbench sets up several times, because suites start pools and
  /// servers that cannot be started twice.
  func setUp(_ context: ScenarioContext) async throws {
    prepare(context)
    guard !isSetUp else { return }
    isSetUp = true
    try await ProcessHooks.setUp()
    for hook in [configuration.setup, setup] { try await hook?() }
    // Hooks may have added metrics.
    addCounters()
    for hook in [configuration.teardown, teardown] { ProcessHooks.atEnd(hook) }
  }

  func frame(_ body: @escaping BenchmarkThrowingClosure) -> Scenario.FrameBody {
    // Hides the closure from the optimizer, so that no call is optimized away.
    let body = FrameBench.identity(body)
    let number = number
    return { [self] _, timer in
      for _ in 0..<begin(timer) {
        try body(self)
        number.step()
      }
      records = true
      try body(self)
      return try end(timer)
    }
  }

  func frame(_ body: @escaping BenchmarkAsyncThrowingClosure) -> Scenario.AsyncFrameBody {
    let body = FrameBench.identity(body)
    let number = number
    return { [self] _, timer in
      let count = begin(timer)
      if GlobalExecutor.isReplaced {
        // The suite has replaced Swift's global executor. A detached task runs on the suite's executor instead of the
        // measuring thread.
        nonisolated(unsafe) let calls = { [self] in try await call(body, count, number) }
        try await Task.detached { try await calls() }.value
      } else {
        // No closure is made here, because it would add an allocation to the frame.
        try await call(body, count, number)
      }
      return try end(timer)
    }
  }

  @inline(__always) private func call(_ body: BenchmarkAsyncThrowingClosure, _ count: Int, _ number: CallNumber)
    async throws
  {
    for _ in 0..<count {
      try await body(self)
      number.step()
    }
    records = true
    try await body(self)
  }

  /// Prepares a frame.
  /// - Returns: The number of calls to make before the last call of the frame.
  @inline(__always) private func begin(_ timer: FrameTimer) -> Int {
    self.timer = timer
    isStopped = false
    records = false
    failureReason = nil
    guard measuresPart else { return timer.repetitionCount - 1 }
    if !startsItself { timer.startFrame() }
    return 0
  }

  @inline(__always) private func end(_ timer: FrameTimer) throws -> UInt64 {
    if !isStopped { timer.endFrame() }
    number.step()
    self.timer = nil
    if let failureReason { throw Failure(description: failureReason) }
    return 0
  }

  /// The error of a frame in which the benchmark called `error(_:)`.
  struct Failure: Error, CustomStringConvertible { let description: String }
}

/// The number of the current call. It is not a property of the class `Benchmark`, because each access to it would be
/// checked for exclusivity.
struct CallNumber {
  let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private let limit: Int

  /// - Parameter limit: The number of calls for which a suite has inputs. After that many calls, the number starts at 0
  ///   again.
  init(below limit: Int) {
    self.limit = limit
    place.initialize(to: 0)
  }

  @inline(__always) func step() {
    let next = place.pointee &+ 1
    place.pointee = next < limit ? next : 0
  }
}

/// Runs the hooks that apply to all benchmarks (`startupHook` and the static `setup`) once per process. Runs all
/// tear-down hooks when the process ends.
private enum ProcessHooks {
  nonisolated(unsafe) private static var isSetUp = false
  /// The tear-down hooks. The last one runs first.
  nonisolated(unsafe) private static var ends: [Benchmark.BenchmarkTeardownHook] = []

  static func setUp() async throws {
    if isSetUp { return }
    isSetUp = true
    for hook in [Benchmark.startupHook, Benchmark.setup] { try await hook?() }
    for hook in [Benchmark.teardown, Benchmark.shutdownHook] { atEnd(hook) }
  }

  static func atEnd(_ hook: Benchmark.BenchmarkTeardownHook?) {
    guard let hook else { return }
    if ends.isEmpty { atexit { ProcessHooks.tearDown() } }
    ends.append(hook)
  }

  private static func tearDown() {
    let semaphore = DispatchSemaphore(value: 0)
    Task.detached {
      while let hook = ends.popLast() { try? await hook() }
      semaphore.signal()
    }
    // The main thread waits here, so a hook that needs the main actor cannot finish. The wait then ends after 5
    // seconds.
    _ = semaphore.wait(timeout: .now() + 5)
  }
}

/// The hook of the Swift runtime for tasks without an executor of their own. A suite can replace it.
private enum GlobalExecutor {
  nonisolated(unsafe) private static let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")?.assumingMemoryBound(
    to: UnsafeRawPointer?.self)

  static var isReplaced: Bool { hook?.pointee != nil }
}
