#pragma once

// Whether this build counts. The sanitizers bring an allocator of their own, which must stay in place;
// strong symbols of a program take the place of the library's on ELF systems only.

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_OWNS_THE_HEAP 1
#endif
#endif

#if defined(__linux__) && !defined(SPRINGBENCH_SYSTEM_ALLOCATOR) && !defined(SANITIZER_OWNS_THE_HEAP)
#define COUNTS_ALLOCATIONS 1
#else
#define COUNTS_ALLOCATIONS 0
#endif
