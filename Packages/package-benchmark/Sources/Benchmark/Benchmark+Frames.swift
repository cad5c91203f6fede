import Dispatch
import FrameBench
import Glibc

extension Benchmark {
  /// Whether setting up does more than note the size.
  var hasHooks: Bool {
    let hooks = [setup, configuration.setup, Self.setup, Self.startupHook]
    let ends = [teardown, configuration.teardown, Self.teardown, Self.shutdownHook]
    return (hooks + ends).contains { $0 != nil }
  }

  /// Notes what the run is: the size of the id is the number of iterations of the loop.
  func prepare(_ context: ScenarioContext) {
    scale = context.size
    context.throughput = .items(context.size)
    currentIteration = 0
  }

  /// Runs the hooks once a process, however often springbench sets up: suites start pools and servers that cannot be
  /// started twice.
  func setUp(_ context: ScenarioContext) async throws {
    prepare(context)
    guard !isSetUp else { return }
    isSetUp = true
    try await ProcessHooks.setUp()
    for hook in [configuration.setup, setup] { try await hook?() }
    for hook in [configuration.teardown, teardown] { ProcessHooks.atEnd(hook) }
  }

  func frame(_ body: @escaping BenchmarkThrowingClosure) -> Scenario.FrameBody {
    // The optimizer does not know the closure, so it is called each time.
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
        // The suite wants tasks to run elsewhere, and on the measuring thread they would not.
        nonisolated(unsafe) let calls = { [self] in try await call(body, count, number) }
        try await Task.detached { try await calls() }.value
      } else {
        // Without a closure, which would be an allocation of the frame.
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

  /// - Returns: How many calls come before the last of the frame.
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

  /// A benchmark called its own `error(_:)`.
  struct Failure: Error, CustomStringConvertible { let description: String }
}

/// The number of a call, outside of the benchmark: a property of a class is checked for exclusive access each time.
struct CallNumber {
  let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private let limit: Int

  /// - Parameter limit: Suites have as many inputs, and more calls may follow.
  init(below limit: Int) {
    self.limit = limit
    place.initialize(to: 0)
  }

  @inline(__always) func step() {
    let next = place.pointee &+ 1
    place.pointee = next < limit ? next : 0
  }
}

/// The set-up of all benchmarks, once a process, and the tear-down at its end.
private enum ProcessHooks {
  nonisolated(unsafe) private static var isSetUp = false
  /// The last one comes first.
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
    // The main actor, whose thread waits here, tears nothing down.
    _ = semaphore.wait(timeout: .now() + 5)
  }
}

/// The runtime's hook for tasks that run on no executor of their own.
private enum GlobalExecutor {
  nonisolated(unsafe) private static let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")?.assumingMemoryBound(
    to: UnsafeRawPointer?.self)

  static var isReplaced: Bool { hook?.pointee != nil }
}
