import Foundation
import FrameBench
import Measurements
import Statistics

/// Measures one benchmark in sets of four fresh processes, two of each build, that take turns on one core.
///
/// Two of each, so that the turns that compare the builds also compare the baseline with itself. All four
/// of a set have the same link order and the same layout of their address space, if the system allows that,
/// and each set has others: the luck of a layout is the same for both builds, and differs from set to set.
/// Each of the four runs from its own memory pages, so that their luck is noise, not a difference.
///
/// Used from one thread.
final class LockStepSession {
  private let plan: LockStepPlan
  private let id: BenchmarkID
  private var random: SplitMix64
  private var framesPerTurn: Int?
  /// Link orders of the sets, used in turn and repeated; empty: the programs as built.
  private let orders: Range<Int>

  private static let builds: [Build] = [.baseline, .baseline, .candidate, .candidate]

  init(_ plan: LockStepPlan, id: BenchmarkID, orders: Range<Int>, seed: UInt64) {
    self.plan = plan
    self.id = id
    self.orders = orders
    random = SplitMix64(seed: seed)
  }

  /// Stops early if the time is over. That depends on the machine, never on the results, so it favours no verdict.
  /// - Parameter wantsFrames: Whether to ask for the cost of each frame of the scroll.
  func measure(_ quota: LockStepPlan.Quota, wantsFrames: Bool = false) throws -> LockStepTimes {
    var times = LockStepTimes()
    var hurry = Hurry(quota, roundCount: plan.pace.roundCount)
    var prepared: [TurnProcess] = []
    func isWanted(_ set: Int) -> Bool { set < quota.setCount && (set < quota.leastSetCount || !hurry.isOver) }
    for index in 0..<quota.setCount where isWanted(index) {
      let processes = prepared.isEmpty ? try start(set: index) : prepared
      prepared = []
      // Nobody takes turns until they are ready.
      for process in processes { process.shareCores() }
      let readiness = try processes.map { try $0.readiness() }
      // The next set gets ready on the other cores while this one takes its turns.
      if isWanted(index + 1) { prepared = try start(set: index + 1) }
      try measure(processes, readiness, hurry.roundCount, order: order(index), into: &times)
      if wantsFrames {
        let frameCount = plan.options.of(scenario: id.scenario).frameCount
        for (number, process) in processes.enumerated() {
          times.addFrames(
            try process.finish(), of: Self.builds[number], phases: readiness[number].phases, frameCount: frameCount)
        }
      }
      for process in processes { process.stop() }
      hurry.setEnded()
    }
    return times
  }

  private func order(_ set: Int) -> Int? { orders.isEmpty ? nil : orders.lowerBound + set % orders.count }

  private func start(set: Int) throws -> [TurnProcess] {
    let layoutSeed = random.next()
    let images = (order(set).flatMap { plan.orders?.executables($0) } ?? plan.executables).map(ProgramImage.init)
    return try inRandomOrder { number, position in
      let build = Self.builds[number]
      return try TurnProcess(
        program: images[build.rawValue], request: plan.request(id, build, layoutSeed: layoutSeed, position: position),
        timeout: plan.timeout, isCancelled: plan.isCancelled)
    }
  }

  private func measure(
    _ processes: [TurnProcess], _ readiness: [TurnReadiness], _ wantedRoundCount: Int, order: Int?,
    into times: inout LockStepTimes
  ) throws {
    let cost = max(1, Quantile.median(readiness.map(\.frameNanoseconds)))
    let count = framesPerTurn ?? Int(min(max((plan.pace.turnNanoseconds / cost).rounded(), 1), 1_000_000))
    framesPerTurn = count
    // A frame longer than a turn gets fewer turns, not more time.
    let fitting = Double(wantedRoundCount) * plan.pace.turnNanoseconds / (Double(count) * cost)
    // Cold caches do not matter to a frame that takes long, and nobody waits for more of them.
    let isLong = cost > TurnReadiness.longFrameNanoseconds
    let least = LockStepPlan.Pace.leastRoundCount
    let roundCount = min(wantedRoundCount, max(least, Int(min(fitting * 1.5, 1e6))))
    var set = TurnSet(readiness: readiness, framesPerTurn: count)
    for round in 0..<(isLong ? 1 : roundCount + 1) {
      if plan.isCancelled() { throw CancellationError() }
      let frames = try inRandomOrder { number, _ in try processes[number].timeFrames(count) }
      let phases = set.phases.isEmpty ? [] : try inRandomOrder { number, _ in try processes[number].timePhases(count) }
      // The first round finds cold caches.
      if isLong || round > 0 { set.add(frames: frames, phases: phases) }
    }
    times.add(set, order: order)
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

/// Shortens the sets of a session that would exceed its time.
private struct Hurry {
  private let quota: LockStepPlan.Quota
  private let start = ContinuousClock.now
  private let longestRoundCount: Int
  private var setCount = 0
  private(set) var roundCount: Int

  init(_ quota: LockStepPlan.Quota, roundCount: Int) {
    self.quota = quota
    longestRoundCount = roundCount
    self.roundCount = roundCount
  }

  private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// Whether another set would end too late.
  var isOver: Bool { elapsed + elapsed / Double(max(1, setCount)) > quota.seconds }

  mutating func setEnded() {
    setCount += 1
    let left = Double(quota.setCount - setCount)
    guard left > 0 else { return }
    let ratio = max(0, quota.seconds - elapsed) / (left * elapsed / Double(setCount))
    // Part of a set is the start of its processes, which takes the same time.
    roundCount = min(
      longestRoundCount,
      max(LockStepPlan.Pace.leastRoundCount, Int(Double(roundCount) * (ratio < 1 ? ratio * ratio : ratio))))
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
    var turnNanoseconds = 250_000.0
    /// Rounds of turns of a set, each for whole frames and for phases, if time allows. Sets differ by more
    /// than rounds average out, so more sets are worth more.
    var roundCount: Int
    /// For every benchmark. Fewer sets than the least cannot rule out chance.
    var screening: Quota
    private var confirming: Quota

    /// As much as fits into this many seconds per benchmark, confirmation included. Exact figures, and
    /// starting programs, take the rest.
    init(seconds: Double = 5) {
      let scale = seconds / 5
      // More sets are better than longer ones, up to a point.
      let factor = min(4, max(1, scale))
      roundCount = max(Self.leastRoundCount, Int((16 * scale / factor).rounded()))
      let counts = [Self.screeningOrderCount, Self.confirmingOrderCount].map { Int((Double($0) * factor).rounded()) }
      screening = Quota(setCount: counts[0], leastSetCount: 8, seconds: 0.36 * seconds)
      confirming = Quota(setCount: counts[1], leastSetCount: 0, seconds: 0.5 * seconds)
    }

    /// Number of link orders: up to this many, each set has its own; further sets are averaged with those
    /// of the same order. Multiples of four, so that every function begins in each quarter of a cache line
    /// equally often (`CodeSlots`).
    static let screeningOrderCount = 16
    static let confirmingOrderCount = 24
    /// A median of fewer means little.
    static let leastRoundCount = 8

    /// - Parameter testCount: Screened times. Among hundreds, too few sets cannot reach the level that one
    ///   of them must reach, even if all point in one direction; two more may point elsewhere.
    func confirming(testCount: Int, familyAlpha: Double) -> Quota {
      var quota = confirming
      quota.leastSetCount = Int(log2(Double(max(1, testCount)) / familyAlpha).rounded(.up)) + 3
      quota.setCount = max(quota.leastSetCount, quota.setCount)
      return quota
    }
  }

  struct Quota: Sendable {
    /// Sets of processes, if time allows.
    var setCount: Int
    /// Minimum number of sets, even if the time is over.
    var leastSetCount: Int
    var seconds: Double
  }

  /// Of the time stamp counter; nil where another clock is used.
  private static let nanosecondsPerTick: Double? = {
    let clock = FrameClock.calibrated()
    return clock.source == .timeStampCounter ? clock.nanosecondsPerTick : nil
  }()

  func executable(_ build: Build) -> String { executables[build.rawValue] }

  /// Link orders of the sets that screen a benchmark; empty without a pool.
  var screeningOrders: Range<Int> { orders == nil ? 0..<0 : 0..<Pace.screeningOrderCount }

  /// Link orders of the sets that confirm: different ones, so that the layout behind a suspicion cannot confirm it.
  func confirmingOrders(_ quota: Quota) -> Range<Int> {
    let first = screeningOrders.upperBound
    return orders == nil ? 0..<0 : first..<(first + max(Pace.confirmingOrderCount, quota.leastSetCount))
  }

  /// - Parameter position: Of the process among those that prepare at once.
  func request(_ id: BenchmarkID, _ build: Build, layoutSeed: UInt64, position: Int) -> WorkerRequest {
    let preparationCore = preparationCores.isEmpty ? nil : preparationCores[position % preparationCores.count]
    return WorkerRequest(
      benchmark: id, pass: .frames, options: options, core: core, parentProcess: getpid(),
      turns: TurnOptions(
        preparationCore: preparationCore, layoutSeed: layoutSeed, nanosecondsPerTick: Self.nanosecondsPerTick,
        planting: planting[build.rawValue]))
  }
}
