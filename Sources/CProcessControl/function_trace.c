#define _GNU_SOURCE
#include "process_control.h"

#ifdef __x86_64__

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { breakpoint = 0xcc };

/// Finds the difference between the addresses of the loaded program and the addresses in its file.
static bool load_offset(pid_t process, uint64_t entry, uint64_t *offset) {
  char path[32];
  uint64_t pair[2] = {AT_NULL};
  snprintf(path, sizeof path, "/proc/%d/auxv", (int)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  while (pair[0] != AT_ENTRY && read(file, pair, sizeof pair) == (ssize_t)sizeof pair) {
  }
  close(file);
  *offset = pair[1] - entry;
  return pair[0] == AT_ENTRY;
}

static bool set_breakpoint(pid_t process, uint64_t address) {
  uint64_t start = address & ~(uint64_t)7;
  errno = 0;
  long word = ptrace(PTRACE_PEEKTEXT, process, (void *)start, NULL);
  if (errno != 0) return false;
  ((uint8_t *)&word)[address & 7] = breakpoint;
  return ptrace(PTRACE_POKETEXT, process, (void *)start, (void *)word) == 0;
}

static bool is_at(pid_t thread, uint64_t offset, const uint64_t *addresses, size_t count) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0) return false;
  for (size_t index = 0; index < count; ++index) {
    if (registers.rip - 1 == addresses[index] + offset) return true;
  }
  return false;
}

/// Continues a stopped program until it ends or reaches one of the addresses.
static int follow(pid_t process, uint64_t offset, const uint64_t *addresses, size_t count) {
  int status = 0, signal = 0;
  for (pid_t stopped = process; stopped > 0;) {
    ptrace(PTRACE_CONT, stopped, NULL, (void *)(long)signal);
    // Waits only for processes that this thread started, because other threads wait for their own.
    stopped = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (stopped == process && !WIFSTOPPED(status)) return status;
    if (stopped < 0 || !WIFSTOPPED(status)) continue;
    // After an exec the breakpoints are lost, even if the new program is the same one.
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) return process_control_other_program;
    signal = WSTOPSIG(status);
    if (signal == SIGTRAP && status >> 16 == 0 && is_at(stopped, offset, addresses, count)) {
      return process_control_entered;
    }
    // Some stops are not passed on as signals: the stop with which a new thread or process begins, and events of
    // ptrace, whose status has an event number above the signal.
    if (signal == SIGSTOP || status >> 16 != 0) signal = 0;
  }
  return process_control_unknown;
}

int process_control_follow(int process, uint64_t entry, const uint64_t *addresses, size_t count) {
  int status = 0, result = process_control_unknown;
  uint64_t offset = 0;
  const int options = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                      PTRACE_O_TRACEEXEC;
  if (waitpid(process, &status, 0) == process && WIFSTOPPED(status) &&
      ptrace(PTRACE_SETOPTIONS, process, NULL, options) == 0 && load_offset(process, entry, &offset)) {
    size_t index = 0;
    while (index < count && set_breakpoint(process, addresses[index] + offset)) ++index;
    if (index == count) result = follow(process, offset, addresses, count);
  }
  kill(-process, SIGKILL);
  char tracer[40];
  snprintf(tracer, sizeof tracer, "\nTracerPid:\t%d\n", (int)gettid());
  // Children that have left the program's process group are still traced by this thread, so they are found and killed.
  // If some remain after ten seconds, the system kills them when this thread ends.
  for (int round = 0; round < 5000; ++round) {
    pid_t ended;
    while ((ended = waitpid(-1, &status, __WALL | __WNOTHREAD | WNOHANG)) > 0) {
    }
    if (ended < 0) break;
    if (round > 0) process_control_end("status", tracer);
    usleep(2000);
  }
  return result;
}

#else

int process_control_follow(int process, uint64_t entry, const uint64_t *addresses, size_t count) {
  return process_control_unknown;
}

#endif
