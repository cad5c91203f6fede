#include "spring_kernels.h"

#include <string.h>

// Forbids the compiler to fuse multiplications with additions. A fused operation rounds once instead of twice, so
// results would depend on the processor.
#pragma STDC FP_CONTRACT OFF

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

// A clone is a copy of a function for one vector width. Builds with a sanitizer have none, because the loader would
// select a clone before the sanitizer is ready.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer) \
    && !__has_feature(address_sanitizer)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif
#define INLINE static inline __attribute__((always_inline))

enum { lanes = 8 };
typedef double Lanes __attribute__((vector_size(lanes * sizeof(double))));
typedef double HalfLanes __attribute__((vector_size(lanes / 2 * sizeof(double))));
typedef double OneLane __attribute__((vector_size(sizeof(double))));

// These are macros, because a function with a wide vector as a parameter has a different ABI in each clone.
#define LOAD_AS(Vector, pointer) ({ Vector loaded; memcpy(&loaded, (pointer), sizeof(Vector)); loaded; })
#define LOAD(pointer) LOAD_AS(Lanes, pointer)
#define STORE(pointer, value) \
  do { __typeof__(value) stored = (value); memcpy((pointer), &stored, sizeof(stored)); } while (0)
#define SPLAT(value) ((Lanes){} + (value))
#define BITS(value) ((__typeof__((value) < (value)))(value))
#define SELECT(mask, yes, no) ((__typeof__(yes))(((mask) & BITS(yes)) | (~(mask) & BITS(no))))
#define MAGNITUDE(value) ((__typeof__(value))(BITS(value) & 0x7fffffffffffffffll))
#define EACH(Vector) for (; i + sizeof(Vector) / sizeof(double) <= count; i += sizeof(Vector) / sizeof(double))
// Runs a loop with whole vectors, then with half a vector, then with single numbers. Without the half vector, the last
// four springs of a list of twelve would be computed one by one.
#define FOR_ALL_LANES(loop) loop(Lanes) loop(HalfLanes) loop(OneLane)

INLINE double magnitude(double value) { return value < 0 ? -value : value; }
INLINE double larger(double a, double b) { return a > b ? a : b; }

INLINE double largest_lane(const double *values) {
  double largest = 0;
  for (int lane = 0; lane < lanes; lane++) largest = larger(values[lane], largest);
  return largest;
}

// All clones add the lanes in this order, so the sum does not depend on the vector width.
INLINE double lane_sum(const double *v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

WIDEST double spring_step(
    double *restrict displacement, double *restrict velocity, size_t count, double shift, double m00,
    double m01, double m10, double m11) {
  Lanes largest = {};
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Lanes d = LOAD(displacement + i) + shift, v = LOAD(velocity + i);
    const Lanes moved = m00 * d + m01 * v;
    STORE(displacement + i, moved);
    STORE(velocity + i, m10 * d + m11 * v);
    const Lanes distance = MAGNITUDE(moved);
    largest = SELECT(distance > largest, distance, largest);
  }
  double result[lanes];
  STORE(result, largest);
  double maximum = largest_lane(result);
  for (; i < count; i++) {
    const double d = displacement[i] + shift, v = velocity[i];
    displacement[i] = m00 * d + m01 * v;
    velocity[i] = m10 * d + m11 * v;
    maximum = larger(magnitude(displacement[i]), maximum);
  }
  return maximum;
}

WIDEST void spring_advance(
    double *restrict displacement, double *restrict velocity, size_t count, double shift, double m00,
    double m01, double m10, double m11) {
  size_t i = 0;
#define ADVANCE(Vector)                                                                              \
  EACH(Vector) {                                                                                     \
    const Vector d = LOAD_AS(Vector, displacement + i) + shift, v = LOAD_AS(Vector, velocity + i);   \
    STORE(displacement + i, m00 * d + m01 * v);                                                      \
    STORE(velocity + i, m10 * d + m11 * v);                                                          \
  }
  FOR_ALL_LANES(ADVANCE)
}

WIDEST double spring_maximum(const double *values, size_t count) {
  Lanes largest = {};
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Lanes distance = MAGNITUDE(LOAD(values + i));
    largest = SELECT(distance > largest, distance, largest);
  }
  double result[lanes];
  STORE(result, largest);
  double maximum = largest_lane(result);
  for (; i < count; i++) maximum = larger(magnitude(values[i]), maximum);
  return maximum;
}

WIDEST void spring_shift(
    double *restrict displacement, const double *restrict anchor_main, const double *restrict anchor_cross,
    size_t count, double delta, double touch_main, double touch_cross, double inverse_resistance) {
  size_t i = 0;
#define SHIFT(Vector)                                                                                \
  EACH(Vector) {                                                                                     \
    const Vector main = touch_main - LOAD_AS(Vector, anchor_main + i);                               \
    const Vector cross = touch_cross - LOAD_AS(Vector, anchor_cross + i);                            \
    const Vector one = (Vector){} + 1.0, ratio = (MAGNITUDE(main) + MAGNITUDE(cross)) * inverse_resistance; \
    STORE(displacement + i, LOAD_AS(Vector, displacement + i) + delta * SELECT(ratio < one, ratio, one));   \
  }
  FOR_ALL_LANES(SHIFT)
}

WIDEST void spring_respond(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    const double *weight_v, size_t count, double anchor_main, double anchor_cross,
    double inverse_resistance, double *displacement, double *velocity) {
  const Lanes one = SPLAT(1.0);
  Lanes d = {}, v = {};
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Lanes distance =
        MAGNITUDE(LOAD(touch_main + i) - anchor_main) + MAGNITUDE(LOAD(touch_cross + i) - anchor_cross);
    const Lanes ratio = distance * inverse_resistance;
    const Lanes shift = LOAD(delta + i) * SELECT(ratio < one, ratio, one);
    d += LOAD(weight_d + i) * shift;
    v += LOAD(weight_v + i) * shift;
  }
  double d_lanes[lanes], v_lanes[lanes];
  STORE(d_lanes, d);
  STORE(v_lanes, v);
  double d_sum = lane_sum(d_lanes), v_sum = lane_sum(v_lanes);
  for (; i < count; i++) {
    const double distance = magnitude(touch_main[i] - anchor_main) + magnitude(touch_cross[i] - anchor_cross);
    const double ratio = distance * inverse_resistance;
    const double shift = delta[i] * (ratio < 1.0 ? ratio : 1.0);
    d_sum += weight_d[i] * shift;
    v_sum += weight_v[i] * shift;
  }
  *displacement = d_sum;
  *velocity = v_sum;
}

WIDEST void spring_reach(
    const double *delta, const double *weight_ahead, const double *weight_behind, size_t count,
    double *forward, double *backward) {
  // A shift first displaces springs in its own direction. Then they may swing past their anchors. `along` and `against`
  // are the largest displacements, ahead and behind, that one shift can still cause. One of the two is positive and
  // adds to `forward`; the other is negative and adds to `backward`.
  Lanes ahead = {}, behind = {};
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Lanes shift = LOAD(delta + i);
    const Lanes along = LOAD(weight_ahead + i) * shift, against = LOAD(weight_behind + i) * -shift;
    ahead += SELECT(along > against, along, against);
    behind -= SELECT(along > against, against, along);
  }
  double ahead_lanes[lanes], behind_lanes[lanes];
  STORE(ahead_lanes, ahead);
  STORE(behind_lanes, behind);
  double ahead_sum = lane_sum(ahead_lanes), behind_sum = lane_sum(behind_lanes);
  for (; i < count; i++) {
    const double along = weight_ahead[i] * delta[i], against = weight_behind[i] * -delta[i];
    ahead_sum += along > against ? along : against;
    behind_sum -= along > against ? against : along;
  }
  *forward = ahead_sum;
  *backward = behind_sum;
}

// These functions return the distance from `point` to the nearest or the furthest point between `low` and `high`.
INLINE double nearest(double point, double low, double high) {
  return larger(larger(low - point, point - high), 0);
}
INLINE double furthest(double point, double low, double high) {
  return larger(magnitude(point - low), magnitude(point - high));
}

// This loop is not vectorized, because it runs only after a scroll has jumped over a large part of a list.
void spring_bounds(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double least_share, double *low, double *high) {
  double low_sum = 0, high_sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double near = nearest(touch_main[i], main_low, main_high) + nearest(touch_cross[i], cross_low, cross_high);
    const double far = furthest(touch_main[i], main_low, main_high) + furthest(touch_cross[i], cross_low, cross_high);
    const double near_ratio = near * inverse_resistance, far_ratio = far * inverse_resistance;
    const double least = (near_ratio < 1 ? near_ratio : 1) * least_share;
    const double most = far_ratio < 1 ? far_ratio : 1;
    const double full = weight_d[i] * delta[i];
    low_sum += full < 0 ? full * most : full * least;
    high_sum += full < 0 ? full * least : full * most;
  }
  *low = low_sum;
  *high = high_sum;
}

size_t spring_gather(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    const double *weight_v, size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double *open, double *whole_displacement, double *whole_velocity) {
  double d = 0, v = 0;
  size_t copied = 0;
  // The loop has no branches, because the processor could not predict them for touches at different places.
  for (size_t i = 0; i < count; i++) {
    const double shift = delta[i], weight = weight_d[i], rate = weight_v[i];
    const double near = nearest(touch_main[i], main_low, main_high) + nearest(touch_cross[i], cross_low, cross_high);
    const int is_open = near * inverse_resistance < 1;
    open[copied] = shift;
    open[count + copied] = touch_main[i];
    open[2 * count + copied] = touch_cross[i];
    open[3 * count + copied] = weight;
    open[4 * count + copied] = rate;
    copied += is_open;
    const double whole = is_open ? 0 : shift;
    d += weight * whole;
    v += rate * whole;
  }
  *whole_displacement = d;
  *whole_velocity = v;
  return copied;
}
