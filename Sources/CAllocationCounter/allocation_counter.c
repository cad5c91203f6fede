#define _GNU_SOURCE
#include "allocation_counter.h"

#include "configuration.h"

#if COUNTS_ALLOCATIONS

#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "forwarding.h"
#include "jemalloc_facts.h"

static bool is_active;

/// Whether an allocation that a shared library makes is seen. The C library's strdup stands for all of
/// them: what this file calls by name is bound to the counter even where libraries are not.
static bool canary_is_seen(void) {
  char *(*volatile duplicate)(const char *) = strdup;
  AllocationTotals before = allocation_counter_this_thread();
  char *canary = duplicate("canary");
  AllocationTotals after = allocation_counter_this_thread();
  free(canary);
  return after.count == before.count + 1 && after.bytes == before.bytes + sizeof "canary";
}

/// Runs before other constructors of the program; those of libraries have run, and were counted.
__attribute__((constructor(101))) static void start(void) {
  forwarding_start();
  counters_start();
  jemalloc_facts_start();
  is_active = canary_is_seen();
}

bool allocation_counter_is_active(void) { return is_active; }

#else

bool allocation_counter_is_active(void) { return false; }

#endif
