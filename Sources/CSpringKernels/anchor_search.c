#include "spring_kernels.h"

#include <math.h>

// Forbids the compiler to fuse multiplications with additions. A fused operation rounds once instead of twice, so
// results would depend on the processor.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

/// A displacement as a linear function of the anchor. `value` is the displacement at the start of an interval.
typedef struct {
  double value, slope;
} Line;

typedef struct {
  SpringStretch *stretches;
  size_t count;
} Stretches;

static void add(Stretches *found, double low, double high, double displacement) {
  if (!(low <= high)) return;
  SpringStretch *end = found->stretches + found->count;
  if (found->count > 0 && end[-1].high >= low) {
    if (end[-1].high < high) end[-1].high = high;
    end[-1].displacement = NAN;
  } else {
    found->stretches[found->count++] = (SpringStretch){low, high, displacement};
  }
}

/// Shortens a section of the axis to the anchors whose springs are now below `limit` (if `is_below`) or above it. A
/// spring is at its anchor plus its displacement. `line` gives the displacement as a function of the distance from
/// `start` to the anchor.
static void cut(SpringStretch *stretch, double start, Line line, double limit, int is_below) {
  const double slope = 1 + line.slope;
  if (fabs(slope) <= 1e-9) return;
  const double place = start + (limit - (start + line.value)) / slope;
  if (is_below == (slope > 0)) {
    if (place < stretch->high) stretch->high = place;
  } else if (place > stretch->low) {
    stretch->low = place;
  }
}

// This is inlined into two calls with a constant `is_line`, so the common case, 1, gets a faster loop of its own.
INLINE size_t find(
    const SpringBreakpoint *breakpoints, size_t count, long long first_entry, const double *size, double total,
    double low, double high, int is_line, SpringStretch *stretches) {
  static const double changes[] = {-1, 2, -1, 0};
  Stretches found = {stretches, 0};
  double position = -INFINITY;
  Line least = {total, 0}, most = {total, 0};
  // The number of shifts that move the springs between this breakpoint and the next by only a part of their delta.
  long long open = 0;
  for (size_t i = 0; i < count; i++) {
    const long long code = breakpoints[i].code, slot = (code >> 3) - first_entry, kind = code >> 1 & 3;
    if (slot < 0) continue;
    const double end = breakpoints[i].position;
    if (open == 0) {
      // All shifts move these springs by their whole delta, so the displacement is `total`. Starting from `total` again
      // keeps rounding errors from adding up along the axis.
      least = most = (Line){total, 0};
      add(&found, fmax(position, low - total), fmin(end, high - total), total);
    } else {
      const double gap = end - position;
      const double next_least = least.value + least.slope * gap;
      const double next_most = is_line ? next_least : most.value + most.slope * gap;
      const double most_value = is_line ? least.value : most.value;
      if ((position + least.value <= high || end + next_least <= high)
          && (position + most_value >= low || end + next_most >= low)) {
        SpringStretch stretch = {position, end, NAN};
        cut(&stretch, position, least, high, 1);
        cut(&stretch, position, is_line ? least : most, low, 0);
        add(&found, stretch.low, stretch.high, NAN);
      }
      least.value = next_least;
      most.value = next_most;
    }
    position = end;
    open += 1 - kind;
    const double change = changes[kind] * size[slot];
    // The further an anchor is from the touch across the axis, the more a shift moves its spring. So the springs with
    // the furthest anchors determine the upper bound `most` if the shift is positive, otherwise the lower bound.
    if (is_line || (size[slot] > 0) != (code & 1)) {
      least.slope += change;
    } else {
      most.slope += change;
    }
  }
  add(&found, fmax(position, low - total), high - total, total);
  return found.count;
}

size_t spring_find_anchors(
    const SpringBreakpoint *breakpoints, size_t count, long long first_entry, const double *size, double total,
    double low, double high, int is_line, SpringStretch *stretches) {
  return is_line ? find(breakpoints, count, first_entry, size, total, low, high, 1, stretches)
                 : find(breakpoints, count, first_entry, size, total, low, high, 0, stretches);
}
