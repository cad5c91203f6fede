import FrameBench
import TextFormat

/// Doubts about how a benchmark was written. They come from the runs that count allocations. Both `springbench run` and
/// comparisons make such runs, so they raise the same doubts.
extension [RunMeasurement] {
  /// Messages for the author of the benchmark. An element is nil if there is no such doubt.
  package var doubts: [String?] { [leakDoubt, growthDoubt, usedUpDoubt, partDoubt, otherThreadDoubt, mainQueueDoubt] }

  private var leakDoubt: String? {
    compactMap(\.leakedBytes).min().map { bytes in
      "Set-up leaves \(Format.integer(bytes)) bytes on the heap each time. Free what does not free itself with"
        + " context.tearDown { … }."
    }
  }

  /// A doubt if calls of a function leave many bytes on the heap: at least 2% of the allocated bytes if most calls
  /// leave some, otherwise at least half of them. Nil if frames are not calls.
  private var growthDoubt: String? {
    guard let allocations = first?.allocations, let net = allocations.netBytes, callCount != nil else { return nil }
    // Calls that only keep their result until the next call are harmless. They leave bytes in few calls, and less than
    // half of what they allocate. A buffer that doubles its size also leaves bytes in few calls, but more.
    let share = net.values.count { $0 > 0 } * 2 > net.count ? 0.02 : 0.5
    let allocated = allocations.frameThread.bytes.total + allocations.otherThreads.bytes.total
    guard net.count >= 10, Double(net.total) > Swift.max(4_096, share * Double(allocated)) else { return nil }
    return
      "The heap grows by about \(ByteUnit.text(Double(net.total) / Double(net.count))) with every call, so each call"
      + " works on more than the one before. Undo in the call what it adds."
  }

  /// A doubt if the first call after every set-up took far longer than the later calls. Then the first call probably
  /// uses up its input or keeps its result, so the later calls do less work.
  private var usedUpDoubt: String? {
    let times = compactMap(\.usedUpNanoseconds)
    guard let first = times.min(), times.count == count else { return nil }
    return
      "The first call took \(TimeUnit.text(first)), over fifty times as long as the others, which are shown: it uses up"
      + " what set-up made, or keeps its result. Let each call begin anew."
  }

  private var partDoubt: String? {
    guard contains(where: { $0.measuresSeveralParts == true }) else { return nil }
    return "Of several measured parts only the last counts, and no throughput is shown. Measure one part, around all"
      + " iterations."
  }

  private var mainQueueDoubt: String? {
    guard contains(where: { $0.leavesMainQueueJobs == true }) else { return nil }
    return "What it posts to the main queue or the main actor never runs, because no frame waits. Do that work in the"
      + " frame, or let the frame suspend and await it."
  }

  private var otherThreadDoubt: String? {
    compactMap(\.otherThreadShare).max().map { share in
      "Its threads share one core, so nothing runs in parallel, and \(Format.percent(share)) of the work is done by"
        + " other threads than the frame's. Ask for more cores with options: .init(cores: 2), or say cores: 1 if one is intended."
    }
  }
}
