#pragma once

#include <stddef.h>

/// The loops over springs that must run at the machine's limit.
///
/// Each is compiled for several vector widths, and the loader picks the widest that the processor has. Every width
/// gives the same bits: multiply and add are never fused, sums run in eight lanes whatever the width, and a maximum
/// does not depend on order.

/// One frame of `count` springs: `(d, v) ← (m00·d + m01·v, m10·d + m11·v)`. Returns the largest |d| afterwards; 0 for
/// an empty batch. A NaN is ignored.
double spring_step(
    double *displacement, double *velocity, size_t count, double m00, double m01, double m10, double m11);

/// Like `spring_step`, but does not look for the largest: the loop is bound by its stores, and on most machines the
/// search costs a fifth or more on top.
void spring_advance(
    double *displacement, double *velocity, size_t count, double m00, double m01, double m10, double m11);

/// The largest absolute value; 0 for an empty batch.
double spring_maximum(const double *values, size_t count);

/// The scroll's shift of `count` springs: `d ← d + delta·min(1, (|touch − anchor|₁)/resistance)`, where the distance is
/// summed over both axes. `inverse_resistance` is 1/resistance, per point.
void spring_shift(
    double *displacement, const double *anchor_main, const double *anchor_cross, size_t count, double delta,
    double touch_main, double touch_cross, double inverse_resistance);

/// State of one spring that was at rest, after `count` shifts: the sums over shifts `j` of `weight_d[j]·s_j` and
/// `weight_v[j]·s_j`, with `s_j` as in `spring_shift`.
void spring_respond(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    const double *weight_v, size_t count, double anchor_main, double anchor_cross,
    double inverse_resistance, double *displacement, double *velocity);

/// How far `count` shifts can displace any spring, whatever its anchor, both ways: a positive shift weighs
/// `weight_ahead[j]` forward and `weight_behind[j]` backward, a negative one the other way round. Weights are not
/// negative, and neither are the answers.
void spring_reach(
    const double *delta, const double *weight_ahead, const double *weight_behind, size_t count,
    double *forward, double *backward);

/// Bounds on the displacement of a spring whose anchor is somewhere in a rectangle: the sums over shifts of the least
/// and of the largest share that any anchor in it can have of `weight_d[j]·delta[j]`. `least_share` is 0 for springs
/// that some of the shifts may not have moved at all, else 1.
void spring_bounds(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double least_share, double *low, double *high);

/// Separates the shifts that move a spring by their whole delta, wherever in a rectangle its anchor is, from the
/// others, which are copied. `open` holds five columns of `count` each: deltas, touches along and across, weights of
/// displacement and velocity.
/// - Returns: Shifts copied.
size_t spring_gather(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    const double *weight_v, size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double *open, double *whole_displacement, double *whole_velocity);

/// A point at which the share of a shift, as a function of the anchor, changes its slope. The code is `entry << 3 |
/// kind << 1 | isFurthest`: `entry` numbers the shift; kind is 0 where it begins to move springs by only a part, 1 at
/// the touch and 2 where it moves them by the whole again. The furthest end of the anchors' range across the axis has
/// breakpoints of its own.
typedef struct {
  double position;
  long long code;
} SpringBreakpoint;

/// A stretch of the axis, and the displacement of all springs anchored there; NaN if they differ.
typedef struct {
  double low, high, displacement;
} SpringStretch;

/// Finds the anchors of springs that are between `low` and `high` now: walks along the axis over `count` breakpoints,
/// ascending, and bounds the displacements of the springs anchored there.
///
/// `size[j]` is what is left of shift `first_entry + j`, divided by the resistance; older ones are skipped. `total` is
/// the displacement far from all touches. `is_line` says that all anchors have the same place across the axis, so that
/// there is one displacement. `stretches` has room for `count + 1`, and gets them in ascending order, without overlaps.
/// - Returns: Their number.
size_t spring_find_anchors(
    const SpringBreakpoint *breakpoints, size_t count, long long first_entry, const double *size, double total,
    double low, double high, int is_line, SpringStretch *stretches);

