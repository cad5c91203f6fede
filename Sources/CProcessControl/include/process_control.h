#pragma once

#include <stdbool.h>
#include <stddef.h>

// Requests of a process to Linux about itself that Swift cannot make: macros and variadic functions.

/// Highest number of cores that is told apart.
enum { process_control_maximum_core_count = 4096 };

/// Number of cores that the calling thread may run on, and their numbers, ascending, into `cores` (room for
/// `capacity`). -1 if the system does not tell.
int process_control_allowed_cores(int *cores, int capacity);

/// Pins the calling thread, and all threads that it starts from now on, to one core.
bool process_control_pin(int core);

/// Asks for a SIGKILL when the thread that started this process ends. False if this is not supported or the
/// parent was gone before (`parent` is its process id).
bool process_control_die_with_parent(int parent);

// Sets whether programs that the calling thread starts from now on have a random address space layout, as
// by default, or all the same. False if the system does not allow the change, as in containers with
// Docker's default profile.
bool process_control_randomize_layout(bool random);

// Copies the beginning of a file into a nameless file in memory, which ends with its last user and is
// closed when another program starts. -1 if there is no room for it, or the file is shorter.
int process_control_memory_copy(const char *path, size_t length);

/// Swaps the names of two files or folders atomically. Returns 0, or the error number.
int process_control_exchange(const char *one, const char *other);

/// Asks for a priority of this process, and of its session if it leads one; -20 is the highest. Without
/// permission, nothing changes.
void process_control_raise_priority(int nice);
