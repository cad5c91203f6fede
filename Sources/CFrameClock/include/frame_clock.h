#pragma once

#include <stdbool.h>
#include <stdint.h>

// The cheapest clock that can be trusted, as static inline functions so that the reads land in the
// middle of the Swift code that is timed, without a call around them.
//
// x86-64 with an invariant time stamp counter is read by `rdtsc` at the start and `rdtscp` at the end:
//
// - At the start, `rdtsc` waits for nothing, and has no inputs to wait for: the timed work cannot
//   begin before it by more than the few instructions that issue in the same cycle.
// - At the end, `rdtscp` waits until all earlier instructions have executed and all earlier loads have
//   been seen. A plain `rdtsc` there reads while the tail of the work is still in flight: work of
//   100 dependent operations read 100 ns instead of 160.
// - What could leak *into* the interval is unmeasured work before it. Between two phases that is a few
//   instructions, since the end of the phase before has waited for the phase. Before a whole frame it
//   may be more (the checksum of the last frame), so there `frame_clock_settle` waits first; before
//   every phase that would cost 10 ns more (38 against 28 on an EPYC of 2.6 GHz) for the same intervals.

/// Whether this CPU has a time stamp counter that ticks at one rate in all power states
/// (CPUID 0x80000007, EDX bit 8) and can be read by `rdtscp` (0x80000001, EDX bit 27).
bool frame_clock_has_invariant_counter(void);

/// Nanoseconds of CLOCK_MONOTONIC_RAW.
uint64_t frame_clock_system_nanoseconds(void);

/// Nanoseconds per tick of the time stamp counter, measured against the system's clock: the median over
/// five intervals of half a millisecond. 0 without such a counter.
double frame_clock_calibrate(void);

/// A fixed piece of work, the same on every machine: `rounds` steps of multiply, shift and exclusive or, each of which
/// waits for the one before. It fits the registers, so its time shows how fast the core runs and how often something
/// else took it, and nothing about memory.
uint64_t frame_clock_kernel(uint64_t rounds, uint64_t seed);

/// Does this many steps, each of which waits for the one before; on x86-64 a cycle each. No step is a
/// branch, so any number of steps runs through the same instructions.
void frame_clock_work(uint64_t steps);

/// Reads and writes the value at `value`, as far as the compiler knows.
static inline void frame_clock_use(const void *value) { __asm__ volatile("" ::"r"(value) : "memory"); }

#if defined(__x86_64__)

/// Waits until everything before has executed.
static inline void frame_clock_settle(void) { __asm__ volatile("lfence" ::: "memory"); }

/// Ticks of the time stamp counter, to be read before the timed work.
static inline uint64_t frame_clock_start_ticks(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
  return (uint64_t)high << 32 | low;
}

/// Ticks of the time stamp counter, to be read after the timed work.
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
