#pragma once

#include "allocation_counter.h"

// The sanitizers bring an allocator of their own, which must stay in place.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SPRINGBENCH_SYSTEM_ALLOCATOR 1
#endif

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <stdalign.h>
#include <stdatomic.h>

/// Marks functions that replace those of the same name in all libraries.
#define INTERPOSED __attribute__((visibility("default"), used))

#pragma GCC visibility push(hidden)

// MARK: - The allocator behind the counter

/// The allocator that would have served this process without the counter: jemalloc, or what was preloaded before it.
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

/// Looks the next allocator up, unless an allocation has done so already.
void forwarding_start(void);

/// Whether a block was served while the next allocator was being looked up: it is part of the program's
/// own static memory, and no allocator may see it.
bool is_early_block(const void *block);

/// Copies an early block into one of the next allocator.
void *move_early_block(const void *block, size_t size);

// MARK: - Counters

/// Totals that one thread at a time adds to and every thread may read: a cache line of its own, so that
/// threads which allocate at once do not slow each other down.
///
/// The line goes on counting when it passes to another thread; nothing is moved or set back, so a sum
/// over all lines that is taken meanwhile neither misses an allocation nor sees it twice.
typedef struct {
  alignas(64) _Atomic uint64_t count;
  _Atomic uint64_t bytes;
  /// The line's totals when its present thread took it.
  AllocationTotals inherited;
  _Atomic bool is_taken;
} CounterLine;

_Static_assert(sizeof(CounterLine) == 64, "a counter line fills one cache line");

typedef enum {
  counter_thread_is_new,
  /// Allocations are the counter's own bookkeeping, and not counted.
  counter_thread_is_taking_a_line,
  /// The pool was empty, or the thread is ending and has given its line back.
  counter_thread_shares_a_line,
} CounterThreadState;

typedef struct {
  /// Null before the first allocation, and if the thread shares a line.
  CounterLine *line;
  /// Counts of this thread while it had no line of its own.
  AllocationTotals outside_line;
  CounterThreadState state;
} CounterThread;

// Initial-exec: an access never calls __tls_get_addr, which would allocate.
extern _Thread_local CounterThread counter_thread __attribute__((tls_model("initial-exec")));

/// Arranges that threads give their lines back when they end.
void counters_start(void);

/// Counts an allocation of a thread without a line of its own, and takes a line if the thread is new.
__attribute__((cold)) void count_allocation_outside_line(uint64_t bytes);

#pragma GCC visibility pop

/// Adds to a total that no other thread writes: a plain addition, without the cost of a locked one.
static inline void counter_add(_Atomic uint64_t *total, uint64_t value) {
  atomic_store_explicit(
      total, atomic_load_explicit(total, memory_order_relaxed) + value, memory_order_relaxed);
}

/// Counts one allocation of the calling thread.
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
