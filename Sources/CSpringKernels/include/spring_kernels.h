#pragma once

#include <stddef.h>

/// The loops over springs and shifts that must run as fast as the machine allows.
///
/// The loops up to `spring_reach` are compiled for several vector widths, and the loader selects the widest that the
/// processor supports. All widths give the same bits: multiplications and additions are never fused, sums always use
/// eight lanes, and a maximum does not depend on the order.

/// Shifts `count` springs by `shift` and advances them by one frame: `(d, v) ← (m00·(d + shift) + m01·v, m10·(d +
/// shift) + m11·v)`. Returns the largest |d| afterward; 0 for an empty batch. NaN is ignored.
double spring_step(
    double *displacement, double *velocity, size_t count, double shift, double m00, double m01, double m10,
    double m11);

/// Does the same as `spring_step`, but does not find the largest displacement. Finding it makes the loop slower by a
/// fifth or more on most machines.
void spring_advance(
    double *displacement, double *velocity, size_t count, double shift, double m00, double m01, double m10,
    double m11);

/// Returns the largest absolute value; 0 for an empty batch.
double spring_maximum(const double *values, size_t count);

/// Shifts `count` springs as a scroll does: `d ← d + delta·min(1, (|touch − anchor|₁)/resistance)`, where the distance
/// is the sum over both axes. `inverse_resistance` is 1/resistance, per point.
void spring_shift(
    double *displacement, const double *anchor_main, const double *anchor_cross, size_t count, double delta,
    double touch_main, double touch_cross, double inverse_resistance);

/// Computes the state of one spring that was at rest before `count` shifts: the sums over the shifts `j` of
/// `weight_d[j]·s_j` and of `weight_v[j]·s_j`, where `s_j` is the shift of the spring as in `spring_shift`.
void spring_respond(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    const double *weight_v, size_t count, double anchor_main, double anchor_cross,
    double inverse_resistance, double *displacement, double *velocity);

/// Computes how far `count` shifts can displace a spring forward and backward, wherever its anchor is. A positive shift
/// has the weight `weight_ahead[j]` forward and `weight_behind[j]` backward. For a negative shift the two weights are
/// exchanged. Neither the weights nor the results are negative.
void spring_reach(
    const double *delta, const double *weight_ahead, const double *weight_behind, size_t count,
    double *forward, double *backward);

/// Computes bounds on the displacement of a spring whose anchor is anywhere in a rectangle. The lower bound is the sum
/// of the smallest effects `weight_d[j]·s_j` that the shifts can have on such a spring, and the upper bound is the sum
/// of the largest. `least_share` is 1 if all shifts have moved the spring. It is 0 if some of them may not have moved
/// it; the smallest effect of each shift is then 0.
void spring_bounds(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double least_share, double *low, double *high);

/// Copies to `open` the shifts that move some springs anchored in a rectangle by less than their whole delta, and
/// returns their number. All other shifts move these springs by their whole delta, and their effects add up to
/// `whole_displacement` and `whole_velocity`. `open` has five columns of `count` numbers each: deltas, touches along
/// and across the axis, weights of displacement and of velocity.
size_t spring_gather(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    const double *weight_v, size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double *open, double *whole_displacement, double *whole_velocity);

/// A point of the axis at which the effect of a shift, as a function of the anchor, changes its slope. The code is
/// `entry << 3 | kind << 1 | isFurthest`. `entry` is the number of the shift. The kind is 0 where the shift begins to
/// move springs by only a part of its delta, 1 at the touch, and 2 where the shift moves springs by its whole delta
/// again. If the anchors differ across the axis, the end of their range nearest to the touch and the end furthest from
/// it have separate breakpoints, which `isFurthest` distinguishes.
typedef struct {
  double position;
  long long code;
} SpringBreakpoint;

/// A stretch of the axis, and the displacement of all springs anchored in it; NaN if their displacements differ.
typedef struct {
  double low, high, displacement;
} SpringStretch;

/// Finds the anchors of the springs that are between `low` and `high` now. The search walks along the axis over `count`
/// breakpoints in ascending order. Between two neighboring breakpoints, it bounds the displacements of the springs
/// anchored there.
///
/// `size[j]` is the displacement that remains of shift `first_entry + j`, divided by the resistance. Breakpoints of
/// older shifts are skipped. `total` is the displacement far from all touches. `is_line` means that all anchors have
/// the same position across the axis, so that the displacement depends only on the position along it. `stretches` has
/// room for `count + 1` results, which are in ascending order and do not overlap.
/// - Returns: The number of stretches.
size_t spring_find_anchors(
    const SpringBreakpoint *breakpoints, size_t count, long long first_entry, const double *size, double total,
    double low, double high, int is_line, SpringStretch *stretches);

