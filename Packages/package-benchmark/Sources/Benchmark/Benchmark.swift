import FrameBench

/// A benchmark of a suite that was written for package-benchmark, as it registers itself there. A frame of
/// springbench's is a call of its closure.
public final class Benchmark {
  /// Set-up of a benchmark or of all.
  public typealias BenchmarkSetupHook = () async throws -> Void
  /// Tear-down of a benchmark or of all.
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

  /// Those registered so far.
  nonisolated(unsafe) public static var benchmarks: [Benchmark] = []
  /// What benchmarks have that name nothing else.
  nonisolated(unsafe) public static var defaultConfiguration = Configuration(
    metrics: BenchmarkMetric.default, tags: [:], timeUnits: .automatic, units: [:], warmupIterations: 1,
    scalingFactor: .one, maxDuration: .seconds(1), maxIterations: 10_000, skip: false, thresholds: nil)
  /// Runs once a process, before the first benchmark's own set-up.
  nonisolated(unsafe) public static var setup: BenchmarkSetupHook?
  /// Runs once a process, when it ends.
  nonisolated(unsafe) public static var teardown: BenchmarkTeardownHook?
  /// Like `setup`, which it precedes.
  nonisolated(unsafe) public static var startupHook: BenchmarkSetupHook?
  /// Like `teardown`, which it precedes.
  nonisolated(unsafe) public static var shutdownHook: BenchmarkTeardownHook?
  /// Accepted, and not used: limits are checked by `springbench gate`.
  nonisolated(unsafe) public static var checkAbsoluteThresholds = false

  /// The name without tags.
  public var baseName: String
  /// Name of the target.
  public var target = ""
  /// The configuration as it was given to the initializer.
  public var configuration: Configuration
  /// Result of the set-up.
  public var setupState: Any?
  /// Why the benchmark failed; nil if it did not.
  public var failureReason: String?

  let body: Body
  var setup: BenchmarkSetupHook?
  var teardown: BenchmarkTeardownHook?
  /// Iterations of the loop in a call, the size in the benchmark's id.
  var scale: Int
  let number: CallNumber

  var isSetUp = false

  // Of the frame that runs.
  var timer: FrameTimer?
  var isStopped = false
  var startsItself = false
  /// Whether the call that runs is the frame's last, whose values are recorded.
  var records = false
  /// Whether earlier frames began or ended their measured part.
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

  /// With the tags, as in `decode (size: 10)`.
  public var name: String {
    get {
      let tags = configuration.tags.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return tags.isEmpty ? baseName : "\(baseName) (\(tags.joined(separator: ", ")))"
    }
    set { baseName = newValue }
  }

  /// Number of the call, below `maxIterations`.
  public var currentIteration: Int {
    get { number.place.pointee }
    set { number.place.pointee = newValue }
  }

  /// What a call has to do again and again, so that it is long enough: `for _ in benchmark.scaledIterations`.
  public var scaledIterations: Range<Int> { 0..<scale }

  /// Begins the measured part of a call; what came before is left out. If a call has several parts, the last one
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

  /// Records a value of a custom metric, which becomes a counter of springbench's. Other metrics are ignored.
  public func measurement(_ metric: BenchmarkMetric, _ value: Int) {
    guard records, let counter = metric.counter, configuration.metrics.contains(metric) else { return }
    timer?.record(counter, value)
  }

  /// Lets the benchmark fail.
  public func error(_ description: String) { failureReason = description }
}

extension Benchmark {
  /// Uses a value, so that the optimizer keeps the work behind it.
  @inlinable @inline(__always) public static func blackHole(_ value: some Any) { FrameBench.blackHole(value) }
}

/// Uses a value, so that the optimizer keeps the work behind it.
@inlinable @inline(__always) public func blackHole(_ value: some Any) { FrameBench.blackHole(value) }

/// The same value, which the optimizer does not know.
@inlinable @inline(__always) public func identity<T>(_ value: T) -> T { FrameBench.identity(value) }
