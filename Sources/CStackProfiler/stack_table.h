#pragma once

#include "stack_profiler.h"

enum { stack_capacity = 200, stack_limit = 1 << 16 };

/// One stack, the innermost function first.
typedef struct {
  uintptr_t addresses[stack_capacity];
  uint32_t depth;
  bool is_incomplete;
} UnwoundStack;

/// Adds one stack without allocating. Any thread may call this function. A signal handler may call it only if its
/// thread adds stacks nowhere else, because the function takes a lock.
__attribute__((visibility("hidden"))) void stack_table_add(
    const UnwoundStack *stack, int32_t phase, uint32_t frame, uint64_t bytes, bool is_other_thread);

/// Unwinds the calling thread.
/// - from: The first address to record: the address that the signal interrupted. 0 means to begin with the caller of
///   the function that calls `stack_unwind`.
/// - base: The address at which the recorded part of the stack ends. 0 means the end of the stack.
__attribute__((visibility("hidden"), noinline)) void stack_unwind(
    UnwoundStack *stack, uintptr_t from, uintptr_t base);
