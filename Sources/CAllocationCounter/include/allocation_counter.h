#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Heap allocations made since a thread, or the process, began.
///
/// `count` is the number of calls that returned new memory: malloc, calloc, aligned_alloc and their kin,
/// C++ `new`, and a realloc that is given a size. `bytes` is the sum of the sizes asked for.
typedef struct {
  uint64_t count;
  uint64_t bytes;
} AllocationTotals;

/// Whether allocations of this process are really counted: a canary allocated at start was seen.
///
/// False under valgrind's memory tools, under the sanitizers and wherever another allocator was loaded
/// first. Totals are then meaningless, and must be shown as unavailable.
bool allocation_counter_is_active(void);

/// Totals of the calling thread. Costs about a nanosecond.
AllocationTotals allocation_counter_this_thread(void);

/// Totals of all threads of the process, those that have ended included.
AllocationTotals allocation_counter_all_threads(void);

/// Bytes now allocated on the heap according to the allocator; 0 where it cannot tell.
size_t allocation_counter_live_heap_bytes(void);

/// Name and version of the allocator that serves this process: `jemalloc 5.3.0`, or `system`.
const char *allocation_counter_allocator_name(void);
