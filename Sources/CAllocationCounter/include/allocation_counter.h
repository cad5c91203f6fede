#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Heap allocations made since a thread, or the process, began.
///
/// `count` is the number of calls that returned new memory: malloc, calloc, aligned_alloc and the like, C++ `new`, and
/// a realloc that is given a size, in place or not. `bytes` is the sum of the sizes asked for. Neither ever decreases.
typedef struct {
  uint64_t count;
  uint64_t bytes;
} AllocationTotals;

/// Whether allocations of this process are really counted: a canary that a shared library allocated at
/// start was seen, once.
///
/// False under valgrind's memory tools (not under callgrind), under heap profilers that allocate for
/// themselves, under the sanitizers and where the package was built for the system's allocator. Totals
/// are then meaningless, and must be shown as unavailable.
bool allocation_counter_is_active(void);

/// Totals of the calling thread since it began. Costs about a nanosecond.
AllocationTotals allocation_counter_this_thread(void);

/// Totals of all threads of the process, including those that have ended. Any thread may ask at any time, and no thread
/// waits; allocations that others make meanwhile may or may not be included. Costs a few nanoseconds for each thread,
/// counting as many as were ever alive at once.
AllocationTotals allocation_counter_all_threads(void);

/// Bytes now allocated on the heap, rounded up to the allocator's size classes; 0 if it cannot tell. Takes
/// microseconds and empties the calling thread's allocation cache, which slows its next allocations: do not
/// call it inside timed code.
size_t allocation_counter_live_heap_bytes(void);

/// Name and version of the allocator that serves this process: `jemalloc 5.3.0`, or `system`.
const char *allocation_counter_allocator_name(void);

/// Has `observer` called after every counted allocation, on its thread, with the bytes requested; null ends
/// this. Costs nothing without an observer. The observer's own allocations are counted and observed, too.
/// Returns false if allocations are not counted.
bool allocation_counter_observe(void (*observer)(uint64_t bytes));

/// What a thread, or the process, did to the heap since it was first tracked, in the sizes that the allocator rounds up
/// to. Exact: unlike `allocation_counter_live_heap_bytes` it does not count what the allocator keeps for reuse.
typedef struct {
  /// Blocks freed; a realloc frees the block that it is given. Allocations less these are the blocks that are left.
  uint64_t free_count;
  uint64_t freed_bytes;
  /// Allocated less freed; below 0 where more was freed.
  int64_t net_bytes;
} HeapTotals;

/// Counts frees and net bytes from now on, to the end of the process, and restarts the highest live heap. Allocations
/// and frees take some nanoseconds longer from then on. Returns false if allocations are not counted, or the sizes of
/// blocks are not known: totals are then meaningless, and must be shown as unavailable.
bool allocation_counter_track_heap(void);

/// Totals of the calling thread.
HeapTotals allocation_counter_heap_this_thread(void);

/// Totals of all threads of the process, including those that have ended.
HeapTotals allocation_counter_heap_all_threads(void);

/// The most that all threads together held at once since `allocation_counter_track_heap` was last called, less what
/// they held then, bytes.
int64_t allocation_counter_highest_heap_bytes(void);
