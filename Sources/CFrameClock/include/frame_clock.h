#pragma once

#include <stdbool.h>
#include <stdint.h>

// The cheapest clock that can be trusted. The functions that read it are static inline, so that the timed Swift code
// contains the instructions themselves instead of calls.
//
// On x86-64 with an invariant time stamp counter, the clock is read by `rdtsc` at the start and by `rdtscp` at the end:
//
// - At the start, `rdtsc` waits for nothing and has no inputs, so it is executed at once. Only the few instructions
//   of the timed work that issue in the same cycle can begin before it.
// - At the end, `rdtscp` waits until all earlier instructions have executed and all earlier loads have completed. A
//   plain `rdtsc` would be executed before the work has ended: it measured 100 ns for 100 dependent operations that
//   take 160 ns.
// - Unmeasured work before the start can still run *during* the interval. Between two phases there are few such
//   instructions, because the end of the previous phase has waited for its work. Before a whole frame there may be
//   more, such as the checksum of the previous frame. So `frame_clock_settle` waits before each frame. Waiting before
//   each phase would raise the cost of timing a phase from 28 to 38 ns (on an EPYC of 2.6 GHz) and give the same times.

/// Whether this CPU has a time stamp counter that ticks at the same rate in all power states (CPUID 0x80000007, EDX bit
/// 8) and that `rdtscp` can read (0x80000001, EDX bit 27).
bool frame_clock_has_invariant_counter(void);

/// The current time of CLOCK_MONOTONIC_RAW, nanoseconds.
uint64_t frame_clock_system_nanoseconds(void);

/// Measures the nanoseconds per tick of the time stamp counter, compared with the system's clock: the median of five
/// intervals of half a millisecond. Returns 0 if `frame_clock_has_invariant_counter` is false.
double frame_clock_calibrate(void);

/// Does a fixed piece of work, the same on every machine: `rounds` steps of multiplication, shift and exclusive or,
/// each of which depends on the step before. It uses only registers, so its time depends on the speed of the core and
/// on interruptions, but not on memory.
uint64_t frame_clock_kernel(uint64_t rounds, uint64_t seed);

/// Does `steps` steps of work, each of which depends on the step before. On x86-64, a step takes a cycle, and there are
/// branches only every 512 steps, so that branch prediction hardly affects the time.
void frame_clock_work(uint64_t steps);

/// Makes the compiler believe that the memory at `value` is read and written here.
static inline void frame_clock_use(const void *value) { __asm__ volatile("" ::"r"(value) : "memory"); }

/// A number that differs between running threads; always 0 on processors other than x86-64 and arm64. It is read by one
/// instruction, because phases need it often. The instruction is volatile, because a function that was suspended may
/// continue on another thread.
static inline uintptr_t frame_clock_thread(void) {
  uintptr_t thread = 0;
#if defined(__x86_64__)
  __asm__ volatile("movq %%fs:0, %0" : "=r"(thread));
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(thread));
#endif
  return thread;
}

#if defined(__x86_64__)

/// Waits until all earlier instructions have executed.
static inline void frame_clock_settle(void) { __asm__ volatile("lfence" ::: "memory"); }

/// Reads the ticks of the time stamp counter before the timed work.
static inline uint64_t frame_clock_start_ticks(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
  return (uint64_t)high << 32 | low;
}

/// Reads the ticks of the time stamp counter after the timed work.
static inline uint64_t frame_clock_end_ticks(void) {
  uint32_t low, high, processor;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor)::"memory");
  return (uint64_t)high << 32 | low;
}

#else

static inline void frame_clock_settle(void) {}
static inline uint64_t frame_clock_start_ticks(void) { return frame_clock_system_nanoseconds(); }
static inline uint64_t frame_clock_end_ticks(void) { return frame_clock_system_nanoseconds(); }

#endif
