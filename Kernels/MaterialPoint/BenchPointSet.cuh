// The points of the transfers that are compared: their places at the start, and their columns.
#pragma once

#include "Core/Array.h"
#include "Core/Error.h"
#include "MaterialPoint/BenchGrid.cuh"
#include "MaterialPoint/MpmTransfers.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace mpm
{

namespace detail
{

/// Places of the points in cells. Throws dem::Error if a cube does not fit into the grid.
inline std::vector<Vec3d> placesOf(const TransferCase& what, std::mt19937_64& random)
{
  const std::size_t n = what.points;
  std::vector<Vec3d> at;
  const double size = what.cells, margin = 3;
  if (what.arrangement == TransferPoints::Random)
  {
    std::uniform_real_distribution<double> u(0, 1);
    for (std::size_t i = 0; i < n; ++i)
      at.push_back({ margin + (size - 2 * margin) * u(random),
        margin + (size - 2 * margin) * u(random), margin + (size - 2 * margin) * u(random) });
    return at;
  }
  const double step = 1 / std::cbrt(what.per_cell);
  const auto edge = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
  // turned by 10 degrees about z and 5 about x, so that it fits where it fills half of the grid
  const double a = 0.17453292519943295, b = a / 2, ca = std::cos(a), sa = std::sin(a),
               cb = std::cos(b), sb = std::sin(b);
  const double half = 0.5 * static_cast<double>(edge - 1) * step;
  for (std::size_t i = 0; i < n; ++i)
  {
    const Vec3d p{ static_cast<double>(i % edge) * step - half,
      static_cast<double>(i / edge % edge) * step - half,
      static_cast<double>(i / (edge * edge)) * step - half };
    const Vec3d q{ ca * p.x - sa * p.y, sa * p.x + ca * p.y, p.z };
    const Vec3d r{ q.x + size / 2, cb * q.y - sb * q.z + size / 2, sb * q.y + cb * q.z + size / 2 };
    for (int k = 0; k < 3; ++k)
      if (!(r[k] > 2 && r[k] < size - 3))
        throw dem::Error("A turned cube of " + std::to_string(n) + " points does not fit into " +
          std::to_string(what.cells) + " cells.");
    at.push_back(r);
  }
  std::shuffle(at.begin(), at.end(), random);
  return at;
}

/// Two sets of columns, of which the deep sort reads one and writes the other.
template <class Exec, class Real>
class BenchPointSet
{
public:
  explicit BenchPointSet(Exec& exec)
    : exec_(exec)
  {
  }

  /// Points at random or in a cube, with random velocities.
  void fill(const TransferCase& what)
  {
    const std::size_t n = what.points;
    std::mt19937_64 random(what.seed);
    const std::vector<Vec3d> at = placesOf(what, random);
    std::vector<Vec4<Real>> place(n), velocity(n), zero(n);
    std::vector<std::uint32_t> id(n);
    std::uniform_real_distribution<double> speed(-1, 1);
    for (std::size_t i = 0; i < n; ++i)
    {
      place[i] = vec4(at[i].as<Real>(), Real(1));
      velocity[i] = { static_cast<Real>(speed(random)), static_cast<Real>(speed(random)),
        static_cast<Real>(speed(random)), 0 };
      id[i] = static_cast<std::uint32_t>(i);
    }
    for (int k = 0; k < BenchPoints<Real>::kColumns; ++k)
      for (int s = 0; s < 2; ++s)
      {
        column_[k].emplace_back(exec_);
        column_[k][s].assign(k == 0 ? place : (k == 1 ? velocity : zero));
      }
    for (int s = 0; s < 2; ++s)
    {
      id_.emplace_back(exec_);
      id_[s].assign(id);
    }
  }

  std::size_t size() const { return column_[0][now_].size(); }
  BenchPoints<Real> view() { return viewOf(now_); }
  BenchPoints<Real> otherView() { return viewOf(1 - now_); }
  std::uint32_t* id() { return id_[now_].data(); }
  std::uint32_t* otherId() { return id_[1 - now_].data(); }
  void swap() { now_ = 1 - now_; }

  /// Reads a column: 0 place and mass, 1 velocity, 2 to 4 the affine field.
  std::vector<Vec4<Real>> read(int column) { return column_[column][now_].host(); }
  std::vector<std::uint32_t> readIds() { return id_[now_].host(); }

private:
  BenchPoints<Real> viewOf(int s)
  {
    BenchPoints<Real> p;
    for (int k = 0; k < BenchPoints<Real>::kColumns; ++k)
      p.column[k] = column_[k][s].data();
    return p;
  }

  Exec& exec_;
  std::vector<dem::Array<Vec4<Real>, Exec>> column_[BenchPoints<Real>::kColumns];
  std::vector<dem::Array<std::uint32_t, Exec>> id_;
  int now_ = 0;
};

} // namespace detail
} // namespace mpm
