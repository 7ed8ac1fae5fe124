// A second, independent integration of the contact laws, for the numbers the solver is held
// against. Written from the law's definition alone (it shares nothing with the solver but the
// vector type), in double, for a handful of spheres and planes.
//
// - Normal: Tsuji, Tanaka, Ishida, Powder Technol. 71 (1992) 239-250, eq. 7-9, with the restitution
//   of Antypov and Elliott, EPL 94 (2011) 50004, eq. 17: c = 2 sqrt(5/6) b.
// - Tangential: Mindlin's no-slip stiffness 8 G* sqrt(R* d) on the accumulated slip, Coulomb limit.
//
// Two integrators: a classical Runge-Kutta of fourth order for the head-on impact (one degree of
// freedom, smooth), and a velocity Verlet with very small steps for everything with friction (whose
// sliding limit is not smooth, so that high order would gain nothing). TestReference.cpp holds both
// against closed forms, against each other and against a halved step.
#pragma once

#include "Core/Vec.h"

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace reference
{

using V = dem::Vec3d;

struct Solid
{
  double young, poisson;
};

enum class Damping
{
  Mindlin,
  Normal,
  None
};

/// Everything two touching bodies need. Radius and mass are the effective ones of the pair.
struct Law
{
  bool hertz = true;
  double young = 0, shear = 0; // E*, G*
  double kn = 0, kt = 0;       // linear law
  double restitution = 1, friction = 0;
  bool history = true, elastic_limit = false, clamp = false;
  Damping damping = Damping::Mindlin;

  double b() const
  {
    const double l = std::log(restitution);
    return -l / std::sqrt(l * l + M_PI * M_PI);
  }
  double sn(double r, double d) const { return hertz ? 2 * young * std::sqrt(r * d) : kn; }
  double st(double r, double d) const { return hertz ? 8 * shear * std::sqrt(r * d) : kt; }
  double c() const { return hertz ? 2 * std::sqrt(5.0 / 6.0) * b() : 2 * b(); }
  double elastic(double r, double d) const
  {
    return hertz ? 4.0 / 3.0 * young * std::sqrt(r) * std::pow(d, 1.5) : kn * d;
  }
  double normal(double r, double m, double d, double approach) const
  {
    const double f = elastic(r, d) + c() * std::sqrt(sn(r, d) * m) * approach;
    return clamp && f < 0 ? 0 : f;
  }
};

inline double effectiveYoung(Solid a, Solid b)
{
  return 1 / ((1 - a.poisson * a.poisson) / a.young + (1 - b.poisson * b.poisson) / b.young);
}
inline double effectiveShear(Solid a, Solid b)
{
  const double ga = a.young / (2 * (1 + a.poisson)), gb = b.young / (2 * (1 + b.poisson));
  return 1 / ((2 - a.poisson) / ga + (2 - b.poisson) / gb);
}

inline Law hertzMindlin(Solid a, Solid b, double restitution, double friction)
{
  Law law;
  law.young = effectiveYoung(a, b);
  law.shear = effectiveShear(a, b);
  law.restitution = restitution;
  law.friction = friction;
  return law;
}

/// The linear law by its collision time for a pair of effective mass m.
inline Law linear(
  double m, double collision_time, double restitution, double friction, double ratio)
{
  Law law;
  const double l = std::log(restitution);
  law.hertz = false;
  law.kn = m * (M_PI * M_PI + l * l) / (collision_time * collision_time);
  law.kt = ratio * law.kn;
  law.restitution = restitution;
  law.friction = friction;
  law.damping = Damping::None;
  return law;
}

// ----
// head-on

struct HeadOn
{
  double restitution = 0, peak = 0, duration = 0;
};

/// Head-on impact with approach speed v of a pair with effective radius r and mass m.
inline HeadOn headOn(const Law& law, double r, double m, double v, int steps_per_contact = 40000)
{
  struct Y
  {
    double d, v;
  };
  const auto rate = [&](Y y) -> Y {
    return { y.v, -law.normal(r, m, y.d > 0 ? y.d : 0, y.v) / m };
  };
  const double guess = law.hertz ? 2.87 * std::pow(m * m / (r * law.young * law.young * v), 0.2)
                                 : M_PI * std::sqrt(m / law.kn);
  const double h = guess / steps_per_contact;
  Y y{ 0, v };
  double t = 0, peak = 0;
  for (;;)
  {
    const Y a = rate(y), b = rate({ y.d + 0.5 * h * a.d, y.v + 0.5 * h * a.v }),
            c = rate({ y.d + 0.5 * h * b.d, y.v + 0.5 * h * b.v }),
            e = rate({ y.d + h * c.d, y.v + h * c.v });
    const Y next{ y.d + h / 6 * (a.d + 2 * b.d + 2 * c.d + e.d),
      y.v + h / 6 * (a.v + 2 * b.v + 2 * c.v + e.v) };
    if (next.d <= 0)
    {
      const double s = y.d / (y.d - next.d);
      return { -(y.v + s * (next.v - y.v)) / v, peak, t + s * h };
    }
    if (y.v > 0 && next.v <= 0)
    {
      const double s = y.v / (y.v - next.v);
      peak = y.d + 0.5 * s * h * y.v;
    }
    y = next;
    t += h;
  }
}

/// Hertz's elastic impact in closed form (Johnson, Contact Mechanics, 1985, section 11.4).
inline HeadOn hertzClosedForm(const Law& law, double r, double m, double v)
{
  const double peak = std::pow(15 * m * v * v / (16 * law.young * std::sqrt(r)), 0.4);
  // 2 int_0^1 dx / sqrt(1 - x^(5/2)) = (4/5) B(2/5, 1/2) = 2.9432...
  const double integral = 0.8 * std::tgamma(0.4) * std::tgamma(0.5) / std::tgamma(0.9);
  return { 1, peak, integral * peak / v };
}

/// The damped linear oscillator in closed form.
inline HeadOn linearClosedForm(double collision_time, double restitution, double v)
{
  const double w = M_PI / collision_time, g = -std::log(restitution) / collision_time;
  const double t = std::atan2(w, g) / w;
  return { restitution, v / w * std::exp(-g * t) * std::sin(w * t), collision_time };
}

// ----
// several bodies, 3D

struct Sphere
{
  double r = 0, m = 0;
  V x{}, v{}, w{};

  double inertia() const { return 0.4 * m * r * r; }
};

struct Plane
{
  V origin{}, normal{ 0, 0, 1 };
};

class World
{
public:
  std::vector<Sphere> spheres;
  std::vector<Plane> planes;
  V gravity{};
  std::function<Law(int, int)> law; ///< of spheres i < j; of sphere i and plane -1 - j

  /// One step of velocity Verlet; the forces see the velocity of mid-step, which is right to O(h).
  void step(double h)
  {
    if (force_.size() != spheres.size())
    {
      forces(h, false);
    }
    for (std::size_t i = 0; i < spheres.size(); ++i)
    {
      Sphere& s = spheres[i];
      s.v += (0.5 * h / s.m) * force_[i];
      s.w += (0.5 * h / s.inertia()) * torque_[i];
      s.x += h * s.v;
    }
    forces(h, true);
    for (std::size_t i = 0; i < spheres.size(); ++i)
    {
      Sphere& s = spheres[i];
      s.v += (0.5 * h / s.m) * force_[i];
      s.w += (0.5 * h / s.inertia()) * torque_[i];
    }
  }

  std::size_t touching() const { return slip_.size(); }
  V force(std::size_t i) const { return force_[i]; }

private:
  void forces(double h, bool move)
  {
    force_.assign(spheres.size(), V{});
    torque_.assign(spheres.size(), V{});
    for (std::size_t i = 0; i < spheres.size(); ++i)
    {
      force_[i] = spheres[i].m * gravity;
    }
    for (std::size_t i = 0; i < spheres.size(); ++i)
    {
      for (std::size_t p = 0; p < planes.size(); ++p)
      {
        const Plane& plane = planes[p];
        const double d = spheres[i].r - dot(spheres[i].x - plane.origin, plane.normal);
        contact(static_cast<int>(i), -1 - static_cast<int>(p), d, plane.normal, spheres[i].r,
          spheres[i].m, h, move);
      }
      for (std::size_t j = i + 1; j < spheres.size(); ++j)
      {
        const Sphere &a = spheres[i], &b = spheres[j];
        const V line = a.x - b.x;
        const double distance = length(line);
        contact(static_cast<int>(i), static_cast<int>(j), a.r + b.r - distance,
          (1 / distance) * line, a.r * b.r / (a.r + b.r), a.m * b.m / (a.m + b.m), h, move);
      }
    }
  }

  // n points towards sphere i.
  void contact(int i, int j, double d, V n, double r, double m, double h, bool move)
  {
    const auto key = std::make_pair(i, j);
    if (d <= 0)
    {
      slip_.erase(key);
      return;
    }
    const Law k = law(i, j);
    Sphere& a = spheres[i];
    Sphere* b = j >= 0 ? &spheres[j] : nullptr;
    const V arm_a = -(a.r - 0.5 * d) * n;
    V relative = a.v + cross(a.w, arm_a);
    V arm_b{};
    if (b)
    {
      arm_b = (b->r - 0.5 * d) * n;
      relative -= b->v + cross(b->w, arm_b);
    }
    const double away = dot(relative, n);
    const V vt = relative - away * n;
    const double fn = k.normal(r, m, d, -away);
    const double sn = k.sn(r, d), st = k.st(r, d);
    const double limit = k.friction * (k.elastic_limit ? k.elastic(r, d) : std::abs(fn));
    const double damping = k.damping == Damping::None
      ? 0
      : k.c() * std::sqrt((k.damping == Damping::Normal ? sn : st) * m);
    V ft{};
    if (k.history)
    {
      V& xi = slip_[key];
      if (move)
      {
        xi += h * vt;
      }
      const double before = length(xi);
      xi -= dot(xi, n) * n;
      const double after = length(xi);
      if (after > 0)
      {
        xi = (before / after) * xi;
      }
      ft = -st * xi;
      const double size = length(ft);
      if (size >= limit)
      {
        ft = size > 0 ? (limit / size) * ft : V{};
        xi = st > 0 ? (-1 / st) * ft : V{};
      }
      else
      {
        ft = ft - damping * vt;
        const double damped = length(ft);
        if (damped > limit)
        {
          ft = (limit / damped) * ft;
        }
      }
    }
    else
    {
      slip_[key] = V{};
      const double speed = length(vt);
      if (speed > 0)
      {
        ft = (-std::min(limit, damping * speed) / speed) * vt;
      }
    }
    const V f = fn * n + ft;
    force_[i] += f;
    torque_[i] += cross(arm_a, ft);
    if (b)
    {
      force_[j] -= f;
      torque_[j] -= cross(arm_b, ft);
    }
  }

  std::vector<V> force_, torque_;
  std::map<std::pair<int, int>, V> slip_;
};

/// Runs one collision to its end: until nothing touches any more. Starts from bodies that are about
/// to touch.
inline void collide(World& world, double h)
{
  bool touched = false;
  for (long i = 0; i < 100000000L; ++i)
  {
    world.step(h);
    touched = touched || world.touching() > 0;
    if (touched && world.touching() == 0)
    {
      return;
    }
  }
}

} // namespace reference
