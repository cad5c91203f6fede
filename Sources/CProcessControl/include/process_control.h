#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Requests of a process to Linux about itself that Swift cannot make: macros and variadic functions. Also the format of
// programs, which Swift does not import.

/// Highest number of cores that is told apart.
enum { process_control_maximum_core_count = 4096 };

/// Number of cores that the calling thread may run on; up to `capacity` of their numbers, ascending, go into `cores`.
/// -1 if the system does not tell.
int process_control_allowed_cores(int *cores, int capacity);

/// Pins the calling thread, and all threads that it starts from now on, to one core.
bool process_control_pin(int core);

/// Pins all threads of this process, and all that they start from now on, to some cores that they then share.
bool process_control_pin_process(const int *cores, int count);

/// Lets a process run on all cores that the caller may run on.
bool process_control_share_cores(int process);

/// Asks for a SIGKILL when the thread that started this process ends. False if this is not supported or the
/// parent was gone before (`parent` is its process id).
bool process_control_die_with_parent(int parent);

/// Sets whether programs that the calling thread starts have a random address space layout, as by default, or all the
/// same. False if the system does not allow the change, as in containers with Docker's default profile.
bool process_control_randomize_layout(bool random);

/// A new nameless file in memory, which is closed when another program starts. -1 if there is none to be had.
int process_control_memory_file(void);

/// Copies the beginning of a file into such a file. -1 if there is no room for it, or the file is shorter.
int process_control_memory_copy(const char *path, size_t length);

/// Swaps the names of two files or folders atomically. Returns 0, or the error number.
int process_control_exchange(const char *one, const char *other);

/// Asks for a priority of this process, and of its session if it leads one; -20 is the highest. Without
/// permission, nothing changes.
void process_control_raise_priority(int nice);

/// A program to start in a session of its own.
struct process_control_program {
  const char *path;
  /// Both end with NULL.
  char *const *arguments;
  char *const *environment;
  /// Become its stdin, stdout and stderr.
  int descriptors[3];
  /// After which it is ended.
  unsigned seconds;
};

enum { process_control_unknown = -1, process_control_entered = -2, process_control_other_program = -3 };

/// Runs a program until it comes to one of some places in its code, by a breakpoint at each (ptrace), or ends.
///
/// `entry`: `e_entry` of the program's file. `addresses`: `count` places in the file. Returns `process_control_entered`,
/// `process_control_other_program` if it or a child of it starts a program, the program's status from `waitpid`, or
/// `process_control_unknown` if the system does not allow it. The calling thread must have no other children.
int process_control_follow(const struct process_control_program *program, uint64_t entry, const uint64_t *addresses,
                           size_t count);
