#define _GNU_SOURCE
#include "instruction_counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int instruction_counter_open(void) {
  struct perf_event_attr attributes = {
      .size = sizeof attributes,
      .type = PERF_TYPE_HARDWARE,
      .config = PERF_COUNT_HW_INSTRUCTIONS,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      // Instructions in the kernel are noise, and most systems show them only to root.
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return descriptor >= 0 ? (int)descriptor : -errno;
}

bool instruction_counter_read(int descriptor, uint64_t *count) {
  struct {
    uint64_t value, enabled, running;
  } now;
  if (read(descriptor, &now, sizeof now) != (ssize_t)sizeof now) return false;
  *count = now.value;
  return now.enabled == now.running;
}

void instruction_counter_close(int descriptor) { close(descriptor); }
