import Builds
import Foundation
import FrameBench
import Judging
import Linking
import Measurements
import Platform
import Statistics

/// Measures one benchmark in sets of new processes of both builds. The processes of a set play the scroll, which means
/// that they run all frames of the benchmark. They take turns on one core: each process runs a few frames, then the
/// next process does.
///
/// A set has two processes of each build. The times of the baseline's two processes show whether one of them was
/// disturbed. For long scrolls, a set has one process of each build, because a few plays of a long scroll are enough.
///
/// All processes of a set have the same link order and, if the system allows that, the same layout of their address
/// space. So the effect of a layout is the same for both builds. Each set has a different layout. Each process runs
/// from its own memory pages, so that the effect of pages is noise, not a difference between the builds.
///
/// Must be used from one thread, and only once.
package final class LockStepSession {
  private let plan: LockStepPlan
  private let id: BenchmarkID
  private let quota: LockStepPlan.Quota
  private let options: RunOptions
  private var random: SplitMix64
  private let beginning = ContinuousClock.now
  /// The baseline's shortest time of each frame in nanoseconds, by phase; nil stands for whole frames. Empty if all
  /// frames together take little time: turns then affect times, because the processes share a core and its caches.
  package private(set) var least: [String?: [Double]] = [:]
  /// Times of the baseline without turns, measured between the sets of processes. Empty if all frames together take
  /// long.
  package private(set) var lonePlays = LonePlays()

  package init(_ plan: LockStepPlan, id: BenchmarkID, quota: LockStepPlan.Quota, seed: UInt64) {
    self.plan = plan
    self.id = id
    self.quota = quota
    options = plan.options.of(id)
    random = SplitMix64(seed: seed)
  }

  /// Measures sets of processes until there are enough, or until the time is over. How many sets fit into the time
  /// depends on the machine and never on the results, so the time limit favors no verdict.
  /// - Parameter isSettled: Returns whether further sets would be a waste of time, given the measurements so far.
  /// - Returns: The measured times, and `known` with the time that all frames together took.
  package func measure(_ known: LockStepPlan.Known, until isSettled: (ScrollTimes) -> Bool = { _ in false }) throws -> (
    times: ScrollTimes, known: LockStepPlan.Known
  ) {
    var (times, known) = (ScrollTimes(), known)
    let helper = HelperThread()
    var next: HelperThread.Work<[TurnProcess]>?
    // If the next set was started in advance but is not needed, this waits for its start. So its processes end before
    // something else is measured.
    defer { _ = try? next?.value() }
    let builds = Build.allCases.flatMap { Array(repeating: $0, count: known.processCount) }
    for set in 0..<quota.mostSetCount {
      guard isWanted(set, doneCount: set, known), set == 0 || !isSettled(times) else { break }
      let processes = try next?.value() ?? start(builds, set: set, known)()
      next = nil
      // A process that is still preparing would disturb turns, so all become ready first.
      for process in processes { process.shareCores() }
      let readiness = try processes.map { try $0.readiness() }
      // The next set gets ready on the other cores while this set takes its turns.
      let isFree = !plan.preparationCores.isEmpty && !readiness.contains { $0.usesAllCores == true }
      let playsAlone = set % 3 == 2 && !known.playsLong
      let alone = isFree && playsAlone ? helper.begin(startAlone(known)) : nil
      defer { _ = try? alone?.value() }
      if isFree, isWanted(set + 1, doneCount: set, known) { next = helper.begin(start(builds, set: set + 1, known)) }
      let pairCost = readiness.map(\.pairCostNanoseconds).reduce(0, +) / Double(readiness.count)
      let phases = readiness[0].phases.filter { name in readiness.allSatisfy { $0.phases.contains(name) } }
      let start = elapsed
      let played = try onMeasuringCore { try play(processes, readiness, phases, pairCost: pairCost, known) }
      known.scrollSeconds = known.scrollSeconds(ofSet: elapsed - start)
      times.add(
        zip([nil] + phases, played).map { phase, plays in
          let callCount = phase == nil ? readiness.map(\.callCount).min() ?? 1 : 1
          return (phase, plays.scroll(processCount: known.processCount, slack: pairCost / Double(callCount)))
        }, order: order(set), pairCost: pairCost)
      TurnProcess.stop(processes)
      if set == 0, let corrected = known.corrected(by: times, options) {
        _ = try? next?.value()
        next = nil
        return try measure(corrected, until: isSettled)
      }
      if known.playsLong {
        keepLeast(of: zip([nil] + phases, played).map { ($0, $1) })
      } else if playsAlone {
        try play(alone?.value() ?? startAlone(known)(), known, into: &lonePlays)
      }
    }
    times.end()
    return (times, known)
  }

  /// Starts one process of each build, to find out how long its frames are.
  package func findOut() throws -> LockStepPlan.Known {
    let processes = try start(Build.allCases, set: nil, nil)()
    defer { TurnProcess.stop(processes) }
    for process in processes { process.shareCores() }
    let readiness = try processes.map { try $0.readiness() }
    // Calls of a function are repeated, so they are timed differently from other frames.
    guard Set(readiness.map(\.isFunction)).count <= 1 else {
      let build = Build.allCases[readiness[0].isFunction ? 0 : 1]
      var failure = WorkerProcess.Failure(
        reason: "it cannot be compared: its frames are calls of a function in the \(build) alone; give it another name")
      // The benchmark runs in the candidate, so the next night can compare it with this one.
      failure.build = .baseline
      throw failure
    }
    return LockStepPlan.Known(readiness: readiness, options)
  }

  private var elapsed: Double { (ContinuousClock.now - beginning) / .seconds(1) }

  private func isWanted(_ set: Int, doneCount: Int, _ known: LockStepPlan.Known) -> Bool {
    let end = elapsed + elapsed / Double(max(1, doneCount))
    return set < quota.mostSetCount && (set < quota.leastSetCount(known) || end <= quota.seconds)
  }

  private func order(_ set: Int) -> Int? {
    plan.orders == nil ? nil : quota.orders.lowerBound + set % quota.orders.count
  }

  /// Returns a function that starts processes in random order. It may be called on another thread.
  private func start(_ builds: [Build], set: Int?, _ known: LockStepPlan.Known?) -> @Sendable () throws -> [TurnProcess]
  {
    let layoutSeed = random.next()
    let programs = set.flatMap(order).flatMap { plan.orders?.executables($0) } ?? plan.executables
    let order = builds.indices.shuffled(using: &random)
    return { [plan, id] in
      let images = programs.map(ProgramImage.init)
      let processes = try order.enumerated().map { position, number in
        let build = builds[number]
        let request = plan.request(
          id, build, layoutSeed: layoutSeed, position: position, earlier: known?.readiness[build.rawValue])
        let process = try TurnProcess(
          build, program: images[build.rawValue], request: request, timeout: plan.timeout, isCancelled: plan.isCancelled
        )
        return (number, process)
      }
      return processes.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Runs `body` on the core on which the workers take turns. From another core, each turn would wake up a core twice,
  /// which takes longer than a short turn.
  private func onMeasuringCore<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard let allowed = WorkerCores.allowed, Machine.pin(to: plan.core) else { return try body() }
    defer { _ = Machine.pin(to: allowed) }
    return try body()
  }

  /// Runs all frames `known.playCount` times. In each turn, one process after the other runs the same frames.
  /// - Parameter phases: The phases that all processes have.
  /// - Returns: The times of whole frames, then those of each phase.
  private func play(
    _ processes: [TurnProcess], _ readiness: [TurnReadiness], _ phases: [String], pairCost: Double,
    _ known: LockStepPlan.Known
  ) throws -> [ScrollPlays] {
    var all = Array(repeating: ScrollPlays(processCount: processes.count), count: 1 + phases.count)
    let columns = readiness.map { process in phases.map { name in process.phases.firstIndex(of: name) ?? 0 } }
    for _ in 0..<known.playCount {
      if !known.timesAllAtOnce {
        try eachTurn(known) { count in
          let answers = try inRandomOrder(processes.count) { number in try processes[number].timeFrames(count) }
          for (number, times) in answers.enumerated() {
            all[0].add(times, process: number, pairCost: readiness[number].clockCost(mean: pairCost))
          }
        }
      }
      if known.timesAllAtOnce || !phases.isEmpty {
        try eachTurn(known) { count in
          let answers = try inRandomOrder(processes.count) { number in try processes[number].timePhases(count) }
          for (number, spans) in answers.enumerated() {
            if known.timesAllAtOnce { all[0].add(spans[0], process: number, pairCost: pairCost) }
            for phase in phases.indices {
              all[1 + phase].add(spans[1 + columns[number][phase]], process: number, pairCost: pairCost)
            }
          }
        }
      }
      for index in all.indices { all[index].endPlay() }
    }
    return all
  }

  /// Calls `body` with the number of frames of each turn, until all frames have been run once.
  private func eachTurn(_ known: LockStepPlan.Known, _ body: (Int) throws -> Void) throws {
    for count in known.turns(using: &random) {
      if plan.isCancelled() { throw CancellationError() }
      try body(count)
    }
  }

  /// Runs all frames in a baseline process that has the core to itself, and adds the times to `plays`. Not needed if
  /// all frames together take long, because the times in turns are then just as good.
  package func playAlone(_ known: LockStepPlan.Known, into plays: inout LonePlays) throws {
    try play(startAlone(known)(), known, into: &plays)
  }

  private func startAlone(_ known: LockStepPlan.Known) -> @Sendable () throws -> TurnProcess {
    let request = plan.request(
      id, .baseline, layoutSeed: random.next(), position: 0, earlier: known.readiness[Build.baseline.rawValue])
    return { [plan] in
      try TurnProcess(
        .baseline, program: ProgramImage(of: plan.executable(.baseline)), request: request, timeout: plan.timeout,
        isCancelled: plan.isCancelled)
    }
  }

  private func play(_ process: TurnProcess, _ known: LockStepPlan.Known, into plays: inout LonePlays) throws {
    defer { process.stop() }
    let readiness = try process.readiness()
    let (pairCost, ownCost) = (readiness.pairCostNanoseconds, readiness.clockCost(mean: 0))
    // The frames are run at least twice, because the first time the timer's own code is not in the caches.
    for _ in 0..<min(max(Int(0.006 / known.scrollSeconds), 2), 4) {
      plays.frames.append((try process.timeFrames(known.frameCount).map { abs($0) - ownCost }, pairCost - ownCost))
      guard !readiness.phases.isEmpty else { continue }
      for (name, spans) in zip(readiness.phases, try process.timePhases(known.frameCount).dropFirst()) {
        plays.phases[name, default: []].append((spans, pairCost))
      }
    }
  }

  private func keepLeast(of played: [(phase: String?, plays: ScrollPlays)]) {
    for (phase, plays) in played {
      for play in plays.finished.prefix(plays.finished.count / 2).flatMap(\.self) {
        least = least.shortest([phase: play])
      }
    }
  }

  /// Calls `body` for each number below `count`, in random order. Returns the values in the order of the numbers.
  private func inRandomOrder<Value>(_ count: Int, _ body: (_ number: Int) throws -> Value) throws -> [Value] {
    var values = [Value?](repeating: nil, count: count)
    for number in (0..<count).shuffled(using: &random) { values[number] = try body(number) }
    return values.compactMap(\.self)
  }
}

extension [String?: [Double]] {
  /// Returns the shorter time of each frame, by phase. NaN stands for an unknown time.
  func shortest(_ other: Self) -> Self {
    merging(other) { zip($0, $1).map { $1.isNaN ? $0 : $0.isNaN ? $1 : Swift.min($0, $1) } }
  }
}

/// The times of baseline processes that had the core to themselves, each with the cost of a pair of clock reads.
package struct LonePlays: Sendable {
  package var frames: [(times: [Double], pairCost: Double)] = []
  package var phases: [String: [(spans: [TurnAnswer.Span], pairCost: Double)]] = [:]

  package mutating func add(_ other: LonePlays) {
    frames += other.frames
    phases.merge(other.phases, uniquingKeysWith: +)
  }

  /// The shortest time of each frame, as `run` would report it, in nanoseconds by phase; nil stands for whole frames.
  /// Empty if nothing was measured.
  package var costs: [String?: [Double]] {
    guard !frames.isEmpty else { return [:] }
    let step = FrameClock.calibrated().resolutionNanoseconds
    var costs: [String?: [Double]] = [
      nil: TimeRuns(runs: frames.map(\.times), clockPairs: nil, pairCosts: frames.map(\.pairCost), clockStep: step)
        .aligned()
    ]
    for (name, plays) in phases where plays.allSatisfy({ $0.spans.count == frames[0].times.count }) {
      costs[name] = TimeRuns(
        runs: plays.map { $0.spans.map { abs($0.nanoseconds) } },
        clockPairs: plays.map { $0.spans.map { Int($0.pairCount) } }, pairCosts: plays.map(\.pairCost), clockStep: step
      ).aligned()
    }
    return costs
  }
}

/// The settings for a comparison of two executables that take turns.
package struct LockStepPlan: Sendable {
  /// The path of each build's program in its original link order.
  package var executables: [String]
  /// The programs of both builds, linked in several orders. Nil means that only `executables` are run.
  package var orders: LinkOrderPool?
  package var options: RunOptions
  /// The core that the processes of both builds share. Nil lets the system choose.
  package var core: Int?
  /// The cores on which processes are prepared while others are measured.
  package var preparationCores: [Int]
  /// The artificial work that `springbench calibrate` adds to frames, by build.
  package var planting: [PlantingOptions?] = [nil, nil]
  package var countsInstructions = false
  /// Frames that are judged even if their times do not look changed.
  package var frames: FrameSet?
  /// The fraction of all compared benchmarks that this plan measures; below 1 if other programs or machines measure the
  /// rest. It is needed because error probabilities apply to all compared benchmarks together.
  package var familyShare = 1.0
  package var timeout: Duration
  package var pace = Pace()
  package var isCancelled: @Sendable () -> Bool = { false }

  package static func onThisMachine(_ executables: [String], _ options: RunOptions, seconds: Double = 5) -> Self {
    let machine = Machine.current()
    let core = machine.measuringCore
    return Self(
      executables: executables, options: options, core: core,
      preparationCores: core == nil ? [] : (machine.allowedCores ?? []).filter { $0 != core }, timeout: .seconds(120),
      pace: Pace(seconds: seconds))
  }

  /// How many sets of processes are measured, and how long a process runs before the next one takes its turn.
  package struct Pace: Sendable {
    /// The length of a turn, unless a frame is longer. Four processes have one turn each within a millisecond, so if
    /// the machine becomes slower or faster, all four are affected. Shorter turns did not reduce the noise.
    package static let turnNanoseconds = 250_000.0
    /// How many sets of processes measure every benchmark at first, to find those that seem to have changed (suspects).
    package let screening: Quota
    private let confirming: Quota

    /// Plans the sets that fit into about this many seconds per benchmark, including confirmation. A part of the time
    /// is left for exact figures and for starting programs.
    package init(seconds: Double = 5) {
      let factor = max(1, seconds / 5)
      // The counts of link orders are multiples of four, so that every function begins in each quarter of a cache line
      // equally often (see `CodeSlots`). The sets that confirm a change have other link orders than those that found
      // it, because an order that makes unchanged code look slow would do so again.
      let orders = [0..<12, 12..<32]
      let counts = orders.map { Int((Double($0.count) * factor).rounded()) }
      screening = Quota(
        mostSetCount: counts[0], leastRankedSetCount: 12, leastLongSetCounts: [2, 1], seconds: 0.36 * seconds,
        orders: orders[0])
      confirming = Quota(
        mostSetCount: counts[1], leastRankedSetCount: 12, leastLongSetCounts: [3, 2], seconds: 0.5 * seconds,
        orders: orders[1])
    }

    /// Returns how many sets of processes repeat the measurement of a benchmark that seems to have changed.
    /// - Parameter level: The largest p-value that is significant. If there are hundreds of suspected changes, it is so
    ///   low that a few sets cannot reach it, even if all of them agree. So there are more sets, and enough of them that
    ///   two may disagree.
    package func confirming(level: Double) -> Quota {
      var quota = confirming
      quota.leastRankedSetCount = max(PairedTimes.leastRankedCount, Int(-log2(level).rounded(.up)) + 3)
      quota.mostSetCount = max(quota.leastRankedSetCount, quota.mostSetCount)
      let first = quota.orders.lowerBound
      quota.orders = first..<max(quota.orders.upperBound, first + quota.leastRankedSetCount)
      // These sets suffice to find a change of 4.5 standard deviations, or of 9 if all frames together take two seconds
      // or more, because such times vary less.
      quota.leastLongSetCounts = zip(confirming.leastLongSetCounts, [4.5, 9]).map { least, deviations in
        (least...quota.mostSetCount).first { PairedTimes.leastChange(of: $0, level) <= deviations }
          ?? quota.mostSetCount
      }
      return quota
    }
  }

  package struct Quota: Sendable {
    /// The maximum number of sets of processes, if time allows.
    package var mostSetCount: Int
    /// The minimum number of sets of processes, even if the time is over, so that a rank test can decide.
    package var leastRankedSetCount: Int
    /// The minimum numbers of sets of processes if all frames together take long: the first number if they take less
    /// than two seconds, otherwise the second one. A few sets are enough, because earlier work of the core hardly
    /// affects such times.
    package var leastLongSetCounts: [Int]
    package var seconds: Double
    /// The numbers of the link orders, if `LockStepPlan.orders` is not nil. Each set of processes has its own order,
    /// until there are more sets than orders. Then sets of the same order are averaged.
    package var orders: Range<Int>

    package static let oneSet = Quota(
      mostSetCount: 1, leastRankedSetCount: 1, leastLongSetCounts: [1, 1], seconds: 0, orders: 0..<1)

    package func leastSetCount(_ known: Known) -> Int {
      if !known.playsLong { return leastRankedSetCount }
      let count = leastLongSetCounts[known.scrollSeconds < 2 ? 0 : 1]
      // A few frames do not show how much their times vary, so more sets of processes have to show it.
      return known.frameCount < FrameScan.leastFrameCount ? max(4, count) : count
    }

    /// Leaves out link orders for which no benchmark has time.
    package mutating func narrow(to benchmarks: [Known]) {
      let counts = benchmarks.map { known in max(leastSetCount(known), Int((seconds / known.setSeconds).rounded(.up))) }
      let most = min(orders.count, max(1, counts.max() ?? 1))
      orders = orders.lowerBound..<orders.lowerBound + most
    }
  }

  /// What the first processes of a benchmark found out, and how its frames are therefore measured.
  package struct Known: Sendable {
    /// What the processes reported when they were ready, by build.
    package let readiness: [TurnReadiness]
    /// The seconds in which a process runs all frames with their warm-up. At first this is an estimate, then the time
    /// measured in the last set.
    package var scrollSeconds: Double
    /// The number of frames that a process runs in one play. All frames are run, except that calls of a function are
    /// run for at most about a second, because all calls are alike.
    package let frameCount: Int
    /// The number of processes of each build that take turns with each other.
    package let processCount: Int
    /// The number of frames that a process runs in one turn.
    package let turnFrameCount: Int
    /// How many times each process runs all frames.
    package let playCount: Int
    /// Whether whole frames and their phases are timed together. Frames must be so long that reading the clock at the
    /// ends of phases does not matter.
    package let timesAllAtOnce: Bool
    /// Whether all frames together take so long that a few sets of processes are enough, and that earlier work of the
    /// core does not affect times. Only the time of the frames counts, because a short benchmark that waits long on a
    /// busy machine still needs many sets.
    package let playsLong: Bool
    package let isFunction: Bool

    package init(readiness: [TurnReadiness], _ options: RunOptions) {
      let cost = Quantile.median(readiness.map { max(1, $0.frameNanoseconds) })
      isFunction = readiness.contains(where: \.isFunction)
      // What workers do between frames depends on how long a frame takes, and must be the same in both builds.
      self.readiness = readiness.map {
        var alike = $0
        alike.frameNanoseconds = cost
        return alike
      }
      frameCount = isFunction ? min(options.frameCount, max(8, Int(1e9 / cost))) : options.frameCount
      let seconds = cost * Double(frameCount + (isFunction ? 0 : options.warmUpFrameCount)) / 1e9
      scrollSeconds = seconds
      playsLong = seconds > 0.03
      processCount = seconds > 0.12 ? 1 : 2
      turnFrameCount = Int(min(max((Pace.turnNanoseconds / cost).rounded(), 1), Double(frameCount)))
      playCount = min(max(Int(0.006 / seconds), 1), 4)
      timesAllAtOnce = readiness.allSatisfy {
        !$0.phases.isEmpty && $0.measuredNanoseconds ?? $0.frameNanoseconds > 20_000
      }
    }

    /// Returns what is known if the measured times show that the first frames are no example of the others, and that
    /// another number of processes or sets is needed. Nil otherwise, and for functions, because all calls are alike.
    func corrected(by times: ScrollTimes, _ options: RunOptions) -> Known? {
      let costs = times.costs(of: nil).joined().filter { !$0.isNaN }
      guard !isFunction, !costs.isEmpty else { return nil }
      let cost = Moments(costs[...]).mean
      let other = Known(
        readiness: readiness.map {
          var measured = $0
          // The measured part may be a small part of a frame, and only its length was measured.
          let earlier = measured.measuredNanoseconds ?? measured.frameNanoseconds
          measured.frameNanoseconds = max(1, measured.frameNanoseconds + cost - earlier)
          if measured.measuredNanoseconds != nil { measured.measuredNanoseconds = cost }
          return measured
        }, options)
      let factor = other.readiness[0].frameNanoseconds / readiness[0].frameNanoseconds
      let needsOther = (other.playsLong, other.processCount) != (playsLong, processCount)
      return needsOther && abs(log(factor)) > log(3) ? other : nil
    }

    /// Returns the number of frames of each turn, until all frames have been run once.
    ///
    /// The first frame of a turn finds caches and branch predictors as another process left them, and that may cost one
    /// build more than the other. So the first turn has a random length, and turns begin at different frames each time.
    /// Otherwise these first frames would look like changes at equal distances.
    package func turns(using random: inout SplitMix64) -> [Int] {
      let first = min(Int.random(in: 1...turnFrameCount, using: &random), frameCount)
      return [first]
        + stride(from: first, to: frameCount, by: turnFrameCount).map { min(turnFrameCount, frameCount - $0) }
    }

    /// How many times the processes of a set together run all frames. Each process times whole frames, and then phases,
    /// unless it times both together.
    private var playsOfSet: Double { Double(2 * processCount * playCount * (timesAllAtOnce ? 1 : 2)) }
    package var setSeconds: Double { scrollSeconds * playsOfSet }
    package func scrollSeconds(ofSet seconds: Double) -> Double { seconds / playsOfSet }
  }

  /// Nanoseconds per tick of the time stamp counter; nil where another clock is used.
  private static let nanosecondsPerTick: Double? = {
    let clock = FrameClock.calibrated()
    return clock.source == .timeStampCounter ? clock.nanosecondsPerTick : nil
  }()

  package func executable(_ build: Build) -> String { executables[build.rawValue] }

  /// - Parameter position: The position of the process among the processes that prepare at the same time.
  package func request(
    _ id: BenchmarkID, _ build: Build, layoutSeed: UInt64, position: Int, earlier: TurnReadiness? = nil
  ) -> WorkerRequest {
    let preparationCore = preparationCores.isEmpty ? nil : preparationCores[position % preparationCores.count]
    return WorkerRequest(
      benchmark: id, pass: .frames, options: options, core: core,
      turns: TurnOptions(
        preparationCore: preparationCore, layoutSeed: layoutSeed, nanosecondsPerTick: Self.nanosecondsPerTick,
        planting: planting[build.rawValue], earlier: earlier))
  }
}
