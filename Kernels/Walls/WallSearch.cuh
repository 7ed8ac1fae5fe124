// Wall elements near a sphere: a tree or a grid over the triangles of each mesh wall, analytic
// walls one by one.
#pragma once

#include "BroadPhase/Bvh.cuh"
#include "BroadPhase/SortedGrid.cuh"
#include "Walls/TriangleGrid.cuh"
#include "Walls/WallElement.cuh"

namespace dem
{

/// Calls visit(element) once for every wall element that a particle can reach before the next
/// rebuild. Walls are not periodic but particles are: one close to a periodic border may stand on
/// the other side by then, so it is looked for there too. Index: BvhView or TriangleGrid. Both
/// offer every triangle that comes into question, and the same test decides.
template <class Index>
struct WallSearch
{
  WallView walls;
  const Index* triangles;     // one a wall; n = 0 where the wall is one analytic element
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
  /// Only of the walls w whose bit, of number w % 32, is set.
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

  /// Whether wall w may have candidates for a particle whose reach lies within `reach` of `center`.
  DEM_HD bool mayMeet(std::uint32_t w, const Vec3d& center, double reach) const
  {
    const Vec3d local = walls.bodies[w].toLocal(center);
    return triangles[w].n == 0 ? within(walls.elements[first[w]], local, reach)
                               : triangles[w].mayMeet(local, reach);
  }
  /// Whether a particle may be looked for on the other side of the box as well.
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

struct TriangleBoxes
{
  const WallElement* elements; // of one wall
  const std::uint32_t* item;   // sorted
  std::uint32_t n;
  BvhBox* box;

  DEM_HD void operator()(std::uint32_t leaf) const
  {
    box[n - 1 + leaf] = triangleBox(elements[item[leaf]]);
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
