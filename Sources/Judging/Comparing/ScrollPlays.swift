import FrameBench

/// The times of whole frames, or of one phase, in all plays of one set of processes. A play is one pass through all
/// frames. The processes of the baseline come first, then those of the candidate.
package struct ScrollPlays: Sendable {
  /// Nanoseconds of each frame without the cost of the clock, by process, play and frame; NaN for a preempted frame.
  package private(set) var finished: [[[Double]]]
  /// The same as `finished`, but with the times of preempted frames.
  private var complete: [[[Double]]]
  private var current: [(nanoseconds: [Double], isPreempted: [Bool])]

  package init(processCount: Int) {
    finished = Array(repeating: [], count: processCount)
    complete = finished
    current = Array(repeating: ([], []), count: processCount)
  }

  /// - Parameter times: Times of whole frames, each of which includes one pair of clock reads. A negative time marks a
  ///   preempted frame.
  package mutating func add(_ times: [Double], process: Int, pairCost: Double) {
    for time in times {
      current[process].nanoseconds.append(abs(time) - pairCost)
      current[process].isPreempted.append(time.sign == .minus)
    }
  }

  package mutating func add(_ spans: [TurnAnswer.Span], process: Int, pairCost: Double) {
    for span in spans {
      current[process].nanoseconds.append(abs(span.nanoseconds) - span.pairCount * pairCost)
      current[process].isPreempted.append(span.nanoseconds.sign == .minus)
    }
  }

  package mutating func endPlay() {
    for process in current.indices {
      let (nanoseconds, isPreempted) = current[process]
      // If most frames were preempted, the other frames show little, so all frames are kept. The time for which other
      // processes had the core has already been subtracted, to the microsecond.
      let keepsAll = isPreempted.count { $0 } * 2 > isPreempted.count
      finished[process].append(zip(nanoseconds, isPreempted).map { $1 && !keepsAll ? .nan : $0 })
      complete[process].append(nanoseconds)
      current[process] = ([], [])
    }
  }

  /// The costs of the frames, by process and frame. If a frame was preempted in all plays, its cost comes from these
  /// plays, without the time for which it waited for the core. Such a cost is less exact, but on a busy machine a long
  /// frame might otherwise be unknown in every set.
  private func costs(_ processes: Range<Int>) -> [[Double]] {
    var known = processes.map { PlayedScroll.level(finished[$0]) }
    let lost = known[0].indices.filter { frame in known.allSatisfy { $0[frame].isNaN } }
    guard !lost.isEmpty else { return known }
    for (index, process) in processes.enumerated() {
      let all = PlayedScroll.level(complete[process])
      for frame in lost { known[index][frame] = all[frame] }
    }
    return known
  }

  /// - Parameter processCount: The number of processes of each build.
  package func scroll(processCount: Int, slack: Double) -> PlayedScroll {
    let builds = [0..<processCount, finished.count - processCount..<finished.count]
    return PlayedScroll(builds.map(costs), slack: slack, plays: builds.map { finished[$0].flatMap(\.self) })
  }
}
