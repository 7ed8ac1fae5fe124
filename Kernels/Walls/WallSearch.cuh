// Search for wall elements near a sphere: a tree or a grid over the triangles of each mesh wall;
// analytic walls are tested one by one.
#pragma once

#include "BroadPhase/Bvh.cuh"
#include "BroadPhase/SortedGrid.cuh"
#include "Walls/TriangleGrid.cuh"
#include "Walls/WallElement.cuh"

namespace dem
{

/// Calls visit(element) once for every wall element within reach of a particle (radius + skin).
/// Walls are not periodic but particles are: a particle close to a periodic border is also searched
/// at its images, because it may cross the border before the next rebuild. Index is BvhView or
/// TriangleGrid. Both propose a superset of the triangles, and the same test decides, so the result
/// is the same.
template <class Index>
struct WallSearch
{
  WallView walls;
  const Index* triangles;     // one for each wall; n = 0 if the wall is one analytic element
  const std::uint32_t* first; // first element of each wall
  std::uint32_t wall_count;
  double skin;
  Periodic box;
  const Vec4<double>* position;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    candidatesAmong(~0u, i, visit);
  }
  /// Only walls w for which bit w % 32 is set.
  template <class Visit>
  DEM_HD void candidatesAmong(unsigned among, std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = position[i];
    Vec3d place[8];
    place[0] = p.xyz();
    int places = 1;
    for (int k = 0; k < 3; ++k)
    {
      if (!(box.period[k] > 0))
        continue;
      const double above = place[0][k] - box.lower[k], below = box.period[k] - above;
      const double shift = above < skin ? box.period[k] : (below < skin ? -box.period[k] : 0);
      if (shift != 0)
      {
        for (int m = 0; m < places; ++m)
        {
          place[places + m] = place[m];
          place[places + m][k] += shift;
        }
        places *= 2;
      }
    }
    const double reach = p.w + skin;
    for (std::uint32_t w = 0; w < wall_count; ++w)
    {
      if (!(among >> w % 32 & 1u))
        continue;
      const WallBody& body = walls.bodies[w];
      for (int m = 0; m < places; ++m)
      {
        const Vec3d local = body.toLocal(place[m]);
        const auto test = [&](std::uint32_t e) {
          const WallElement& element = walls.elements[e];
          if (!within(element, local, reach))
            return;
          for (int earlier = 0; earlier < m; ++earlier)
            if (within(element, body.toLocal(place[earlier]), reach))
              return;
          visit(e);
        };
        if (triangles[w].n == 0)
          test(first[w]);
        else
          triangles[w].search(local, reach, test);
      }
    }
  }

  /// Whether wall w may have candidates for a particle within the sphere of radius `reach` around
  /// `center`, its own reach included.
  DEM_HD bool mayMeet(std::uint32_t w, const Vec3d& center, double reach) const
  {
    const Vec3d local = walls.bodies[w].toLocal(center);
    return triangles[w].n == 0 ? within(walls.elements[first[w]], local, reach)
                               : triangles[w].mayMeet(local, reach);
  }
  /// Whether a particle may also be searched at a periodic image.
  DEM_HD bool atPeriodicBorder(const Vec3d& p) const
  {
    bool at = false;
    for (int k = 0; k < 3; ++k)
      at = at ||
        (box.period[k] > 0 &&
          (p[k] - box.lower[k] < skin || box.period[k] - (p[k] - box.lower[k]) < skin));
    return at;
  }

private:
  DEM_HD static bool within(const WallElement& element, const Vec3d& local, double reach)
  {
    return signedDistance(element, local, closestOnElement(element, local)) < reach;
  }
};

/// Boxes of the leaves of a wall's tree.
struct TriangleBoxes
{
  const WallElement* elements; // elements of one wall
  const std::uint32_t* item;   // sorted
  std::uint32_t n;
  BvhBox* box;

  DEM_HD void operator()(std::uint32_t leaf) const
  {
    box[n - 1 + leaf] = triangleBox(elements[item[leaf]]);
  }
};

/// Morton codes of the centroids of a wall's triangles.
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
