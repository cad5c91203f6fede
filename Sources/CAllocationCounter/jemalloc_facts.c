#include "jemalloc_facts.h"

#include "allocation_counter.h"

#if COUNTS_ALLOCATIONS

#include <jemalloc/jemalloc.h>
#include <stdio.h>

#include "forwarding.h"

/// Empty if another allocator serves.
static char allocator_name[64];

/// Whether blocks come from jemalloc, linked or not: another allocator may have been preloaded, or
/// valgrind may have put its own in place.
static bool jemalloc_serves(void) {
  uint64_t *allocated_bytes;
  size_t length = sizeof allocated_bytes;
  if (mallctl("thread.allocatedp", &allocated_bytes, &length, NULL, 0) != 0) return false;
  uint64_t before = *(volatile uint64_t *)allocated_bytes;
  void *block = next_allocator.malloc(1);
  uint64_t after = *(volatile uint64_t *)allocated_bytes;
  next_allocator.free(block);
  return after > before;
}

void jemalloc_facts_start(void) {
  const char *version;
  size_t length = sizeof version;
  if (!jemalloc_serves() || mallctl("version", &version, &length, NULL, 0) != 0) return;
  // The version reads 5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c.
  int plain_length = 0;
  while (version[plain_length] != '\0' && version[plain_length] != '-') plain_length++;
  snprintf(allocator_name, sizeof allocator_name, "jemalloc %.*s", plain_length, version);
}

const char *allocation_counter_allocator_name(void) {
  return allocator_name[0] == '\0' ? "system" : allocator_name;
}

size_t allocation_counter_live_heap_bytes(void) {
  if (allocator_name[0] == '\0') return 0;
  // Blocks that the thread's cache holds for reuse count as allocated until they are flushed.
  mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
  // Statistics stand still until the epoch is advanced.
  uint64_t epoch = 1;
  if (mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) != 0) return 0;
  size_t allocated;
  size_t length = sizeof allocated;
  if (mallctl("stats.allocated", &allocated, &length, NULL, 0) != 0) return 0;
  return allocated;
}

#else

const char *allocation_counter_allocator_name(void) { return "system"; }
size_t allocation_counter_live_heap_bytes(void) { return 0; }

#endif
