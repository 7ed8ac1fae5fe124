// Computes the boxes of grains, walls, motions and flights for the automatic domain.
#include "Scene/AutomaticDomain.h"

#include "Scene/ShapeText.h"
#include "Core/Text.h"
#include "Fluid/FluidField.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dem
{
namespace
{

constexpr double kMostDiagonals = 100, kMostDiagonalsWithoutGravity = 10;

Vec3d direction(const Vec3d& v)
{
  const double l = length(v);
  return l > 0 && std::isfinite(l) ? (1 / l) * v : Vec3d{ 0, 0, 1 };
}

// Box of the shifts (m) of a translated or oscillating wall, and its largest speed (m/s).
struct Shifts
{
  Box box;
  double speed = 0;
};

// The extremes along x, y and z of a circle around an axis.
void addRing(const Vec3d& centre, const Vec3d& axis, double radius, std::vector<Vec3d>& corners)
{
  const Vec3d a = direction(axis);
  for (int k = 0; k < 3; ++k)
  {
    Vec3d out{};
    out[k] = radius * std::sqrt(std::max(0.0, 1 - a[k] * a[k]));
    corners.push_back(centre + out);
    corners.push_back(centre - out);
  }
}

Vec3d cornerOf(const Vec3d& lower, const Vec3d& upper, int corner)
{
  return { corner & 1 ? upper.x : lower.x, corner & 2 ? upper.y : lower.y,
    corner & 4 ? upper.z : lower.z };
}

/// The number of motions of a wall, and one of them.
std::size_t motionsOf(const Wall& wall) { return 1 + wall.further_motions.size(); }
const Motion& motionOf(const Wall& wall, std::size_t part)
{
  return part == 0 ? wall.motion : wall.further_motions[part - 1];
}

Shifts shiftsOf(const Scene& scene, std::size_t wall, std::size_t part)
{
  Shifts out;
  Motion motion = motionOf(scene.walls[wall], part);
  out.box.add({});
  if (motion.kind == MotionKind::Oscillation)
  {
    const Vec3d axis = direction(motion.axis);
    out.box.add((motion.amplitude * (1 - std::sin(motion.phase))) * axis);
    out.box.add((-motion.amplitude * (1 + std::sin(motion.phase))) * axis);
    out.speed = std::fabs(2 * 3.14159265358979323846 * motion.amplitude * motion.frequency);
  }
  if (motion.kind != MotionKind::Translation)
    return out;
  const auto reach = [&](double time) {
    if (std::min(time, motion.stop) > motion.start)
      out.speed = std::max(out.speed, length(motion.velocity));
    motion.settle(time);
    out.box.add(motion.shift_before);
  };
  for (const Event& event : scene.events)
    if (part == 0 && event.property == "WallVelocity" && event.value.size() == 4 &&
      event.value[0] == static_cast<double>(wall) && event.time < scene.end_time)
    {
      reach(event.time);
      motion.velocity = { event.value[1], event.value[2], event.value[3] };
    }
  reach(scene.end_time);
  return out;
}

class BoxOfScene
{
public:
  explicit BoxOfScene(const Scene& scene)
    : scene_(scene)
    , gravity_(isFinite(scene.gravity) ? length(scene.gravity) : 0)
    , down_(gravity_ > 0 ? (1 / gravity_) * scene.gravity : Vec3d{})
  {
  }

  Box grains()
  {
    const ParticleInput& p = scene_.particles;
    for (std::size_t i = 0; i < p.size() && i < p.position.size(); ++i)
    {
      grains_.add(p.position[i], reachOf(i));
      largest_ = std::max(largest_, reachOf(i));
    }
    return start_ = all_ = grains_;
  }

  // Box of a wall with its sweep. Requires grains().
  Box wall(std::size_t w)
  {
    addWall(w);
    Box swept = walls_.back();
    if (scene_.walls[w].motion.kind == MotionKind::Translation && !swept.empty())
    {
      const Box shifts = shiftsOf(scene_, w, 0).box;
      swept.lower = swept.lower + shifts.lower;
      swept.upper = swept.upper + shifts.upper;
    }
    return swept;
  }

  Box bounds()
  {
    grains();
    for (std::size_t w = 0; w < scene_.walls.size(); ++w)
      addWall(w);
    if (all_.empty())
      return all_;
    addMotions();
    addThrows();
    addFluid();
    for (int k = 0; k < 3; ++k)
    {
      const double margin = 0.05 * (all_.upper[k] - all_.lower[k]) + 2 * largest_;
      all_.lower[k] -= margin;
      all_.upper[k] += margin;
    }
    return all_;
  }

private:
  double reachOf(std::size_t i) const
  {
    const ParticleInput& p = scene_.particles;
    if (p.shape.empty())
      return p.radius[i];
    const Shape& of = scene_.shapes[static_cast<std::size_t>(p.shape[i])];
    return p.radius[i] * of.mass.bounding_radius / equalRadius(of);
  }

  bool isPeriodic(int axis) const
  {
    return scene_.domain.exit[static_cast<std::size_t>(axis)] == Exit::Periodic;
  }

  // Extends the box to a point that a motion may reach, except on periodic axes.
  void addReached(const Vec3d& p)
  {
    for (int k = 0; k < 3 && isFinite(p); ++k)
      if (!isPeriodic(k))
      {
        all_.lower[k] = std::min(all_.lower[k], p[k]);
        all_.upper[k] = std::max(all_.upper[k], p[k]);
      }
  }

  // Adds a point of a wall at the start, and all its positions while the wall rotates or
  // oscillates.
  void addMoved(const Vec3d& p, const Motion& motion)
  {
    if (motion.kind == MotionKind::Rotation)
    {
      const Vec3d axis = direction(motion.axis), arm = p - motion.origin;
      const Vec3d centre = motion.origin + dot(arm, axis) * axis;
      const double r = length(p - centre);
      for (int k = 0; k < 3; ++k)
      {
        Vec3d out{};
        out[k] = r * std::sqrt(std::max(0.0, 1 - axis[k] * axis[k]));
        add(centre + out);
        add(centre - out);
      }
      return;
    }
    add(p);
    if (motion.kind == MotionKind::Oscillation)
    {
      const Vec3d axis = direction(motion.axis);
      add(p + (motion.amplitude * (1 - std::sin(motion.phase))) * axis);
      add(p - (motion.amplitude * (1 + std::sin(motion.phase))) * axis);
    }
  }

  void add(const Vec3d& p)
  {
    start_.add(p);
    all_.add(p);
  }

  void addWall(std::size_t w)
  {
    const Wall& wall = scene_.walls[w];
    walls_.push_back({});
    std::swap(all_, walls_.back()); // collect the box of this wall alone, for its translation
    for (const Vec3d& p : wallCorners(wall, grains_))
      addMoved(p, wall.motion);
    for (std::size_t part = 1; part < motionsOf(wall) && !all_.empty(); ++part)
      sweep(w, part);
    std::swap(all_, walls_.back());
    if (!walls_.back().empty())
    {
      all_.add(walls_.back().lower);
      all_.add(walls_.back().upper);
    }
  }

  // Sweeps the box of a wall, in `all_`, by a motion after the first. A box that rotates reaches
  // farthest with a corner.
  void sweep(std::size_t w, std::size_t part)
  {
    const Wall& wall = scene_.walls[w];
    Box box = all_;
    if (part == 1 && wall.motion.kind == MotionKind::Translation)
      box = shifted(box, shiftsOf(scene_, w, 0).box);
    const Motion& motion = motionOf(wall, part);
    for (int corner = 0; corner < 8; ++corner)
    {
      Vec3d p;
      for (int k = 0; k < 3; ++k)
        p[k] = (corner >> k & 1) ? box.upper[k] : box.lower[k];
      addMoved(p, motion);
    }
    if (motion.kind == MotionKind::Translation)
      all_ = shifted(all_, shiftsOf(scene_, w, part).box);
  }

  // Grains enter again on a periodic axis, so a wall may leave the box there.
  Box shifted(Box box, const Box& shifts) const
  {
    for (int k = 0; k < 3; ++k)
      if (!isPeriodic(k))
      {
        box.lower[k] += shifts.lower[k];
        box.upper[k] += shifts.upper[k];
      }
    return box;
  }

  // Adds the translations of walls, and the grains that they carry along.
  void addMotions()
  {
    for (std::size_t w = 0; w < scene_.walls.size(); ++w)
      for (std::size_t part = 0; part < motionsOf(scene_.walls[w]); ++part)
        addMotion(w, part);
  }

  void addMotion(std::size_t w, std::size_t part)
  {
    const MotionKind kind = motionOf(scene_.walls[w], part).kind;
    if (kind != MotionKind::Translation && kind != MotionKind::Oscillation)
      return;
    const Shifts shifts = shiftsOf(scene_, w, part);
    for (const Vec3d& shift : { shifts.box.lower, shifts.box.upper })
    {
      if (part == 0 && kind == MotionKind::Translation && !walls_[w].empty())
      {
        addReached(walls_[w].lower + shift);
        addReached(walls_[w].upper + shift);
      }
      if (grains_.empty())
        continue;
      const Vec3d along = shift - std::max(0., dot(shift, down_)) * down_;
      addReached(grains_.lower + along);
      const double rise = gravity_ > 0 ? limited(2 * shifts.speed * shifts.speed / gravity_) : 0;
      addReached(grains_.upper + along - rise * down_);
    }
  }

  // Limits a distance (m) to 100 diagonals of the box at the start.
  double limited(double way) const
  {
    return std::min(way, kMostDiagonals * length(start_.upper - start_.lower));
  }

  // Grains may go wherever the given flow is.
  void addFluid()
  {
    if (!scene_.fluid.on() || !scene_.fluid_field)
      return;
    const FluidNodes& nodes = scene_.fluid_field->nodes;
    Vec3d upper = nodes.origin;
    for (int k = 0; k < 3; ++k)
      upper[k] += (nodes.count[k] - 1) * nodes.spacing[k];
    all_.add(nodes.origin);
    all_.add(upper);
  }

  void addThrows()
  {
    const ParticleInput& p = scene_.particles;
    // lowest level, as a coordinate along gravity
    double floor = 0;
    for (int k = 0; k < 3; ++k)
      floor += down_[k] * (down_[k] > 0 ? all_.upper[k] : all_.lower[k]);
    for (std::size_t i = 0; i < p.velocity.size() && i < p.position.size(); ++i)
    {
      const Vec3d& v = p.velocity[i];
      const double speed = length(v);
      if (!(speed > 0) || !std::isfinite(speed))
        continue;
      Vec3d way;
      if (gravity_ == 0)
        way = std::min(scene_.end_time,
                kMostDiagonalsWithoutGravity * length(start_.upper - start_.lower) / speed) *
          v;
      else
      {
        const Vec3d level = v - dot(v, down_) * down_;
        const double height = std::max(0., floor - dot(p.position[i], down_));
        const double time = (speed + std::sqrt(speed * speed + 2 * gravity_ * height)) / gravity_;
        const double sideways = length(level);
        way = -limited(speed * speed / (2 * gravity_)) * down_;
        if (sideways > 0)
          way = way + (limited(sideways * time) / sideways) * level;
      }
      const double reach = reachOf(i);
      Vec3d end = p.position[i] + way;
      for (int k = 0; k < 3; ++k)
        end[k] += way[k] > 0 ? reach : (way[k] < 0 ? -reach : 0);
      addReached(end);
    }
  }

  const Scene& scene_;
  const double gravity_;
  const Vec3d down_;
  Box grains_, start_, all_;
  std::vector<Box> walls_;
  double largest_ = 0;
};

} // namespace

std::vector<Vec3d> wallCorners(const Wall& wall, const Box& met)
{
  std::vector<Vec3d> corners;
  switch (wall.kind)
  {
    case WallKind::Mesh:
      return wall.points;
    case WallKind::Plane:
    {
      const Vec3d n = direction(wall.normal);
      for (int corner = 0; corner < 8; ++corner)
      {
        const Vec3d p = met.empty() ? wall.origin : cornerOf(met.lower, met.upper, corner);
        corners.push_back(p - dot(p - wall.origin, n) * n);
      }
      break;
    }
    case WallKind::Rectangle:
      for (int corner = 0; corner < 4; ++corner)
        corners.push_back(wall.origin + static_cast<double>(corner & 1) * wall.edge_u +
          static_cast<double>(corner >> 1) * wall.edge_v);
      break;
    case WallKind::Line:
      corners = { wall.origin, wall.end };
      break;
    case WallKind::Box:
      for (int corner = 0; corner < 8; ++corner)
        corners.push_back(cornerOf(wall.origin, wall.end, corner));
      break;
    case WallKind::Cylinder:
    case WallKind::Cone:
      addRing(wall.origin, wall.end - wall.origin, wall.radius, corners);
      addRing(wall.end, wall.end - wall.origin,
        wall.kind == WallKind::Cone ? wall.end_radius : wall.radius, corners);
      break;
  }
  return corners;
}

void setAutomaticDomain(Scene& scene)
{
  scene.domain.automatic = true;
  const Box box = BoxOfScene(scene).bounds();
  if (box.empty())
    return;
  for (int k = 0; k < 3; ++k)
    if (!scene.domain.given[static_cast<std::size_t>(k)])
    {
      scene.domain.lower[k] = box.lower[k];
      scene.domain.upper[k] = box.upper[k];
    }
}

Box grainBox(const Scene& scene) { return BoxOfScene(scene).grains(); }

std::vector<Box> wallBoxes(const Scene& scene)
{
  BoxOfScene box(scene);
  box.grains();
  std::vector<Box> boxes;
  for (std::size_t w = 0; w < scene.walls.size(); ++w)
    boxes.push_back(box.wall(w));
  return boxes;
}

std::string domainText(const Domain& domain)
{
  std::string text;
  for (int k = 0; k < 3; ++k)
    text += (k ? std::string(", ") : std::string()) + "xyz"[k] + " " + number(domain.lower[k], 4) +
      " to " + number(domain.upper[k], 4);
  return text + " m";
}

std::string domainName(const Domain& domain)
{
  return (domain.automatic ? "The automatic domain (" : "Domain (") + domainText(domain) + ")";
}

} // namespace dem
