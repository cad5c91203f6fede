#define _GNU_SOURCE
#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The first call of any function looks all of them up; from then on the table holds the addresses, and
// forwarding costs no check. That first call happens before the process has a second thread, since
// starting one allocates, and mostly before any constructor: those of libraries run first, and allocate.

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

static void *early_product(size_t count, size_t size) {
  size_t bytes;
  return early_block(early_alignment, __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
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

#define FIRST_CALL(name, parameters, arguments, early) \
  static void *first_##name parameters {               \
    if (is_looking_up) return early;                   \
    forwarding_start();                                \
    return next_allocator.name arguments;              \
  }

FIRST_CALL(malloc, (size_t size), (size), early_block(early_alignment, size))
FIRST_CALL(calloc, (size_t count, size_t size), (count, size), early_product(count, size))
FIRST_CALL(realloc, (void *block, size_t size), (block, size), block == NULL ? first_malloc(size) : NULL)
FIRST_CALL(memalign, (size_t alignment, size_t size), (alignment, size), early_block(alignment, size))

static void first_free(void *block) {
  // A block that is freed during the look-up and is not an early one cannot exist.
  if (is_looking_up) return;
  forwarding_start();
  next_allocator.free(block);
}

static int first_posix_memalign(void **block, size_t alignment, size_t size) {
  if (is_looking_up) {
    *block = early_block(alignment, size);
    return *block == NULL ? ENOMEM : 0;
  }
  forwarding_start();
  return next_allocator.posix_memalign(block, alignment, size);
}

AllocatorFunctions next_allocator = {
    .malloc = first_malloc,
    .calloc = first_calloc,
    .realloc = first_realloc,
    .free = first_free,
    .posix_memalign = first_posix_memalign,
    .aligned_alloc = first_memalign,
    .memalign = first_memalign,
};

void forwarding_start(void) {
  if (next_allocator.malloc != first_malloc) return;
  int saved_errno = errno;
  is_looking_up = true;
  next_allocator = (AllocatorFunctions){
      .malloc = next_symbol("malloc"),
      .calloc = next_symbol("calloc"),
      .realloc = next_symbol("realloc"),
      .free = next_symbol("free"),
      .posix_memalign = next_symbol("posix_memalign"),
      .aligned_alloc = next_symbol("aligned_alloc"),
      .memalign = next_symbol("memalign"),
  };
  is_looking_up = false;
  errno = saved_errno;
}

// MARK: - Observing

// The observer stands between the counter and the next allocator, so that the way without one stays as short as it was.

static void (*_Atomic observer)(uint64_t bytes);
static AllocatorFunctions plain;

static void *observed(void *block, uint64_t bytes) {
  void (*current)(uint64_t) = atomic_load_explicit(&observer, memory_order_acquire);
  if (block != NULL && current != NULL) current(bytes);
  return block;
}

#define OBSERVED(name, parameters, arguments, bytes) \
  static void *observed_##name parameters { return observed(plain.name arguments, bytes); }

OBSERVED(malloc, (size_t size), (size), size)
OBSERVED(calloc, (size_t count, size_t size), (count, size), count * size)
OBSERVED(realloc, (void *block, size_t size), (block, size), size)
OBSERVED(aligned_alloc, (size_t alignment, size_t size), (alignment, size), size)
OBSERVED(memalign, (size_t alignment, size_t size), (alignment, size), size)

static int observed_posix_memalign(void **block, size_t alignment, size_t size) {
  int error = plain.posix_memalign(block, alignment, size);
  if (error == 0) observed(*block, size);
  return error;
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
