import CAllocationCounter
import Foundation
import Testing

/// Tests which allocator is in use, and whether allocations are counted.
struct AllocatorTests {
  @Test func countingIsOnUnlessTheSystemAllocatorWasAskedFor() {
    let environment = ProcessInfo.processInfo.environment
    let usesSystemAllocator = environment["SPRINGBENCH_SYSTEM_ALLOCATOR"] == "1"
    #expect(allocation_counter_is_active() != usesSystemAllocator)
  }

  @Test func theAllocatorIsNamedWithItsVersion() throws {
    let name = String(cString: allocation_counter_allocator_name())
    if allocation_counter_is_active() {
      #expect(name.wholeMatch(of: /jemalloc \d+\.\d+\.\d+/) != nil, "\(name)")
    } else {
      #expect(name == "system")
    }
  }

  @Test(.enabled(if: !allocation_counter_is_active())) func aCounterThatIsOffReadsNothing() {
    keep([1, 2, 3])
    #expect(allocation_counter_all_threads() == AllocationTotals())
    #expect(allocation_counter_this_thread() == AllocationTotals())
    #expect(allocation_counter_live_heap_bytes() == 0)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func liveBytesRiseWithWhatIsHeldAndFallWhenItIsFreed() async {
    await #expect(processExitsWith: .success) {
      let held = 4_000_000
      let slack = 200_000
      let before = Int(allocation_counter_live_heap_bytes())
      // Each block of 1,000 bytes takes 1,024, the allocator's next size class.
      let blocks = (0..<held / 1_000).map { _ in malloc(1_000) }
      let during = Int(allocation_counter_live_heap_bytes())
      for block in blocks { free(block) }
      let after = Int(allocation_counter_live_heap_bytes())
      #expect(abs(during - before - held * 1_024 / 1_000) < slack, "\(before), then \(during)")
      #expect(abs(after - before) < slack, "\(before), then \(after)")
    }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func whatFoundationAllocatesIsCounted() throws {
    let text = opaque(String(repeating: "springy ", count: 100))
    let counted = allocations { keep(Data(text.utf8)) }
    #expect(counted.count >= 1)
    #expect(counted.bytes >= 800)
    let encoded = try JSONEncoder().encode([text])
    #expect(try JSONDecoder().decode([String].self, from: encoded) == [text])
  }
}
