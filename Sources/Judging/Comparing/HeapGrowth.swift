import FrameBench
import Measurements
import TextFormat

/// Growth of the live heap over the recorded frames in only one of two builds: a leak, or an unbounded cache. Memory
/// does not count if it is allocated once or freed a frame later, or if it varies with what is on screen.
struct HeapGrowth: Equatable {
  /// The first frame that makes the candidate's heap larger for good, compared with the baseline's: from this frame on,
  /// the difference between the heaps stays above its value before the frame.
  let firstFrame: Int
  /// The permanent growth of the difference between the heaps, in bytes.
  let bytes: Int
  /// The growth per frame, from `firstFrame` on.
  let bytesPerFrame: Double

  /// The minimum number of frames that have to add memory permanently. A heap that grew in only one or two frames was
  /// filled once. A table that keeps growing, and doubles whenever it is full, grows in more frames.
  private static let leastStepCount = 3
  /// The last growth has to come after this fraction of the frames. A table that keeps growing doubles at least once
  /// between 0.4 and 0.9 of the frames.
  private static let stillGrowing = 0.4
  /// This fraction of the frames, at the end of the run, only shows whether the heap shrinks again. Growth in it does
  /// not count.
  private static let tail = 0.1
  /// The growth without its largest step has to be at least this number of bytes. In a run of the usual length, losing
  /// a block of the smallest size every 100 frames stays below this limit.
  private static let leastBytes = 256

  /// Returns nil unless the heap of one build (`grown`) keeps growing relative to the heap of the other build. The
  /// series contain the allocated minus the freed bytes of each frame.
  /// - Parameter allowance: The growth has to exceed this number of bytes, because runs of the other build may differ.
  init?(of grown: CountSeries, beyond other: CountSeries, allowance: Int = 0) {
    guard grown != other, grown.count == other.count, grown.count > 0 else { return nil }
    var sum = 0
    var floor = zip(grown.values, other.values).map { new, old in
      sum &+= new &- old
      return sum
    }
    for frame in floor.indices.dropLast().reversed() { floor[frame] = min(floor[frame], floor[frame + 1]) }
    let end = floor.count - max(1, Int(Double(floor.count) * Self.tail))
    let start = min(0, floor[0])
    let steps = (0..<end).filter { floor[$0] > ($0 == 0 ? start : floor[$0 - 1]) }
    guard steps.count >= Self.leastStepCount, let last = steps.last, let first = steps.first,
      Double(last) >= Double(floor.count) * Self.stillGrowing
    else { return nil }
    let growth = floor[end - 1] &- start
    // A heap that is filled once has one large step, which does not count.
    let largest = steps.map { floor[$0] &- ($0 == 0 ? start : floor[$0 - 1]) }.max() ?? 0
    guard growth &- largest >= Self.leastBytes, growth > allowance else { return nil }
    (firstFrame, bytes, bytesPerFrame) = (first, growth, Double(growth) / Double(end - first))
  }
}

extension ExactComparison {
  /// Judges whether the heap of one build keeps growing while that of the other does not.
  func judgeGrowth(_ row: inout ComparisonRow, _ old: CountSeries, _ new: CountSeries) {
    func allowance(_ steady: BenchmarkRecord) -> Int { 2 * spread(of: .netBytes, in: steady) }
    row.verdict = .unchanged
    if let growth = HeapGrowth(of: new, beyond: old, allowance: allowance(baseline)) {
      row.verdict = .regressed
      row.note = "the heap grows from frame \(growth.firstFrame) on" + sentence(growth, in: candidate, beside: baseline)
    } else if let growth = HeapGrowth(of: old, beyond: new, allowance: allowance(candidate)) {
      row.verdict = .improved
      row.note =
        "the baseline's heap grows from frame \(growth.firstFrame) on"
        + sentence(growth, in: baseline, beside: candidate)
    }
  }

  /// For example, ` in solve, by 1.00 KiB a frame`.
  private func sentence(_ growth: HeapGrowth, in record: BenchmarkRecord, beside other: BenchmarkRecord) -> String {
    let place = record.phases.first { phase in
      let total = phase.allocations?.netBytes?.total ?? 0
      return 2 * (total - (other.phase(phase.name)?.allocations?.netBytes?.total ?? 0)) > growth.bytes
    }
    let each = growth.bytesPerFrame
    let pace = each < 1 ? "\(ByteUnit.text(1_000 * each)) in 1,000 frames" : "\(ByteUnit.text(each)) a frame"
    return "\(place.map { " in \($0.name)" } ?? ""), by \(pace)"
  }
}
