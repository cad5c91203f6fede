#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/resource.h>

#include "instruction_counter.h"

/// Replaces the C library's function, so that a program that starts processes through Foundation can do so under
/// valgrind. Valgrind keeps its own descriptors above the limit of open files that the program sees, but
/// `/proc/self/fd` lists them. Foundation's `Process` asks for each descriptor in that list to be closed in the child,
/// and the C library refuses descriptors above the limit. This function ignores them, because Valgrind closes them
/// itself.
__attribute__((visibility("default"), used)) int posix_spawn_file_actions_addclose(
    posix_spawn_file_actions_t *actions, int descriptor) {
  struct rlimit limit;
  if (descriptor >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)descriptor >= limit.rlim_cur &&
      instruction_counter_is_under_valgrind()) {
    return 0;
  }
  static int (*original)(posix_spawn_file_actions_t *, int);
  if (original == NULL) *(void **)&original = dlsym(RTLD_NEXT, "posix_spawn_file_actions_addclose");
  return original(actions, descriptor);
}

#endif
