import Foundation
import FrameBench
import FrameReport

/// What several sets of processes found of one benchmark.
struct LockStepTimes: Sendable {
  /// Phases that both builds have; the things that are timed are the whole frame and these.
  private(set) var phases: [String] = []
  /// By thing.
  private(set) var times: [PairedTimes] = []
  /// What an empty pair of clock reads measures, nanoseconds, one a set.
  private(set) var pairCosts: [Double] = []
  /// By thing and build: sums over processes of what each frame of the scroll cost, and their number.
  private var frameSums: [[[Double]]] = []
  private var frameCounts: [[[Double]]] = []

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

  /// What the first sets found; frames are not told apart by sets, and are left out.
  func prefix(_ setCount: Int) -> LockStepTimes {
    var first = LockStepTimes()
    first.phases = phases
    first.times = times.map { $0.prefix(setCount) }
    first.pairCosts = Array(pairCosts.prefix(setCount))
    return first
  }

  /// Asks the processes of a set what each frame cost, and ends them.
  mutating func addFrames(_ processes: [TurnProcess], builds: [Build], _ frameCount: Int) throws {
    if frameSums.isEmpty {
      let none = Array(repeating: [Double](repeating: 0, count: frameCount), count: Build.allCases.count)
      frameSums = Array(repeating: none, count: times.count)
      frameCounts = frameSums
    }
    for (process, build) in zip(processes, builds) {
      let names = [nil] + (try process.readiness().phases.map(Optional.some))
      let values = try process.run(.finish)
      guard values.count == names.count * frameCount else { continue }
      for (thing, name) in ([nil] + phases.map(Optional.some)).enumerated() {
        guard let place = names.firstIndex(of: name) else { continue }
        for frame in 0..<frameCount where values[place * frameCount + frame].isFinite {
          frameSums[thing][build.rawValue][frame] += values[place * frameCount + frame]
          frameCounts[thing][build.rawValue][frame] += 1
        }
      }
    }
  }

  /// Where a difference of one thing lies; nil where frames were not asked for.
  func difference(of thing: Int) -> FrameDifference? {
    guard !frameSums.isEmpty else { return nil }
    let pairCost = pairCosts.reduce(0, +) / Double(pairCosts.count)
    let means = Build.allCases.map { build in
      zip(frameSums[thing][build.rawValue], frameCounts[thing][build.rawValue]).map { sum, count in
        count > 0 ? max(0, sum / count - pairCost) : .nan
      }
    }
    return FrameDifference(baseline: means[0], candidate: means[1])
  }
}
