#pragma once

#include "allocation_counter.h"

// The sanitizers have their own allocator, which must not be replaced.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SPRINGBENCH_SYSTEM_ALLOCATOR 1
#endif

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <stdalign.h>
#include <stdatomic.h>

/// Marks functions that replace the functions of the same name in all libraries.
#define INTERPOSED __attribute__((visibility("default"), used))

#pragma GCC visibility push(hidden)

// MARK: - The allocator behind the counter

/// The allocator that would serve this process without the counter: jemalloc, or one that was preloaded before it.
typedef struct {
  void *(*malloc)(size_t size);
  void *(*calloc)(size_t count, size_t size);
  void *(*realloc)(void *block, size_t size);
  void (*free)(void *block);
  int (*posix_memalign)(void **block, size_t alignment, size_t size);
  void *(*aligned_alloc)(size_t alignment, size_t size);
  void *(*memalign)(size_t alignment, size_t size);
} AllocatorFunctions;

extern AllocatorFunctions next_allocator;

/// Fills in `next_allocator`, unless an earlier allocation has already done so.
void forwarding_start(void);

/// Whether a block was allocated during the look-up of the next allocator. Such a block is part of the program's own
/// static memory, so it must not be passed to an allocator.
bool is_early_block(const void *block);

/// Copies an early block (see `is_early_block`) into a block of the next allocator.
void *move_early_block(const void *block, size_t size);

// MARK: - Counters

/// Totals to which one thread at a time adds, and which every thread may read. A `CounterLine` fills a whole cache
/// line, so that threads that allocate at the same time do not slow each other down.
///
/// The totals keep growing when the line passes to another thread. Nothing is moved or reset. So a sum over all lines
/// neither misses an allocation nor counts it twice, even if a line passes to another thread meanwhile.
typedef struct {
  alignas(64) _Atomic uint64_t count;
  _Atomic uint64_t bytes;
  /// The line's totals at the moment its current thread took over the line.
  AllocationTotals inherited;
  _Atomic bool is_taken;
} CounterLine;

_Static_assert(sizeof(CounterLine) == 64, "a counter line fills one cache line");

typedef enum {
  counter_thread_is_new,
  /// The thread is taking a line. Meanwhile the counter itself may allocate. Such allocations are not counted.
  counter_thread_is_taking_a_line,
  /// The thread has tried to take a line. It uses the shared line if it has none, because every line was taken, or
  /// because the thread is ending and has returned its line.
  counter_thread_shares_a_line,
} CounterThreadState;

typedef struct {
  /// The thread's own line. Null before its first allocation, and if it uses the shared line.
  CounterLine *line;
  /// Allocations of this thread that `line` does not count: those in the shared line, and those in a line that the
  /// thread has returned.
  AllocationTotals outside_line;
  CounterThreadState state;
} CounterThread;

// With the initial-exec model, an access never calls __tls_get_addr, which would allocate.
extern _Thread_local CounterThread counter_thread __attribute__((tls_model("initial-exec")));

/// Ensures that each thread returns its `CounterLine` when it ends.
void counters_start(void);

/// Counts an allocation of a thread without its own `CounterLine`. Takes a line for the thread if this is its first
/// allocation.
__attribute__((cold)) void count_allocation_outside_line(uint64_t bytes);

#pragma GCC visibility pop

/// Adds to a total to which no other thread adds. So a plain addition suffices, which is faster than an atomic one.
static inline void counter_add(_Atomic uint64_t *total, uint64_t value) {
  atomic_store_explicit(
      total, atomic_load_explicit(total, memory_order_relaxed) + value, memory_order_relaxed);
}

static inline void count_allocation(uint64_t bytes) {
  CounterLine *line = counter_thread.line;
  if (__builtin_expect(line == NULL, 0)) {
    count_allocation_outside_line(bytes);
    return;
  }
  counter_add(&line->count, 1);
  counter_add(&line->bytes, bytes);
}

#endif
