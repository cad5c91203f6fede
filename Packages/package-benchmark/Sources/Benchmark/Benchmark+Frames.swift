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

  func setUp(_ context: ScenarioContext) async throws {
    prepare(context)
    try await ProcessHooks.setUp()
    for hook in [configuration.setup, setup] { try await hook?() }
    context.tearDown { [unowned self] in
      try Waiting.wait { [self] in
        for hook in [teardown, configuration.teardown] { try await hook?() }
      }
      setupState = nil
    }
  }

  func frame(_ body: @escaping BenchmarkThrowingClosure) -> Scenario.FrameBody {
    // The optimiser does not know the closure, so it is called each time.
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
      nonisolated(unsafe) let calls = { [self] in
        for _ in 0..<count {
          try await body(self)
          number.step()
        }
        records = true
        try await body(self)
      }
      if GlobalExecutor.isReplaced {
        // The suite wants tasks to run elsewhere, and on the measuring thread they would not.
        try await Task.detached { try await calls() }.value
      } else {
        try await calls()
      }
      return try end(timer)
    }
  }

  /// - Returns: How many calls come before the last of the frame.
  @inline(__always)
  private func begin(_ timer: FrameTimer) -> Int {
    self.timer = timer
    isStopped = false
    records = false
    failureReason = nil
    guard measuresPart else { return timer.repetitionCount - 1 }
    if !startsItself { timer.startFrame() }
    return 0
  }

  @inline(__always)
  private func end(_ timer: FrameTimer) throws -> UInt64 {
    if !isStopped { timer.endFrame() }
    number.step()
    self.timer = nil
    if let failureReason { throw Failure(description: failureReason) }
    return 0
  }

  /// A benchmark called its own `error(_:)`.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
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

  @inline(__always)
  func step() {
    let next = place.pointee &+ 1
    place.pointee = next < limit ? next : 0
  }
}

/// The set-up and tear-down of all benchmarks, once a process.
private enum ProcessHooks {
  nonisolated(unsafe) private static var isSetUp = false

  static func setUp() async throws {
    if isSetUp { return }
    isSetUp = true
    for hook in [Benchmark.startupHook, Benchmark.setup] { try await hook?() }
    guard Benchmark.shutdownHook != nil || Benchmark.teardown != nil else { return }
    atexit {
      try? Waiting.wait {
        for hook in [Benchmark.shutdownHook, Benchmark.teardown] { try await hook?() }
      }
    }
  }
}

/// Tear-down that suspends, in code that does not. Not for the main actor, whose thread waits.
private enum Waiting {
  static func wait(_ work: @escaping () async throws -> Void) throws {
    let semaphore = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let work = work
    nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
    Task.detached {
      do { try await work() } catch { result = .failure(error) }
      semaphore.signal()
    }
    semaphore.wait()
    try result.get()
  }
}

/// The runtime's hook for tasks that run on no executor of their own.
private enum GlobalExecutor {
  nonisolated(unsafe) private static let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")?
    .assumingMemoryBound(to: UnsafeRawPointer?.self)

  static var isReplaced: Bool { hook?.pointee != nil }
}
