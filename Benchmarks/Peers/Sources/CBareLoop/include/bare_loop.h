#pragma once

#include <stddef.h>

/// Plain loops over plain arrays. Their cost is a lower bound for the cost of the springs in an engine.
///
/// The loops are compiled like the engine's own: without fused multiply-add, and for several vector widths. The loader
/// picks the widest that the processor supports.

/// Steps `count` springs: `(d, v) ← (m00·d + m01·v, m10·d + m11·v)`.
void bare_step(
    double *restrict displacement, double *restrict velocity, size_t count, double m00, double m01,
    double m10, double m11);

/// Shifts `count` springs as a scroll by `delta` points does:
/// `d ← d + delta·min(1, (|touch − anchor|₁)·inverse_resistance)`.
void bare_shift(
    double *restrict displacement, const double *restrict anchor_x, const double *restrict anchor_y,
    size_t count, double delta, double touch_x, double touch_y, double inverse_resistance);

/// Writes the centers of `count` springs that move in y, as pairs x, y.
void bare_read_y(
    double *restrict centers, const double *restrict anchor_x, const double *restrict anchor_y,
    const double *restrict displacement_y, size_t count);

/// Writes the centers of `count` springs that move in x and y, as pairs x, y.
void bare_read_xy(
    double *restrict centers, const double *restrict anchor_x, const double *restrict anchor_y,
    const double *restrict displacement_x, const double *restrict displacement_y, size_t count);

/// The rows of a springy list, at equal distances. Only the rows in `first..<end` are simulated.
typedef struct {
  double *displacement, *velocity;
  size_t count, first, end;
  /// Lengths in points. `inverse_pitch` is 1 / `pitch`.
  double first_anchor, pitch, inverse_pitch, anchor_x, height;
  double m00, m01, m10, m11, inverse_resistance;
} BareList;

/// A touch in the coordinates of the content, points.
typedef struct {
  double x, y;
} BareTouch;

/// A visible row and its center, points.
typedef struct {
  size_t index;
  double x, y;
} BareRow;

/// Shifts and steps the simulated rows in one pass, which reads and writes 16 bytes per row.
void bare_list_step(const BareList *list, double delta, BareTouch touch);

/// Sets the range of simulated rows to the rows that overlap the content from `low` to `high`, points. Rows that enter
/// the range start without velocity, at the displacement that the shift gives them.
void bare_list_show(BareList *list, double low, double high, double delta, BareTouch touch);

/// Writes the rows that overlap the view from `top` to `bottom`, points, and returns their number. The rows' current
/// centers must be in ascending order, as they are unless the touch jumps between frames.
size_t bare_list_visible(const BareList *list, double top, double bottom, BareRow *rows);

/// Returns the name of the vector extension that the loader picks on this machine.
const char *bare_vectors(void);
