#pragma once

#include "configuration.h"

#if COUNTS_ALLOCATIONS

/// Finds out whether jemalloc serves this process, and which version it is.
__attribute__((visibility("hidden"))) void jemalloc_facts_start(void);

#endif
