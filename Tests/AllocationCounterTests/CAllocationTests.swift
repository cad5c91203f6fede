import CAllocationCounter
import Glibc
import Testing

/// Tests the counts of what C and C++ code allocates on the calling thread.
@Suite(.enabled(if: allocation_counter_is_active())) struct CAllocationTests {
  @Test func mallocCountsTheBytesAskedFor() {
    let counted = allocations { allocateAndFree(count: 1_000, size: 13) }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 13_000))
  }

  @Test func anAllocationOfNoBytesIsStillOne() {
    let counted = allocations { allocateAndFree(count: 1_000, size: 0) }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 0))
  }

  @Test func callocCountsTheProduct() {
    let counted = allocations { thousandTimes { calloc(3, 7) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 21_000))
  }

  @Test func alignedAllocCountsTheBytesAskedFor() {
    let counted = allocations { thousandTimes { aligned_alloc(64, 128) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 128_000))
  }

  @Test func posixMemalignCountsTheBytesAskedFor() {
    let counted = allocations {
      thousandTimes {
        var block: UnsafeMutableRawPointer?
        let error = posix_memalign(&block, 256, 100)
        return error == 0 ? block : nil
      }
    }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 100_000))
  }

  @Test func memalignCountsTheBytesAskedFor() throws {
    typealias Memalign = @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
    let memalign = unsafeBitCast(try symbol("memalign"), to: Memalign.self)
    let counted = allocations { thousandTimes { memalign(32, 10) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 10_000))
  }

  @Test(arguments: ["valloc", "pvalloc"]) func pageAlignedMemoryCountsTheBytesAskedFor(name: String) throws {
    let allocate = unsafeBitCast(try symbol(name), to: PageAllocation.self)
    let counted = allocations { thousandTimes { allocate(100) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 100_000))
    let block = allocate(100)
    #expect(Int(bitPattern: block) % Int(getpagesize()) == 0)
    free(block)
  }

  @Test func everyReallocWithASizeCountsAsOneOfTheNewSize() {
    let counted = allocations {
      var block = realloc(nil, 10)
      for size in 1...100 { block = realloc(opaque(block), size * 10) }
      free(block)
    }
    // One allocation of 10 bytes is followed by a hundred of 10, 20, … 1,000 bytes.
    #expect(counted == AllocationTotals(count: 101, bytes: 10 + 50_500))
  }

  @Test func reallocKeepsTheContent() {
    let text = opaque("the content of a block that moves")
    var block = strdup(text)
    block = realloc(block, 1 << 20)?.assumingMemoryBound(to: CChar.self)
    #expect(block.map { String(cString: $0) } == text)
    free(block)
  }

  @Test func freeingCountsNothing() {
    let blocks = (malloc(opaque(10)), malloc(opaque(100_000)), malloc(opaque(10_000_000)))
    let before = allocation_counter_this_thread()
    free(blocks.0)
    free(blocks.1)
    free(blocks.2)
    free(nil)
    let counted = allocation_counter_this_thread() - before
    #expect(counted == AllocationTotals())
  }

  @Test func whatTheCLibraryAllocatesIsCounted() {
    let text: StaticString = "fourteen chars"
    let counted = allocations {
      text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount + 1) { text in
        thousandTimes { UnsafeMutableRawPointer(strdup(text)) }
      }
    }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 15_000))
  }

  @Test func reallocarrayIsCountedOnce() throws {
    typealias Function = @convention(c) (UnsafeMutableRawPointer?, Int, Int) -> UnsafeMutableRawPointer?
    let reallocarray = unsafeBitCast(try symbol("reallocarray"), to: Function.self)
    let counted = allocations { thousandTimes { reallocarray(nil, 3, 7) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 21_000))
  }

  @Test(arguments: ["_Znwm", "_Znam"]) func newIsCountedOnce(operatorName: String) throws {
    typealias New = @convention(c) (Int) -> UnsafeMutableRawPointer?
    let new = unsafeBitCast(try symbol(operatorName), to: New.self)
    let counted = allocations { thousandTimes { new(40) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 40_000))
  }

  @Test(arguments: ["_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"]) func alignedNewIsCountedOnceAndAligned(
    operatorName: String
  ) throws {
    typealias New = @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
    let new = unsafeBitCast(try symbol(operatorName), to: New.self)
    let counted = allocations { thousandTimes { new(40, 512) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 40_000))
    let block = new(40, 512)
    #expect(Int(bitPattern: block) % 512 == 0)
    free(block)
  }

  @Test(arguments: ["_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"])
  func newThatMayNotThrowReturnsNothingWhereMemoryIsShort(operatorName: String) throws {
    typealias New = @convention(c) (Int, UnsafeRawPointer?) -> UnsafeMutableRawPointer?
    let new = unsafeBitCast(try symbol(operatorName), to: New.self)
    let counted = allocations { thousandTimes { new(40, nil) } }
    #expect(counted == AllocationTotals(count: 1_000, bytes: 40_000))
    let refused = allocations { keep(new(opaque(Int.max / 2), nil)) }
    #expect(refused == AllocationTotals())
    #expect(new(opaque(Int.max / 2), nil) == nil)
  }

  @Test func memoryThatWasRefusedIsNotCounted() throws {
    let pvalloc = unsafeBitCast(try symbol("pvalloc"), to: PageAllocation.self)
    var results: [(block: UnsafeMutableRawPointer?, errno: CInt)] = []
    results.reserveCapacity(8)
    let counted = allocations {
      results.removeAll(keepingCapacity: true)
      errno = 0
      results.append((calloc(opaque(Int.max), 4), errno))
      errno = 0
      results.append((malloc(opaque(Int.max / 2)), errno))
      errno = 0
      results.append((pvalloc(opaque(-1)), errno))
    }
    #expect(counted == AllocationTotals())
    #expect(results.count == 3)
    #expect(results.allSatisfy { $0.block == nil && $0.errno == ENOMEM })
  }

  @Test func anAllocationThatSucceedsLeavesErrnoAlone() {
    errno = 77
    let block = malloc(opaque(100))
    let grown = realloc(opaque(block), 200)
    free(opaque(grown))
    let left = errno
    #expect(left == 77)
  }

  private typealias PageAllocation = @convention(c) (Int) -> UnsafeMutableRawPointer?

  private struct MissingSymbol: Error { var name: String }

  private func symbol(_ name: String) throws -> UnsafeMutableRawPointer {
    guard let address = dlsym(nil, name) else { throw MissingSymbol(name: name) }
    return address
  }
}

/// Allocates and frees a block a thousand times.
@inline(never) private func thousandTimes(_ allocate: () -> UnsafeMutableRawPointer?) {
  for _ in 0..<1_000 { free(opaque(allocate())) }
}
