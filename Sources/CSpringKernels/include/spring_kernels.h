#pragma once

#include <stddef.h>

/// Loops over springs and shifts that must run as fast as possible. A spring pulls an item of a list back to its
/// anchor. A shift is one step of a scroll: it displaces springs by its delta, or near the touch by only a part of it.
///
/// The functions from `spring_step` to `spring_reach` are compiled for several vector widths, and the loader selects
/// the widest that the processor supports. All widths give the same bits: multiplications and additions are never
/// fused, every sum is computed in eight lanes, and a maximum does not depend on the order.

/// Adds `shift` to the displacements of `count` springs, and advances the springs by one frame: each displacement d
/// becomes `m00·(d + shift) + m01·v`, and each velocity v becomes `m10·(d + shift) + m11·v`. Returns the largest |d|
/// afterward, ignoring NaN, or 0 if `count` is 0.
double spring_step(
    double *displacement, double *velocity, size_t count, double shift, double m00, double m01, double m10,
    double m11);

/// Does the same as `spring_step`, but does not find the largest displacement. Finding it makes the loop slower by a
/// fifth or more on most machines.
void spring_advance(
    double *displacement, double *velocity, size_t count, double shift, double m00, double m01, double m10,
    double m11);

/// Returns the largest absolute value, ignoring NaN, or 0 if `count` is 0.
double spring_maximum(const double *values, size_t count);

/// Applies one shift to the displacements d of `count` springs: `d ← d + delta·min(1, |touch − anchor|₁/resistance)`.
/// The distance |touch − anchor|₁ is the sum of the distances along both axes, points. `inverse_resistance` is
/// 1/resistance.
void spring_shift(
    double *displacement, const double *anchor_main, const double *anchor_cross, size_t count, double delta,
    double touch_main, double touch_cross, double inverse_resistance);

/// Computes the displacement and the velocity of one spring that was at rest before `count` shifts: the sums of
/// `weight_d[j]·s_j` and of `weight_v[j]·s_j` over the shifts j. `s_j` is how far shift j moved the spring, by the
/// formula of `spring_shift`. The weights are the displacement and the velocity left now if shift j displaced the
/// spring by 1.
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

/// Computes bounds on the displacement of a spring whose anchor is anywhere in a rectangle. In the rectangle, the
/// effect `weight_d[j]·s_j` of each shift has a smallest and a largest value. The bounds are the sums of the smallest
/// and of the largest values. `least_share` is 1 if all shifts have moved the spring, and 0 if some may have had no
/// effect.
void spring_bounds(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double least_share, double *low, double *high);

/// Prepares `spring_respond` for many springs whose anchors are in a rectangle. Copies to `open` the shifts that move
/// at least some of these springs by only a part of the delta, and returns the number of copied shifts. All other
/// shifts move every spring by their whole delta. Their effects add up to `whole_displacement` and `whole_velocity`.
/// `open` has five columns of `count` numbers each: deltas, touches along and across the axis, weights of displacement
/// and of velocity.
size_t spring_gather(
    const double *delta, const double *touch_main, const double *touch_cross, const double *weight_d,
    const double *weight_v, size_t count, double main_low, double main_high, double cross_low, double cross_high,
    double inverse_resistance, double *open, double *whole_displacement, double *whole_velocity);

/// How far a shift moves a spring is a function of the spring's anchor. A breakpoint is a point of the scroll axis at
/// which this function changes its slope. Each shift has three kinds of breakpoints: 0 where it begins to move springs
/// by only a part of its delta, 1 at the touch, and 2 where it moves springs by its whole delta again. `code` is
/// `entry << 3 | kind << 1 | isFurthest`, and `entry` is the number of the shift. If anchors differ across the axis,
/// `isFurthest` is 0 in the breakpoints for the anchors nearest to the touch, and 1 in those for the furthest.
typedef struct {
  double position;
  long long code;
} SpringBreakpoint;

/// A section of the scroll axis. All springs anchored there have this displacement; NaN if it differs between them.
typedef struct {
  double low, high, displacement;
} SpringStretch;

/// Finds sections of the axis that contain the anchors of all springs that are now between `low` and `high`. The
/// `count` breakpoints must be in ascending order. Between two neighboring breakpoints, the search bounds the
/// displacements of the springs anchored there.
///
/// `size[j]` is the displacement that remains of shift `first_entry + j`, divided by the resistance. Breakpoints of
/// older shifts are skipped. `total` is the displacement of springs far from all touches. `is_line` is 1 if all anchors
/// have the same position across the axis. `stretches` needs room for `count + 1` results. They are in ascending order
/// and do not overlap.
/// - Returns: The number of sections.
size_t spring_find_anchors(
    const SpringBreakpoint *breakpoints, size_t count, long long first_entry, const double *size, double total,
    double low, double high, int is_line, SpringStretch *stretches);

