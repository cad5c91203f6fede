#pragma once

#include "configuration.h"

#if COUNTS_ALLOCATIONS

#include <stdbool.h>
#include <stddef.h>

/// The allocator that would have served this process without the counter: jemalloc, or what was
/// preloaded before it.
typedef struct {
  void *(*malloc)(size_t size);
  void *(*calloc)(size_t count, size_t size);
  void *(*realloc)(void *block, size_t size);
  void (*free)(void *block);
  int (*posix_memalign)(void **block, size_t alignment, size_t size);
  void *(*aligned_alloc)(size_t alignment, size_t size);
  void *(*memalign)(size_t alignment, size_t size);
} AllocatorFunctions;

extern AllocatorFunctions next_allocator __attribute__((visibility("hidden")));

/// Looks the next allocator up, unless an allocation has done so already.
__attribute__((visibility("hidden"))) void forwarding_start(void);

/// Whether a block was served while the next allocator was being looked up: it is part of the program's
/// own static memory, and no allocator may see it.
__attribute__((visibility("hidden"))) bool is_early_block(const void *block);

/// Copies an early block into one of the next allocator.
__attribute__((visibility("hidden"))) void *move_early_block(const void *block, size_t size);

#endif
