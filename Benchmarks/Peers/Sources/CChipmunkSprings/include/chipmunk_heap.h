#pragma once

#include <stddef.h>

/// Bodies of a Chipmunk space that fall into a container. Chipmunk computes with Double, in points and seconds.
typedef struct chipmunk_heap chipmunk_heap;

/// - Parameter most: The largest possible number of bodies.
chipmunk_heap *chipmunk_heap_create(size_t most, double gravity, double friction, double elasticity);
void chipmunk_heap_destroy(chipmunk_heap *heap);

/// Adds a disc of diameter `width` if `is_round` is not 0, otherwise a box.
void chipmunk_heap_add_body(
    chipmunk_heap *heap, double x, double y, double width, double height, double angle, int is_round);

/// Adds a side of the container, a line between two points.
void chipmunk_heap_add_wall(chipmunk_heap *heap, double from_x, double from_y, double to_x, double to_y);

void chipmunk_heap_step(chipmunk_heap *heap, double seconds);

/// Writes x, y, angle, the velocity along x and y, and the spin of each body.
void chipmunk_heap_read_motions(const chipmunk_heap *heap, double *motions);

size_t chipmunk_heap_awake_count(const chipmunk_heap *heap);
