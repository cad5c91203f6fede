import FrameBench
import Measurements
import TextFormat

extension [ComparisonRow] {
  /// Adds a note to the rows of frame times that became shorter because other threads now do the work. The work counts
  /// as moved if the CPU time of other threads grew by at least half of the time that the frames save.
  package mutating func nameMovedWork(_ options: RunOptions) {
    for row in self where row.metric == .otherThreadCPUNanoseconds && row.verdict == .regressed {
      let own = options.of(row.id)
      guard let old = row.baseline?.number, let new = row.candidate?.number,
        let frame = first(where: { $0.id == row.id && $0.metric == .frameTime && $0.phase == nil }),
        let before = frame.baseline?.number, let after = frame.candidate?.number,
        2 * (new - old) >= (before - after) * Double(own.warmUpFrameCount + own.frameCount)
      else { continue }
      for index in indices where self[index].id == row.id && self[index].metric == .frameTime {
        guard self[index].verdict == .improved else { continue }
        let moved =
          "work moved to other threads, whose CPU time rose from \(TimeUnit.text(old)) to \(TimeUnit.text(new))"
        self[index].note = [self[index].note, moved].compactMap(\.self).joined(separator: "; ")
      }
    }
  }
}
