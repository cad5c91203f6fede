import CAllocationCounter
import Glibc
import Testing

/// Tests the counts of frees and net bytes. Tests that check sums over all threads run in separate processes, where no
/// other test allocates.
@Suite(.enabled(if: canTrackHeap)) struct HeapTests {
  @Test func whatIsGivenBackLeavesNothing() {
    let change = change { allocateAndFree(count: 10, size: 100) }
    #expect(change.free_count == 10 && change.freed_bytes == 10 * size(100) && change.net_bytes == 0)
  }

  @Test func whatIsKeptIsNetBytesInTheSizesOfTheAllocator() {
    var block: UnsafeMutableRawPointer?
    let kept = change { block = opaque(malloc(100)) }
    #expect(kept.free_count == 0 && kept.net_bytes == Int64(size(100)))
    let freed = change { free(block) }
    #expect(freed.free_count == 1 && freed.net_bytes == -Int64(size(100)))
  }

  @Test func aBlockThatGrowsIsGivenBackAndAllocatedAnew() {
    var block: UnsafeMutableRawPointer? = opaque(malloc(100))
    let grown = change { block = opaque(realloc(block, 5_000)) }
    #expect(grown.free_count == 1 && grown.freed_bytes == size(100))
    #expect(grown.net_bytes == Int64(size(5_000)) - Int64(size(100)))
    free(block)
    let first = change { block = opaque(realloc(nil, 64)) }
    #expect(first.free_count == 0 && first.net_bytes == Int64(size(64)))
    free(block)
  }

  @Test func alignedBlocksAndThoseOfSwiftCountLikeOthers() {
    let change = change {
      var block: UnsafeMutableRawPointer?
      posix_memalign(&block, 256, 1_000)
      free(block)
      free(opaque(aligned_alloc(64, 640)))
      free(opaque(calloc(10, 10)))
      keep(opaque([Int](repeating: 1, count: opaque(100))))
    }
    #expect(change.free_count == 4 && change.net_bytes == 0)
  }

  @Test func framesOfAnotherThreadStandApart() throws {
    let start = Semaphore()
    let end = Semaphore()
    let worker = try #require(
      WorkerThread {
        start.wait()
        allocateAndFree(count: 1_000, size: 10)
        end.signal()
      })
    _ = allocation_counter_track_heap()
    defer { allocation_counter_stop_tracking_heap() }
    let all = allocation_counter_heap_all_threads().free_count
    let own = change {
      start.signal()
      end.wait()
    }
    let counted = allocation_counter_heap_all_threads().free_count - all
    worker.join()
    #expect(own.free_count == 0 && own.net_bytes == 0 && counted >= 1_000)
  }

  @Test func theHighestLiveHeapIsExact() async {
    await #expect(processExitsWith: .success) {
      _ = allocation_counter_track_heap()
      let before = allocation_counter_highest_heap_bytes()
      let blocks = (opaque(malloc(1 << 20)), opaque(malloc(1 << 20)))
      free(blocks.0)
      free(opaque(malloc(1 << 10)))
      free(blocks.1)
      let highest = allocation_counter_highest_heap_bytes()
      _ = allocation_counter_track_heap()
      let anew = allocation_counter_highest_heap_bytes()
      exit(before == 0 && highest == 2 << 20 && anew == 0 ? 0 : 1)
    }
  }

  @Test func whileABlockMovesBothPlacesCount() async {
    await #expect(processExitsWith: .success) {
      _ = allocation_counter_track_heap()
      // The allocator does not round these sizes up, and they differ too much for the block to grow in place.
      let block = opaque(malloc(1 << 10))
      let moved = opaque(realloc(block, 1 << 20))
      let highest = allocation_counter_highest_heap_bytes()
      free(moved)
      exit(highest == 1 << 20 + 1 << 10 ? 0 : 1)
    }
  }

  @Test func whatIsFreedAfterTheEndOfTrackingDoesNotCount() async {
    await #expect(processExitsWith: .success) {
      let areStarted = [allocation_counter_track_heap(), allocation_counter_track_heap()]
      allocation_counter_stop_tracking_heap()
      let before = allocation_counter_heap_all_threads()
      let block = opaque(malloc(100))
      let during = allocation_counter_heap_all_threads()
      allocation_counter_stop_tracking_heap()
      free(block)
      let after = allocation_counter_heap_all_threads()
      let isCounted = during.net_bytes > before.net_bytes && after.net_bytes == during.net_bytes
      exit(areStarted == [true, true] && isCounted && after.free_count == during.free_count ? 0 : 1)
    }
  }

  private func change(_ body: () -> Void) -> HeapTotals {
    _ = allocation_counter_track_heap()
    defer { allocation_counter_stop_tracking_heap() }
    // The first call of malloc may allocate more, so it is made before counting.
    free(opaque(malloc(1)))
    let before = allocation_counter_heap_this_thread()
    body()
    let after = allocation_counter_heap_this_thread()
    return HeapTotals(
      free_count: after.free_count - before.free_count, freed_bytes: after.freed_bytes - before.freed_bytes,
      net_bytes: after.net_bytes - before.net_bytes)
  }

  private func size(_ requested: Int) -> UInt64 {
    let block = malloc(requested)
    defer { free(block) }
    // Swift's glibc module does not declare this function.
    let address = dlsym(nil, "malloc_usable_size")
    let usableSize = unsafeBitCast(address, to: (@convention(c) (UnsafeMutableRawPointer?) -> Int).self)
    return UInt64(usableSize(block))
  }
}

/// Whether the heap can be tracked. Tracking is stopped again, because it slows down all threads.
private let canTrackHeap: Bool = {
  guard allocation_counter_track_heap() else { return false }
  allocation_counter_stop_tracking_heap()
  return true
}()
