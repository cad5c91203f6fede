#include "allocation_counter.h"
#include "configuration.h"

#if COUNTS_ALLOCATIONS

#include <stdatomic.h>

#include "forwarding.h"

// The observer stands between the counter and the next allocator, so that the way without one stays as
// short as it was.

static void (*_Atomic observer)(uint64_t bytes);
static AllocatorFunctions plain;

static void *observed(void *block, uint64_t bytes) {
  void (*current)(uint64_t) = atomic_load_explicit(&observer, memory_order_acquire);
  if (block != NULL && current != NULL) current(bytes);
  return block;
}

static void *observed_malloc(size_t size) { return observed(plain.malloc(size), size); }
static void *observed_calloc(size_t count, size_t size) {
  return observed(plain.calloc(count, size), count * size);
}
static void *observed_realloc(void *block, size_t size) {
  return observed(plain.realloc(block, size), size);
}
static int observed_posix_memalign(void **block, size_t alignment, size_t size) {
  int error = plain.posix_memalign(block, alignment, size);
  if (error == 0) observed(*block, size);
  return error;
}
static void *observed_aligned_alloc(size_t alignment, size_t size) {
  return observed(plain.aligned_alloc(alignment, size), size);
}
static void *observed_memalign(size_t alignment, size_t size) {
  return observed(plain.memalign(alignment, size), size);
}

bool allocation_counter_observe(void (*new_observer)(uint64_t bytes)) {
  if (!allocation_counter_is_active()) return false;
  if (plain.malloc == NULL) plain = next_allocator;
  atomic_store_explicit(&observer, new_observer, memory_order_release);
  AllocatorFunctions next = plain;
  if (new_observer != NULL) {
    next.malloc = observed_malloc;
    next.calloc = observed_calloc;
    next.realloc = observed_realloc;
    next.posix_memalign = observed_posix_memalign;
    next.aligned_alloc = observed_aligned_alloc;
    next.memalign = observed_memalign;
  }
  next_allocator = next;
  return true;
}

#else

bool allocation_counter_observe(void (*observer)(uint64_t bytes)) { return false; }

#endif
