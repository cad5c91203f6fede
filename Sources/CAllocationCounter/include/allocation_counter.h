#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Heap allocations of a thread, or of the process, since its start.
///
/// `count` is the number of calls that returned new memory: malloc, calloc, aligned_alloc and similar functions, C++
/// `new`, and realloc with a size above 0, whether or not the block moved. `bytes` is the sum of the requested sizes.
/// Neither `count` nor `bytes` ever decreases.
typedef struct {
  uint64_t count;
  uint64_t bytes;
} AllocationTotals;

/// Whether allocations of this process are really counted. At the start, a shared library makes one allocation as a
/// test, and the counter must count it exactly once.
///
/// Allocations are not counted under valgrind's memory tools (callgrind is not one), under heap profilers with an
/// allocator of their own, under the sanitizers, and if the package was built for the system's allocator. Totals are
/// then meaningless, and must be shown as unavailable.
bool allocation_counter_is_active(void);

/// Totals of the calling thread since it began. A call takes about a nanosecond.
AllocationTotals allocation_counter_this_thread(void);

/// Totals of all threads of the process, including those that have ended. Any thread may call this at any time without
/// blocking others. Allocations that other threads make meanwhile may or may not be included. A call takes a few
/// nanoseconds times the largest number of threads that were ever alive at the same time.
AllocationTotals allocation_counter_all_threads(void);

/// Bytes that are allocated on the heap now, rounded up to the allocator's size classes; 0 if they are unknown. Do not
/// call this inside timed code: a call takes microseconds and empties the allocation cache of the calling thread, so
/// the thread's next allocations are slower.
size_t allocation_counter_live_heap_bytes(void);

/// Name and version of the allocator that serves this process: `jemalloc 5.3.0`, or `system`.
const char *allocation_counter_allocator_name(void);

/// Registers an observer. It is called for every counted allocation, on the thread that allocates, with the number of
/// requested bytes. Null removes the observer. Without an observer, allocations are not slowed down. Allocations by the
/// observer itself are also counted and observed. Returns false if allocations are not counted.
bool allocation_counter_observe(void (*observer)(uint64_t bytes));

/// Changes of the heap by a thread, or by the process, while the heap was tracked. Sizes are rounded up to the
/// allocator's size classes. Unlike `allocation_counter_live_heap_bytes` these totals are exact: they do not include
/// blocks that the allocator keeps for reuse.
typedef struct {
  /// The number of blocks freed. A realloc frees its old block. Allocations minus frees are the blocks that remain.
  uint64_t free_count;
  uint64_t freed_bytes;
  /// Bytes allocated minus bytes freed. Negative if more was freed than allocated.
  int64_t net_bytes;
} HeapTotals;

/// Counts frees and net bytes from now on, and restarts `allocation_counter_highest_heap_bytes` at 0. Allocations and
/// frees then take some nanoseconds longer. Returns false if allocations are not counted, or if the sizes of blocks are
/// unknown. In that case heap totals are meaningless, and must be shown as unavailable.
bool allocation_counter_track_heap(void);

/// Ends one call of `allocation_counter_track_heap` that returned true. After the last one, allocations and frees are
/// no longer slowed down, and the totals stay as they are.
void allocation_counter_stop_tracking_heap(void);

/// Heap totals of the calling thread.
HeapTotals allocation_counter_heap_this_thread(void);

/// Heap totals of all threads of the process, including those that have ended.
HeapTotals allocation_counter_heap_all_threads(void);

/// The largest size of the heap since the last call of `allocation_counter_track_heap`, minus the size of the heap at
/// that call, in bytes, all threads together.
int64_t allocation_counter_highest_heap_bytes(void);
