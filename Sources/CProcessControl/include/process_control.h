#pragma once

#include <stdbool.h>
#include <stddef.h>

// What a process asks of Linux about itself, and Swift cannot: macros and variadic functions.
// Elsewhere the functions say that it is not to be had.

/// Highest number of cores that is told apart.
enum { process_control_maximum_core_count = 4096 };

/// Number of cores that the calling thread may run on, and their numbers, ascending, into `cores`
/// (room for `capacity`). -1 where the system does not tell.
int process_control_allowed_cores(int *cores, int capacity);

/// Pins the calling thread, and all threads that it starts from now on, to one core.
bool process_control_pin(int core);

/// Asks for a SIGKILL when the thread that started this process ends. False where that is not to be had
/// or the parent was gone before (`parent` is its process id).
bool process_control_die_with_parent(int parent);

// Whether programs that the calling thread starts from now on have their address space laid out at
// random, as is the rule, or each alike. False where the system does not allow the change, as in
// containers with Docker's default profile.
bool process_control_randomize_layout(bool random);

// The beginning of a file as a file without a name that lies in memory, which ends with its last user; closed when
// another program starts. -1 where there is no room for it, or the file is shorter.
int process_control_memory_copy(const char *path, size_t length);

/// Has two files or folders change names, at once. 0, or the number of the error.
int process_control_exchange(const char *one, const char *other);

/// Asks for a priority of this process, and of its session where it leads one; -20 is the highest. What is
/// not permitted stays as it is.
void process_control_raise_priority(int nice);
