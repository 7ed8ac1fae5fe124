// Nodes that borders and walls hold during the implicit solve. The unknowns are the free
// directions; the border or wall takes up the rest of a node's residual, which is the impulse it
// exerts. Stick holds a node whole, Slip its motion across each face. Separate holds a node that
// would move into the face, and releases it for the rest of the sub-step if the solution shows that
// the face would have to pull (an active set).
//
// Friction acts in the free directions. For a given limit s, an impulse, it has a potential: s
// times a norm of the slip. Below a small slip, where the node sticks, the potential is a parabola
// (Huber 1964). Newton's method includes it in the energy. s = mu x (normal impulse) is found by
// repeated solves (a fixed point of Tresca's problem: Necas, Jarusek and Haslinger 1980, Boll. Un.
// Mat. Ital. 17-B, 796).
#pragma once

#include "MaterialPoint/NodeWalls.cuh"

namespace mpm
{

template <class Real>
struct HeldNodes
{
  static constexpr unsigned kAcross = 8, kAlong = 16; // bits 0 to 2: the axis is held
  const std::uint8_t* bits;
  const Vec4<Real>* axis; // kAcross: held along this direction; kAlong: free in this direction only

  DEM_HD Vec3<Real> released(std::uint32_t i, Vec3<Real> v) const
  {
    const unsigned b = bits[i];
    for (int k = 0; k < 3; ++k)
      if (b >> k & 1)
        v[k] = 0;
    if (b & (kAcross | kAlong))
    {
      const Vec3<Real> n = axis[i].xyz(), part = dot(n, v) * n;
      if (b & kAlong)
        return part;
      v = v - part;
      v = v - dot(n, v) * n; // a second time: rounding leaves a rest of a large impulse across the
                             // face, which conjugate gradients could not remove
    }
    return v;
  }
};

/// Friction of held nodes in the solve: derivatives of the potential of friction, s f(|u|), where u
/// is the slip and f(x) = x^2 / 2e below e, x - e/2 above.
template <class Real>
struct Rubbing
{
  /// A sticking node resists slip like kStick times its mass; e = s / (kStick mass), 1 / kStick of
  /// the velocity that friction can change in a sub-step.
  static constexpr double kStick = 1e3;
  const Vec4<Real>* limit; // velocity of the face that holds the node, and s; null: no friction
  Vec4<Real>* drag;        // c and t of the Hessian c (1 - t t^T); t = 0 if the node sticks

  DEM_HD Vec3<Real> slip(const HeldNodes<Real>& held, std::uint32_t i, const Vec3<Real>& v) const
  {
    return held.released(i, v - limit[i].xyz());
  }
  /// Returns the impulse on the node and sets its drag.
  DEM_HD Vec3<Real> push(
    const HeldNodes<Real>& held, std::uint32_t i, const Vec3<Real>& v, Real mass) const
  {
    const Real s = limit[i].w;
    if (!(s > 0))
    {
      drag[i] = {};
      return {};
    }
    const Vec3<Real> u = slip(held, i, v);
    const Real speed = length(u), stick = static_cast<Real>(kStick) * mass;
    if (stick * speed <= s)
    {
      drag[i] = vec4(Vec3<Real>{}, stick);
      return -stick * u;
    }
    const Vec3<Real> t = (1 / speed) * u;
    drag[i] = vec4(t, s / speed);
    return -s * t;
  }
};

/// The preconditioner: (m + c (1 - t t^T))^-1 r. The fourth component of r is m + c.
template <class Real>
DEM_HD Vec3<Real> preconditioned(const Vec4<Real>& r, const Vec4<Real>* drag, std::uint32_t i)
{
  Vec3<Real> z = (1 / r.w) * r.xyz();
  if (drag)
  {
    const Vec4<Real> d = drag[i];
    const Real along = dot(d.xyz(), r.xyz());
    if (along != 0)
      z = z + (along * (1 / (r.w - d.w) - 1 / r.w)) * d.xyz();
  }
  return z;
}

/// s f(|u|)
template <class Real>
struct RubbingEnergy
{
  Rubbing<Real> rubbing;
  HeldNodes<Real> held;
  const Vec4<Real>* v;

  DEM_HD double operator()(std::uint32_t i) const
  {
    const double s = rubbing.limit[i].w, mass = v[i].w;
    if (!(s > 0))
      return 0;
    const double speed = length(rubbing.slip(held, i, v[i].xyz()).template as<double>()),
                 stick = Rubbing<Real>::kStick * mass;
    return stick * speed <= s ? stick * speed * speed / 2 : s * (speed - s / (2 * stick));
  }
};

/// v + alpha x change. A node whose slip would reverse stops there: beyond is the other branch of
/// |u|, which the tangent at v does not describe.
template <class Real>
struct TryStep
{
  Rubbing<Real> rubbing;
  HeldNodes<Real> held;
  const Vec4<Real>*v, *change;
  Real alpha;
  Vec4<Real>* out;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> a = v[i];
    Vec3<Real> b = multiplyAdd(alpha, change[i].xyz(), a.xyz());
    const Real s = rubbing.limit[i].w;
    if (a.w > 0 && s > 0)
    {
      const Vec3<Real> u = rubbing.slip(held, i, a.xyz()), next = rubbing.slip(held, i, b);
      if (static_cast<Real>(Rubbing<Real>::kStick) * a.w * length(u) > s && !(dot(u, next) > 0))
        b = b - next;
    }
    out[i] = vec4(b, a.w);
  }
};

/// m (v* - v) - dt de/dx: the impulse of a held node on its faces. For a free node it is the
/// residual that the solver left.
template <class Real>
DEM_HD Vec3d heldImpulse(const Vec4<Real>& before, const Vec4<Real>& v, const Vec4<Real>& push,
  const Vec3<Real>& kick, Real dt)
{
  return (before.w * (before.xyz() + kick - v.xyz()) - dt * push.xyz()).template as<double>();
}

/// Decides which faces hold each node, and gives held nodes the velocity of these. The first call
/// decides by the free motion of the nodes, a `review` by the impulses of the last solution; it
/// sets `changed` if the decision differs.
template <class Real>
struct HoldNodes
{
  BlockGrid grid;
  NodeBorders<Real> borders;
  WallNodes<Real> walls;
  bool with_walls, review;
  const Vec4<Real>*before, *push;
  Vec3<Real> kick;
  Real dt;
  double target; // norm of the residual at which the solve stops
  Vec4<Real>* v;
  std::uint8_t* bits;
  Vec4<Real>* axis;
  Vec4<Real>* limit;       // of friction; null: no friction
  Real share;              // fraction of the change to the new limit that a review makes
  std::uint16_t *on, *off; // bits of the faces that hold, and of those that released the node
  std::uint32_t* changed;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> start = before[i];
    if (!(start.w > 0))
    {
      bits[i] = 0;
      on[i] = off[i] = 0;
      v[i] = {};
      if (limit)
        limit[i] = {};
      return;
    }
    Holds holds;
    collect(i, holds);
    unsigned held = review ? on[i] : 0, gone = review ? off[i] : 0;
    Vec3d u = (review ? v[i].xyz() : start.xyz() + kick).template as<double>();
    if (review)
    {
      const unsigned old = held;
      const Vec4<Real> next = judge(holds, heldImpulse(start, v[i], push[i], kick, dt),
        std::sqrt(static_cast<double>(start.w)), u, held, gone);
      const bool rubs = held != 0 && rub(i, next, std::sqrt(static_cast<double>(start.w)));
      if (limit && held == 0)
        limit[i] = {};
      if (!rubs && held == old)
        return;
      dem::atomicPut(changed, 1u);
    }
    else
    {
      Rough rough;
      for (int k = 0; k < holds.count; ++k)
      {
        const double off = dot(holds.normal[k], u - holds.velocity[k]);
        if (holds.kind[k] == Contact::Separate && off > 0)
          continue;
        held |= 1u << k;
        if (holds.friction[k] > 0) // as if this face alone bore the node
          rough.add(holds.velocity[k], -holds.friction[k] * off * static_cast<double>(start.w));
      }
      if (limit)
        limit[i] = rough.limit();
    }
    on[i] = static_cast<std::uint16_t>(held);
    off[i] = static_cast<std::uint16_t>(gone);
    hold(i, holds, held, u);
    if (!review && limit && limit[i].w > 0)
    {
      const Vec3d slip = HeldNodes<Real>{ bits, axis }
                           .released(i, (u.template as<Real>() - limit[i].xyz()))
                           .template as<double>();
      const double speed = length(slip),
                   most = static_cast<double>(limit[i].w) / static_cast<double>(start.w);
      u = u - (speed > most ? most / speed : 1.) * slip;
    }
    v[i] = vec4(u.template as<Real>(), start.w);
  }

private:
  struct Holds
  {
    static constexpr int kMost = 12;
    Vec3d normal[kMost], velocity[kMost];
    double friction[kMost];
    Contact kind[kMost];
    int count = 0, of_borders = 0;

    DEM_HD void add(const Vec3d& n, const Vec3d& w, Contact k, double mu)
    {
      if (count == kMost)
        return;
      normal[count] = n;
      velocity[count] = w;
      friction[count] = k == Contact::Separate ? mu : 0;
      kind[count++] = k;
    }
  };

  /// Friction of the faces that hold a node: it slides against the face with the most friction.
  struct Rough
  {
    Vec3d velocity{};
    double most = 0, sum = 0;

    DEM_HD void add(const Vec3d& of_face, double rubs)
    {
      if (rubs > most)
      {
        most = rubs;
        velocity = of_face;
      }
      sum += rubs;
    }
    DEM_HD Vec4<Real> limit() const
    {
      return vec4(velocity.template as<Real>(), static_cast<Real>(sum));
    }
  };

  DEM_HD void collect(std::uint32_t i, Holds& holds) const
  {
    int at[3];
    grid.bin(grid.list[i / kBlockBins] * kBlockBins + i % kBlockBins, at[0], at[1], at[2]);
    for (int k = 0; k < 3; ++k)
      for (int side = 0; side < 2; ++side)
      {
        const Border kind = borders.kind[2 * k + side];
        if (kind == Border::Remove ||
          (side == 0 ? at[k] > borders.lower : at[k] < borders.upper[k]))
          continue;
        Vec3d n{};
        n[k] = side == 0 ? 1 : -1;
        holds.add(n, {},
          kind == Border::Stick ? Contact::Stick
                                : (kind == Border::Slip ? Contact::Slip : Contact::Separate),
          static_cast<double>(borders.friction));
      }
    holds.of_borders = holds.count;
    Vec3d place, mass_at;
    if (!with_walls || !walls.find(i, place, mass_at))
      return;
    typename WallNodes<Real>::Faces f;
    for (std::uint32_t w = 0; w < walls.walls.count; ++w)
    {
      walls.faces(w, place, mass_at, f);
      for (int k = 0; k < f.count; ++k)
        holds.add(
          f.normal[k], f.velocity, walls.walls.contacts[w].kind, walls.walls.contacts[w].friction);
    }
  }

  /// Finds the impulses of the faces: those nearest to r of all that only press (non-negative least
  /// squares, by Gauss-Seidel iteration). Returns their limit of friction.
  DEM_HD Vec4<Real> judge(const Holds& holds, Vec3d r, double root_mass, const Vec3d& u,
    unsigned& held, unsigned& gone) const
  {
    double pressed[Holds::kMost] = {};
    bool stuck = false;
    for (int k = 0; k < holds.count; ++k)
      stuck = stuck || (held >> k & 1 && holds.kind[k] == Contact::Stick);
    for (int pass = 0; pass < 16 && !stuck; ++pass)
      for (int k = 0; k < holds.count; ++k)
        if (held >> k & 1)
        {
          double more = -dot(r, holds.normal[k]);
          if (holds.kind[k] == Contact::Separate && pressed[k] + more < 0)
            more = -pressed[k];
          pressed[k] += more;
          r = r + more * holds.normal[k];
        }
    const unsigned was = held;
    Rough rough;
    for (int k = 0; k < holds.count && !stuck; ++k)
      if (was >> k & 1 && holds.friction[k] > 0)
        rough.add(holds.velocity[k], holds.friction[k] * pressed[k]);
    for (int k = 0; k < holds.count; ++k)
    {
      if (holds.kind[k] != Contact::Separate || gone >> k & 1)
        continue;
      if (was >> k & 1)
      {
        if (stuck || pressed[k] > 0 || dot(r, holds.normal[k]) <= 2 * target * root_mass)
          continue;
        held &= ~(1u << k);
        gone |= 1u << k;
      }
      else if (dot(holds.normal[k], u - holds.velocity[k]) < -2 * target / root_mass)
        held |= 1u << k;
    }
    return rough.limit();
  }

  /// Moves the limit of friction towards `next`. Returns false if it is close enough already.
  DEM_HD bool rub(std::uint32_t i, const Vec4<Real>& next, double root_mass) const
  {
    if (!limit)
      return false;
    const Real was = limit[i].w, gap = next.w - was;
    if (std::fabs(static_cast<double>(gap)) <=
      2 * target * root_mass + 0.01 * static_cast<double>(next.w))
      return false;
    limit[i] = vec4(next.xyz(), was + share * gap);
    return true;
  }

  DEM_HD void hold(std::uint32_t i, const Holds& holds, unsigned held, Vec3d& u) const
  {
    for (int k = 0; k < holds.count; ++k)
      if (held >> k & 1 && holds.kind[k] == Contact::Stick)
      {
        u = holds.velocity[k];
        bits[i] = 7;
        return;
      }
    unsigned out = 0;
    Vec3d basis[3];
    int rank = 0;
    for (int k = 0; k < holds.count && rank < 3; ++k)
    {
      if (!(held >> k & 1))
        continue;
      Vec3d n = holds.normal[k];
      for (int b = 0; b < rank; ++b)
        n = n - dot(n, basis[b]) * basis[b];
      if (dot(n, n) < 1e-6)
        continue;
      basis[rank++] = normalized(n);
      if (k < holds.of_borders)
        for (int a = 0; a < 3; ++a)
          if (holds.normal[k][a] != 0)
            out |= 1u << a;
    }
    for (int pass = 0; pass < (rank > 1 ? 8 : rank); ++pass)
      for (int k = 0; k < holds.count; ++k)
        if (held >> k & 1)
          u = u - dot(holds.normal[k], u - holds.velocity[k]) * holds.normal[k];
    if (rank == 3)
      out = 7;
    else if (held >> holds.of_borders) // a wall's normals are not along the axes
    {
      out = rank == 1 ? HeldNodes<Real>::kAcross : HeldNodes<Real>::kAlong;
      const Vec3d n = rank == 1 ? basis[0] : cross(basis[0], basis[1]);
      axis[i] = vec4(n.template as<Real>(), Real(0));
    }
    bits[i] = static_cast<std::uint8_t>(out);
  }
};

/// Gives held nodes the velocities that they would have without holds. Borders and walls then act
/// on them as in an explicit step: they take the impulses of the solve with friction, and loads on
/// walls are counted in the same way.
template <class Real>
struct LetGo
{
  const Vec4<Real>*before, *push;
  const std::uint8_t* bits;
  Vec3<Real> kick;
  Real dt;
  Vec4<Real>* v;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> b = before[i];
    if (b.w > 0 && bits[i])
      v[i] = vec4(v[i].xyz() +
          ((1 / static_cast<double>(b.w)) * heldImpulse(b, v[i], push[i], kick, dt))
            .template as<Real>(),
        b.w);
  }
};

} // namespace mpm
