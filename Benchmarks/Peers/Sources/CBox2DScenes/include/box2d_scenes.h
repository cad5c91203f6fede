#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A Box2D world with the bodies of a scene: a cradle on springs, dragged items on springs, or a heap of items in a
/// container. Box2D computes with Float, in meters.
typedef struct box2d_scene box2d_scene;

typedef struct box2d_scene_options {
  /// The number of points in one of Box2D's meters. Box2D's thresholds are in meters: bodies slower than 1 m/s do not
  /// bounce, and bodies slower than 0.01 m/s may sleep.
  double points_per_metre;
  /// The downward acceleration in points per second².
  double gravity;
  /// Whether bodies collide. If 0, they pass through each other.
  int collides;
  double elasticity;
  double friction;
  int allows_rotation;
  int allows_sleep;
  int velocity_iterations;
  int position_iterations;
} box2d_scene_options;

/// A distance joint from the center of a body to an anchor. Lengths are in points, `frequency` is in Hz.
typedef struct box2d_scene_spring {
  /// The index of the body.
  size_t body;
  double anchor_x, anchor_y;
  double length, frequency, damping;
  /// Whether the anchor moves with the finger. If 0, it never moves.
  int follows_finger;
} box2d_scene_spring;

box2d_scene *box2d_scene_create(box2d_scene_options options);
void box2d_scene_destroy(box2d_scene *scene);

/// Adds a disc of diameter `width` if `is_round` is not 0, otherwise a box. Lengths are in points.
void box2d_scene_add_body(
    box2d_scene *scene, double x, double y, double width, double height, int is_round);

/// Rotates the body that was added last, by an angle in radians.
void box2d_scene_turn_last(box2d_scene *scene, double angle);

/// Adds a side of a container, a line between two points.
void box2d_scene_add_wall(box2d_scene *scene, double from_x, double from_y, double to_x, double to_y);

/// Adds a spring to a body, which must be upright and at its initial position.
void box2d_scene_add_spring(box2d_scene *scene, box2d_scene_spring spring);

/// Places all bodies upright at `centers`, pairs x, y in points, without velocity, and wakes them.
void box2d_scene_place(box2d_scene *scene, const double *centers);

/// Moves the anchors that follow the finger by `dx` and `dy` points.
void box2d_scene_move_finger(box2d_scene *scene, double dx, double dy);

void box2d_scene_step(box2d_scene *scene, double seconds);

/// Writes the positions of the bodies, as pairs x, y in points.
void box2d_scene_read(const box2d_scene *scene, double *centers);

/// Writes x, y, angle, the velocity along x and y, and the spin of each body; points, radians and seconds.
void box2d_scene_read_motions(const box2d_scene *scene, double *motions);

size_t box2d_scene_awake_count(const box2d_scene *scene);

#ifdef __cplusplus
}
#endif
