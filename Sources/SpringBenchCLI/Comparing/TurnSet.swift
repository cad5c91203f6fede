import Foundation
import FrameBench
import FrameReport
import Statistics

/// The turns of one set of four processes: two of the baseline, then two of the candidate.
struct TurnSet {
  /// Phases that both builds have, in the baseline's order.
  let phases: [String]
  /// What an empty pair of clock reads measures: one figure for all four, since an error in it must not
  /// make a difference between them.
  let pairCost: Double
  private let framesPerTurn: Double
  /// By process, where each of `phases` stands in its answers.
  private let places: [[Int]]
  /// Per round and process, the net time of a frame, nanoseconds: of the whole frame, then of each phase.
  private(set) var rounds: [[[Double]]]

  init(readiness: [TurnReadiness], framesPerTurn: Int) {
    let common = readiness[0].phases.filter { name in readiness.allSatisfy { $0.phases.contains(name) } }
    phases = common
    pairCost = readiness.map(\.pairCostNanoseconds).reduce(0, +) / Double(readiness.count)
    self.framesPerTurn = Double(framesPerTurn)
    places = readiness.map { process in common.compactMap { process.phases.firstIndex(of: $0) } }
    rounds = Array(repeating: [], count: 1 + common.count)
  }

  /// - Parameters:
  ///   - frames: By process, the answer to `TurnCommand.frames`.
  ///   - phases: By process, the answer to `TurnCommand.phases`.
  mutating func add(frames: [[Double]], phases answers: [[Double]]) {
    rounds[0].append(frames.map { $0[0] / framesPerTurn - pairCost })
    for phase in phases.indices {
      rounds[1 + phase].append(
        answers.indices.map { process in
          let place = 2 * places[process][phase]
          return (answers[process][place] - answers[process][place + 1] * pairCost) / framesPerTurn
        })
    }
  }

  /// The figures of one thing: the whole frame (0) or a phase (1, …).
  func figures(_ thing: Int) -> Figures {
    // A phase of nothing can come out below zero.
    let logs = rounds[thing].map { $0.map { log(max($0, 0.01)) } }
    func median(_ candidate: Int, _ baseline: Int) -> Double {
      Self.median(logs.map { $0[candidate] - $0[baseline] })
    }
    let pairs = [2, 3].flatMap { candidate in [0, 1].map { median(candidate, $0) } }
    let means = (0..<4).map { process in Self.median(rounds[thing].map { $0[process] }) }
    return Figures(
      change: pairs.reduce(0, +) / 4, control: median(1, 0), baseline: (means[0] + means[1]) / 2,
      candidate: (means[2] + means[3]) / 2)
  }

  struct Figures {
    /// ln(candidate ÷ baseline): the mean over the four pairs of a process of either build, each the
    /// median over rounds. Neither a turn that was disturbed nor a few of them matter.
    var change: Double
    /// ln(baseline ÷ itself), between its two processes.
    var control: Double
    /// Nanoseconds.
    var baseline: Double
    var candidate: Double
  }

  private static func median(_ values: [Double]) -> Double {
    Quantile.type7(sorted: values.sorted(), at: 0.5)
  }
}

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
