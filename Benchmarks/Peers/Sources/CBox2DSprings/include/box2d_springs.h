#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies without shapes or rotation in a Box2D world. A mouse joint (Box2D's soft spring to a point) connects each
/// body to its own anchor. Box2D computes with Float, in meters.
typedef struct box2d_springs box2d_springs;

/// - `anchors`: `count` pairs x, y in points. The bodies start there, at rest.
/// - `frequency` is in Hz, `damping` is a ratio. b2LinearStiffness computes the joint's stiffness from them.
box2d_springs *box2d_springs_create(
    size_t count, const double *anchors, double frequency, double damping, int velocity_iterations,
    int position_iterations);
void box2d_springs_destroy(box2d_springs *springs);

/// Moves all bodies to their anchors, without velocity.
void box2d_springs_rest(box2d_springs *springs);

/// Moves each body as a scroll by `delta` points does: by `delta·min(1, (|touch − anchor|₁)·inverse_resistance)` points
/// along y, or along x if `along_x` is not 0.
void box2d_springs_shift(
    box2d_springs *springs, double delta, double touch_x, double touch_y, double inverse_resistance,
    int along_x);

void box2d_springs_step(box2d_springs *springs, double seconds);

/// Writes the positions of the bodies, as pairs x, y in points.
void box2d_springs_read(const box2d_springs *springs, double *centers);

/// Writes the version of the loaded library, as three numbers.
void box2d_springs_version(int version[3]);

#ifdef __cplusplus
}
#endif
