import Foundation
import FrameBench
import FrameReport
import Statistics

/// What several sets of processes found of one benchmark.
struct LockStepTimes: Sendable {
  /// Phases that both builds have; the things that are timed are the whole frame and these.
  private(set) var phases: [String] = []
  /// By thing.
  private(set) var times: [PairedTimes] = []
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

  mutating func add(_ set: TurnSet) {
    if times.isEmpty {
      phases = set.phases
      times = Array(repeating: PairedTimes(), count: 1 + phases.count)
    }
    pairCosts.append(set.pairCost)
    for thing in times.indices {
      let figures = set.figures(thing)
      times[thing].changes.append(figures.change)
      times[thing].controls.append(figures.control)
      times[thing].baseline.append(figures.baseline)
      times[thing].candidate.append(figures.candidate)
    }
  }

  /// Asks the processes of a set what each frame cost, and ends them.
  mutating func addFrames(_ processes: [TurnProcess], builds: [Build], _ frameCount: Int) throws {
    for (process, build) in zip(processes, builds) {
      let phases = try process.readiness().phases
      addFrames(try process.run(.finish), of: build, phases: phases, frameCount: frameCount)
    }
  }

  /// - Parameters:
  ///   - costs: Of one process: of whole frames, then phase by phase, each for all frames; nanoseconds, NaN for
  ///     a frame that never ran.
  ///   - phases: Of that process.
  mutating func addFrames(_ costs: [Double], of build: Build, phases names: [String], frameCount: Int) {
    guard costs.count == (1 + names.count) * frameCount else { return }
    if frameCosts.isEmpty {
      let none = Array(repeating: Array(repeating: [Float](), count: frameCount), count: Build.allCases.count)
      frameCosts = Array(repeating: none, count: times.count)
    }
    let places = [0] + phases.map { name in names.firstIndex(of: name).map { 1 + $0 } }
    for (thing, place) in places.enumerated() {
      guard let place else { continue }
      for frame in 0..<frameCount where costs[place * frameCount + frame].isFinite {
        frameCosts[thing][build.rawValue][frame].append(Float(costs[place * frameCount + frame]))
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
