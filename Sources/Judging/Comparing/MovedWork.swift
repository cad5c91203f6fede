import FrameBench
import Measurements
import TextFormat

extension [ComparisonRow] {
  /// Adds a note to the rows of frame times that became shorter because the work is now done elsewhere.
  package mutating func nameMovedWork(_ options: RunOptions) {
    for frame in self where frame.isMeanFrame {
      let own = options.of(frame.id)
      guard let before = frame.baseline?.number, let after = frame.candidate?.number, after < before,
        let note = movedWork(of: frame.id, saved: (before - after) * Double(own.warmUpFrameCount + own.frameCount))
      else { continue }
      for index in indices where self[index].id == frame.id && self[index].metric == .frameTime {
        guard self[index].verdict == .improved else { continue }
        self[index].note = [self[index].note, note].compactMap(\.self).joined(separator: "; ")
      }
    }
  }

  /// Where the work of a benchmark moved to; nil if it probably did not move. It moved to other threads if their CPU
  /// time grew by at least half of the time that the frames save. It moved out of the frames, before `startFrame()` or
  /// after `endFrame()`, if the run's CPU time fell by less than half of the saved time.
  /// - Parameter saved: How much less time all frames of a run take, in nanoseconds.
  private func movedWork(of id: BenchmarkID, saved: Double) -> String? {
    func row(_ metric: Metric) -> ComparisonRow? { first { $0.id == id && $0.metric == metric } }
    func times(_ metric: Metric) -> (before: Double, after: Double)? {
      row(metric).flatMap { row in row.baseline?.number.flatMap { old in row.candidate?.number.map { (old, $0) } } }
    }
    func text(_ times: (before: Double, after: Double)) -> String {
      "\(TimeUnit.text(times.before)) to \(TimeUnit.text(times.after))"
    }
    if row(.otherThreadCPUNanoseconds)?.verdict == .regressed, let threads = times(.otherThreadCPUNanoseconds),
      2 * (threads.after - threads.before) >= saved
    {
      return "work moved to other threads, whose CPU time rose from \(text(threads))"
    }
    guard let user = times(.cpuUserNanoseconds), let system = times(.cpuSystemNanoseconds) else { return nil }
    let run = (before: user.before + system.before, after: user.after + system.after)
    // CPU times vary by several percent, so savings below a quarter of them do not count. If far more is saved than the
    // whole CPU time, the frames were waiting. A little more may be saved because turns are slower than a run alone.
    guard saved >= 10e6, (run.before / 4...run.before * 1.5).contains(saved),
      2 * (run.before - run.after) < Swift.min(saved, run.before),
      times(.otherThreadCPUNanoseconds).map({ 2 * ($0.after - $0.before) < saved }) ?? true
    else { return nil }
    return
      "work may have moved out of the frames, or the frames wait less, because the run's CPU time only changed from \(text(run))"
  }
}
