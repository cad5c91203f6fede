import Foundation
import Judging
import Statistics

/// What several sets of processes measured for one benchmark.
struct LockStepTimes: Sendable {
  /// Phases that both builds have; the things that are timed are the whole frame and these.
  private(set) var phases: [String] = []
  /// By thing: what the sets of each link order found, averaged. Sets of one order share its luck, so they are one
  /// observation.
  private(set) var times: [PairedTimes] = []
  /// By set; nil for the programs as they were built.
  private var orders: [Int?] = []
  /// By thing and set.
  private var figures: [[TurnSet.Figures]] = []
  var setCount: Int { pairCosts.count }
  /// Link orders that the sets had.
  var orderCount: Int { Set(orders.compactMap(\.self)).count }
  /// What an empty pair of clock reads measures, nanoseconds, one a set.
  private(set) var pairCosts: [Double] = []
  /// By thing, build and frame: what the frame cost in each process that ran it, nanoseconds. In single
  /// precision, since a long scroll has many.
  private var frameCosts: [[[[Float]]]] = []

  init() {}

  /// Of whole frames alone.
  init(frames: PairedTimes, pairCost: Double) {
    times = [frames]
    pairCosts = [pairCost]
  }

  /// - Parameter order: The link order of both builds in the set; nil: as they were built.
  mutating func add(_ set: TurnSet, order: Int?) {
    if figures.isEmpty { phases = set.phases }
    add(pairCost: set.pairCost, order: order, (0...phases.count).map(set.figures))
  }

  /// - Parameter found: By thing.
  mutating func add(pairCost: Double, order: Int?, _ found: [TurnSet.Figures]) {
    if figures.isEmpty { figures = Array(repeating: [], count: found.count) }
    pairCosts.append(pairCost)
    orders.append(order)
    for thing in figures.indices { figures[thing].append(found[thing]) }
    times = figures.map(averaged)
  }

  private func averaged(_ figures: [TurnSet.Figures]) -> PairedTimes {
    // Without orders each set stands for itself.
    let sets = Dictionary(grouping: orders.indices) { orders[$0] ?? -1 - $0 }.values.sorted { $0[0] < $1[0] }
    func means(_ value: (TurnSet.Figures) -> Double) -> [Double] {
      sets.map { $0.reduce(0) { $0 + value(figures[$1]) } / Double($0.count) }
    }
    var times = PairedTimes()
    times.changes = means(\.change)
    times.controls = means(\.control)
    times.baseline = means(\.baseline)
    times.candidate = means(\.candidate)
    return times
  }

  /// How far link orders alone move the baseline's time, as a standard deviation of its logarithm: what sets that
  /// follow each other differ by, less what the two processes of the baseline differ by within a set. Nil for
  /// fewer than eight orders.
  ///
  /// A machine that changes its pace does so for all things at once, so the steps are taken as they are and without
  /// what the other things of the set share, and the smaller of the two counts.
  func layoutSpread(of thing: Int) -> Double? {
    guard orderCount >= 8 else { return nil }
    let logs = logs(of: thing)
    let steady = zip(logs, pace(beside: thing)).map { $0 - $1 }
    let between =
      [logs, steady].map { values in
        RobustSpread.deviation(zip(values.dropFirst(), values).map { $0 - $1 })
      }.min() ?? 0
    // A step has the variance of two sets, and a set's baseline that of half a process.
    let within = RobustSpread.deviation(figures[thing].map(\.control))
    return max(0, between * between / 2 - within * within / 4).squareRoot()
  }

  /// By set: ln of the baseline's time of a thing.
  private func logs(of thing: Int) -> [Double] { figures[thing].map { log(max($0.baseline, 0.01)) } }

  /// By set: how far its other things are from what they usually take, the median of them.
  private func pace(beside thing: Int) -> [Double] {
    let others = figures.indices.filter { $0 != thing }.map { other in
      let logs = logs(of: other)
      let usual = Quantile.median(logs)
      return logs.map { $0 - usual }
    }
    return orders.indices.map { set in
      others.isEmpty ? 0 : Quantile.median(others.map { $0[set] })
    }
  }

  /// Asks the processes of a set what each frame cost, and ends them.
  mutating func addFrames(_ processes: [TurnProcess], builds: [Build], _ frameCount: Int) throws {
    for (process, build) in zip(processes, builds) {
      let phases = try process.readiness().phases
      addFrames(try process.finish(), of: build, phases: phases, frameCount: frameCount)
    }
  }

  /// - Parameters:
  ///   - costs: Of one process: of whole frames, then phase by phase, each for all frames; nanoseconds, NaN for
  ///     a frame that never ran.
  ///   - phases: Of that process.
  mutating func addFrames(_ costs: [[Double]], of build: Build, phases names: [String], frameCount: Int) {
    guard costs.count == 1 + names.count, costs.allSatisfy({ $0.count == frameCount }) else { return }
    if frameCosts.isEmpty {
      let none = Array(repeating: Array(repeating: [Float](), count: frameCount), count: Build.allCases.count)
      frameCosts = Array(repeating: none, count: times.count)
    }
    let places = [0] + phases.map { name in names.firstIndex(of: name).map { 1 + $0 } }
    for (thing, place) in places.enumerated() {
      guard let place else { continue }
      for (frame, cost) in costs[place].enumerated() where cost.isFinite {
        frameCosts[thing][build.rawValue][frame].append(Float(cost))
      }
    }
  }

  /// Where a difference of one thing lies; nil where frames were not asked for.
  func difference(of thing: Int) -> FrameDifference? {
    guard !frameCosts.isEmpty else { return nil }
    let pairCost = pairCosts.reduce(0, +) / Double(pairCosts.count)
    // Medians over processes: a frame that was preempted in one of them took a thousand times as long there.
    let costs = Build.allCases.map { build in
      frameCosts[thing][build.rawValue].map { costs in
        costs.isEmpty
          ? .nan : max(0, Quantile.type7(sorted: costs.map(Double.init).sorted(), at: 0.5) - pairCost)
      }
    }
    return FrameDifference(baseline: costs[0], candidate: costs[1])
  }
}
