#pragma once

#include <stdbool.h>
#include <stdint.h>

// Two ways to count the instructions that a program has executed.
//
// Callgrind, a tool of valgrind, counts all instructions. The program sends requests to callgrind by executing
// sequences of instructions that have no effect without valgrind. The sequences are documented in valgrind.h, which is
// rarely installed. On architectures other than x86-64, no requests are sent.
//
// The other way is the processor's own counter. It is read through Linux's perf_event_open.

bool instruction_counter_is_under_valgrind(void);

/// Tells callgrind to start counting. For use with `--instr-atstart=no`.
void instruction_counter_start(void);

/// Tells callgrind to discard the counts so far.
void instruction_counter_discard(void);

/// Tells callgrind to begin, or to stop, attributing counts to functions. For use with `--collect-atstart=no`.
void instruction_counter_toggle_collection(void);

/// Tells callgrind to append the counts so far to its file under a name, and to start again from zero. The name must
/// not contain a line feed.
void instruction_counter_write(const char *name);

/// Opens and starts the processor's counter of the instructions that this thread executes outside the kernel. Returns a
/// file descriptor, or the negated error number: -ENOENT if the machine has no such counter, -EACCES or -EPERM if it
/// may not be read, -ENOSYS if the system has no such call.
int instruction_counter_open(void);

/// Reads the number of instructions since the counter was opened. Returns false if reading fails, or if the counter was
/// not running all the time because other programs use it.
bool instruction_counter_read(int descriptor, uint64_t *count);

void instruction_counter_close(int descriptor);
