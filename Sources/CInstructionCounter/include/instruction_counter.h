#pragma once

#include <stdbool.h>
#include <stdint.h>

// Two ways to count instructions that a program has executed.
//
// Callgrind, a tool of valgrind, counts everything itself, and is told at which points the count is of
// interest, by instructions that do nothing anywhere else (documented in valgrind.h, which is rarely
// installed). On other architectures than x86-64 these functions do nothing.
//
// The processor's own counter, through Linux' perf_event_open.

/// Whether this process runs under valgrind.
bool instruction_counter_is_under_valgrind(void);

/// Callgrind starts to count; to be used with `--instr-atstart=no`.
void instruction_counter_start(void);

/// Callgrind forgets what it has counted so far.
void instruction_counter_discard(void);

/// Callgrind begins to attribute what it counts to functions, or ends; to be used with `--collect-atstart=no`.
void instruction_counter_toggle_collection(void);

/// Callgrind appends what it has counted so far to its file, under this name, and starts from zero.
/// The name must not have a line feed.
void instruction_counter_write(const char *name);

/// Opens the processor's counter of this thread's instructions outside the kernel, running. Returns a file
/// descriptor, or the negated error number: -ENOENT if the machine has no such counter, -EACCES or -EPERM
/// if it may not be read, -ENOSYS if the system has no such call.
int instruction_counter_open(void);

/// Instructions since it was opened. False if the counter was not running all that time, because others use it too.
bool instruction_counter_read(int descriptor, uint64_t *count);

void instruction_counter_close(int descriptor);
