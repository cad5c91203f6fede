/// Sorts groups of sixteen keys by insertion. They all fit into the first-level cache, even if there are 10% more.
final class Sorting: Work {
  private static let usualCount = 200
  private static let groupLength = 16
  private let unsorted: UnsafeMutableBufferPointer<Int32>
  private let keys: UnsafeMutableBufferPointer<Int32>

  init() {
    var random = Numbers(seed: 3)
    let count = Amount.units(Self.usualCount) * Self.groupLength
    unsorted = .allocate(capacity: count)
    keys = .allocate(capacity: count)
    keys.initialize(repeating: 0)
    for index in 0..<count { unsorted.initializeElement(at: index, to: Int32(random.next(below: 1000))) }
  }

  deinit {
    unsorted.deallocate()
    keys.deallocate()
  }

  @inline(never) func call() {
    for start in stride(from: 0, to: keys.count, by: Self.groupLength) {
      sortGroup(unsorted, into: keys, start..<start + Self.groupLength)
    }
  }

  var checksum: UInt64 {
    var sum: UInt64 = 0
    for index in stride(from: 0, to: Self.usualCount * Self.groupLength, by: 128) {
      sum = sum &* 31 ^ UInt64(keys[index])
    }
    return sum
  }
}

@inline(never) private func sortGroup(
  _ unsorted: UnsafeMutableBufferPointer<Int32>, into keys: UnsafeMutableBufferPointer<Int32>, _ range: Range<Int>
) {
  for index in range {
    let key = unsorted[index]
    var place = index
    while place > range.lowerBound, keys[place - 1] > key {
      keys[place] = keys[place - 1]
      place -= 1
    }
    keys[place] = key
  }
}
