#define _GNU_SOURCE
#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <dlfcn.h>

// While an observer is registered or the heap is tracked, `next_allocator` contains functions of this file. At other
// times it contains the allocator's own functions, so that allocations are not slowed down.

static void (*_Atomic observer)(uint64_t bytes);
/// The calls of `allocation_counter_track_heap` minus those of `allocation_counter_stop_tracking_heap`.
static _Atomic size_t tracker_count;
static AllocatorFunctions plain;
static size_t (*usable_size)(void *block);

/// The heap totals of this thread. The totals of all threads, below, need atomic additions. These slow down only the
/// pass that tracks the heap.
static _Thread_local HeapTotals thread_heap __attribute__((tls_model("initial-exec")));
static _Atomic uint64_t free_count, freed_bytes;
static _Atomic int64_t net_bytes, highest_net_bytes;
/// The value of `net_bytes` at the last reset of `highest_net_bytes`.
static _Atomic int64_t highest_start;

static bool tracks_heap(void) { return atomic_load_explicit(&tracker_count, memory_order_relaxed) > 0; }

static void *gained(void *block, uint64_t requested) {
  if (block == NULL) return NULL;
  if (tracks_heap()) {
    int64_t bytes = (int64_t)usable_size(block);
    thread_heap.net_bytes += bytes;
    int64_t now = atomic_fetch_add(&net_bytes, bytes) + bytes;
    int64_t highest = atomic_load(&highest_net_bytes);
    while (now > highest && !atomic_compare_exchange_weak(&highest_net_bytes, &highest, now)) {
    }
  }
  void (*current)(uint64_t) = atomic_load_explicit(&observer, memory_order_acquire);
  if (current != NULL) current(requested);
  return block;
}

static void lost(size_t bytes) {
  thread_heap.free_count += 1;
  thread_heap.freed_bytes += bytes;
  thread_heap.net_bytes -= (int64_t)bytes;
  atomic_fetch_add(&free_count, 1);
  atomic_fetch_add(&freed_bytes, bytes);
  atomic_fetch_sub(&net_bytes, (int64_t)bytes);
}

/// Returns the size of a block; 0 for a null pointer, and if the heap is not tracked.
static size_t tracked_size(void *block) {
  return block != NULL && tracks_heap() ? usable_size(block) : 0;
}

#define OBSERVED(name, parameters, arguments, bytes) \
  static void *observed_##name parameters { return gained(plain.name arguments, bytes); }

OBSERVED(malloc, (size_t size), (size), size)
OBSERVED(calloc, (size_t count, size_t size), (count, size), count * size)
OBSERVED(aligned_alloc, (size_t alignment, size_t size), (alignment, size), size)
OBSERVED(memalign, (size_t alignment, size_t size), (alignment, size), size)

static int observed_posix_memalign(void **block, size_t alignment, size_t size) {
  int error = plain.posix_memalign(block, alignment, size);
  if (error == 0) gained(*block, size);
  return error;
}

/// Observes a free and an allocation even if the block grows in place, because the counter also counts an allocation in
/// this case. While a block moves, both places are in use, so the free comes last.
static void *observed_realloc(void *block, size_t size) {
  size_t before = tracked_size(block);
  uintptr_t place = (uintptr_t)block;
  void *result = plain.realloc(block, size);
  // A size of 0 frees the block and returns null. A block that could not grow is not freed.
  bool is_freed = before > 0 && (result != NULL || size == 0);
  bool moves = (uintptr_t)result != place;
  if (is_freed && !moves) lost(before);
  gained(result, size);
  if (is_freed && moves) lost(before);
  return result;
}

static void observed_free(void *block) {
  size_t bytes = tracked_size(block);
  if (bytes > 0) lost(bytes);
  plain.free(block);
}

static void put_in_place(void) {
  AllocatorFunctions next = plain;
  bool tracks = tracks_heap();
  if (tracks || atomic_load(&observer) != NULL) {
    next.malloc = observed_malloc;
    next.calloc = observed_calloc;
    next.realloc = observed_realloc;
    next.posix_memalign = observed_posix_memalign;
    next.aligned_alloc = observed_aligned_alloc;
    next.memalign = observed_memalign;
  }
  if (tracks) next.free = observed_free;
  next_allocator = next;
}

bool allocation_counter_observe(void (*new_observer)(uint64_t bytes)) {
  if (!allocation_counter_is_active()) return false;
  if (plain.malloc == NULL) plain = next_allocator;
  atomic_store_explicit(&observer, new_observer, memory_order_release);
  put_in_place();
  return true;
}

/// Whether the allocator that serves blocks also reports their sizes. If a preloaded allocator does not define
/// malloc_usable_size, the function that is found belongs to another allocator.
static bool finds_usable_size(void) {
  if (usable_size != NULL) return true;
  size_t (*found)(void *) = dlsym(RTLD_NEXT, "malloc_usable_size");
  Dl_info of_sizes, of_blocks;
  if (found == NULL || dladdr((void *)found, &of_sizes) == 0) return false;
  if (dladdr((void *)plain.malloc, &of_blocks) == 0 || of_sizes.dli_fbase != of_blocks.dli_fbase) return false;
  usable_size = found;
  return true;
}

bool allocation_counter_track_heap(void) {
  if (!allocation_counter_is_active()) return false;
  if (plain.malloc == NULL) plain = next_allocator;
  if (!finds_usable_size()) return false;
  int64_t now = atomic_load(&net_bytes);
  atomic_store(&highest_start, now);
  atomic_store(&highest_net_bytes, now);
  if (atomic_fetch_add(&tracker_count, 1) == 0) put_in_place();
  return true;
}

void allocation_counter_stop_tracking_heap(void) {
  if (atomic_fetch_sub(&tracker_count, 1) == 1) put_in_place();
}

HeapTotals allocation_counter_heap_this_thread(void) { return thread_heap; }

HeapTotals allocation_counter_heap_all_threads(void) {
  return (HeapTotals){atomic_load(&free_count), atomic_load(&freed_bytes), atomic_load(&net_bytes)};
}

int64_t allocation_counter_highest_heap_bytes(void) {
  return atomic_load(&highest_net_bytes) - atomic_load(&highest_start);
}

#endif
