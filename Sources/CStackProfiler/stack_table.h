#pragma once

#include "stack_profiler.h"

enum { stack_capacity = 200, stack_limit = 1 << 16 };

/// One stack, leaf first.
typedef struct {
  uintptr_t addresses[stack_capacity];
  uint32_t depth;
  bool is_incomplete;
} UnwoundStack;

/// Adds one stack without allocating. Any thread may call it, and so may the signal handler of a thread that adds
/// stacks nowhere else.
__attribute__((visibility("hidden"))) void stack_table_add(
    const UnwoundStack *stack, int32_t phase, uint32_t frame, uint64_t bytes, bool is_other_thread);

/// Unwinds the calling thread.
/// - from: The first address to keep, as the signal handler found it. 0 means the caller of the function that calls
///   this one.
/// - base: The end of the part of the stack that is of interest. 0 means the end of the stack.
__attribute__((visibility("hidden"), noinline)) void stack_unwind(
    UnwoundStack *stack, uintptr_t from, uintptr_t base);
