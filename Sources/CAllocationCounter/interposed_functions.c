#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <errno.h>
#include <unistd.h>

// The functions in this file are strong definitions in the program itself, so the dynamic linker resolves the malloc of
// every library to them. No header of the allocator is included here, because such a header declares these functions
// with attributes of its own. The allocator that is called next decides which sizes and alignments are refused, and
// with which errno. Calls that return no new memory are not counted.
//
// reallocarray, strdup, getline and similar functions are not defined here, because the C library's versions of them
// call the functions of this file.

static inline void *counted(void *block, size_t size) {
  if (__builtin_expect(block != NULL, 1)) count_allocation(size);
  return block;
}

INTERPOSED void *malloc(size_t size) {
  return counted(next_allocator.malloc(size), size);
}

INTERPOSED void *calloc(size_t count, size_t size) {
  // If the product overflows, calloc has failed, and nothing is counted.
  return counted(next_allocator.calloc(count, size), count * size);
}

/// Counts a successful call as one allocation of the whole new size, even if the block grows in place. Otherwise the
/// count would depend on whether the memory after the block happens to be free.
INTERPOSED void *realloc(void *block, size_t size) {
  if (__builtin_expect(is_early_block(block), 0)) return counted(move_early_block(block, size), size);
  // For a size of 0, glibc and jemalloc by default free the block and return null, so nothing is counted.
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

// The next allocator may lack valloc and pvalloc, so memalign serves them. The C library's versions would return memory
// from its own heap, which the next allocator cannot free.

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
