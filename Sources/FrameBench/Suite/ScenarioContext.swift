import Statistics

/// The run that a scenario is set up for.
public struct ScenarioContext: Sendable {
  /// The benchmark to set up.
  public let id: BenchmarkID
  /// Frames per second of the simulated display, 1/s.
  public var refreshRateHertz: Int
  /// Frames that run before the first recorded one.
  public var warmUpFrameCount: Int
  /// Recorded frames.
  public var frameCount: Int
  /// Seeds everything random in the scenario: every run must do the same work.
  public var seed: UInt64
  /// A recorded scroll that the user wants played instead of the scenario's own; nil if there is none.
  public var tracePath: String?
  /// Whether `--trace` asks for a touch at the origin of the content after the finger has lifted. Otherwise it stays
  /// where it was on the screen.
  public var liftsTouchToOrigin = false

  let notes = RunNotes()

  /// The parameters are described at the properties of the same names.
  public init(
    id: BenchmarkID, refreshRateHertz: Int, warmUpFrameCount: Int, frameCount: Int, seed: UInt64,
    tracePath: String? = nil
  ) {
    self.id = id
    self.refreshRateHertz = refreshRateHertz
    self.warmUpFrameCount = warmUpFrameCount
    self.frameCount = frameCount
    self.seed = seed
    self.tracePath = tracePath
  }

  /// Name of the strategy to set up, one of the scenario's.
  public var strategy: String { id.strategy }
  /// Number of items.
  public var size: Int { id.size }
  /// Seconds per frame.
  public var timestep: Double { 1 / Double(refreshRateHertz) }
  /// Warm-up and recorded frames together.
  public var totalFrameCount: Int { warmUpFrameCount + frameCount }

  /// A new generator seeded with `seed`, for `Int.random(in:using:)`: the same numbers in every run.
  public var random: some RandomNumberGenerator { SplitMix64(seed: seed) }

  /// Work of a frame or a call, if it depends on the set-up; otherwise the throughput passed to `measure`.
  public var throughput: Throughput? {
    get { notes.throughput }
    nonmutating set { notes.throughput = newValue }
  }

  /// The value of a parameter in this run; a parameter that the scenario does not have ends the benchmark.
  public subscript<Value>(parameter: Parameter<Value>) -> Value {
    let label = id.parameters.first { $0.name == parameter.name }?.value
    guard let index = parameter.labels.firstIndex(where: { $0 == label }) else {
      fatalError("\(id) has no parameter \"\(parameter.name)\"; add it with parameters: […]")
    }
    return parameter.values[index]
  }

  /// For set-up: calls `work` when the run is over, whether it ended well or threw; the last one added comes first.
  public func tearDown(_ work: @escaping () throws -> Void) { notes.tearDowns.append(work) }
}

/// Declarations of set-up about its run, which is set up and torn down on one thread.
final class RunNotes: @unchecked Sendable {
  var tearDowns: [() throws -> Void] = []
  var throughput: Throughput?

  func tearDown() throws {
    var failure: (any Error)?
    while let work = tearDowns.popLast() { do { try work() } catch { failure = failure ?? error } }
    if let failure { throw failure }
  }
}
