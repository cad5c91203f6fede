import Statistics

/// The run for which a scenario is set up.
public struct ScenarioContext: Sendable {
  /// The benchmark to set up.
  public let id: BenchmarkID
  /// Frames per second of the simulated display.
  public var refreshRateHertz: Int
  /// The number of warm-up frames, which run before the recorded frames.
  public var warmUpFrameCount: Int
  /// The number of recorded frames.
  public var frameCount: Int
  /// The seed for everything random in the scenario, so that every run does the same work.
  public var seed: UInt64
  /// The file of a recorded scroll to play instead of the scenario's own scroll; nil if there is none.
  public var tracePath: String?
  /// Whether the touch moves to the origin of the content when the finger lifts, which `--trace` can request. If false,
  /// the touch stays where it was on the screen.
  public var liftsTouchToOrigin = false

  let notes = RunNotes()

  /// Creates a context. The parameters are described at the properties of the same names.
  public init(
    id: BenchmarkID, refreshRateHertz: Int, warmUpFrameCount: Int, frameCount: Int, seed: UInt64,
    tracePath: String? = nil
  ) {
    (self.id, self.refreshRateHertz, self.warmUpFrameCount) = (id, refreshRateHertz, warmUpFrameCount)
    (self.frameCount, self.seed, self.tracePath) = (frameCount, seed, tracePath)
  }

  /// The name of the strategy to set up, which is one of the scenario's strategies.
  public var strategy: String { id.strategy }
  /// The number of items.
  public var size: Int { id.size }
  /// Seconds per frame.
  public var timestep: Double { 1 / Double(refreshRateHertz) }
  /// The number of warm-up and recorded frames together.
  public var totalFrameCount: Int { warmUpFrameCount + frameCount }

  /// A new generator seeded with `seed`, for `Int.random(in:using:)`. It generates the same numbers in every run.
  public var random: some RandomNumberGenerator { SplitMix64(seed: seed) }

  /// The amount of work of a frame or a call. Set-up can set this if the amount is known only then. Otherwise the
  /// throughput passed to `measure` applies.
  public var throughput: Throughput? {
    get { notes.throughput }
    nonmutating set { notes.throughput = newValue }
  }

  /// Returns the value of a parameter in this run. The benchmark fails if the scenario does not have the parameter.
  public subscript<Value>(parameter: Parameter<Value>) -> Value {
    let label = id.parameters.first { $0.name == parameter.name }?.value
    guard let index = parameter.labels.firstIndex(where: { $0 == label }) else {
      fatalError("\(id) has no parameter \"\(parameter.name)\"; add it with parameters: […]")
    }
    return parameter.values[index]
  }

  /// Registers `work` to be called when the run is over, even if the run threw an error. Set-up calls this method. Work
  /// that is registered last is done first.
  public func tearDown(_ work: @escaping () throws -> Void) { notes.tearDowns.append(work) }
}

/// What set-up declares about its run. A run is set up and torn down on one thread, so no lock is needed.
final class RunNotes: @unchecked Sendable {
  var tearDowns: [() throws -> Void] = []
  var throughput: Throughput?

  func tearDown() throws {
    var failure: (any Error)?
    while let work = tearDowns.popLast() { do { try work() } catch { failure = failure ?? error } }
    if let failure { throw failure }
  }
}
