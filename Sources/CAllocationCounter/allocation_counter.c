#include "allocation_counter.h"

bool allocation_counter_is_active(void) { return false; }
AllocationTotals allocation_counter_this_thread(void) { return (AllocationTotals){0, 0}; }
AllocationTotals allocation_counter_all_threads(void) { return (AllocationTotals){0, 0}; }
size_t allocation_counter_live_heap_bytes(void) { return 0; }
const char *allocation_counter_allocator_name(void) { return "system"; }
