#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Requests of a process to Linux that Swift cannot make, about itself and about programs that it starts: macros,
// variadic functions, and what has to happen between `clone` and `execve`. Also the format of programs, which Swift
// does not import.

/// The highest number of cores that can be told apart.
enum { process_control_maximum_core_count = 4096 };

/// Number of cores that the calling thread may run on; up to `capacity` of their numbers, ascending, go into `cores`.
/// -1 if the system does not say.
int process_control_allowed_cores(int *cores, int capacity);

/// Pins the calling thread, and all threads that it starts from now on, to one core.
bool process_control_pin(int core);

/// Pins all threads of this process, and all that they start from now on, to some cores that they then share.
bool process_control_pin_process(const int *cores, int count);

/// Lets a process run on all cores that the caller may run on.
bool process_control_share_cores(int process);

/// Whether the system lets programs have the same address space layout every time. Containers with Docker's default
/// profile do not.
bool process_control_may_fix_layout(void);

/// A new nameless file in memory, which is closed when another program starts. -1 if the system has none.
int process_control_memory_file(bool is_executable);

/// Copies the beginning of a file into a nameless file in a folder. If the folder takes none, the copy may be in memory
/// instead, if that is allowed. Open for reading only; -1 if there is no room for it, or the file is shorter.
int process_control_private_copy(const char *path, const char *folder, bool may_be_elsewhere, size_t length);

/// Swaps the names of two files or folders atomically. Returns 0, or the error number.
int process_control_exchange(const char *one, const char *other);

/// Asks for a priority of this process, and of its session if it leads one; -20 is the highest. Without
/// permission, nothing changes.
void process_control_raise_priority(int nice);

/// A pipe, reading end first, of which neither end is inherited.
bool process_control_pipe(int ends[2]);

/// Makes sure that no other file gets a number below 3.
void process_control_open_standard_descriptors(void);

enum { process_control_descriptor_count = 4 };

/// A program to start in a session of its own. It ends with the thread that starts it, and has every signal's usual
/// effect, and no open files but those that are listed.
struct process_control_program {
  const char *path;
  /// Both end with NULL.
  char *const *arguments;
  char *const *environment;
  /// The folder to run in; NULL: the folder of this process.
  const char *folder;
  /// Its stdin, stdout, stderr, and one more; from the first negative one on there are none.
  int descriptors[process_control_descriptor_count];
  /// The sandbox that `process_control_wall` returned; -1: none.
  int wall;
  /// Seconds after which the program is ended; 0: never.
  unsigned seconds;
  /// Whether the program's address space has the same layout every time.
  bool is_alike;
  /// Whether the calling thread traces it, from its first instruction on.
  bool is_traced;
  /// Whether the program ignores SIGINT and SIGTERM.
  bool ignores_interruptions;
};

/// Returns the process id, or the error number, negative.
int process_control_start(const struct process_control_program *program);

/// A descriptor that becomes readable when a process ends; -1 if the system has none.
int process_control_watch(int process);

/// Ends all processes that have this text in their environment. Returns how many there were.
int process_control_end_marked(const char *mark);

/// From now on, whatever ends this process also ends all processes that have this text in their environment.
void process_control_guard(const char *mark);

/// From now on SIGQUIT ends this process, unless whoever started it ignores that. Swift's runtime would write where all
/// threads are, and go on.
void process_control_quit_ends(void);

/// Keeps only some variables in the environment, and erases the others from memory, where `/proc` would show them.
void process_control_forget_variables(bool (*is_kept)(const char *name, size_t length));

enum process_control_resource { process_control_files, process_control_stack, process_control_addresses };

/// Raises a limit of this process to `wanted`, or as far as it may, if the limit is lower. Returns the resulting limit.
uint64_t process_control_raise_limit(enum process_control_resource resource, uint64_t wanted);

/// Whether this many more threads, up to 64, can run at once.
bool process_control_can_start_threads(int count);

enum process_control_access { process_control_reading, process_control_writing, process_control_moving };

/// Makes a sandbox (Landlock) for programs that are started with it: they can read neither memory nor variables of
/// processes outside it. -1 if the system has no Landlock.
///
/// `is_closed`: They also reach no files except those that `process_control_wall_allow` lists.
int process_control_wall(bool is_closed);

/// Lets files at and below a path be read and executed, or also written. False if there is nothing there.
/// A symbolic link is not followed.
bool process_control_wall_allow(int wall, const char *path, enum process_control_access access);

enum { process_control_unknown = -1, process_control_entered = -2, process_control_other_program = -3 };

/// Follows a traced program (ptrace) until it reaches one of some places in its code, at each of which a breakpoint is
/// set, or ends. Then it ends the program.
///
/// `entry`: `e_entry` of the program's file. `addresses`: `count` places in the file. Returns
/// `process_control_entered`, `process_control_other_program` if it or a child of it starts a program, the program's
/// status from `waitpid`, or `process_control_unknown` if the system does not allow it. The calling thread must have no
/// other children.
int process_control_follow(int process, uint64_t entry, const uint64_t *addresses, size_t count);

/// The descriptors on which this program of benchmarks reads springbench's requests and writes its answers. They were
/// its stdin and stdout; from its first instruction on, stdin is empty and stdout goes to stderr. False if there are
/// none.
bool process_control_take_protocol(int *questions, int *answers);
