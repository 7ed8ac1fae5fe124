// The arrays of a frame: values of the points, written in ascending Id.
#pragma once

#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/ExitedPoints.cuh"

namespace mpm
{

/// Writes 1 for each Id that is still in the run.
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

/// Writes a value of each point to the position of its Id among those left.
template <class Real, class Out, class Value>
struct WriteById
{
  PointsView<Real> points;
  const std::uint32_t* position; // of each Id; null: the Id itself
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

} // namespace mpm
