#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process_control.h"

enum { number_of_pidfd_open = 434, number_of_close_range = 436, number_of_create_ruleset = 444,
       number_of_add_rule = 445, number_of_restrict_self = 446, number_of_cap_perfmon = 38,
       number_of_io_uring_setup = 425, number_of_openat2 = 437, number_of_fchmodat2 = 452 };

struct start {
  const struct process_control_program *program;
  pid_t parent;
  int problem;
};

/// Removes a capability from this process and from all processes that it starts. With CAP_SYS_ADMIN or CAP_PERFMON,
/// root could read the environment variables of other processes without Landlock being consulted.
static void give_up(unsigned capability) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  // A container or a sandbox may have made the capability inheritable and ambient, so that it would survive `execve`.
  if (syscall(SYS_capget, &header, sets) != 0) return;
  sets[capability / 32].inheritable &= ~(1U << capability % 32);
  syscall(SYS_capset, &header, sets);
}

/// Makes some system calls fail in this process and in all that it starts. Neither version 2 of Landlock nor bubblewrap
/// prevents these calls:
/// - setting the bits for setuid and setgid, with which a program would keep this user's rights outside of the sandbox
/// - emptying files that cannot be opened for writing
/// - using the keys in this user's keyrings
/// - opening sockets that belong to no network namespace, such as those to the host of a virtual machine
static bool restrict_calls(void) {
#ifdef __x86_64__
  const uint32_t architecture = AUDIT_ARCH_X86_64;
#else
  const uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif
  enum { load = BPF_LD | BPF_W | BPF_ABS, mask = BPF_ALU | BPF_AND | BPF_K, is = BPF_JMP | BPF_JEQ | BPF_K,
         is_at_least = BPF_JMP | BPF_JGE | BPF_K, has = BPF_JMP | BPF_JSET | BPF_K, give = BPF_RET | BPF_K,
         set_id = S_ISUID | S_ISGID, creating = O_CREAT | (O_TMPFILE & ~O_DIRECTORY) };
#define LOAD(member) BPF_STMT(load, offsetof(struct seccomp_data, member))
#define REFUSE(error) BPF_STMT(give, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(give, SECCOMP_RET_ALLOW)
#define REFUSE_CALL(call, error) BPF_JUMP(is, call, 0, 1), REFUSE(error)
// Refuses a call whose argument `mode` has a bit for setuid or setgid.
#define CHECK_MODE(call, mode) \
  BPF_JUMP(is, call, 0, 4), LOAD(args[mode]), BPF_JUMP(has, set_id, 0, 1), REFUSE(EPERM), ALLOW
// Refuses a call that creates a file with a bit for setuid or setgid, or that empties a file without opening it for
// writing (access mode 0 or 3). The argument after `flags` is the mode, which is undefined if no file is created.
#define CHECK_OPENING(call, flags)                                                                                   \
  BPF_JUMP(is, call, 0, 10), LOAD(args[flags]), BPF_JUMP(has, creating, 0, 2), LOAD(args[flags + 1]),                \
      BPF_JUMP(has, set_id, 4, 0), LOAD(args[flags]), BPF_STMT(mask, O_TRUNC | O_ACCMODE),                           \
      BPF_JUMP(is, O_TRUNC, 1, 0), BPF_JUMP(is, O_TRUNC | O_ACCMODE, 0, 1), REFUSE(EACCES), ALLOW
  struct sock_filter filter[] = {
      // Refuses everything in programs for 32 bits and for x32, whose calls have other numbers.
      LOAD(arch), BPF_JUMP(is, architecture, 1, 0), REFUSE(ENOSYS), LOAD(nr),
      BPF_JUMP(is_at_least, 0x40000000, 0, 1), REFUSE(ENOSYS),
      // A filter cannot see how io_uring and `openat2` open files, so both are refused.
      REFUSE_CALL(number_of_io_uring_setup, ENOSYS), REFUSE_CALL(number_of_openat2, ENOSYS),
      REFUSE_CALL(SYS_add_key, ENOSYS), REFUSE_CALL(SYS_request_key, ENOSYS), REFUSE_CALL(SYS_keyctl, ENOSYS),
      REFUSE_CALL(SYS_truncate, EACCES), BPF_JUMP(is, SYS_socket, 0, 7), LOAD(args[0]), BPF_JUMP(is, AF_UNIX, 4, 0),
      BPF_JUMP(is, AF_INET, 3, 0), BPF_JUMP(is, AF_INET6, 2, 0), BPF_JUMP(is, AF_NETLINK, 1, 0),
      REFUSE(EAFNOSUPPORT), ALLOW,
#ifdef SYS_open
      CHECK_MODE(SYS_chmod, 1), CHECK_MODE(SYS_creat, 1), CHECK_MODE(SYS_mknod, 1), CHECK_OPENING(SYS_open, 1),
#endif
      CHECK_MODE(SYS_fchmod, 1), CHECK_MODE(SYS_fchmodat, 2), CHECK_MODE(number_of_fchmodat2, 2),
      CHECK_MODE(SYS_mknodat, 2), CHECK_OPENING(SYS_openat, 2), ALLOW};
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// Closes all files from the descriptor `first` on, now or when another program is executed. Without the system call
/// for this (Linux before 5.9, and some containers), closes each file that `/proc/self/fd` lists.
static void close_from(int first, bool is_at_exec) {
  const unsigned closes_when_executing = 4;
  if (syscall(number_of_close_range, first, ~0U, is_at_exec ? closes_when_executing : 0) == 0) return;
  DIR *files = opendir("/proc/self/fd");
  if (files == NULL) return;
  for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
    int number = atoi(entry->d_name);
    if (!isdigit((unsigned char)entry->d_name[0]) || number < first || number == dirfd(files)) continue;
    if (is_at_exec) fcntl(number, F_SETFD, FD_CLOEXEC);
    else close(number);
  }
  closedir(files);
}

/// Runs in the new process, which shares the memory of its parent until it executes the program.
static int begin(void *context) {
  struct start *start = context;
  const struct process_control_program *program = start->program;
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != start->parent) _exit(127);
  setsid();
  // Resets the actions of all signals, because the parent of this process may ignore some signals. The system call is
  // direct, because the C library refuses to change the signals that it uses itself.
  const char default_action[64] = {0};
  for (int number = 1; number < NSIG; ++number) syscall(SYS_rt_sigaction, number, default_action, NULL, 8);
  if (program->ignores_interruptions) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
  }
  int count = 0;
  for (; count < process_control_descriptor_count && program->descriptors[count] >= 0; ++count) {
    if (program->descriptors[count] == count) fcntl(count, F_SETFD, 0);
    else if (dup2(program->descriptors[count], count) < 0) goto problem;
  }
  // This also closes files that a library opened without close-on-exec.
  close_from(count, true);
  if (program->is_alike) {
    int now = personality(0xffffffff);
    if (now != -1) personality((unsigned long)now | ADDR_NO_RANDOMIZE);
  }
  if (program->folder != NULL && chdir(program->folder) != 0) goto problem;
  if (program->is_foreign) {
    give_up(CAP_SYS_ADMIN);
    give_up(number_of_cap_perfmon);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (program->wall >= 0 && syscall(number_of_restrict_self, program->wall, 0) != 0) goto problem;
    if (program->is_sandboxed && !restrict_calls()) goto problem;
  }
  if (program->is_traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) goto problem;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // A program that was just written may still be open in a process that another thread is about to execute.
  for (int attempt = 0; attempt < 100; ++attempt) {
    execve(program->path, program->arguments, program->environment);
    if (errno != ETXTBSY) break;
    usleep(10000);
    errno = ETXTBSY;
  }
problem:
  start->problem = errno;
  _exit(127);
}

int process_control_start(const struct process_control_program *program) {
  _Alignas(16) char stack[64 * 1024];
  struct start start = {program, getpid(), 0};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // This is like `vfork`, but with a separate stack: no page of this process is copied, however large it is.
  pid_t process = clone(begin, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
  int problem = process < 0 ? errno : start.problem;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (process > 0 && problem != 0) waitpid(process, NULL, 0);
  return problem == 0 ? process : -problem;
}

int process_control_watch(int process) { return (int)syscall(number_of_pidfd_open, process, 0); }

bool process_control_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

int process_control_end(const char *file_name, const char *text) {
  int count = 0;
  const size_t size = strlen(text);
  DIR *processes = opendir("/proc");
  if (processes == NULL) return 0;
  for (struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    char path[300], content[1 << 17];
    snprintf(path, sizeof path, "/proc/%.20s/%s", entry->d_name, file_name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    size_t length = 0;
    bool is_found = false;
    for (ssize_t more; !is_found && (more = read(file, content + length, sizeof content - length)) > 0;) {
      length += (size_t)more;
      is_found = memmem(content, length, text, size) != NULL;
      // Keeps the end, because the text may begin in it and continue in what is read next.
      size_t kept = length < size ? length : size;
      memmove(content, content + length - kept, kept);
      length = kept;
    }
    close(file);
    if (is_found) count += kill(atoi(entry->d_name), SIGKILL) == 0;
  }
  closedir(processes);
  return count;
}

bool process_control_guard(const char *mark) {
  int ends[2], status = 0;
  if (!process_control_pipe(ends)) return false;
  pid_t process = fork();
  if (process == 0) {
    // This is a grandchild, so no process has to wait for it. In its own session, no signal of a terminal reaches it.
    pid_t guard = fork();
    if (guard != 0) _exit(guard < 0);
    setsid();
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    dup2(ends[0], 0);
    close_from(1, false);
    char byte;
    while (read(0, &byte, 1) < 0 && errno == EINTR) {
    }
    for (int round = 0; round < 200 && process_control_end("environ", mark) > 0; ++round) usleep(5000);
    _exit(0);
  }
  close(ends[0]);
  // If there is a guard, `ends[1]` stays open until this process ends, for whatever reason. Then the grandchild's `read`
  // returns.
  if (process > 0 && waitpid(process, &status, 0) == process && status == 0) return true;
  close(ends[1]);
  return false;
}

void process_control_quit_ends(void) {
  struct sigaction now;
  if (sigaction(SIGQUIT, NULL, &now) == 0 && now.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
}

void process_control_forget_variables(bool (*is_kept)(const char *name, size_t length)) {
  size_t count = 0, next = 0;
  while (environ[count] != NULL) ++count;
  char **kept = calloc(count + 1, sizeof *kept);
  if (kept == NULL) return;
  for (size_t index = 0; index < count; ++index) {
    char *variable = environ[index];
    if (is_kept(variable, strcspn(variable, "=")) && (kept[next] = strdup(variable)) != NULL) ++next;
    explicit_bzero(variable, strlen(variable));
  }
  environ = kept;
}

uint64_t process_control_raise_limit(enum process_control_resource resource, uint64_t wanted) {
  static const int resources[] = {RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_AS, RLIMIT_CPU};
  struct rlimit limit;
  if (getrlimit(resources[resource], &limit) != 0) return wanted;
  if (limit.rlim_cur < wanted) {
    struct rlimit higher = {wanted < limit.rlim_max ? wanted : limit.rlim_max, limit.rlim_max};
    if (setrlimit(resources[resource], &higher) == 0) limit = higher;
  }
  if (resource == process_control_stack && limit.rlim_cur >= wanted) {
    // Without this, the stacks of new threads would have the size that was the limit when this process began.
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, wanted);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  return limit.rlim_cur;
}

static void *wait_for(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

bool process_control_can_start_threads(int count) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[64];
  int started = 0;
  pthread_mutex_lock(&gate);
  while (started < count && started < 64 && pthread_create(&threads[started], NULL, wait_for, &gate) == 0) ++started;
  pthread_mutex_unlock(&gate);
  for (int index = 0; index < started; ++index) pthread_join(threads[index], NULL);
  return started == (count < 64 ? count : 64);
}

void process_control_open_standard_descriptors(void) {
  int file;
  while ((file = open("/dev/null", O_RDWR)) >= 0 && file < 3) {
  }
  if (file >= 3) close(file);
}

// Constants of Landlock. They are copied from the kernel's `linux/landlock.h`, because older systems lack this header.

enum {
  executes = 1, writes = 1 << 1, reads = 1 << 2, lists = 1 << 3, makes_block_devices = 1 << 11, moves = 1 << 13
};

static int version(void) { return (int)syscall(number_of_create_ruleset, NULL, 0, 1); }

// All rights of Landlock's version 2 except listing folders. Version 3 adds truncating, which `restrict_calls` forbids.
static const uint64_t known_rights = ((moves << 1) - 1) & ~lists;

int process_control_wall(bool is_closed) {
  // In version 1 of Landlock, sandboxed programs can never move a file to another folder. In later versions they can,
  // if the ruleset handles the right to move, and a rule grants this right.
  if (version() < 2) return process_control_no_wall;
  // `scopes` denies signals to processes outside, from version 6 on. Earlier versions accept the longer structure if its
  // new fields are 0.
  struct {
    uint64_t handled, network, scopes;
  } rules = {is_closed ? known_rights : moves | makes_block_devices, 0, is_closed && version() >= 6 ? 1 << 1 : 0};
  int wall = (int)syscall(number_of_create_ruleset, &rules, sizeof rules, 0);
  if (wall >= 0 && !is_closed) process_control_wall_allow(wall, "/", process_control_moving);
  return wall >= 0 ? wall : -errno;
}

bool process_control_wall_allow(int wall, const char *path, enum process_control_access access) {
  struct __attribute__((packed)) {
    uint64_t allowed;
    int32_t place;
  } rule = {0, open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC)};
  if (rule.place < 0) return false;
  struct stat status;
  rule.allowed = access == process_control_moving    ? moves
                 : access == process_control_reading ? reads | executes
                                                     : known_rights;
  if (fstat(rule.place, &status) != 0 || !S_ISDIR(status.st_mode)) {
    rule.allowed &= reads | executes | writes;
  }
  bool is_allowed = syscall(number_of_add_rule, wall, 1, &rule, 0) == 0;
  close(rule.place);
  return is_allowed;
}
