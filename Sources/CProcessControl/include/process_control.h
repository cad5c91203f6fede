#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Requests to Linux about this process and about programs that it starts. Swift cannot make these requests, because
// they need macros, variadic functions, or code between `clone` and `execve`. The header also includes the ELF format
// of programs, which Swift does not import.

enum { process_control_maximum_core_count = 4096 };

/// Returns the number of cores on which the calling thread may run, or -1 if the system does not report it. Stores the
/// numbers of up to `capacity` of these cores in `cores`, in ascending order.
int process_control_allowed_cores(int *cores, int capacity);

/// Pins the calling thread, and all threads that it starts later, to the `count` cores.
bool process_control_pin(const int *cores, int count);

/// Pins all threads of this process, and all threads that they start later, to the `count` cores. All these threads
/// share the cores.
bool process_control_pin_process(const int *cores, int count);

/// Lets a process run on all cores on which the caller may run.
bool process_control_share_cores(int process);

/// Whether the system allows a program to have the same address space layout in every run. Containers with Docker's
/// default profile do not allow it.
bool process_control_may_fix_layout(void);

/// Creates a nameless file in memory, which is closed when another program is executed. Returns -1 if the system does
/// not support it.
int process_control_memory_file(bool is_executable);

/// Frees the memory of the first `length` bytes of a file in memory. The file keeps its length.
void process_control_free_start(int file, long long length);

/// Copies the first `length` bytes of a file into a nameless file in a folder. If the folder does not support such
/// files and `may_be_elsewhere` is true, the copy is in memory instead. Returns a descriptor that is open for reading
/// only, or -1 if there is not enough space, or if the file is shorter.
int process_control_private_copy(const char *path, const char *folder, bool may_be_elsewhere, size_t length);

/// Returns a checksum of a file's contents: FNV-1a of its words of eight bytes, then of the remaining bytes, then of
/// the eight bytes of `length`. It is not secure: two files with the same checksum can be made on purpose.
uint64_t process_control_checksum(const void *bytes, size_t length);

/// Swaps the names of two files or folders atomically. Returns 0, or the error number.
int process_control_exchange(const char *one, const char *other);

/// Removes a file, or a folder with everything in it. Does nothing if the path does not exist. If the path is a symbolic
/// link, or the folder contains one, the link is removed and never followed, even if another process puts it there at
/// the same time. Returns 0, or the error number.
int process_control_remove(const char *path);

/// Returns the number of file descriptors that this process has open, or -1 if the system does not show them. Allocates
/// nothing.
int process_control_open_file_count(void);

/// Returns how many nanoseconds of CPU time child processes have used so far: those that ended and were waited for, and
/// those that still exist, with their own children. Allocates nothing.
long long process_control_child_nanoseconds(void);

/// Changes the priority of this process and of the session to which it belongs. -20 is the highest priority. Without
/// permission, nothing changes.
void process_control_raise_priority(int nice);

/// Creates a pipe whose ends are not inherited by programs that this process starts. The reading end comes first.
bool process_control_pipe(int ends[2]);

/// Opens the descriptors 0 to 2 if they are closed, so that no other file gets these numbers.
void process_control_open_standard_descriptors(void);

enum { process_control_descriptor_count = 4 };

/// A program to start in a session of its own. It is killed when the thread that started it ends. All signals have
/// their default action in it, and only the files in `descriptors` are open.
struct process_control_program {
  const char *path;
  /// Arguments and environment; both arrays end with NULL.
  char *const *arguments;
  char *const *environment;
  /// The working directory. NULL means the working directory of this process.
  const char *folder;
  /// The program's stdin, stdout, stderr, and one more descriptor. A negative number ends the list.
  int descriptors[process_control_descriptor_count];
  /// Whether the program is untrusted: it can gain no rights, and loses those with which root could read other
  /// processes.
  bool is_foreign;
  /// The sandbox of an untrusted program, as returned by `process_control_wall`; a negative number means none.
  int wall;
  /// Whether an untrusted program is refused the system calls that its sandbox does not cover: it can neither make
  /// files setuid or setgid nor empty files that it cannot open for writing. It cannot use `truncate`, `openat2`,
  /// io_uring, keyrings, 32-bit programs, or sockets other than those of Unix, IP and netlink.
  bool is_sandboxed;
  /// Whether the program's address space has the same layout in every run.
  bool is_alike;
  /// Whether the calling thread traces the program from its first instruction on.
  bool is_traced;
  /// Whether the program ignores SIGINT, SIGTERM and SIGHUP.
  bool ignores_interruptions;
};

/// Starts the program. Returns the process id, or the negated error number.
int process_control_start(const struct process_control_program *program);

/// Returns a descriptor that becomes readable when a process ends; -1 if the system does not support it.
int process_control_watch(int process);

/// Kills all processes whose file in `/proc`, such as `environ`, contains the text. Returns the number of killed
/// processes.
int process_control_end(const char *file_name, const char *text);

/// Ensures that when this process ends, for whatever reason, all processes whose environment contains the text `mark`
/// are killed. Returns false if the process or the pipe for this cannot be created.
bool process_control_guard(const char *mark);

/// Makes SIGQUIT end this process, unless its parent made it ignore the signal. Without this call, Swift's runtime
/// would print the stacks of all threads at SIGQUIT, and continue.
void process_control_quit_ends(void);

/// Removes from the environment all variables for which `is_kept` returns false. Also erases them from memory, because
/// `/proc` would still show them.
void process_control_forget_variables(bool (*is_kept)(const char *name, size_t length));

enum process_control_resource {
  process_control_files,
  process_control_stack,
  process_control_addresses,
  process_control_cpu_seconds
};

/// Raises a limit of this process to `wanted`, or as far as is permitted. Never lowers the limit. Returns the resulting
/// limit.
uint64_t process_control_raise_limit(enum process_control_resource resource, uint64_t wanted);

/// Whether this process can start `count` more threads that run at the same time. At most 64 threads are tried.
bool process_control_can_start_threads(int count);

enum process_control_access { process_control_reading, process_control_writing, process_control_moving };

enum { process_control_no_wall = -0x10000 };

/// Creates a sandbox (Landlock). Programs that are started in it can read neither the memory nor the variables of
/// processes outside it. Returns `process_control_no_wall` if the system has no Landlock of version 2 or later, or does
/// not let this process use it; and the negated error number if only this sandbox cannot be created.
///
/// `is_closed`: Whether the programs can use only the files that `process_control_wall_allow` allows. If false, they
/// can use all files.
int process_control_wall(bool is_closed);

/// Allows files at and below a path to be read and executed (`process_control_reading`), also to be changed
/// (`process_control_writing`), or only to be moved to other folders (`process_control_moving`). Returns false if there
/// is no such file. A symbolic link is not followed.
bool process_control_wall_allow(int wall, const char *path, enum process_control_access access);

enum { process_control_unknown = -1, process_control_entered = -2, process_control_other_program = -3 };

/// Sets breakpoints at `addresses` and follows a traced program (ptrace) until it ends or reaches a breakpoint. Then
/// kills the program and everything that it started.
///
/// `entry`: `e_entry` of the program's file. `addresses`: `count` addresses of code in that file. Returns
/// `process_control_entered` at a breakpoint; `process_control_other_program` if the program or a child of it executes
/// another program; the program's status from `waitpid` if it ends; and `process_control_unknown` if the system does
/// not allow tracing. The calling thread must not have started other processes that still run, because this function
/// waits for all processes that the thread started.
int process_control_follow(int process, uint64_t entry, const uint64_t *addresses, size_t count);

/// Stores the descriptor from which this program reads springbench's requests, and the one to which it writes its
/// answers. They are the program's original stdin and stdout. Its present stdin is empty, and its present stdout goes
/// to stderr. Returns false if the program was not started as `describe`, `preflight` or `worker`.
bool process_control_take_protocol(int *questions, int *answers);
