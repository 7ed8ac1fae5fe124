// The points of a scene as columns of the solver, in ascending Id.
#pragma once

#include "MaterialPoint/GridGeometry.cuh"
#include "MaterialPoint/PointsView.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace mpm
{

/// Calls body(i) for i in [0, n) on the threads of the host.
template <class Body>
void forEachOnHost(std::size_t n, const Body& body)
{
  constexpr std::size_t kFew = 1 << 18;
  const std::size_t threads =
    std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), n / kFew + 1);
  std::vector<std::thread> others;
  const auto part = [&](std::size_t t) {
    for (std::size_t i = n * t / threads; i < n * (t + 1) / threads; ++i)
      body(i);
  };
  for (std::size_t t = 1; t < threads; ++t)
    others.emplace_back(part, t);
  part(0);
  for (std::thread& t : others)
    t.join();
}

template <class Real>
class InitialPoints
{
public:
  /// Both arguments must outlive this object.
  InitialPoints(const Scene& scene, const GridGeometry<Real>& geometry)
    : scene_(scene)
    , points_(scene.points)
    , geometry_(geometry)
    , by_id_(scene.points.size())
  {
    std::iota(by_id_.begin(), by_id_.end(), 0u);
    if (!points_.id.empty())
      std::sort(by_id_.begin(), by_id_.end(),
        [&](std::uint32_t a, std::uint32_t b) { return points_.id[a] < points_.id[b]; });
  }

  std::size_t size() const { return by_id_.size(); }

  /// Ids in ascending order; empty if the scene gives none.
  std::vector<std::int64_t> ids() const
  {
    std::vector<std::int64_t> ids(points_.id.empty() ? 0 : size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[i] = points_.id[by_id_[i]];
    return ids;
  }

  /// kg, sum over all points in the order of the input.
  double totalMass() const
  {
    double sum = 0;
    for (std::uint32_t i = 0; i < size(); ++i)
      sum += mass(i);
    return sum;
  }

  /// Column k of PointsView. Stresses are zero.
  void column(int k, std::vector<Vec4<Real>>& out) const
  {
    out.resize(size());
    forEachOnHost(size(), [&](std::size_t rank) {
      const std::uint32_t i = by_id_[rank];
      switch (k)
      {
        case 0:
          out[rank] = vec4(place(i).f, static_cast<Real>(mass(i)));
          break;
        case 1:
          out[rank] =
            vec4((points_.velocity.empty() ? Vec3d{} : points_.velocity[i]).template as<Real>(),
              Real(0));
          break;
        case 2:
          out[rank] = { affine(i, 0, 0), affine(i, 1, 0), affine(i, 2, 0), affine(i, 0, 1) };
          break;
        case 3:
          out[rank] = { affine(i, 1, 1), affine(i, 2, 1), affine(i, 0, 2), affine(i, 1, 2) };
          break;
        case 4:
          out[rank] = { affine(i, 2, 2), 0, 0, 0 };
          break;
        case 5:
          out[rank] = { 0, 0, 0, deformation(i, 0, 0) };
          break;
        case 6:
          out[rank] = { deformation(i, 1, 0), deformation(i, 2, 0), deformation(i, 0, 1),
            deformation(i, 1, 1) };
          break;
        default:
          out[rank] = { deformation(i, 2, 1), deformation(i, 0, 2), deformation(i, 1, 2),
            deformation(i, 2, 2) };
      }
    });
  }

  void others(std::vector<BinKey>& key, std::vector<Real>& volumes,
    std::vector<std::uint8_t>& materials, std::vector<std::uint32_t>& ranks) const
  {
    key.resize(size());
    volumes.resize(size());
    materials.resize(size());
    ranks.resize(size());
    forEachOnHost(size(), [&](std::size_t rank) {
      const std::uint32_t i = by_id_[rank];
      key[rank] = place(i).key;
      volumes[rank] = static_cast<Real>(volume(i));
      materials[rank] = static_cast<std::uint8_t>(material(i));
      ranks[rank] = static_cast<std::uint32_t>(rank);
    });
  }

private:
  struct Place
  {
    BinKey key;
    Vec3<Real> f; // in the bin, cells
  };

  Place place(std::uint32_t i) const
  {
    BlockGrid grid{};
    for (int k = 0; k < 3; ++k)
      grid.blocks[k] = geometry_.blocks[k];
    Vec3<Real> f;
    int bin[3];
    for (int k = 0; k < 3; ++k)
    {
      double u = (points_.position[i][k] - geometry_.bin_origin[k]) / geometry_.spacing;
      u = std::min(std::max(u, static_cast<double>(geometry_.bin_borders.lower)),
        static_cast<double>(geometry_.bin_borders.upper[k]));
      double whole = std::floor(u);
      Real rest = static_cast<Real>(u - whole);
      if (rest >= 1)
      {
        whole += 1;
        rest = 0;
      }
      bin[k] = static_cast<int>(whole);
      f[k] = rest;
    }
    return { grid.key(bin[0], bin[1], bin[2]), f };
  }

  std::int32_t material(std::uint32_t i) const
  {
    return points_.material.empty() ? 0 : points_.material[i];
  }
  double density(std::uint32_t i) const { return scene_.materials[material(i)].density; }
  double mass(std::uint32_t i) const
  {
    return points_.mass.empty() ? points_.volume[i] * density(i) : points_.mass[i];
  }
  double volume(std::uint32_t i) const
  {
    return points_.volume.empty() ? points_.mass[i] / density(i) : points_.volume[i];
  }
  Real affine(std::uint32_t i, int row, int col) const
  {
    return points_.velocity_gradient.empty() || scene_.transfer != Transfer::APIC
      ? Real(0)
      : static_cast<Real>(points_.velocity_gradient[i][row][col]);
  }
  /// A fluid stores det F in F(0, 0), and ones in the rest of the diagonal.
  Real deformation(std::uint32_t i, int row, int col) const
  {
    if (points_.deformation.empty())
      return row == col ? Real(1) : Real(0);
    const Matrix3d& m = points_.deformation[i];
    if (scene_.materials[material(i)].kind != MaterialKind::Fluid)
      return static_cast<Real>(m[row][col]);
    if (row || col)
      return row == col ? Real(1) : Real(0);
    return static_cast<Real>(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
      m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
      m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
  }

  const Scene& scene_;
  const PointInput& points_;
  const GridGeometry<Real>& geometry_;
  std::vector<std::uint32_t> by_id_;
};

} // namespace mpm
