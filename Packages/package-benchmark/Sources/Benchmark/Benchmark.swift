import FrameBench

/// A benchmark of a suite that was written for package-benchmark. In springbench, a frame is a call of the benchmark's
/// closure, or several calls if the closure is fast.
public final class Benchmark {
  /// The set-up of one benchmark or of all benchmarks.
  public typealias BenchmarkSetupHook = () async throws -> Void
  /// The tear-down of one benchmark or of all benchmarks.
  public typealias BenchmarkTeardownHook = () async throws -> Void
  /// A benchmark's own work.
  public typealias BenchmarkClosure = (_ benchmark: Benchmark) -> Void
  /// Work that throws.
  public typealias BenchmarkThrowingClosure = (_ benchmark: Benchmark) throws -> Void
  /// Work that suspends.
  public typealias BenchmarkAsyncClosure = (_ benchmark: Benchmark) async -> Void
  /// Work that suspends and throws.
  public typealias BenchmarkAsyncThrowingClosure = (_ benchmark: Benchmark) async throws -> Void

  enum Body {
    case sync(BenchmarkThrowingClosure)
    case async(BenchmarkAsyncThrowingClosure)
  }

  /// The benchmarks that have been registered so far.
  nonisolated(unsafe) public static var benchmarks: [Benchmark] = []
  /// The configuration of benchmarks that do not give their own.
  nonisolated(unsafe) public static var defaultConfiguration = Configuration(
    metrics: BenchmarkMetric.default, tags: [:], timeUnits: .automatic, units: [:], warmupIterations: 1,
    scalingFactor: .one, maxDuration: .seconds(1), maxIterations: 10_000, skip: false, thresholds: nil)
  /// Runs once per process, before the first benchmark's own set-up.
  nonisolated(unsafe) public static var setup: BenchmarkSetupHook?
  /// Runs once per process, when the process ends.
  nonisolated(unsafe) public static var teardown: BenchmarkTeardownHook?
  /// Runs once per process, before `setup`.
  nonisolated(unsafe) public static var startupHook: BenchmarkSetupHook?
  /// Runs once per process, before `teardown`.
  nonisolated(unsafe) public static var shutdownHook: BenchmarkTeardownHook?
  /// This setting has no effect, because `springbench gate` checks limits.
  nonisolated(unsafe) public static var checkAbsoluteThresholds = false

  /// The benchmark's name, without tags.
  public var baseName: String
  /// The name of the target that contains the benchmark.
  public var target = ""
  /// The configuration as it was given to the initializer.
  public var configuration: Configuration
  /// The result of the set-up.
  public var setupState: Any?
  /// The reason why the benchmark failed. Nil if it did not fail.
  public var failureReason: String?

  let body: Body
  var setup: BenchmarkSetupHook?
  var teardown: BenchmarkTeardownHook?
  /// The number of `scaledIterations` in a call. It is the size in the benchmark's id.
  var scale: Int
  let number: CallNumber
  /// The counters of the configuration's custom metrics. They are made before the first call, so that a call does not
  /// have to look for its metric in the configuration.
  var counters: [(name: String, counter: Counter)] = []

  var isSetUp = false

  // The state of the current frame.
  var timer: FrameTimer?
  var isStopped = false
  var startsItself = false
  /// Whether the current call is the last of the frame. Only the values of this call are recorded.
  var records = false
  /// Whether `startMeasurement` or `stopMeasurement` was called in this or an earlier frame. While false, a frame makes
  /// `FrameTimer.repetitionCount` calls. Once true, the next frames make one call each, because a frame can measure
  /// only one part.
  var measuresPart = false

  init?(
    _ name: String, _ configuration: Configuration, _ body: Body, _ setup: BenchmarkSetupHook?,
    _ teardown: BenchmarkTeardownHook?
  ) {
    if configuration.skip { return nil }
    baseName = name
    self.configuration = configuration
    self.body = body
    self.setup = setup
    self.teardown = teardown
    scale = configuration.scalingFactor.rawValue
    number = CallNumber(below: configuration.maxIterations)
    Self.benchmarks.append(self)
  }

  /// The name with the tags, as in `decode (size: 10)`.
  public var name: String {
    get {
      let tags = configuration.tags.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return tags.isEmpty ? baseName : "\(baseName) (\(tags.joined(separator: ", ")))"
    }
    set { baseName = newValue }
  }

  /// The number of the current call, from 0 to below `maxIterations`.
  public var currentIteration: Int {
    get { number.place.pointee }
    set { number.place.pointee = newValue }
  }

  /// The iterations of the work in a call, for calls that are too short to time: `for _ in benchmark.scaledIterations`.
  public var scaledIterations: Range<Int> { 0..<scale }

  /// Begins the measured part of a call. Work before it is not measured. If a call has several such parts, the last one
  /// counts.
  public func startMeasurement() {
    guard let timer else { return }
    timer.startFrame()
    isStopped = false
    startsItself = true
    measuresPart = true
  }

  /// Ends the measured part of a call.
  public func stopMeasurement() {
    guard let timer, !isStopped else { return }
    timer.endFrame()
    isStopped = true
    measuresPart = true
  }

  /// Records a value of a custom metric of the configuration, as a counter of springbench. Other metrics are ignored.
  public func measurement(_ metric: BenchmarkMetric, _ value: Int) {
    guard records, case .custom(let name, _, _) = metric, let known = counters.first(where: { $0.name == name }) else {
      return
    }
    timer?.record(known.counter, value)
  }

  /// Makes the benchmark fail for this reason.
  public func error(_ description: String) { failureReason = description }
}

extension Benchmark {
  /// Uses a value, so that the optimizer keeps the work that computes it.
  @inlinable @inline(__always) public static func blackHole(_ value: some Any) { FrameBench.blackHole(value) }
}

/// Uses a value, so that the optimizer keeps the work that computes it.
@inlinable @inline(__always) public func blackHole(_ value: some Any) { FrameBench.blackHole(value) }

/// Returns the value, but hides from the optimizer that it is the same value.
@inlinable @inline(__always) public func identity<T>(_ value: T) -> T { FrameBench.identity(value) }
