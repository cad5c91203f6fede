#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies of a Box2D world: cradles and dragged items that hang on springs from anchors, and heaps. Box2D computes
/// in Float, in metres.
typedef struct box2d_scene box2d_scene;

typedef struct box2d_scene_options {
  /// Box2D's thresholds are in metres: bodies slower than 1 m/s do not bounce, and those slower than 0.01
  /// m/s may sleep.
  double points_per_metre;
  /// Points per second².
  double gravity;
  /// 0 for bodies that pass through each other.
  int collides;
  double elasticity;
  double friction;
  int allows_rotation;
  int allows_sleep;
  int velocity_iterations;
  int position_iterations;
} box2d_scene_options;

/// A distance joint from the centre of a body to an anchor, points and Hz.
typedef struct box2d_scene_spring {
  /// Index of the body.
  size_t body;
  double anchor_x, anchor_y;
  double length, frequency, damping;
  /// 0 for an anchor that never moves.
  int follows_finger;
} box2d_scene_spring;

box2d_scene *box2d_scene_create(box2d_scene_options options);
void box2d_scene_destroy(box2d_scene *scene);

/// Adds a disc if `is_round`, whose diameter is then the width, or a box; points.
void box2d_scene_add_body(
    box2d_scene *scene, double x, double y, double width, double height, int is_round);

/// Turns the last added body, radians.
void box2d_scene_turn_last(box2d_scene *scene, double angle);

/// Adds a side of a container, a line between two points.
void box2d_scene_add_wall(box2d_scene *scene, double from_x, double from_y, double to_x, double to_y);

/// The body must be upright, at its initial place.
void box2d_scene_add_spring(box2d_scene *scene, box2d_scene_spring spring);

/// Puts all bodies upright at these places, pairs x, y in points, without velocity, and wakes them.
void box2d_scene_place(box2d_scene *scene, const double *centers);

/// Moves the anchors that follow the finger by this many points.
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
