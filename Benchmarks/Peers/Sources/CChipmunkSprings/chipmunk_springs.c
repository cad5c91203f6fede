#include "chipmunk_springs.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chipmunk_space.h"

typedef struct {
  cpBody *body;
  cpConstraint *joint;
  cpVect anchor;
} Spring;

struct chipmunk_springs {
  cpSpace *space;
  size_t count;
  Spring springs[];
};

static Spring attached(cpSpace *space, cpVect anchor, double frequency, double damping) {
  const double omega = 2 * CP_PI * frequency;
  cpBody *body = cpSpaceAddBody(space, cpBodyNew(1, INFINITY));
  cpBodySetPosition(body, anchor);
  cpConstraint *joint = cpDampedSpringNew(
      cpSpaceGetStaticBody(space), body, anchor, cpvzero, 0, omega * omega, 2 * damping * omega);
  return (Spring){body, cpSpaceAddConstraint(space, joint), anchor};
}

cpSpace *chipmunk_space_without_greeting(void) {
  fflush(stdout);
  const int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  cpSpace *space = cpSpaceNew();
  fflush(stdout);
  dup2(output, STDOUT_FILENO);
  close(output);
  return space;
}

chipmunk_springs *chipmunk_springs_create(
    size_t count, const double *anchors, double frequency, double damping, int iterations) {
  chipmunk_springs *all = malloc(sizeof(chipmunk_springs) + count * sizeof(Spring));
  if (all == NULL) abort();
  all->space = chipmunk_space_without_greeting();
  all->count = count;
  cpSpaceSetIterations(all->space, iterations);
  for (size_t i = 0; i < count; i++) {
    all->springs[i] = attached(all->space, cpv(anchors[2 * i], anchors[2 * i + 1]), frequency, damping);
  }
  return all;
}

void chipmunk_springs_destroy(chipmunk_springs *springs) {
  // Frees the space first, because removing a joint or a body from the space searches all its joints or bodies.
  cpSpaceFree(springs->space);
  for (size_t i = 0; i < springs->count; i++) {
    cpConstraintFree(springs->springs[i].joint);
    cpBodyFree(springs->springs[i].body);
  }
  free(springs);
}

void chipmunk_springs_rest(chipmunk_springs *springs) {
  for (size_t i = 0; i < springs->count; i++) {
    cpBodySetPosition(springs->springs[i].body, springs->springs[i].anchor);
    cpBodySetVelocity(springs->springs[i].body, cpvzero);
  }
}

void chipmunk_springs_shift(
    chipmunk_springs *springs, double delta, double touch_x, double touch_y, double inverse_resistance,
    int along_x) {
  for (size_t i = 0; i < springs->count; i++) {
    const Spring spring = springs->springs[i];
    const double ratio = (fabs(touch_y - spring.anchor.y) + fabs(touch_x - spring.anchor.x)) * inverse_resistance;
    const double move = delta * (ratio < 1 ? ratio : 1);
    const cpVect position = cpBodyGetPosition(spring.body);
    cpBodySetPosition(spring.body, cpvadd(position, along_x ? cpv(move, 0) : cpv(0, move)));
  }
}

void chipmunk_springs_step(chipmunk_springs *springs, double seconds) { cpSpaceStep(springs->space, seconds); }

void chipmunk_springs_read(const chipmunk_springs *springs, double *centers) {
  for (size_t i = 0; i < springs->count; i++) {
    const cpVect position = cpBodyGetPosition(springs->springs[i].body);
    *centers++ = position.x;
    *centers++ = position.y;
  }
}

const char *chipmunk_springs_version(void) { return cpVersionString; }
