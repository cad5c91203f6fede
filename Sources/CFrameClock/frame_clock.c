#define _GNU_SOURCE
#include "frame_clock.h"

#include <stdlib.h>
#include <time.h>

uint64_t frame_clock_system_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t frame_clock_kernel(uint64_t rounds, uint64_t seed) {
  uint64_t state = seed | 1;
  for (uint64_t round = 0; round < rounds; round++) {
    state *= 0x2545f4914f6cdd1du;
    state ^= state >> 29;
  }
  return state;
}

#if defined(__x86_64__)

void frame_clock_work(uint64_t steps) {
  enum { longest = 512 };
  uint64_t value = steps;
  do {
    uint64_t now = steps < longest ? steps : longest;
    uint64_t target;
    // Jumps into a row of 512 rotate instructions, each three bytes long, so that only the last `now` are executed.
    __asm__ volatile(
        "leaq 1f(%%rip), %[target]\n\t"
        "subq %[bytes], %[target]\n\t"
        "jmp *%[target]\n\t"
        ".rept 512\n\t"
        "rorq $1, %[value]\n\t"
        ".endr\n\t"
        "1:"
        : [value] "+r"(value), [target] "=&r"(target)
        : [bytes] "r"(3 * now)
        : "cc");
    steps -= now;
  } while (steps > 0);
}

#include <cpuid.h>

bool frame_clock_has_invariant_counter(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !(d & 1u << 27)) return false;
  if (!__get_cpuid(0x80000007u, &a, &b, &c, &d)) return false;
  return (d & 1u << 8) != 0;
}

/// What the time stamp counter and the system's clock show at one moment.
typedef struct {
  uint64_t ticks;
  uint64_t nanoseconds;
} Moment;

/// Reads both clocks. An interrupt between the reads would shift one clock against the other, so the attempt that took
/// the fewest ticks is used.
static Moment read_both_clocks(void) {
  Moment best = {0, 0};
  uint64_t shortest = UINT64_MAX;
  for (int attempt = 0; attempt < 8; attempt++) {
    uint64_t before = frame_clock_end_ticks();
    uint64_t nanoseconds = frame_clock_system_nanoseconds();
    uint64_t after = frame_clock_end_ticks();
    if (after - before < shortest) {
      shortest = after - before;
      best = (Moment){before + (after - before) / 2, nanoseconds};
    }
  }
  return best;
}

static int compare_doubles(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double frame_clock_calibrate(void) {
  enum { interval_count = 5, interval_nanoseconds = 500000 };
  if (!frame_clock_has_invariant_counter()) return 0;
  double rates[interval_count];
  for (int i = 0; i < interval_count; i++) {
    Moment start = read_both_clocks();
    while (frame_clock_system_nanoseconds() - start.nanoseconds < interval_nanoseconds) {
    }
    Moment end = read_both_clocks();
    rates[i] = (double)(end.nanoseconds - start.nanoseconds) / (double)(end.ticks - start.ticks);
  }
  qsort(rates, interval_count, sizeof rates[0], compare_doubles);
  return rates[interval_count / 2];
}

#else

void frame_clock_work(uint64_t steps) {
  volatile uint64_t value = steps;
  for (uint64_t step = 0; step < steps; step++) value = value * 3;
}

bool frame_clock_has_invariant_counter(void) { return false; }
double frame_clock_calibrate(void) { return 0; }

#endif
