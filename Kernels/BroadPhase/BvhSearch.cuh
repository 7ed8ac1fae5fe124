// The linear bounding volume hierarchy over particles: Kureck 2016, chapter 3, with Morton keys of
// 30 or 63 bits. A half search skips nodes whose right-most leaf is not behind the searching leaf
// (3.1.7).
#pragma once

#include "BroadPhase/Bvh.cuh"
#include "BroadPhase/Grid.cuh"
#include "Core/Algorithms.h"

#include <cstdint>

namespace dem
{

/// Morton keys of 30 bits (32-bit Code) or 63 bits. Removed particles sort last.
template <class Code>
struct ComputeMortonCodes
{
  static constexpr int kBits = sizeof(Code) == 4 ? 30 : 63;

  const Vec4<double>* position;
  Vec3d lower, inverse_size;
  Code* codes;
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> p = position[i];
    codes[i] = isGone(p.x)
      ? Code(1) << kBits
      : static_cast<Code>(mortonCode(p.xyz(), lower, inverse_size) >> (63 - kBits));
    index[i] = i;
  }
};

/// Writes the bounding boxes of the leaves.
struct ComputeLeafBoxes
{
  const Vec4<double>* position;
  const std::uint32_t* leaf_item;
  std::uint32_t n;
  BvhBox* box;

  DEM_HD void operator()(std::uint32_t leaf) const
  {
    const Vec4<double> p = position[leaf_item[leaf]];
    box[n - 1 + leaf] = { { p.x - p.w, p.y - p.w, p.z - p.w },
      { p.x + p.w, p.y + p.w, p.z + p.w } };
  }
};

/// The search; see GridSearch for its interface.
struct BvhSearch
{
  BvhView tree;
  PairTest near;
  const Vec4<double>* position;
  double pad; // m, exceeds the rounding error of a position

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    images(i, [&](const Vec3d& center, double reach, const auto& accept) {
      tree.walk([&](std::uint32_t node) { return tree.box[node].touches(center, reach); },
        [&](std::uint32_t leaf) {
          const std::uint32_t j = tree.leaf_item[leaf];
          if (j != i && accept(j))
            visit(j);
        });
    });
  }

  // See GridSearch.
  DEM_HD std::uint32_t particleAt(std::uint32_t place) const { return tree.leaf_item[place]; }

  template <class Visit>
  DEM_HD void after(std::uint32_t place, const Visit& visit) const
  {
    images(tree.leaf_item[place], [&](const Vec3d& center, double reach, const auto& accept) {
      tree.walk(
        [&](std::uint32_t node) {
          return tree.lastLeaf(node) > place && tree.box[node].touches(center, reach);
        },
        [&](std::uint32_t leaf) {
          const std::uint32_t j = tree.leaf_item[leaf];
          if (accept(j))
            visit(j);
        });
    });
  }

private:
  /// Calls ask(center, reach, accept) for the particle and each of its periodic images. accept(j)
  /// is true for candidates whose nearest image is this one, so each is found once.
  template <class Ask>
  DEM_HD void images(std::uint32_t i, const Ask& ask) const
  {
    const Vec4<double> p = position[i];
    const Periodic& box = near.box;
    const double reach = (p.w + near.skin) * (1 + 1e-12) + pad;
    const int x_most = box.period.x > 0 ? 1 : 0, y_most = box.period.y > 0 ? 1 : 0,
              z_most = box.period.z > 0 ? 1 : 0;
    for (int z = -z_most; z <= z_most; ++z)
      for (int y = -y_most; y <= y_most; ++y)
        for (int x = -x_most; x <= x_most; ++x)
        {
          const Vec3d center{ p.x + x * box.period.x, p.y + y * box.period.y,
            p.z + z * box.period.z };
          ask(center, reach, [&](std::uint32_t j) {
            const Vec4<double> q = position[j];
            return nearestIs(q.x - p.x, box.period.x, x) && nearestIs(q.y - p.y, box.period.y, y) &&
              nearestIs(q.z - p.z, box.period.z, z) && near(p, q);
          });
        }
  }
  DEM_HD static bool nearestIs(double d, double period, int image)
  {
    return !(period > 0) || static_cast<int>(std::rint(d / period)) == image;
  }
};

} // namespace dem
