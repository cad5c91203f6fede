#include "box2d_scenes.h"

#include <box2d/box2d.h>

#include <vector>

struct box2d_scene {
  explicit box2d_scene(box2d_scene_options options)
      : options(options), world(metres(0, options.gravity)) {}

  float metres(double points) const { return static_cast<float>(points / options.points_per_metre); }
  b2Vec2 metres(double x, double y) const { return b2Vec2(metres(x), metres(y)); }

  box2d_scene_options options;
  b2World world;
  b2Body *ground = nullptr;
  /// A static body for the anchors that follow the finger. Unlike `ground`, it is moved.
  b2Body *finger = nullptr;
  std::vector<b2Body *> bodies;
};

box2d_scene *box2d_scene_create(box2d_scene_options options) {
  auto *scene = new box2d_scene(options);
  scene->world.SetAllowSleeping(options.allows_sleep != 0);
  const b2BodyDef static_def;
  scene->ground = scene->world.CreateBody(&static_def);
  scene->finger = scene->world.CreateBody(&static_def);
  return scene;
}

void box2d_scene_destroy(box2d_scene *scene) { delete scene; }

void box2d_scene_add_body(
    box2d_scene *scene, double x, double y, double width, double height, int is_round) {
  b2BodyDef body_def;
  body_def.type = b2_dynamicBody;
  body_def.position = scene->metres(x, y);
  body_def.fixedRotation = scene->options.allows_rotation == 0;
  b2Body *body = scene->world.CreateBody(&body_def);
  b2CircleShape disc;
  disc.m_radius = scene->metres(width / 2);
  b2PolygonShape box;
  box.SetAsBox(scene->metres(width / 2), scene->metres(height / 2));
  b2FixtureDef fixture;
  fixture.shape = is_round != 0 ? static_cast<b2Shape *>(&disc) : &box;
  fixture.density = 1;
  fixture.friction = static_cast<float>(scene->options.friction);
  fixture.restitution = static_cast<float>(scene->options.elasticity);
  if (scene->options.collides == 0) fixture.filter.maskBits = 0;
  body->CreateFixture(&fixture);
  scene->bodies.push_back(body);
}

void box2d_scene_turn_last(box2d_scene *scene, double angle) {
  b2Body *body = scene->bodies.back();
  body->SetTransform(body->GetPosition(), static_cast<float>(angle));
}

void box2d_scene_add_wall(box2d_scene *scene, double from_x, double from_y, double to_x, double to_y) {
  b2EdgeShape edge;
  edge.SetTwoSided(scene->metres(from_x, from_y), scene->metres(to_x, to_y));
  b2FixtureDef fixture;
  fixture.shape = &edge;
  fixture.friction = static_cast<float>(scene->options.friction);
  fixture.restitution = static_cast<float>(scene->options.elasticity);
  scene->ground->CreateFixture(&fixture);
}

void box2d_scene_add_spring(box2d_scene *scene, box2d_scene_spring spring) {
  b2Body *body = scene->bodies[spring.body];
  b2Body *holder = spring.follows_finger != 0 ? scene->finger : scene->ground;
  b2DistanceJointDef def;
  def.Initialize(holder, body, scene->metres(spring.anchor_x, spring.anchor_y), body->GetPosition());
  def.length = scene->metres(spring.length);
  def.minLength = 0;
  def.maxLength = b2_maxFloat;
  b2LinearStiffness(
      def.stiffness, def.damping, static_cast<float>(spring.frequency), static_cast<float>(spring.damping),
      holder, body);
  scene->world.CreateJoint(&def);
}

void box2d_scene_place(box2d_scene *scene, const double *centers) {
  for (b2Body *body : scene->bodies) {
    body->SetTransform(scene->metres(centers[0], centers[1]), 0);
    body->SetLinearVelocity(b2Vec2(0, 0));
    body->SetAngularVelocity(0);
    body->SetAwake(true);
    centers += 2;
  }
}

void box2d_scene_move_finger(box2d_scene *scene, double dx, double dy) {
  scene->finger->SetTransform(scene->finger->GetPosition() + scene->metres(dx, dy), 0);
  for (b2Body *body : scene->bodies) body->SetAwake(true);
}

void box2d_scene_step(box2d_scene *scene, double seconds) {
  scene->world.Step(
      static_cast<float>(seconds), scene->options.velocity_iterations, scene->options.position_iterations);
}

void box2d_scene_read(const box2d_scene *scene, double *centers) {
  for (const b2Body *body : scene->bodies) {
    *centers++ = body->GetPosition().x * scene->options.points_per_metre;
    *centers++ = body->GetPosition().y * scene->options.points_per_metre;
  }
}

void box2d_scene_read_motions(const box2d_scene *scene, double *motions) {
  const double scale = scene->options.points_per_metre;
  for (const b2Body *body : scene->bodies) {
    *motions++ = body->GetPosition().x * scale;
    *motions++ = body->GetPosition().y * scale;
    *motions++ = body->GetAngle();
    *motions++ = body->GetLinearVelocity().x * scale;
    *motions++ = body->GetLinearVelocity().y * scale;
    *motions++ = body->GetAngularVelocity();
  }
}

size_t box2d_scene_awake_count(const box2d_scene *scene) {
  size_t count = 0;
  for (const b2Body *body : scene->bodies) count += body->IsAwake() ? 1 : 0;
  return count;
}
