#define _GNU_SOURCE
#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// At first, `next_allocator` contains functions that look up the real allocator: the first call of any of them replaces
// all of them. After that, forwarding needs no check. The first call comes before the process has a second thread,
// because starting a thread allocates. It usually comes before this program's constructors, because libraries'
// constructors run first and allocate.

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

/// Returns a zeroed block of `early_memory`, which is never reused. Null if `early_memory` is full.
static void *early_block(size_t alignment, size_t size) {
  if (alignment < early_alignment) alignment = early_alignment;
  uintptr_t base = (uintptr_t)early_memory;
  size_t start = ((base + early_used + alignment - 1) & ~(alignment - 1)) - base;
  if (start >= early_capacity || size >= early_capacity - start) {
    errno = ENOMEM;
    return NULL;
  }
  // A block has at least one byte, so that blocks of size 0 have different addresses.
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
  // The size of the block is not stored. So bytes after the block may be copied too, but none after `early_memory`.
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
  // During the look-up only early blocks exist, so there is nothing to free.
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

#endif
