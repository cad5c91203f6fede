#define _GNU_SOURCE
#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <dlfcn.h>
#include <stdlib.h>

// C++ new and delete, under the names that the Itanium ABI gives them. They cannot forward to the operators of another
// library: libstdc++'s operators call malloc, which counts the allocation, but jemalloc's operators do not call malloc.
// So the operators here allocate and count by themselves.

typedef void (*NewHandler)(void);

/// Finds a function of the C++ runtime that the process has loaded. Code that calls new always has a C++ runtime.
static void *cxx_runtime_function(const char *name) {
  void *function = dlsym(RTLD_DEFAULT, name);
  if (function == NULL) abort();
  return function;
}

/// Calls the handler that C++ programs can set for failed allocations, as the standard requires. The handler frees
/// memory or throws. Returns false if there is no handler.
static bool call_new_handler(void) {
  NewHandler (*get_new_handler)(void) = cxx_runtime_function("_ZSt15get_new_handlerv");
  NewHandler handler = get_new_handler();
  if (handler == NULL) return false;
  handler();
  return true;
}

/// Allocates a block and counts it. An alignment of 0 means the alignment of malloc. Returns null if memory is short
/// and the program has set no handler for that.
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

// The nothrow tag is passed by reference and never read.
typedef const void *NothrowTag;

// Defines an operator and its variant for arrays.
#define NEW(suffix, parameters, block)                         \
  INTERPOSED void *_Znw##suffix parameters { return block; }   \
  INTERPOSED void *_Zna##suffix parameters { return block; }

// `free` does not need the sizes and alignments that delete receives. It is this module's own function, which also
// recognizes blocks that were allocated before the real allocator was found.
#define DELETE(suffix, parameters)                             \
  INTERPOSED void _Zdl##suffix parameters { free(block); }     \
  INTERPOSED void _Zda##suffix parameters { free(block); }

NEW(m, (size_t size), allocate_or_throw(size, 0))
NEW(mSt11align_val_t, (size_t size, size_t alignment), allocate_or_throw(size, alignment))
NEW(mRKSt9nothrow_t, (size_t size, NothrowTag tag), allocate(size, 0))
NEW(mSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, NothrowTag tag), allocate(size, alignment))

DELETE(Pv, (void *block))
DELETE(Pvm, (void *block, size_t size))
DELETE(PvSt11align_val_t, (void *block, size_t alignment))
DELETE(PvmSt11align_val_t, (void *block, size_t size, size_t alignment))
DELETE(PvRKSt9nothrow_t, (void *block, NothrowTag tag))
DELETE(PvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, NothrowTag tag))

#endif
