import Dispatch
import FrameBench
import Synchronization

enum Storage: CaseIterable { case structs, columns }

let viewport = Parameter("viewport", [320, 1_024])

extension FixtureSuite {
  /// Adds the examples of docs/authors.md.
  static func addExamplesForAuthors(to suite: inout Suite) {
    suite.measure("sum") { (0..<1_000).map { identity($0) }.reduce(0, +) }
    suite.add(
      "scroll", summary: "A list is scrolled.", strategies: Storage.allCases, sizes: [100, 10_000],
      parameters: [viewport], tags: ["layout"], options: .init(quickSizes: [100])
    ) { storage, context in
      let list = try List(storage, count: context.size, height: context[viewport])
      context.tearDown { list.close() }
      return { frame, timer in
        try timer.measure(.query) { try list.scroll(to: Double(frame.index)) }
        timer.endFrame()
        return list.checksum
      }
    }
    suite.measure("sort", strategies: Algorithm.allCases, sizes: [100, 10_000], throughput: .itemsOfSize) {
      algorithm, context in
      let numbers = Self.shuffled(context.size, seed: context.seed)
      return { algorithm.sorted(numbers) }
    }
  }

  /// Adds an example that is not measured by tests, because its times depend on the machine's cores.
  static func addSquares(to suite: inout Suite) {
    suite.measure("squares", strategies: ["serial", "parallel"], options: .init(cores: 2)) { strategy, context in
      { strategy == "parallel" ? parallelSquares(10_000) : serialSquares(10_000) }
    }
  }

  private static func shuffled(_ count: Int, seed: UInt64) -> [UInt64] {
    (0..<UInt64(count)).map { ($0 &+ seed) &* 0x9e37_79b9_7f4a_7c15 }
  }
}

private func serialSquares(_ count: Int) -> Int { (0..<count).reduce(0) { $0 &+ $1 &* $1 } }

private func parallelSquares(_ count: Int) -> Int {
  let sums = Mutex(0)
  DispatchQueue.concurrentPerform(iterations: 2) { half in
    let sum = (half * count / 2..<(half + 1) * count / 2).reduce(0) { $0 &+ $1 &* $1 }
    sums.withLock { $0 &+= sum }
  }
  return sums.withLock { $0 }
}

private enum Algorithm: CaseIterable {
  case standard, insertion

  func sorted(_ numbers: [UInt64]) -> [UInt64] {
    switch self {
    case .standard: return numbers.sorted()
    case .insertion:
      var sorted: [UInt64] = []
      sorted.reserveCapacity(numbers.count)
      for number in numbers {
        var (low, high) = (0, sorted.count)
        while low < high {
          let middle = (low + high) / 2
          if sorted[middle] < number { low = middle + 1 } else { high = middle }
        }
        sorted.insert(number, at: low)
      }
      return sorted
    }
  }
}

private final class List {
  struct OutOfRange: Error {}

  private let rowCount: Int
  private let height: Int
  private var offset = 0.0

  init(_ storage: Storage, count: Int, height: Int) throws { (rowCount, self.height) = (count, height) }

  func scroll(to offset: Double) throws {
    guard offset >= 0 else { throw OutOfRange() }
    self.offset = offset
  }

  func close() {}
  var checksum: UInt64 { offset.bitPattern ^ UInt64(rowCount * height) }
}
