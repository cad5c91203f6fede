import Foundation
import FrameBench
import Judging
import Statistics

/// The measurements of several sets of processes for one benchmark.
struct LockStepTimes: Sendable {
  /// The timed things: nil for the whole frame, then the phases that both builds have in every set.
  private(set) var things: [String?] = [nil]
  /// Link orders of the sets, nil for the programs as built, and their figures by thing.
  private var sets: [(order: Int?, figures: [String?: TurnSet.Figures])] = []
  var setCount: Int { sets.count }
  var orderCount: Int { Set(sets.compactMap(\.order)).count }
  /// Time that an empty pair of clock reads shows, nanoseconds, one per set.
  private(set) var pairCosts: [Double] = []
  /// By thing, build and frame: the frame's cost in each process that ran it, nanoseconds. In single
  /// precision, since a long scroll has many.
  private var frameCosts: [String?: [[[Float]]]] = [:]

  /// - Parameter order: The link order of both builds in the set; nil: as built.
  mutating func add(_ set: TurnSet, order: Int?) {
    add(pairCost: set.pairCost, order: order, phases: set.phases, (0...set.phases.count).map(set.figures))
  }

  /// - Parameter found: Figures of the whole frame and of the phases.
  mutating func add(pairCost: Double, order: Int?, phases: [String], _ found: [TurnSet.Figures]) {
    let names = [nil] + phases
    // On a busy machine, the preparation of a process may end before a rare phase.
    things = sets.isEmpty ? names : things.filter(names.contains)
    pairCosts.append(pairCost)
    sets.append((order, Dictionary(zip(names, found)) { first, _ in first }))
  }

  /// By set.
  private func figures(of thing: String?) -> [TurnSet.Figures] { sets.compactMap { $0.figures[thing] } }

  /// The results of the sets of each link order, averaged. Sets of one order share its luck, so they are one
  /// observation.
  func times(of thing: String?) -> PairedTimes {
    let figures = figures(of: thing)
    // Without orders each set stands for itself.
    let groups = Dictionary(grouping: sets.indices) { sets[$0].order ?? -1 - $0 }.values.sorted { $0[0] < $1[0] }
    func means(_ value: (TurnSet.Figures) -> Double) -> [Double] {
      groups.map { $0.reduce(0) { $0 + value(figures[$1]) } / Double($0.count) }
    }
    var times = PairedTimes()
    times.changes = means(\.change)
    times.controls = means(\.control)
    times.baseline = means(\.baseline)
    times.candidate = means(\.candidate)
    return times
  }

  /// Effect of link orders alone on the baseline's time, as a standard deviation of its logarithm: the
  /// difference between consecutive sets, less the difference between the two processes of the baseline
  /// within a set. Nil for fewer than eight orders.
  ///
  /// A machine that changes its pace affects all things at once, so the steps are taken both as they are
  /// and without the common part of the set's other things, and the smaller result counts.
  func layoutSpread(of thing: String?) -> Double? {
    guard orderCount >= 8 else { return nil }
    func steps(_ values: [Double]) -> Double { RobustSpread.deviation(zip(values.dropFirst(), values).map(-)) }
    let logs = logs(of: thing)
    let between = min(steps(logs), steps(zip(logs, pace(beside: thing)).map(-)))
    // A step has the variance of two sets, and a set's baseline that of half a process.
    let within = RobustSpread.deviation(figures(of: thing).map(\.control))
    return max(0, between * between / 2 - within * within / 4).squareRoot()
  }

  /// By set: ln of the baseline's time of a thing.
  private func logs(of thing: String?) -> [Double] { figures(of: thing).map { log(max($0.baseline, 0.01)) } }

  /// By set: the median deviation of its other things from their usual times.
  private func pace(beside thing: String?) -> [Double] {
    let others = things.filter { $0 != thing }.map { other in
      let logs = logs(of: other)
      let usual = Quantile.median(logs)
      return logs.map { $0 - usual }
    }
    return sets.indices.map { set in others.isEmpty ? 0 : Quantile.median(others.map { $0[set] }) }
  }

  /// - Parameters:
  ///   - costs: Costs in one process: of whole frames, then phase by phase, each for all frames;
  ///     nanoseconds, NaN for a frame that never ran.
  ///   - phases: Phases of that process.
  mutating func addFrames(_ costs: [[Double]], of build: Build, phases names: [String], frameCount: Int) {
    guard costs.count == 1 + names.count, costs.allSatisfy({ $0.count == frameCount }) else { return }
    let none = Array(repeating: Array(repeating: [Float](), count: frameCount), count: Build.allCases.count)
    for (phase, costs) in zip([nil] + names, costs) {
      var known = frameCosts.removeValue(forKey: phase) ?? none
      for frame in costs.indices where costs[frame].isFinite {
        known[build.rawValue][frame].append(Float(costs[frame]))
      }
      frameCosts[phase] = known
    }
  }

  /// The frames in which a thing differs; nil if frames were not asked for.
  func difference(of thing: String?) -> FrameDifference? {
    guard let found = frameCosts[thing] else { return nil }
    let pairCost = pairCosts.reduce(0, +) / Double(pairCosts.count)
    // Medians over processes: a preempted frame took a thousand times as long in one of them.
    let costs = found.map { frames in
      frames.map { costs in costs.isEmpty ? .nan : max(0, Quantile.median(costs.map(Double.init)) - pairCost) }
    }
    return FrameDifference(baseline: costs[0], candidate: costs[1])
  }
}

/// The turns of one set of four processes: two of the baseline, then two of the candidate.
struct TurnSet {
  /// Phases that both builds have, in the baseline's order.
  let phases: [String]
  /// Time that an empty pair of clock reads shows: one figure for all four, since an error in it must not
  /// make a difference between them.
  let pairCost: Double
  private let framesPerTurn: Int
  /// By process, the position of each of `phases` in its answers.
  private let places: [[Int]]
  /// The whole frame, then each phase.
  private var things: [TurnRounds] = []

  init(readiness: [TurnReadiness], framesPerTurn: Int) {
    let common = readiness[0].phases.filter { name in readiness.allSatisfy { $0.phases.contains(name) } }
    phases = common
    pairCost = readiness.map(\.pairCostNanoseconds).reduce(0, +) / Double(readiness.count)
    self.framesPerTurn = framesPerTurn
    places = readiness.map { process in common.compactMap { process.phases.firstIndex(of: $0) } }
  }

  /// - Parameters:
  ///   - frames: By process and piece, nanoseconds.
  ///   - phases: By process, phase and piece.
  mutating func add(frames: [[Double]], phases answers: [[[TurnAnswer.PhasePiece]]]) {
    if things.isEmpty {
      let none = TurnRounds(frameCount: framesPerTurn, pieceCount: frames.map(\.count).min() ?? 0, slack: pairCost)
      things = Array(repeating: none, count: 1 + phases.count)
    }
    things[0].add(frames.map { pieces in zip(pieces, things[0].frameCounts).map { $0 - $1 * pairCost } })
    for phase in phases.indices {
      things[1 + phase].add(
        zip(answers, places).map { answer, places in
          answer[places[phase]].map { $0.nanoseconds - $0.pairCount * pairCost }
        })
    }
  }

  /// The figures of one thing: the whole frame (0) or a phase (1, …).
  func figures(_ thing: Int) -> Figures {
    let rounds = things[thing].means
    // An empty phase can come out below zero.
    let logs = rounds.map { $0.map { log(max($0, 0.01)) } }
    func median(_ candidate: Int, _ baseline: Int) -> Double {
      Quantile.median(logs.map { $0[candidate] - $0[baseline] })
    }
    let pairs = [2, 3].flatMap { candidate in [0, 1].map { median(candidate, $0) } }
    let means = (0..<4).map { process in Quantile.median(rounds.map { $0[process] }) }
    return Figures(
      change: pairs.reduce(0, +) / 4, control: median(1, 0), baseline: (means[0] + means[1]) / 2,
      candidate: (means[2] + means[3]) / 2)
  }

  struct Figures {
    /// ln(candidate ÷ baseline): the mean over the four pairs of a process of either build, each the median
    /// over rounds. A few disturbed turns do not matter.
    var change: Double
    /// ln(baseline ÷ itself), between its two processes.
    var control: Double
    /// Time in the baseline, nanoseconds.
    var baseline: Double
    var candidate: Double
  }
}
