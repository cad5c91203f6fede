import Collections
import FrameBench
import Statistics

extension Suite {
  /// Adds benchmarks of swift-collections: Deque, Heap and OrderedDictionary compared with Array and Dictionary.
  mutating func addCollections() {
    add(
      "queue", summary: "Jobs join a queue at its end, and as many leave it at its front.",
      sizes: [100, 1_000, 10_000], tags: ["collections"],
      strategies: [
        "array": { Self.frame(Queue(Array(0..<$0.size), seed: $0.seed)) },
        "deque": { Self.frame(Queue(Deque(0..<$0.size), seed: $0.seed)) },
      ])
    add(
      "timers", summary: "The ten timers that are due first fire, and are set again.", sizes: [100, 1_000, 10_000],
      tags: ["collections"],
      strategies: [
        "sortedArray": { Self.frame(Timers<SortedArray>(count: $0.size, seed: $0.seed)) },
        "heap": { Self.frame(Timers<Heap<Int>>(count: $0.size, seed: $0.seed)) },
      ])
    measure(
      "tally", summary: "Words are counted and listed in the order in which they first came.",
      strategies: Tally.allCases, sizes: [100, 10_000], throughput: .itemsOfSize, tags: ["collections"],
      options: .init(frameCount: 200, warmUpFrameCount: 20), checksum: \.hashValue
    ) { tally, context in
      let words = Tally.words(context.size, seed: context.seed)
      return { tally.count(words) }
    }
  }

  private static func frame(_ start: Queue<some RangeReplaceableCollection<Int>>) -> Scenario.FrameBody {
    var queue = start
    return { _, timer in
      let burst = queue.nextBurst()
      timer.measure(Phase("append")) { queue.append(burst) }
      let sum = timer.measure(Phase("removeFirst")) { queue.removeFirst(burst.count) }
      timer.endFrame()
      return UInt64(sum)
    }
  }

  private static func frame(_ start: Timers<some Schedule>) -> Scenario.FrameBody {
    var timers = start
    return { _, timer in
      let sum = timers.fire(10)
      timer.endFrame()
      return UInt64(sum)
    }
  }
}

/// A queue whose length stays the same: in each frame, as many jobs join as leave.
private struct Queue<Jobs: RangeReplaceableCollection<Int>> {
  private var jobs: Jobs
  private var random: SplitMix64

  init(_ jobs: Jobs, seed: UInt64) {
    self.jobs = jobs
    random = SplitMix64(seed: seed)
  }

  mutating func nextBurst() -> Range<Int> { 0..<Int.random(in: 1...20, using: &random) }

  mutating func append(_ burst: Range<Int>) { for job in burst { jobs.append(job) } }

  mutating func removeFirst(_ count: Int) -> Int { (0..<count).reduce(0) { sum, _ in sum + jobs.removeFirst() } }
}

/// A collection of deadlines that can remove and return the earliest deadline.
private protocol Schedule {
  init(_ deadlines: [Int])
  mutating func insert(_ deadline: Int)
  mutating func removeMin() -> Int
}

extension Heap<Int>: Schedule {}

/// An alternative to a heap: an array in descending order, whose last element is the earliest deadline.
private struct SortedArray: Schedule {
  private var deadlines: [Int]

  init(_ deadlines: [Int]) { self.deadlines = deadlines.sorted(by: >) }

  mutating func insert(_ deadline: Int) {
    var range = deadlines.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = deadlines[middle] > deadline ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    deadlines.insert(deadline, at: range.lowerBound)
  }

  mutating func removeMin() -> Int { deadlines.removeLast() }
}

/// Timers that are set again when they fire.
private struct Timers<Deadlines: Schedule> {
  private var deadlines: Deadlines
  private var random: SplitMix64
  private let longest: Int

  init(count: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    longest = 1_000 * count
    deadlines = Deadlines((0..<count).map { [longest] _ in Int.random(in: 1...longest, using: &random) })
    self.random = random
  }

  /// Replaces each of the `count` earliest deadlines with a later one. Returns the sum of the removed deadlines.
  mutating func fire(_ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count {
      let deadline = deadlines.removeMin()
      deadlines.insert(deadline + Int.random(in: 1...longest, using: &random))
      sum += deadline
    }
    return sum
  }
}

private enum Tally: CaseIterable {
  case dictionary, orderedDictionary

  struct Count: Hashable {
    var word: String
    var count: Int
  }

  func count(_ words: [String]) -> [Count] {
    switch self {
    case .dictionary:
      var counts: [String: Int] = [:]
      var order: [String] = []
      for word in words {
        if counts[word] == nil { order.append(word) }
        counts[word, default: 0] += 1
      }
      return order.map { Count(word: $0, count: counts[$0, default: 0]) }
    case .orderedDictionary:
      var counts: OrderedDictionary<String, Int> = [:]
      for word in words { counts[word, default: 0] += 1 }
      return counts.map { Count(word: $0, count: $1) }
    }
  }

  /// Returns words with frequencies like those in a text: a few words are frequent, most words are rare.
  static func words(_ count: Int, seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      let rank = random.uniform(in: 0...1)
      return "word\(Int(Double(count) * rank * rank * rank))"
    }
  }
}
