import CAllocationCounter
import Glibc

/// Returns the allocations of one call of `body` on this thread. Calls `body` once before without counting, because the
/// first use of a type or a function often makes additional allocations.
@inline(never) func allocations(of body: () -> Void) -> AllocationTotals {
  body()
  let before = allocation_counter_this_thread()
  body()
  return allocation_counter_this_thread() - before
}

/// Uses a value in a way that the optimizer cannot see, so that it cannot remove the allocation of the value.
@inline(never) @_optimize(none) func keep<Value>(_ value: borrowing Value) {}

/// Does the same as `keep` for a closure. `keep` itself would wrap the closure in a second closure, because its
/// parameter is generic.
@inline(never) @_optimize(none) func keepClosure(_ closure: @escaping () -> Int) {}

/// Hides a value from the optimizer.
@inline(never) @_optimize(none) func opaque<Value>(_ value: Value) -> Value { value }

/// Calls malloc and free `count` times, with `size` bytes each, in a way that the optimizer cannot remove.
@inline(never) func allocateAndFree(count: Int, size: Int) { for _ in 0..<count { free(opaque(malloc(size))) } }

extension AllocationTotals {
  static func - (left: AllocationTotals, right: AllocationTotals) -> AllocationTotals {
    AllocationTotals(count: left.count - right.count, bytes: left.bytes - right.bytes)
  }

  static func + (left: AllocationTotals, right: AllocationTotals) -> AllocationTotals {
    AllocationTotals(count: left.count + right.count, bytes: left.bytes + right.bytes)
  }
}

extension AllocationTotals: @retroactive Equatable {
  public static func == (left: AllocationTotals, right: AllocationTotals) -> Bool {
    left.count == right.count && left.bytes == right.bytes
  }
}
