import CAllocationCounter
import Testing

/// Tests the counts of what Swift code allocates on the calling thread, in debug and release builds.
@Suite(.enabled(if: allocation_counter_is_active())) struct SwiftAllocationTests {
  let repetitions = 1_000

  @Test func everyClassInstanceIsCounted() {
    let repetitions = repetitions
    let counted = allocations { for number in 0..<repetitions { keep(Node(number)) } }
    // An instance has two words of header and one word of content.
    #expect(counted == AllocationTotals(count: 1_000, bytes: 24_000))
  }

  @Test func everyGrowthOfAnArrayIsCounted() {
    var growths = 0
    let counted = allocations {
      growths = 0
      var numbers: [Int] = []
      var capacity = numbers.capacity
      for number in 0..<10_000 {
        numbers.append(number)
        if numbers.capacity != capacity {
          capacity = numbers.capacity
          growths += 1
        }
      }
      keep(numbers)
    }
    #expect(growths > 5)
    #expect(counted.count == UInt64(growths))
  }

  @Test func aReservedArrayIsCountedOnceWithItsHeader() {
    let counted = allocations {
      var numbers: [Int] = []
      numbers.reserveCapacity(1_000)
      for number in 0..<1_000 { numbers.append(number) }
      keep(numbers)
    }
    #expect(counted == AllocationTotals(count: 1, bytes: 32 + 8 * 1_000))
  }

  @Test func everyClosureContextIsCounted() {
    let repetitions = repetitions
    let counted = allocations { for number in 0..<repetitions { keepClosure(makeAdder(number)) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 24_000))
  }

  @Test func everyExistentialBoxOverThreeWordsIsCounted() {
    let repetitions = repetitions
    let counted = allocations { for number in 0..<repetitions { keep(makeShape(FourWords(a: number))) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: UInt64((16 + 32) * repetitions)))
  }

  @Test func anExistentialOfThreeWordsIsNotCounted() {
    let repetitions = repetitions
    let counted = allocations { for number in 0..<repetitions { keep(makeShape(ThreeWords(a: number))) } }
    #expect(counted == AllocationTotals())
  }

  @Test func everyRawPointerIsCountedWithTheBytesAskedFor() {
    let repetitions = repetitions
    for alignment in [8, 64] {
      let counted = allocations {
        for _ in 0..<repetitions {
          let pointer = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: alignment)
          keep(pointer)
          pointer.deallocate()
        }
      }
      #expect(counted == AllocationTotals(count: 1_000, bytes: 100_000), "alignment \(alignment)")
    }
  }

  @Test func stringsAreCountedFromSixteenBytesOn() {
    let repetitions = repetitions
    let short = allocations {
      for _ in 0..<repetitions { keep(String(decoding: opaque(fifteenBytes).utf8, as: UTF8.self)) }
    }
    let long = allocations { for _ in 0..<repetitions { keep(opaque(fifteenBytes) + "p") } }
    #expect(short == AllocationTotals())
    #expect(long.count == 1_000)
  }

  @Test func theStorageOfADictionaryIsCounted() {
    let repetitions = repetitions
    let counted = allocations {
      for number in 0..<repetitions {
        var table = [Int: Int](minimumCapacity: 100)
        table[number] = number
        keep(table)
      }
    }
    #expect(counted.count == 1_000)
  }

  @Test func aWriteToASharedArrayIsCountedAsItsCopy() {
    let repetitions = repetitions
    let original = opaque(Array(0..<100))
    let counted = allocations {
      for number in 0..<repetitions {
        var copy = original
        copy[7] = number
        keep(copy)
      }
    }
    #expect(counted == AllocationTotals(count: 1_000, bytes: UInt64((32 + 800) * repetitions)))
    #expect(original[7] == 7)
  }

  @Test func anIndirectCaseIsCounted() {
    let repetitions = repetitions
    let counted = allocations { for number in 0..<repetitions { keep(makeTree(number)) } }
    #expect(counted.count == 1_000)
  }

  @Test func workThatDoesNotAllocateCountsNothing() {
    var numbers = opaque(Array(0..<1_000).map(Double.init))
    let counted = allocations {
      for index in numbers.indices { numbers[index] = numbers[index] * 0.5 + 1 }
      let count = numbers.count
      numbers.removeAll(keepingCapacity: true)
      for index in 0..<count { numbers.append(Double(index)) }
      withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { keep($0.baseAddress) }
    }
    #expect(counted == AllocationTotals())
  }

  @Test func readingTheCountersCountsNothing() {
    let counted = allocations {
      keep(allocation_counter_all_threads())
      keep(allocation_counter_live_heap_bytes())
      keep(allocation_counter_allocator_name())
    }
    #expect(counted == AllocationTotals())
  }
}

private let fifteenBytes = "abcdefghijklmno"

private final class Node {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private protocol Shape { var a: Int { get } }
private struct ThreeWords: Shape { var a = 0, b = 0, c = 0 }
private struct FourWords: Shape { var a = 0, b = 0, c = 0, d = 0 }

private indirect enum Tree { case leaf(Int) }

@inline(never) @_optimize(none) private func makeShape(_ shape: some Shape) -> any Shape { shape }

@inline(never) @_optimize(none) private func makeTree(_ number: Int) -> Tree { .leaf(number) }

@inline(never) @_optimize(none) private func makeAdder(_ number: Int) -> () -> Int { { number + 1 } }
