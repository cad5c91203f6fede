import CAllocationCounter
import Glibc

/// Allocations that one call of `body` makes on this thread, after a first call that is not counted:
/// the first use of a thing allocates more.
@inline(never) func allocations(of body: () -> Void) -> AllocationTotals {
  body()
  let before = allocation_counter_this_thread()
  body()
  return allocation_counter_this_thread() - before
}

/// Uses a value where the optimiser cannot see that nothing is done with it, so that the allocation
/// behind it cannot be removed.
@inline(never) @_optimize(none) func keep<Value>(_ value: borrowing Value) {}

/// Like `keep`, for a closure, which as a generic value would be wrapped in a second one.
@inline(never) @_optimize(none) func keepClosure(_ closure: @escaping () -> Int) {}

/// Hides from the optimiser what a value is.
@inline(never) @_optimize(none) func opaque<Value>(_ value: Value) -> Value { value }

/// Calls malloc as a library would, `count` times for `size` bytes.
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
