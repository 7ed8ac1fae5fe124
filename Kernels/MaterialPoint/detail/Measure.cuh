// What a frame and the statistics read out of the points.
#pragma once

#include "Core/FixedSum.cuh"
#include "MaterialPoint/detail/Transfers.cuh"

namespace mpm
{

/// Where a point is, in m.
struct PlaceToWorld
{
  BlockGrid grid;
  Vec3d start; // of bin 0
  double spacing;

  template <class Real>
  DEM_HD Vec3d operator()(BinKey key, const Vec3<Real>& f) const
  {
    int x, y, z;
    grid.bin(key, x, y, z);
    return { start.x + spacing * (x + static_cast<double>(f.x)),
      start.y + spacing * (y + static_cast<double>(f.y)),
      start.z + spacing * (z + static_cast<double>(f.z)) };
  }
};

/// A point that was taken out at a removing border.
struct ExitedPoint
{
  std::int64_t id;   // rank of the Id
  std::int64_t step; // in which it left
  Vec3d position;    // m, a thousandth of a cell beyond the border
};

/// Lists points that were taken out in the last sub-step, which stand where they left, in cells
/// from bin 0.
template <class Real>
struct ListExits
{
  PointsView<Real> points;
  Vec3d start; // of bin 0, m
  double spacing;
  std::int64_t step;
  ExitedPoint* list;
  unsigned* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    Vec4<Real>& place = points.column[0][i];
    if (points.key[i] != kGone || place.x < 0)
      return;
    list[dem::atomicNext(count)] = { static_cast<std::int64_t>(points.id[i]), step,
      start + spacing * place.xyz().template as<double>() };
    place.x = Real(-1); // listed
  }
};

/// Sums over points; also the least and greatest.
struct PointSums
{
  double kinetic = 0, affine = 0, potential = 0, elastic = 0, mass = 0;
  double momentum[3] = { 0, 0, 0 }, angular[3] = { 0, 0, 0 };
  double largest_speed = 0, smallest_j = 1e300, largest_j = -1e300;
  unsigned long long points = 0;

  DEM_HD PointSums& operator+=(const PointSums& o)
  {
    kinetic += o.kinetic;
    affine += o.affine;
    potential += o.potential;
    elastic += o.elastic;
    mass += o.mass;
    for (int k = 0; k < 3; ++k)
    {
      momentum[k] += o.momentum[k];
      angular[k] += o.angular[k];
    }
    largest_speed = o.largest_speed > largest_speed ? o.largest_speed : largest_speed;
    smallest_j = o.smallest_j < smallest_j ? o.smallest_j : smallest_j;
    largest_j = o.largest_j > largest_j ? o.largest_j : largest_j;
    points += o.points;
    return *this;
  }
};

template <class Real>
struct MeasurePoints
{
  PointsView<Real> points;
  const MaterialParameters<Real>* materials;
  std::size_t n;
  PlaceToWorld world;
  Vec3d gravity;
  double d;              // D_p, m^2
  PointSums* block_sums; // one a block of kSumBlock points

  DEM_HD void operator()(unsigned block) const
  {
    PointSums sum;
    const std::size_t begin = block * dem::kSumBlock,
                      end = begin + dem::kSumBlock < n ? begin + dem::kSumBlock : n;
    for (std::size_t i = begin; i < end; ++i)
      add(static_cast<std::uint32_t>(i), sum);
    block_sums[block] = sum;
  }

private:
  DEM_HD void add(std::uint32_t i, PointSums& sum) const
  {
    using std::sqrt;
    const BinKey key = points.key[i];
    if (key == kGone)
      return;
    const Vec4<Real> a = points.column[0][i];
    const double m = static_cast<double>(a.w);
    const Vec3d x = world(key, a.xyz()), v = points.column[1][i].xyz().template as<double>();
    const Matrix3<double> c = points.affine(i).template as<double>();
    const Matrix3<Real> f = points.deformation(i);
    const double v2 = dot(v, v);
    PointSums one;
    one.kinetic = 0.5 * m * v2;
    one.affine = 0.5 * m * d * inner(c, c);
    one.potential = -m * dot(gravity, x);
    one.elastic =
      static_cast<double>(points.volume[i]) * energyDensity(materials[points.material[i]], f);
    one.mass = m;
    // m x cross v + the axis of B = C D (Jiang et al. 2015, 5.3)
    const Vec3d l =
      cross(x, v) + d * Vec3d{ c(2, 1) - c(1, 2), c(0, 2) - c(2, 0), c(1, 0) - c(0, 1) };
    for (int k = 0; k < 3; ++k)
    {
      one.momentum[k] = m * v[k];
      one.angular[k] = m * l[k];
    }
    one.largest_speed = sqrt(v2);
    one.smallest_j = one.largest_j = static_cast<double>(determinant(f));
    one.points = 1;
    sum += one;
  }
};

/// 1 where the Id is still there.
struct MarkAlive
{
  const BinKey* key;
  const std::uint32_t* id;
  std::uint32_t* alive;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (key[i] != kGone)
      alive[id[i]] = 1;
  }
};

/// Writes components of every point to where its Id stands among those left.
template <class Real, class Out, class Value>
struct WriteById
{
  PointsView<Real> points;
  const std::uint32_t* position; // of an Id; null: itself
  int components;
  Value value; // value(i, out)
  Out* out;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (points.key[i] == kGone)
      return;
    const std::uint32_t id = points.id[i];
    value(points, i, out + static_cast<std::size_t>(components) * (position ? position[id] : id));
  }
};

struct PlaceOf
{
  PlaceToWorld world;
  template <class Real>
  DEM_HD void operator()(const PointsView<Real>& p, std::uint32_t i, double* out) const
  {
    const Vec3d x = world(p.key[i], p.column[0][i].xyz());
    out[0] = x.x;
    out[1] = x.y;
    out[2] = x.z;
  }
};
struct IdOf
{
  template <class Real>
  DEM_HD void operator()(const PointsView<Real>& p, std::uint32_t i, std::int64_t* out) const
  {
    *out = p.id[i];
  }
};
struct MaterialOf
{
  template <class Real>
  DEM_HD void operator()(const PointsView<Real>& p, std::uint32_t i, std::int32_t* out) const
  {
    *out = p.material[i];
  }
};
enum class PointField
{
  Velocity,
  Mass,
  Volume,
  Radius, // of the sphere of that volume
  Jacobian,
  Deformation,
  Stress,
  VonMises,
  PlasticStrain
};
template <class T>
struct FieldOf
{
  PointField field;
  const MaterialParameters<T>* materials;

  template <class Real>
  DEM_HD void operator()(const PointsView<Real>& p, std::uint32_t i, float* out) const
  {
    using std::cbrt;
    using std::sqrt;
    const Matrix3<Real> f = p.deformation(i);
    const Real j = determinant(f);
    switch (field)
    {
      case PointField::Velocity:
        for (int k = 0; k < 3; ++k)
          out[k] = static_cast<float>(p.column[1][i].xyz()[k]);
        break;
      case PointField::Mass:
        *out = static_cast<float>(p.column[0][i].w);
        break;
      case PointField::Volume:
        *out = static_cast<float>(j * p.volume[i]);
        break;
      case PointField::Radius:
        *out = static_cast<float>(cbrt(3 / (4 * 3.14159265358979323846) *
          static_cast<double>(static_cast<float>(j * p.volume[i]))));
        break;
      case PointField::Jacobian:
        *out = static_cast<float>(j);
        break;
      case PointField::Deformation:
      {
        const bool fluid = materials[p.material[i]].kind == MaterialKind::Fluid;
        const Real edge = cbrt(j);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            out[3 * r + c] = static_cast<float>(fluid ? (r == c ? edge : Real(0)) : f(r, c));
        break;
      }
      case PointField::Stress:
      case PointField::VonMises:
      {
        const Symmetric3<Real> t = p.stress(i);
        const Real s = 1 / j, xx = s * t.xx, yy = s * t.yy, zz = s * t.zz, xy = s * t.xy,
                   yz = s * t.yz, xz = s * t.xz;
        if (field == PointField::VonMises)
        {
          const Real a = xx - yy, b = yy - zz, c = zz - xx;
          *out = static_cast<float>(
            sqrt((a * a + b * b + c * c) / 2 + 3 * (xy * xy + yz * yz + xz * xz)));
          break;
        }
        const Real all[6] = { xx, yy, zz, xy, yz, xz };
        for (int k = 0; k < 6; ++k)
          out[k] = static_cast<float>(all[k]);
        break;
      }
      case PointField::PlasticStrain:
        *out = static_cast<float>(p.column[1][i].w);
        break;
    }
  }
};

/// Stress at the start, and the speed that bounds the first step.
template <class Real>
struct StartPoints
{
  PointsView<Real> points;
  const MaterialParameters<Real>* materials;
  Control* control;

  DEM_HD void operator()(std::uint32_t i) const
  {
    using std::sqrt;
    Matrix3<Real> f = points.deformation(i);
    const Vec4<Real> place = points.column[0][i], velocity = points.column[1][i];
    Real plastic = velocity.w;
    const PointStress<Real> r = respond(materials[points.material[i]], Matrix3<Real>{}, f, plastic);
    points.putStress(i, points.affine(i).c[2].z, r.tau, f);
    points.column[1][i].w = plastic;
    const Real v = length(velocity.xyz()), sound = sqrt(r.stiffness * points.volume[i] / place.w);
    dem::atomicRaise(&control->speed, bitsOf(static_cast<float>(v + sound)));
    dem::atomicRaise(&control->point_speed, bitsOf(static_cast<float>(v)));
    if (!r.good)
      dem::atomicLower(&control->fault,
        static_cast<unsigned long long>(points.id[i]) << 8 |
          static_cast<unsigned>(FaultKind::Inverted));
  }
};

/// The same under way, when the first material has changed.
template <class Real>
struct ChangePoints
{
  StartPoints<Real> start;
  Real thicker; // its viscosity over that before

  DEM_HD void operator()(std::uint32_t i) const
  {
    const PointsView<Real>& p = start.points;
    if (p.key[i] == kGone)
      return;
    const Symmetric3<Real> before = p.stress(i);
    start(i);
    if (p.material[i] == 0 && start.materials[0].kind == MaterialKind::Fluid)
    {
      // what is not pressure is viscous, of the strain rate of the last sub-step
      const Real mean = (before.xx + before.yy + before.zz) / 3;
      Symmetric3<Real> t = p.stress(i);
      t = { t.xx + thicker * (before.xx - mean), t.yy + thicker * (before.yy - mean),
        t.zz + thicker * (before.zz - mean), thicker * before.xy, thicker * before.yz,
        thicker * before.xz };
      p.putStress(i, p.affine(i).c[2].z, t, p.deformation(i));
    }
  }
};

} // namespace mpm
