#define _GNU_SOURCE
#include "process_control.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

/// A set for more cores than one `cpu_set_t` can contain.
typedef cpu_set_t core_set[process_control_maximum_core_count / CPU_SETSIZE];

int process_control_allowed_cores(int *cores, int capacity) {
  core_set set;
  if (sched_getaffinity(0, sizeof set, set) != 0) return -1;
  int count = 0;
  for (int core = 0; core < process_control_maximum_core_count; core++) {
    if (!CPU_ISSET_S(core, sizeof set, set)) continue;
    if (count < capacity) cores[count] = core;
    count++;
  }
  return count;
}

/// Stores the cores in `set`. Returns false if there are none, or if a number is not valid.
static bool fill(core_set set, const int *cores, int count) {
  CPU_ZERO_S(sizeof(core_set), set);
  for (int index = 0; index < count; ++index) {
    if (cores[index] < 0 || cores[index] >= process_control_maximum_core_count) return false;
    CPU_SET_S(cores[index], sizeof(core_set), set);
  }
  return count > 0;
}

bool process_control_pin(const int *cores, int count) {
  core_set set;
  return fill(set, cores, count) && sched_setaffinity(0, sizeof set, set) == 0;
}

/// Pins all threads of this process. Returns false if this fails for a thread that is still running.
static bool pin_threads(const cpu_set_t *set, size_t size) {
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return false;
  bool is_pinned = true;
  for (struct dirent *entry = readdir(threads); entry != NULL; entry = readdir(threads)) {
    int thread = atoi(entry->d_name);
    if (thread > 0 && sched_setaffinity(thread, size, set) != 0 && errno != ESRCH) is_pinned = false;
  }
  closedir(threads);
  return is_pinned;
}

bool process_control_pin_process(const int *cores, int count) {
  core_set set;
  // This is done twice, because a thread that was not pinned yet may have started another thread, which the first call
  // did not see.
  return fill(set, cores, count) && pin_threads(set, sizeof set) && pin_threads(set, sizeof set);
}

bool process_control_share_cores(int process) {
  core_set set;
  return sched_getaffinity(0, sizeof set, set) == 0 && sched_setaffinity(process, sizeof set, set) == 0;
}

int process_control_open_file_count(void) {
  int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  // The list also contains the descriptor `folder`, so counting begins at -1.
  int count = -1;
  alignas(struct dirent64) char entries[4096];
  ssize_t length;
  while ((length = getdents64(folder, entries, sizeof entries)) > 0) {
    for (ssize_t offset = 0; offset < length;) {
      const struct dirent64 *entry = (const struct dirent64 *)(entries + offset);
      if (entry->d_name[0] != '.') count++;
      offset += entry->d_reclen;
    }
  }
  close(folder);
  return length < 0 ? -1 : count;
}

int process_control_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

bool process_control_may_fix_layout(void) {
  int now = personality(0xffffffff);
  return now != -1 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1 && personality((unsigned long)now) != -1;
}

void process_control_raise_priority(int nice) {
  setpriority(PRIO_PROCESS, 0, nice);
  // If the system schedules each session as a group, `setpriority` changes only the priority within the group. So the
  // priority of the group is changed, too.
  int file = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  dprintf(file, "%d", nice);
  close(file);
}

int process_control_memory_file(bool is_executable) {
  // Without this flag, some systems do not allow files in memory to be executed.
  const unsigned executable = 0x10;
  int file = is_executable ? memfd_create("springbench", MFD_CLOEXEC | executable) : -1;
  // Linux before 6.3 does not know the flag, and returns EINVAL.
  return file >= 0 || (is_executable && errno != EINVAL) ? file : memfd_create("springbench", MFD_CLOEXEC);
}

void process_control_free_start(int file, long long length) {
  fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, length);
}

static uint64_t checksum_with(uint64_t checksum, uint64_t word) { return (checksum ^ word) * 0x100000001b3; }

uint64_t process_control_checksum(const void *bytes, size_t length) {
  uint64_t checksum = 0xcbf29ce484222325;
  const char *next = bytes, *end = next + length;
  for (uint64_t word; end - next >= (ptrdiff_t)sizeof word; next += sizeof word) {
    memcpy(&word, next, sizeof word);
    checksum = checksum_with(checksum, word);
  }
  for (; next < end; next++) checksum = checksum_with(checksum, (unsigned char)*next);
  for (uint64_t rest = length, count = 0; count < 8; rest >>= 8, count++) {
    checksum = checksum_with(checksum, rest & 0xff);
  }
  return checksum;
}

int process_control_private_copy(const char *path, const char *folder, bool may_be_elsewhere, size_t length) {
  int source = open(path, O_RDONLY | O_CLOEXEC);
  if (source < 0) return -1;
  int copy = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
  if (copy < 0 && may_be_elsewhere) copy = process_control_memory_file(true);
  size_t left = copy < 0 ? 0 : length;
  while (left > 0) {
    ssize_t count = sendfile(copy, source, NULL, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    left -= (size_t)count;
  }
  close(source);
  if (copy < 0) return -1;
  // A file that is open for writing cannot be executed, so the copy is opened again.
  char name[32];
  snprintf(name, sizeof name, "/proc/self/fd/%d", copy);
  int result = left == 0 ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  close(copy);
  return result;
}

static int remove_entry(int folder, const char *name) {
  if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) return 0;
  if (errno != EISDIR) return errno;
  int file = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *entries = file < 0 ? NULL : fdopendir(file);
  if (entries == NULL) {
    int problem = errno;
    if (file >= 0) close(file);
    return problem;
  }
  int problem = 0;
  for (struct dirent *entry; problem == 0 && (entry = readdir(entries)) != NULL;) {
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) problem = remove_entry(file, entry->d_name);
  }
  closedir(entries);
  return problem != 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0 ? problem : errno;
}

int process_control_remove(const char *path) { return remove_entry(AT_FDCWD, path); }

static long long nanoseconds_of_time(struct timespec time) { return time.tv_sec * 1000000000LL + time.tv_nsec; }

static long long nanoseconds_of_children(long process, int generation);

/// Adds up the CPU time of the processes that a thread started and that still exist, including their own children.
static long long nanoseconds_of_thread(long process, const char *thread, int generation) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", process, thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  long long sum = 0;
  long child = 0;
  // Each number is followed by a space. A `read` may end within a number, so `child` keeps its digits for the next one.
  for (ssize_t length; (length = read(file, text, sizeof text)) > 0;)
    for (ssize_t at = 0; at < length; ++at) {
      if (text[at] != ' ') {
        child = 10 * child + (text[at] - '0');
        continue;
      }
      clockid_t clock;
      struct timespec time;
      if (clock_getcpuclockid((pid_t)child, &clock) == 0 && clock_gettime(clock, &time) == 0)
        sum += nanoseconds_of_time(time);
      sum += nanoseconds_of_children(child, generation + 1);
      child = 0;
    }
  close(file);
  return sum;
}

static long long nanoseconds_of_children(long process, int generation) {
  char path[32];
  // opendir would allocate, but this is called while allocations are counted.
  _Alignas(long long) char entries[2048];
  snprintf(path, sizeof path, "/proc/%ld/task", process);
  int folder = generation < 16 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (folder < 0) return 0;
  long long sum = 0;
  ssize_t length;
  while ((length = getdents64(folder, entries, sizeof entries)) > 0)
    for (ssize_t at = 0; at < length; at += ((struct dirent64 *)(entries + at))->d_reclen) {
      const char *name = ((struct dirent64 *)(entries + at))->d_name;
      if (name[0] != '.') sum += nanoseconds_of_thread(process, name, generation);
    }
  close(folder);
  return sum;
}

long long process_control_child_nanoseconds(void) {
  struct rusage ended;
  getrusage(RUSAGE_CHILDREN, &ended);
  struct timespec user = {ended.ru_utime.tv_sec, ended.ru_utime.tv_usec * 1000L};
  struct timespec system = {ended.ru_stime.tv_sec, ended.ru_stime.tv_usec * 1000L};
  return nanoseconds_of_time(user) + nanoseconds_of_time(system) + nanoseconds_of_children(getpid(), 0);
}
