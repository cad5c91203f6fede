#include "chipmunk_heap.h"

#include <chipmunk/chipmunk.h>
#include <stdlib.h>

#include "chipmunk_space.h"

struct chipmunk_heap {
  cpSpace *space;
  double friction, elasticity;
  cpShape *walls[4];
  size_t wall_count;
  size_t count;
  cpBody *bodies[];
};

chipmunk_heap *chipmunk_heap_create(size_t most, double gravity, double friction, double elasticity) {
  chipmunk_heap *heap = malloc(sizeof(chipmunk_heap) + most * sizeof(cpBody *));
  if (heap == NULL) abort();
  heap->space = chipmunk_space_without_greeting();
  cpSpaceSetGravity(heap->space, cpv(0, gravity));
  cpSpaceSetSleepTimeThreshold(heap->space, 0.5);
  heap->friction = friction;
  heap->elasticity = elasticity;
  heap->wall_count = 0;
  heap->count = 0;
  return heap;
}

static void free_shape(cpBody *body, cpShape *shape, void *data) {
  (void)body;
  (void)data;
  cpShapeFree(shape);
}

void chipmunk_heap_destroy(chipmunk_heap *heap) {
  // Frees the space first, because cpSpaceFree accesses the shapes.
  cpSpaceFree(heap->space);
  for (size_t i = 0; i < heap->wall_count; i++) cpShapeFree(heap->walls[i]);
  for (size_t i = 0; i < heap->count; i++) {
    cpBodyEachShape(heap->bodies[i], free_shape, NULL);
    cpBodyFree(heap->bodies[i]);
  }
  free(heap);
}

static void add_shape(chipmunk_heap *heap, cpShape *shape) {
  cpShapeSetFriction(shape, heap->friction);
  cpShapeSetElasticity(shape, heap->elasticity);
  cpSpaceAddShape(heap->space, shape);
}

void chipmunk_heap_add_body(
    chipmunk_heap *heap, double x, double y, double width, double height, double angle, int is_round) {
  const double mass = is_round ? CP_PI / 4 * width * width : width * height;
  const double moment =
      is_round ? cpMomentForCircle(mass, 0, width / 2, cpvzero) : cpMomentForBox(mass, width, height);
  cpBody *body = cpSpaceAddBody(heap->space, cpBodyNew(mass, moment));
  cpBodySetPosition(body, cpv(x, y));
  cpBodySetAngle(body, angle);
  add_shape(heap, is_round ? cpCircleShapeNew(body, width / 2, cpvzero) : cpBoxShapeNew(body, width, height, 0));
  heap->bodies[heap->count++] = body;
}

void chipmunk_heap_add_wall(chipmunk_heap *heap, double from_x, double from_y, double to_x, double to_y) {
  if (heap->wall_count == sizeof(heap->walls) / sizeof(heap->walls[0])) abort();
  cpBody *ground = cpSpaceGetStaticBody(heap->space);
  cpShape *wall = cpSegmentShapeNew(ground, cpv(from_x, from_y), cpv(to_x, to_y), 0);
  add_shape(heap, wall);
  heap->walls[heap->wall_count++] = wall;
}

void chipmunk_heap_step(chipmunk_heap *heap, double seconds) { cpSpaceStep(heap->space, seconds); }

void chipmunk_heap_read_motions(const chipmunk_heap *heap, double *motions) {
  for (size_t i = 0; i < heap->count; i++) {
    const cpVect position = cpBodyGetPosition(heap->bodies[i]);
    const cpVect velocity = cpBodyGetVelocity(heap->bodies[i]);
    *motions++ = position.x;
    *motions++ = position.y;
    *motions++ = cpBodyGetAngle(heap->bodies[i]);
    *motions++ = velocity.x;
    *motions++ = velocity.y;
    *motions++ = cpBodyGetAngularVelocity(heap->bodies[i]);
  }
}

size_t chipmunk_heap_awake_count(const chipmunk_heap *heap) {
  size_t count = 0;
  for (size_t i = 0; i < heap->count; i++) count += cpBodyIsSleeping(heap->bodies[i]) ? 0 : 1;
  return count;
}
