#define _GNU_SOURCE
#include "counting.h"

#if COUNTS_ALLOCATIONS

#include <dlfcn.h>
#include <stdlib.h>

// C++ new and delete under the names that the Itanium ABI gives them. jemalloc has operators of its own
// that call no malloc, and would go uncounted; libstdc++'s call malloc, and would be counted twice if
// these forwarded to them. So these allocate and count by themselves.

#define INTERPOSED __attribute__((visibility("default"), used))

typedef void (*NewHandler)(void);

/// A function of whichever C++ runtime the process has loaded; C++ code that calls new has one.
static void *cxx_runtime_function(const char *name) {
  void *function = dlsym(RTLD_DEFAULT, name);
  if (function == NULL) abort();
  return function;
}

/// Calls the new handler, which frees memory or throws, as the standard demands if memory is short. Returns
/// false if there is none.
static bool call_new_handler(void) {
  NewHandler (*get_new_handler)(void) = cxx_runtime_function("_ZSt15get_new_handlerv");
  NewHandler handler = get_new_handler();
  if (handler == NULL) return false;
  handler();
  return true;
}

/// An alignment of 0 means malloc's. Returns null if memory is short and no handler is set.
static void *allocate(size_t size, size_t alignment) {
  for (;;) {
    void *block =
        alignment == 0 ? next_allocator.malloc(size) : next_allocator.memalign(alignment, size);
    if (__builtin_expect(block != NULL, 1)) {
      count_allocation(size);
      return block;
    }
    if (!call_new_handler()) return NULL;
  }
}

static void *allocate_or_throw(size_t size, size_t alignment) {
  void *block = allocate(size, alignment);
  if (__builtin_expect(block == NULL, 0)) {
    void (*throw_bad_alloc)(void) = cxx_runtime_function("_ZSt17__throw_bad_allocv");
    throw_bad_alloc();
  }
  return block;
}

// The nothrow tag is passed by reference and never looked at.
typedef const void *NothrowTag;

INTERPOSED void *_Znwm(size_t size) { return allocate_or_throw(size, 0); }
INTERPOSED void *_Znam(size_t size) { return allocate_or_throw(size, 0); }
INTERPOSED void *_ZnwmSt11align_val_t(size_t size, size_t alignment) {
  return allocate_or_throw(size, alignment);
}
INTERPOSED void *_ZnamSt11align_val_t(size_t size, size_t alignment) {
  return allocate_or_throw(size, alignment);
}

INTERPOSED void *_ZnwmRKSt9nothrow_t(size_t size, NothrowTag tag) { return allocate(size, 0); }
INTERPOSED void *_ZnamRKSt9nothrow_t(size_t size, NothrowTag tag) { return allocate(size, 0); }
INTERPOSED void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, NothrowTag tag) {
  return allocate(size, alignment);
}
INTERPOSED void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, NothrowTag tag) {
  return allocate(size, alignment);
}

// Sizes and alignments of delete are hints that free does without. `free` is this module's, which knows
// the early blocks.

INTERPOSED void _ZdlPv(void *block) { free(block); }
INTERPOSED void _ZdaPv(void *block) { free(block); }
INTERPOSED void _ZdlPvm(void *block, size_t size) { free(block); }
INTERPOSED void _ZdaPvm(void *block, size_t size) { free(block); }
INTERPOSED void _ZdlPvSt11align_val_t(void *block, size_t alignment) { free(block); }
INTERPOSED void _ZdaPvSt11align_val_t(void *block, size_t alignment) { free(block); }
INTERPOSED void _ZdlPvmSt11align_val_t(void *block, size_t size, size_t alignment) { free(block); }
INTERPOSED void _ZdaPvmSt11align_val_t(void *block, size_t size, size_t alignment) { free(block); }
INTERPOSED void _ZdlPvRKSt9nothrow_t(void *block, NothrowTag tag) { free(block); }
INTERPOSED void _ZdaPvRKSt9nothrow_t(void *block, NothrowTag tag) { free(block); }
INTERPOSED void _ZdlPvSt11align_val_tRKSt9nothrow_t(void *block, size_t alignment, NothrowTag tag) {
  free(block);
}
INTERPOSED void _ZdaPvSt11align_val_tRKSt9nothrow_t(void *block, size_t alignment, NothrowTag tag) {
  free(block);
}

#endif
