#define _GNU_SOURCE
#include "process_control.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <unistd.h>

int process_control_allowed_cores(int *cores, int capacity) {
  cpu_set_t *set = CPU_ALLOC(process_control_maximum_core_count);
  if (!set) return -1;
  size_t size = CPU_ALLOC_SIZE(process_control_maximum_core_count);
  int count = -1;
  if (sched_getaffinity(0, size, set) == 0) {
    count = 0;
    for (int core = 0; core < process_control_maximum_core_count; core++) {
      if (!CPU_ISSET_S(core, size, set)) continue;
      if (count < capacity) cores[count] = core;
      count++;
    }
  }
  CPU_FREE(set);
  return count;
}

bool process_control_pin(int core) {
  if (core < 0 || core >= process_control_maximum_core_count) return false;
  cpu_set_t *set = CPU_ALLOC(process_control_maximum_core_count);
  if (!set) return false;
  size_t size = CPU_ALLOC_SIZE(process_control_maximum_core_count);
  CPU_ZERO_S(size, set);
  CPU_SET_S(core, size, set);
  bool pinned = sched_setaffinity(0, size, set) == 0;
  CPU_FREE(set);
  return pinned;
}

bool process_control_share_cores(int process) {
  cpu_set_t *set = CPU_ALLOC(process_control_maximum_core_count);
  if (!set) return false;
  size_t size = CPU_ALLOC_SIZE(process_control_maximum_core_count);
  bool shared = sched_getaffinity(0, size, set) == 0 && sched_setaffinity(process, size, set) == 0;
  CPU_FREE(set);
  return shared;
}

bool process_control_die_with_parent(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
  return getppid() == parent;
}

int process_control_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

bool process_control_randomize_layout(bool random) {
  int now = personality(0xffffffff);
  if (now == -1) return false;
  int wanted = random ? now & ~ADDR_NO_RANDOMIZE : now | ADDR_NO_RANDOMIZE;
  return personality((unsigned long)wanted) != -1;
}

void process_control_raise_priority(int nice) {
  char text[16];
  setpriority(PRIO_PROCESS, 0, nice);
  // If the system schedules each session as one, the priority within it is not enough.
  int length = snprintf(text, sizeof text, "%d", nice);
  int file = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, text, (size_t)length) < 0) {
    // Without permission, nothing changes.
  }
  close(file);
}

int process_control_memory_copy(const char *path, size_t length) {
  int source = open(path, O_RDONLY | O_CLOEXEC);
  if (source < 0) return -1;
  int copy = memfd_create("springbench", MFD_CLOEXEC);
  size_t left = copy < 0 ? 0 : length;
  while (left > 0) {
    ssize_t count = sendfile(copy, source, NULL, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    left -= (size_t)count;
  }
  close(source);
  if (left == 0) return copy;
  close(copy);
  return -1;
}
