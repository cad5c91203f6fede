#pragma once

#include <stddef.h>

/// Bodies without shapes or rotation in a Chipmunk space, each on a damped spring of length 0 to its own anchor on the
/// space's static body. Chipmunk computes with Double. Its damping acts only along the spring.
typedef struct chipmunk_springs chipmunk_springs;

/// - `anchors`: `count` pairs x, y in points. The bodies start there, at rest.
/// - `frequency` is in Hz, `damping` is a ratio, both for a mass of 1: stiffness ω², damping 2ζω.
chipmunk_springs *chipmunk_springs_create(
    size_t count, const double *anchors, double frequency, double damping, int iterations);
void chipmunk_springs_destroy(chipmunk_springs *springs);

/// Moves all bodies to their anchors, without velocity.
void chipmunk_springs_rest(chipmunk_springs *springs);

/// Moves each body as a scroll by `delta` points does: by `delta·min(1, (|touch − anchor|₁)·inverse_resistance)` points
/// along y, or along x if `along_x` is not 0.
void chipmunk_springs_shift(
    chipmunk_springs *springs, double delta, double touch_x, double touch_y, double inverse_resistance,
    int along_x);

void chipmunk_springs_step(chipmunk_springs *springs, double seconds);

/// Writes the positions of the bodies, as pairs x, y in points.
void chipmunk_springs_read(const chipmunk_springs *springs, double *centers);

/// Returns the version of the loaded library.
const char *chipmunk_springs_version(void);
