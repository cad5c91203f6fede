import Foundation
import FrameBench
import Measurements
import Statistics

/// Measures one benchmark in sets of four fresh processes, two of each build, that take turns on one core.
///
/// Two of each, so that the turns that compare the builds also compare the baseline with itself. All four of a set have
/// the same link order and the same layout of their address space, if the system allows that, and each set has others:
/// the luck of a layout is the same for both builds. Each process runs from its own memory pages, so that their luck is
/// noise, not a difference.
///
/// Used from one thread, and once.
final class LockStepSession {
  private let plan: LockStepPlan
  private let id: BenchmarkID
  private let quota: LockStepPlan.Quota
  private var random: SplitMix64
  /// Of the first set, by process: all sets have turns of the same length.
  private var earlier: [TurnReadiness]?
  private let beginning = ContinuousClock.now

  private static let builds: [Build] = [.baseline, .baseline, .candidate, .candidate]

  init(_ plan: LockStepPlan, id: BenchmarkID, quota: LockStepPlan.Quota, seed: UInt64) {
    self.plan = plan
    self.id = id
    self.quota = quota
    random = SplitMix64(seed: seed)
  }

  /// Stops early if the time is over. That depends on the machine, never on the results, so it favours no verdict.
  func measure() throws -> LockStepTimes {
    var times = LockStepTimes()
    var prepared: [TurnProcess] = []
    for set in 0..<quota.setCount {
      guard isWanted(set, doneCount: set) else { break }
      let processes = prepared.isEmpty ? try start(set: set) : prepared
      prepared = []
      // Nobody takes turns until they are ready.
      for process in processes { process.shareCores() }
      let readiness = try processes.map { try $0.readiness() }
      let first = earlier ?? readiness
      earlier = first
      // The next set gets ready on the other cores while this one takes its turns.
      let isFree = !readiness.contains { $0.usesAllCores == true }
      if isFree, isWanted(set + 1, doneCount: set) { prepared = try start(set: set + 1) }
      times.add(
        try takeTurns(processes, readiness, cost: Quantile.median(first.map(\.frameNanoseconds))), order: order(set))
      if quota.wantsFrames {
        let frameCount = plan.options.of(scenario: id.scenario).frameCount
        for (number, process) in processes.enumerated() {
          times.addFrames(
            try process.finish(), of: Self.builds[number], phases: readiness[number].phases, frameCount: frameCount)
        }
      }
      TurnProcess.stop(processes)
    }
    return times
  }

  private var elapsed: Double { (ContinuousClock.now - beginning) / .seconds(1) }

  private func isWanted(_ set: Int, doneCount: Int) -> Bool {
    let end = elapsed + elapsed / Double(max(1, doneCount))
    return set < quota.setCount && (set < quota.leastSetCount || end <= quota.seconds)
  }

  private func order(_ set: Int) -> Int? {
    plan.orders == nil ? nil : quota.orders.lowerBound + set % quota.orders.count
  }

  private func start(set: Int) throws -> [TurnProcess] {
    let layoutSeed = random.next()
    let images = (order(set).flatMap { plan.orders?.executables($0) } ?? plan.executables).map(ProgramImage.init)
    return try inRandomOrder { number, position in
      let build = Self.builds[number]
      return try TurnProcess(
        program: images[build.rawValue],
        request: plan.request(id, build, layoutSeed: layoutSeed, position: position, earlier: earlier?[number]),
        timeout: plan.timeout, isCancelled: plan.isCancelled)
    }
  }

  /// - Parameter cost: Of a frame, nanoseconds.
  private func takeTurns(_ processes: [TurnProcess], _ readiness: [TurnReadiness], cost: Double) throws -> TurnSet {
    let count = Int(min(max((LockStepPlan.Pace.turnNanoseconds / max(1, cost)).rounded(), 1), 1_000_000))
    // Cold caches do not matter to a frame that takes long, and nobody waits for more of them.
    let isLong = cost > TurnReadiness.longFrameNanoseconds
    var set = TurnSet(readiness: readiness, framesPerTurn: count)
    for round in 0..<(isLong ? 1 : LockStepPlan.Pace.roundCount + 1) {
      if plan.isCancelled() { throw CancellationError() }
      let frames = try inRandomOrder { number, _ in try processes[number].timeFrames(count) }
      let phases = set.phases.isEmpty ? [] : try inRandomOrder { number, _ in try processes[number].timePhases(count) }
      // The first round finds cold caches.
      if isLong || round > 0 { set.add(frames: frames, phases: phases) }
    }
    return set
  }

  /// What `body` returns for the number of each process of a set, called in random order.
  private func inRandomOrder<Value>(_ body: (_ number: Int, _ position: Int) throws -> Value) throws -> [Value] {
    var values = [Value?](repeating: nil, count: Self.builds.count)
    for (position, number) in Self.builds.indices.shuffled(using: &random).enumerated() {
      values[number] = try body(number, position)
    }
    return values.compactMap(\.self)
  }
}

/// The settings of two executables that take turns.
struct LockStepPlan: Sendable {
  /// The programs as built, by build.
  var executables: [String]
  /// Link orders of both builds; nil: sets run the programs as built.
  var orders: LinkOrderPool?
  var options: RunOptions
  /// The core that turns run on; nil lets the system choose.
  var core: Int?
  /// The cores for the preparation of processes, while others take turns.
  var preparationCores: [Int]
  /// Work to plant for a calibration, by build.
  var planting: [PlantingOptions?] = [nil, nil]
  var countsInstructions = false
  /// The part of all compared benchmarks that these are: the verdicts on all are certain together.
  var familyShare = 1.0
  var timeout: Duration
  var pace = Pace()
  var isCancelled: @Sendable () -> Bool = { false }

  /// The amount of measuring.
  struct Pace: Sendable {
    /// Length of a turn. Four processes have one each within a millisecond, so that a machine that slows down or speeds
    /// up meanwhile does so for all of them. Shorter turns were no quieter, longer ones were.
    static let turnNanoseconds = 250_000.0
    /// Rounds of turns of a set, each for whole frames and for phases. A median of fewer means little, and more sets are
    /// worth more: 16 rounds took a third more time for intervals that were 7% narrower, and a third more sets make them
    /// 13% narrower.
    static let roundCount = 8
    /// For every benchmark. Fewer sets than the least cannot rule out chance.
    let screening: Quota
    private let confirming: Quota

    /// As much as fits into this many seconds per benchmark, confirmation included. Exact figures, and
    /// starting programs, take the rest.
    init(seconds: Double = 5) {
      let factor = max(1, seconds / 5)
      // Multiples of four, so that every function begins in each quarter of a cache line equally often (`CodeSlots`).
      // Those that confirm are others, so that the layout behind a suspicion cannot confirm it.
      let orders = [0..<16, 16..<36]
      let counts = orders.map { Int((Double($0.count) * factor).rounded()) }
      screening = Quota(setCount: counts[0], leastSetCount: 8, seconds: 0.36 * seconds, orders: orders[0])
      confirming = Quota(setCount: counts[1], leastSetCount: 0, seconds: 0.5 * seconds, orders: orders[1])
    }

    /// - Parameter testCount: Screened times. Among hundreds, too few sets cannot reach the level that one
    ///   of them must reach, even if all point in one direction; two more may point elsewhere.
    func confirming(testCount: Int, familyAlpha: Double) -> Quota {
      var quota = confirming
      quota.leastSetCount = Int(log2(Double(max(1, testCount)) / familyAlpha).rounded(.up)) + 3
      quota.setCount = max(quota.leastSetCount, quota.setCount)
      let first = quota.orders.lowerBound
      quota.orders = first..<max(quota.orders.upperBound, first + quota.leastSetCount)
      return quota
    }
  }

  struct Quota: Sendable {
    /// Sets of processes, if time allows.
    var setCount: Int
    /// Minimum number of sets, even if the time is over.
    var leastSetCount: Int
    var seconds: Double
    /// Link orders, if there is a pool: up to this many, each set has its own; further sets are averaged with those of
    /// the same order.
    var orders: Range<Int>
    /// Whether to ask for the cost of each frame of the scroll.
    var wantsFrames = false
  }

  /// Of the time stamp counter; nil where another clock is used.
  private static let nanosecondsPerTick: Double? = {
    let clock = FrameClock.calibrated()
    return clock.source == .timeStampCounter ? clock.nanosecondsPerTick : nil
  }()

  func executable(_ build: Build) -> String { executables[build.rawValue] }

  /// - Parameter position: Of the process among those that prepare at once.
  func request(_ id: BenchmarkID, _ build: Build, layoutSeed: UInt64, position: Int, earlier: TurnReadiness? = nil)
    -> WorkerRequest
  {
    let preparationCore = preparationCores.isEmpty ? nil : preparationCores[position % preparationCores.count]
    return WorkerRequest(
      benchmark: id, pass: .frames, options: options, core: core, parentProcess: getpid(),
      turns: TurnOptions(
        preparationCore: preparationCore, layoutSeed: layoutSeed, nanosecondsPerTick: Self.nanosecondsPerTick,
        planting: planting[build.rawValue], earlier: earlier))
  }
}
