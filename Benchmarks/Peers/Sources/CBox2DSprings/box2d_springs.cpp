#include "box2d_springs.h"

#include <box2d/box2d.h>

#include <cmath>
#include <vector>

namespace {

// This is UIKit's scale. With it, Box2D can move a body by at most 300 points (2 meters) per step.
constexpr double points_per_metre = 150;

b2Vec2 metres(double x, double y) {
  return b2Vec2(static_cast<float>(x / points_per_metre), static_cast<float>(y / points_per_metre));
}

struct Spring {
  b2Body *body;
  double anchor_x, anchor_y;
};

}  // namespace

struct box2d_springs {
  b2World world{b2Vec2(0, 0)};
  std::vector<Spring> springs;
  int velocity_iterations;
  int position_iterations;
};

static void attach(box2d_springs &all, b2Body *ground, double x, double y, double frequency, double damping) {
  b2BodyDef body_def;
  body_def.type = b2_dynamicBody;
  body_def.fixedRotation = true;
  body_def.allowSleep = false;
  body_def.position = metres(x, y);
  b2Body *body = all.world.CreateBody(&body_def);
  const b2MassData unit_mass = {1, b2Vec2(0, 0), 0};
  body->SetMassData(&unit_mass);

  b2MouseJointDef joint_def;
  joint_def.bodyA = ground;
  joint_def.bodyB = body;
  joint_def.target = body_def.position;
  joint_def.maxForce = 1e9f;
  b2LinearStiffness(
      joint_def.stiffness, joint_def.damping, static_cast<float>(frequency), static_cast<float>(damping),
      ground, body);
  all.world.CreateJoint(&joint_def);
  all.springs.push_back({body, x, y});
}

box2d_springs *box2d_springs_create(
    size_t count, const double *anchors, double frequency, double damping, int velocity_iterations,
    int position_iterations) {
  auto *all = new box2d_springs;
  all->velocity_iterations = velocity_iterations;
  all->position_iterations = position_iterations;
  all->world.SetAllowSleeping(false);
  // Turns off continuous collision detection, because nothing collides.
  all->world.SetContinuousPhysics(false);
  all->springs.reserve(count);
  const b2BodyDef ground_def;
  b2Body *ground = all->world.CreateBody(&ground_def);
  for (size_t i = 0; i < count; i++) {
    attach(*all, ground, anchors[2 * i], anchors[2 * i + 1], frequency, damping);
  }
  return all;
}

void box2d_springs_destroy(box2d_springs *springs) { delete springs; }

void box2d_springs_rest(box2d_springs *springs) {
  for (const Spring &spring : springs->springs) {
    spring.body->SetTransform(metres(spring.anchor_x, spring.anchor_y), 0);
    spring.body->SetLinearVelocity(b2Vec2(0, 0));
  }
}

void box2d_springs_shift(
    box2d_springs *springs, double delta, double touch_x, double touch_y, double inverse_resistance,
    int along_x) {
  for (const Spring &spring : springs->springs) {
    const double ratio =
        (std::fabs(touch_y - spring.anchor_y) + std::fabs(touch_x - spring.anchor_x)) * inverse_resistance;
    const float move = static_cast<float>(delta * (ratio < 1 ? ratio : 1) / points_per_metre);
    b2Vec2 position = spring.body->GetPosition();
    (along_x ? position.x : position.y) += move;
    spring.body->SetTransform(position, 0);
  }
}

void box2d_springs_step(box2d_springs *springs, double seconds) {
  springs->world.Step(
      static_cast<float>(seconds), springs->velocity_iterations, springs->position_iterations);
}

void box2d_springs_read(const box2d_springs *springs, double *centers) {
  for (const Spring &spring : springs->springs) {
    const b2Vec2 &position = spring.body->GetPosition();
    *centers++ = position.x * points_per_metre;
    *centers++ = position.y * points_per_metre;
  }
}

void box2d_springs_version(int version[3]) {
  version[0] = b2_version.major;
  version[1] = b2_version.minor;
  version[2] = b2_version.revision;
}
