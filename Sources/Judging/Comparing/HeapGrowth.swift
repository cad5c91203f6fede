import FrameBench
import Measurements
import TextFormat

/// Growth of the live heap over the recorded frames that one build has and the other does not: a leak, or a cache
/// without bound. What is allocated once, given back a frame later, or as large as what is on screen does not count.
struct HeapGrowth: Equatable {
  /// The first frame after which the difference of the two heaps never falls to where it was.
  let firstFrame: Int
  /// How much the difference grew for good.
  let bytes: Int
  /// The growth per frame, from the first frame on.
  let bytesPerFrame: Double

  /// Frames that add something for good. A heap that grew in one or two has been filled; a table that doubles its room
  /// whenever it is full does so in more.
  private static let leastStepCount = 3
  /// A table that doubles does so at least once while its size goes from 0.4 to 0.9 of the last.
  private static let stillGrowing = 0.4
  /// Share of the frames, at the end, that only say how far the heap falls again.
  private static let tail = 0.1
  /// Bytes without the largest step; the smallest block that is lost each 100 frames adds up to less.
  private static let leastBytes = 256

  /// Nil if there is none.
  /// - Parameter allowance: Bytes by which the net bytes of two runs of a build may differ.
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
    // One large step is what fills a heap once.
    let largest = steps.map { floor[$0] &- ($0 == 0 ? start : floor[$0 - 1]) }.max() ?? 0
    guard growth &- largest >= Self.leastBytes, growth > allowance else { return nil }
    (firstFrame, bytes, bytesPerFrame) = (first, growth, Double(growth) / Double(end - first))
  }
}

extension ExactComparison {
  /// Whether one of the builds loses memory frame by frame, and the other does not.
  func judgeGrowth(_ row: inout ComparisonRow, _ old: CountSeries, _ new: CountSeries) {
    let allowance = 2 * [baseline, candidate].reduce(0) { $0 + ($1.runSpreads?[Metric.netBytes.name] ?? 0) }
    row.verdict = .unchanged
    if let growth = HeapGrowth(of: new, beyond: old, allowance: allowance) {
      row.verdict = .regressed
      row.note = "the heap grows from frame \(growth.firstFrame) on" + sentence(growth, in: candidate, beside: baseline)
    } else if let growth = HeapGrowth(of: old, beyond: new, allowance: allowance) {
      row.verdict = .improved
      row.note =
        "the baseline's heap grows from frame \(growth.firstFrame) on"
        + sentence(growth, in: baseline, beside: candidate)
    }
  }

  /// ` in solve, by 1.00 KiB a frame`
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
