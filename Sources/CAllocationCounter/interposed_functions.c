#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <errno.h>
#include <unistd.h>

// Strong definitions in the program itself: the dynamic linker resolves every library's malloc to them.
// The allocator declares these with attributes of its own, so no header of it is included here; which
// sizes and alignments are refused, and with what errno, is its business: only new memory is counted.
//
// Not defined, since the C library's own call those above: reallocarray, strdup, getline and their like.

static inline void *counted(void *block, size_t size) {
  if (__builtin_expect(block != NULL, 1)) count_allocation(size);
  return block;
}

INTERPOSED void *malloc(size_t size) {
  return counted(next_allocator.malloc(size), size);
}

INTERPOSED void *calloc(size_t count, size_t size) {
  // A product that overflows was refused, and is not counted.
  return counted(next_allocator.calloc(count, size), count * size);
}

/// Counts as one allocation of the whole new size, even if the block grows in place: growing costs as much
/// when it cannot, and the count must not depend on what lies behind the block.
INTERPOSED void *realloc(void *block, size_t size) {
  if (__builtin_expect(is_early_block(block), 0)) return counted(move_early_block(block, size), size);
  // A size of 0 frees the block and returns null, unless the allocator is told otherwise.
  return counted(next_allocator.realloc(block, size), size);
}

INTERPOSED void free(void *block) {
  if (__builtin_expect(is_early_block(block), 0)) return;
  next_allocator.free(block);
}

INTERPOSED int posix_memalign(void **block, size_t alignment, size_t size) {
  int error = next_allocator.posix_memalign(block, alignment, size);
  if (__builtin_expect(error == 0, 1)) count_allocation(size);
  return error;
}

INTERPOSED void *aligned_alloc(size_t alignment, size_t size) {
  return counted(next_allocator.aligned_alloc(alignment, size), size);
}

INTERPOSED void *memalign(size_t alignment, size_t size) {
  return counted(next_allocator.memalign(alignment, size), size);
}

// The next allocator may lack these two functions. The C library's would then hand out memory of its own heap, which
// the next allocator cannot free.

INTERPOSED void *valloc(size_t size) {
  return counted(next_allocator.memalign((size_t)sysconf(_SC_PAGESIZE), size), size);
}

INTERPOSED void *pvalloc(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t rounded;
  if (__builtin_add_overflow(size, page - 1, &rounded)) {
    errno = ENOMEM;
    return NULL;
  }
  rounded &= ~(page - 1);
  return counted(next_allocator.memalign(page, rounded), size);
}

#endif
