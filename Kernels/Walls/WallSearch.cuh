// Wall elements near a sphere: trees over the triangles of each mesh wall, analytic walls one by one.
#pragma once

#include "BroadPhase/Bvh.cuh"
#include "Walls/WallElement.cuh"

namespace dem
{

/// Wall elements within reach of a particle.
struct WallSearch
{
  WallView walls;
  const BvhView* trees;         // one a wall; n = 0 where the wall is one analytic element
  const std::uint32_t* first;   // first element of each wall
  std::uint32_t wall_count;
  double skin;
  const Vec4<double>* position;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = position[i];
    const double reach = p.w + skin;
    for (std::uint32_t w = 0; w < wall_count; ++w)
    {
      const Vec3d local = walls.bodies[w].toLocal(p.xyz());
      const auto test = [&](std::uint32_t e) {
        const WallElement& element = walls.elements[e];
        if (signedDistance(element, local, closestOnElement(element, local)) < reach)
          visit(e);
      };
      if (trees[w].n == 0)
        test(first[w]);
      else
        trees[w].search(local, reach, test);
    }
  }
};

struct TriangleBoxes
{
  const WallElement* elements; // of one wall
  const std::uint32_t* item;   // sorted
  std::uint32_t first, n;
  BvhBox* box;

  DEM_HD void operator()(std::uint32_t leaf) const
  {
    const WallElement& e = elements[item[leaf]];
    BvhBox b;
    for (int k = 0; k < 3; ++k)
    {
      const double x = e.a[k], y = e.b[k], z = e.c[k];
      b.lower[k] = x < y ? (x < z ? x : z) : (y < z ? y : z);
      b.upper[k] = x > y ? (x > z ? x : z) : (y > z ? y : z);
    }
    box[n - 1 + leaf] = b;
  }
};

struct TriangleCodes
{
  const WallElement* elements;
  std::uint32_t first;
  Vec3d lower, inverse_size;
  std::uint64_t* code;
  std::uint32_t* item;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const WallElement& e = elements[first + k];
    code[k] = mortonCode((1. / 3) * (e.a + e.b + e.c), lower, inverse_size);
    item[k] = first + k;
  }
};

} // namespace dem
