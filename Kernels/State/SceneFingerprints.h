// Tells whether a saved state belongs to a scene: one number for each part that a state cannot do
// without.
#pragma once

#include "Scene/Scene.h"
#include "Scene/detail/BodySet.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace dem
{

struct SceneFingerprints
{
private:
  // FNV-1a over the bytes.
  struct Hash
  {
    std::uint64_t value = 1469598103934665603ull;

    template <class T>
    Hash& bytes(const T& v)
    {
      unsigned char b[sizeof(T)];
      std::memcpy(b, &v, sizeof(T));
      for (unsigned char c : b)
        value = (value ^ c) * 1099511628211ull;
      return *this;
    }
    Hash& add(double v) { return bytes(v == 0 ? 0.0 : v); }
    Hash& add(int v) { return bytes(v); }
    Hash& add(const Vec3d& v) { return add(v.x).add(v.y).add(v.z); }
  };

public:
  static constexpr std::size_t kParts = 6, kDomain = 4, kShapes = 5;

  static const char* name(std::size_t part)
  {
    static const char* const names[kParts] = { "its number of particles", "its materials",
      "its contact model", "its walls", "its domain", "its shapes" };
    return names[part];
  }

  static std::array<std::uint64_t, kParts> of(const Scene& s)
  {
    Hash materials, law, walls;
    for (const Material& m : s.materials)
      materials.add(m.youngs_modulus)
        .add(m.poissons_ratio)
        .add(m.density)
        .add(m.restitution)
        .add(m.friction)
        .add(m.rolling_friction);
    for (const MaterialPair& p : s.pairs)
      materials.add(p.first)
        .add(p.second)
        .add(p.restitution.value_or(-1))
        .add(p.friction.value_or(-1))
        .add(p.rolling_friction.value_or(-1));
    const ContactModel& c = s.contact;
    law.add(static_cast<int>(c.law))
      .add(c.tangential_history ? 1 : 0)
      .add(static_cast<int>(c.friction_limit));
    law.add(static_cast<int>(c.tangential_damping))
      .add(c.clamp_normal_force ? 1 : 0)
      .add(static_cast<int>(c.rolling))
      .add(c.rolling_damping);
    if (c.law == NormalLaw::LinearSpringDashpot)
      law.add(c.collision_time).add(c.normal_stiffness).add(c.stiffness_ratio);
    for (const Wall& w : s.walls)
    {
      walls.add(static_cast<int>(w.kind)).add(w.material).add(w.radius).add(w.end_radius);
      walls.add(w.origin).add(w.normal).add(w.edge_u).add(w.edge_v).add(w.end);
      for (const Vec3d& p : w.points)
        walls.add(p);
      for (const auto& t : w.triangles)
        walls.add(t[0]).add(t[1]).add(t[2]);
      const Motion& m = w.motion;
      walls.add(static_cast<int>(m.kind))
        .add(m.origin)
        .add(m.axis)
        .add(m.rate)
        .add(m.velocity)
        .add(m.amplitude)
        .add(m.frequency);
      walls.add(m.phase).add(m.start).add(m.stop);
    }
    return { s.particles.size(), materials.value, law.value, walls.value, ofDomain(s.domain, false),
      ofShapes(s) };
  }

  /// Without the borders, which states from format 7 on hold themselves.
  static std::uint64_t ofDomain(const Domain& d, bool borders)
  {
    Hash domain;
    domain.add(d.limited ? 1 : 0);
    if (d.limited && borders)
      domain.add(d.lower).add(d.upper);
    if (d.limited)
    {
      domain.add(d.wall_material);
      for (Exit e : d.exit)
        domain.add(static_cast<int>(e));
    }
    return domain.value;
  }

  /// Of the shapes of a scene whose grains are spheres.
  static std::uint64_t spheres() { return Hash{}.value; }

private:
  static std::uint64_t ofShapes(const Scene& s)
  {
    Hash shapes;
    if (usesBodies(s))
      for (std::uint8_t byte : shapesAsBytes(s))
        shapes.bytes(byte);
    return shapes.value;
  }
};

} // namespace dem
