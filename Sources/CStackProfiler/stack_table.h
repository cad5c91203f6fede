#pragma once

#include "stack_profiler.h"

enum { stack_capacity = 200, stack_limit = 1 << 16 };

/// One stack as it was unwound.
typedef struct {
  uintptr_t addresses[stack_capacity];
  uint32_t depth;
  bool is_incomplete;
} UnwoundStack;

/// Adds one stack, without allocating and in constant time. Any thread may call it, and so may the signal handler of a
/// thread that adds nothing otherwise.
__attribute__((visibility("hidden"))) void stack_table_add(
    const UnwoundStack *stack, int32_t phase, uint32_t frame, uint64_t bytes, bool is_other_thread);

/// Unwinds the calling thread.
/// - from: The first address to keep, as a signal found it; 0: the caller of the function that calls this.
/// - base: Where the stack of interest ends; 0: at its end.
__attribute__((visibility("hidden"), noinline)) void stack_unwind(
    UnwoundStack *stack, uintptr_t from, uintptr_t base);
