#define _GNU_SOURCE
#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <jemalloc/jemalloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Name and version of jemalloc. Empty if this process uses another allocator.
static char allocator_name[64];

/// Whether blocks come from jemalloc. Even if jemalloc is linked, another allocator may have been preloaded, or
/// valgrind may have installed its own.
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

static void find_allocator_name(void) {
  const char *version;
  size_t length = sizeof version;
  if (!jemalloc_serves() || mallctl("version", &version, &length, NULL, 0) != 0) return;
  // The version looks like 5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c.
  snprintf(allocator_name, sizeof allocator_name, "jemalloc %.*s", (int)strcspn(version, "-"), version);
}

const char *allocation_counter_allocator_name(void) {
  return allocator_name[0] == '\0' ? "system" : allocator_name;
}

size_t allocation_counter_live_heap_bytes(void) {
  if (allocator_name[0] == '\0') return 0;
  // Blocks that the thread's cache keeps for reuse count as allocated until they are flushed.
  mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
  // jemalloc updates its statistics only when the epoch is advanced.
  uint64_t epoch = 1;
  if (mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) != 0) return 0;
  size_t allocated;
  size_t length = sizeof allocated;
  if (mallctl("stats.allocated", &allocated, &length, NULL, 0) != 0) return 0;
  return allocated;
}

static bool is_active;

/// Whether the counter sees an allocation by a shared library. The test calls strdup, because the C library then calls
/// malloc. A direct call of malloc from this file would reach the counter even if calls from libraries do not.
static bool canary_is_seen(void) {
  char *(*volatile duplicate)(const char *) = strdup;
  AllocationTotals before = allocation_counter_this_thread();
  char *canary = duplicate("canary");
  AllocationTotals after = allocation_counter_this_thread();
  free(canary);
  return after.count == before.count + 1 && after.bytes == before.bytes + sizeof "canary";
}

/// Runs before all other constructors of the program. The constructors of libraries have already run, and their
/// allocations were counted.
__attribute__((constructor(101))) static void start(void) {
  forwarding_start();
  counters_start();
  find_allocator_name();
  is_active = canary_is_seen();
}

bool allocation_counter_is_active(void) { return is_active; }

#else

bool allocation_counter_is_active(void) { return false; }
AllocationTotals allocation_counter_this_thread(void) { return (AllocationTotals){0, 0}; }
AllocationTotals allocation_counter_all_threads(void) { return (AllocationTotals){0, 0}; }
bool allocation_counter_observe(void (*observer)(uint64_t bytes)) { return false; }
bool allocation_counter_track_heap(void) { return false; }
void allocation_counter_stop_tracking_heap(void) {}
HeapTotals allocation_counter_heap_this_thread(void) { return (HeapTotals){0, 0, 0}; }
HeapTotals allocation_counter_heap_all_threads(void) { return (HeapTotals){0, 0, 0}; }
int64_t allocation_counter_highest_heap_bytes(void) { return 0; }
const char *allocation_counter_allocator_name(void) { return "system"; }
size_t allocation_counter_live_heap_bytes(void) { return 0; }

#endif
