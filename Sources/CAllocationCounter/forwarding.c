#define _GNU_SOURCE
#include "counting.h"

#if COUNTS_ALLOCATIONS

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The first call of any function looks all of them up; from then on the table holds the addresses, and
// forwarding costs no check. That first call happens before the process has a second thread, since
// starting one allocates, and mostly before any constructor: those of libraries run first, and allocate.

static void *first_malloc(size_t size);
static void *first_calloc(size_t count, size_t size);
static void *first_realloc(void *block, size_t size);
static void first_free(void *block);
static int first_posix_memalign(void **block, size_t alignment, size_t size);
static void *first_aligned_alloc(size_t alignment, size_t size);

AllocatorFunctions next_allocator = {
    .malloc = first_malloc,
    .calloc = first_calloc,
    .realloc = first_realloc,
    .free = first_free,
    .posix_memalign = first_posix_memalign,
    .aligned_alloc = first_aligned_alloc,
    .memalign = first_aligned_alloc,
};

static bool is_looking_up;

static void *next_symbol(const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (symbol == NULL) {
    static const char message[] = "allocation counter: no allocator to forward to\n";
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    abort();
  }
  return symbol;
}

void forwarding_start(void) {
  if (next_allocator.malloc != first_malloc) return;
  int saved_errno = errno;
  is_looking_up = true;
  AllocatorFunctions found = {
      .malloc = next_symbol("malloc"),
      .calloc = next_symbol("calloc"),
      .realloc = next_symbol("realloc"),
      .free = next_symbol("free"),
      .posix_memalign = next_symbol("posix_memalign"),
      .aligned_alloc = next_symbol("aligned_alloc"),
      .memalign = next_symbol("memalign"),
  };
  next_allocator = found;
  is_looking_up = false;
  errno = saved_errno;
}

// MARK: - Early blocks: allocations of dlsym itself

enum { early_capacity = 16 * 1024, early_alignment = 16 };
static alignas(early_alignment) unsigned char early_memory[early_capacity];
static size_t early_used;

bool is_early_block(const void *block) {
  return (uintptr_t)block - (uintptr_t)early_memory < early_capacity;
}

/// Returns a zeroed block that is never served twice.
static void *early_block(size_t alignment, size_t size) {
  if (alignment < early_alignment) alignment = early_alignment;
  uintptr_t base = (uintptr_t)early_memory;
  size_t start = ((base + early_used + alignment - 1) & ~(alignment - 1)) - base;
  if (start >= early_capacity || size >= early_capacity - start) {
    errno = ENOMEM;
    return NULL;
  }
  // At least one byte, so that blocks of no size differ.
  early_used = start + (size == 0 ? 1 : size);
  return early_memory + start;
}

void *move_early_block(const void *block, size_t size) {
  void *copy = next_allocator.malloc(size);
  if (copy == NULL) return NULL;
  // The block's own size is not kept: the memory that follows it is readable to the end of the pool.
  size_t readable = (size_t)(early_memory + early_capacity - (const unsigned char *)block);
  memcpy(copy, block, size < readable ? size : readable);
  return copy;
}

// MARK: - The first call

static void *first_malloc(size_t size) {
  if (is_looking_up) return early_block(early_alignment, size);
  forwarding_start();
  return next_allocator.malloc(size);
}

static void *first_calloc(size_t count, size_t size) {
  if (is_looking_up) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
    return early_block(early_alignment, bytes);
  }
  forwarding_start();
  return next_allocator.calloc(count, size);
}

static void *first_realloc(void *block, size_t size) {
  if (is_looking_up) return block == NULL ? early_block(early_alignment, size) : NULL;
  forwarding_start();
  return next_allocator.realloc(block, size);
}

static void first_free(void *block) {
  // A block that is freed during the look-up and is not an early one cannot exist.
  if (is_looking_up) return;
  forwarding_start();
  next_allocator.free(block);
}

static int first_posix_memalign(void **block, size_t alignment, size_t size) {
  if (is_looking_up) {
    void *early = early_block(alignment, size);
    if (early == NULL) return ENOMEM;
    *block = early;
    return 0;
  }
  forwarding_start();
  return next_allocator.posix_memalign(block, alignment, size);
}

static void *first_aligned_alloc(size_t alignment, size_t size) {
  if (is_looking_up) return early_block(alignment, size);
  forwarding_start();
  return next_allocator.memalign(alignment, size);
}

// MARK: - Observing

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

#endif
