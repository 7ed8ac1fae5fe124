// Uniform grid of linked lists, built by atomic exchange: Barbieri et al., section 2. The order
// within a list varies; rows are sorted later. Links count from 1; 0 ends a list.
#pragma once

#include "BroadPhase/Grid.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"

#include <cstdint>

namespace dem
{

/// The cell of the lower corner of a particle's box, whose half edge is radius + skin / 2.
DEM_HD std::uint32_t cornerCell(const Grid& grid, const Vec4<double>& p, double skin)
{
  const double h = p.w + 0.5 * skin;
  return grid.keyOf({ p.x - h, p.y - h, p.z - h, 0 });
}

/// The cells that may contain the lower corners of particles whose boxes touch that of p: 2 or 3 on
/// an axis.
DEM_HD CellRange cornerRange(
  const Grid& grid, const Vec4<double>& p, double skin, double radius_max)
{
  const double h = (p.w + 0.5 * skin) * (1 + 1e-12) + grid.pad,
               back = h + (2 * radius_max + skin) * (1 + 1e-12) + grid.pad;
  return grid.range({ p.x - back, p.y - back, p.z - back }, { p.x + h, p.y + h, p.z + h });
}

/// Loose form: links each particle to the cell of its lower corner.
struct LinkLoose
{
  Grid grid;
  const Vec4<double>* position;
  double skin;
  std::uint32_t* head; // of each cell, initially 0
  std::uint32_t* next; // of each particle

  DEM_HD void operator()(std::uint32_t i) const
  {
    next[i] = atomicSwap(&head[cornerCell(grid, position[i], skin)], i + 1);
  }
};

/// Search of the loose form; see GridSearch for its interface.
struct LinkedLooseSearch
{
  Grid grid;
  PairTest near;
  const Vec4<double>* position;
  const std::uint32_t *head, *next;
  double radius_max;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = position[i];
    grid.forCells(cornerRange(grid, p, near.skin, radius_max), [&](std::uint32_t cell) {
      for (std::uint32_t link = head[cell]; link != 0; link = next[link - 1])
        if (link - 1 != i && near(p, position[link - 1]))
          visit(link - 1);
    });
  }
};

/// Data of a particle in the packed form, read together.
struct alignas(16) PackedLink
{
  double x, y, z, radius;
  std::uint32_t next, unused[3];
};

/// Loose packed form: also stores positions beside the links.
struct LinkLoosePacked
{
  Grid grid;
  const Vec4<double>* position;
  double skin;
  std::uint32_t* head;
  PackedLink* links;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> p = position[i];
    PackedLink link{ p.x, p.y, p.z, p.w, 0, {} };
    link.next = atomicSwap(&head[cornerCell(grid, p, skin)], i + 1);
    links[i] = link;
  }
};

/// Search of the loose packed form.
struct LinkedPackedSearch
{
  Grid grid;
  PairTest near;
  const std::uint32_t* head;
  const PackedLink* links;
  double radius_max;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p{ links[i].x, links[i].y, links[i].z, links[i].radius };
    grid.forCells(cornerRange(grid, p, near.skin, radius_max), [&](std::uint32_t cell) {
      for (std::uint32_t link = head[cell]; link != 0;)
      {
        const PackedLink q = links[link - 1];
        if (link - 1 != i && near(p, { q.x, q.y, q.z, q.radius }))
          visit(link - 1);
        link = q.next;
      }
    });
  }
};

/// The cells that a particle's box touches: one or two on an axis, because cells are at least as
/// large as the largest box.
DEM_HD CellRange touchedCells(const Grid& grid, const Vec4<double>& p, double skin)
{
  const double h = (p.w + 0.5 * skin) * (1 + 1e-12) + grid.pad;
  return grid.range({ p.x - h, p.y - h, p.z - h }, { p.x + h, p.y + h, p.z + h });
}

// most particles; three bits of a link are its mask
constexpr std::uint32_t kMostTight = (1u << 29) - 1;

/// Tight form: links each particle to all cells it touches. A set bit of the mask of an entry means
/// that the particle is also in the previous cell on that axis.
struct LinkTight
{
  Grid grid;
  const Vec4<double>* position;
  double skin;
  std::uint32_t* head; // initially 0
  std::uint32_t* next; // 8 for each particle

  DEM_HD void operator()(std::uint32_t i) const
  {
    const CellRange r = touchedCells(grid, position[i], skin);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        for (int x = r.lo[0]; x <= r.hi[0]; ++x)
        {
          const std::uint32_t entry =
            8 * i + ((x > r.lo[0] ? 1u : 0u) | (y > r.lo[1] ? 2u : 0u) | (z > r.lo[2] ? 4u : 0u));
          next[entry] = atomicSwap(
            &head[grid.key(grid.wrap(x, 0), grid.wrap(y, 1), grid.wrap(z, 2))], entry + 1);
        }
  }
};

/// Search of the tight form.
struct LinkedTightSearch
{
  Grid grid;
  PairTest near;
  const Vec4<double>* position;
  const std::uint32_t *head, *next;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = position[i];
    const CellRange r = touchedCells(grid, p, near.skin);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        for (int x = r.lo[0]; x <= r.hi[0]; ++x)
        {
          const std::uint32_t mask =
            (x > r.lo[0] ? 1u : 0u) | (y > r.lo[1] ? 2u : 0u) | (z > r.lo[2] ? 4u : 0u);
          std::uint32_t link = head[grid.key(grid.wrap(x, 0), grid.wrap(y, 1), grid.wrap(z, 2))];
          for (; link != 0; link = next[link - 1])
          {
            const std::uint32_t j = (link - 1) >> 3;
            // both particles are also in a previous cell, where the pair is found
            if (j != i && !(mask & (link - 1)) && near(p, position[j]))
              visit(j);
          }
        }
  }
};

} // namespace dem
