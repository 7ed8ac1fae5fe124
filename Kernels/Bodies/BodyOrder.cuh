// Kernels for the index arrays of bodies. Used by Bodies.cuh. They find the parts after the
// particles were reordered, remove candidates of the own body, and list the bodies that have not
// left.
#pragma once

#include "Bodies/BodyView.cuh"
#include "NeighborList/GhostBits.h"
#include "NeighborList/ListView.cuh"
#include "NeighborList/RebuildFound.cuh"

#include <cstdint>

namespace dem
{

/// Clears the particle index of each part.
struct ForgetParts
{
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t part) const { place[part] = BodyView::kNowhere; }
};

/// Stores the particle index of each part after the particles were reordered. Ghosts are skipped.
struct FindParts
{
  const std::int64_t* id;
  GhostBits ghosts;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (!ghosts.has(i))
      place[id[i]] = i;
  }
};

/// Marks the bodies that have no particles here, of those that have not left the run.
struct MarkElsewhere
{
  BodyView bodies;

  DEM_HD void operator()(std::uint32_t b) const
  {
    if (bodies.place[bodies.first_part[b]] == BodyView::kNowhere && !isGone(bodies.centre[b].x))
      bodies.setElsewhere(b);
  }
};

/// First of three kernels that make OrderedBodies: flags the particles that are the first part of
/// their body. Ghosts are not flagged.
struct MarkFirstParts
{
  const std::int64_t* id;
  GhostBits ghosts;
  BodyView bodies;
  std::uint32_t* flag;

  DEM_HD void operator()(std::uint32_t i) const
  {
    flag[i] = bodies.first_part[bodies.body[id[i]]] == id[i] && !ghosts.has(i) ? 1u : 0u;
  }
};

/// Second: stores each body at the rank of its first part, and its number of parts.
struct OrderBodies
{
  const std::int64_t* id;
  BodyView bodies;
  const std::uint32_t *flag, *rank;
  OrderedBody* order;
  std::uint32_t* parts;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (!flag[i])
      return;
    const std::uint32_t b = bodies.body[id[i]], k = rank[i];
    order[k] = { b, 0, bodies.shape[b], bodies.parts(b) };
    parts[k] = bodies.parts(b);
  }
};

/// Third: stores the particle indices of the parts of each body.
struct PlaceParts
{
  BodyView bodies;
  OrderedBody* order;
  const std::uint32_t *first, *present;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k >= *present)
      return;
    OrderedBody& one = order[k];
    one.first = first[k];
    for (std::uint32_t p = 0; p < one.parts; ++p)
      place[one.first + p] = bodies.place[bodies.first_part[one.body] + p];
  }
};

/// Copies position and orientation of bodies of one part from that part.
struct AskParts
{
  BodyView bodies;
  const Vec4<double>*position, *orientation; // by particle index

  DEM_HD void operator()(std::uint32_t b) const
  {
    const std::uint32_t i = bodies.place[bodies.firstPart(b)];
    if (bodies.parts(b) > 1 || i == BodyView::kNowhere)
      return;
    bodies.centre[b] = vec4(position[i].xyz(), bodies.centre[b].w);
    bodies.orientation[b] = orientation[i];
  }
};

/// Resets the paths for a list that is built from the present positions.
struct BeginBodyPaths
{
  float* path;
  LongestPath paths; // updated by the previous paths

  DEM_HD void operator()(std::uint32_t b) const
  {
    paths.include(path[b]);
    path[b] = 0;
  }
};

/// Counts the entries of each row that are not parts of the particle's own body.
struct CountStrangers
{
  ListView list;
  const std::int64_t* id;
  const std::uint32_t* body;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t own = body[id[i]];
    std::uint32_t c = 0;
    const std::uint32_t begin = list.start(i);
    for (std::uint32_t s = begin; s < begin + list.count[i]; ++s)
      c += body[id[list.entries[s] & ListView::kIndex]] != own ? 1u : 0u;
    count[i] = c;
  }
};

/// Copies these entries to a new list.
struct KeepStrangers
{
  ListView list;
  const std::int64_t* id;
  const std::uint32_t* body;
  const std::uint32_t* start;
  std::uint32_t* entries;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t own = body[id[i]];
    std::uint32_t to = start[i];
    const std::uint32_t begin = list.start(i);
    for (std::uint32_t s = begin; s < begin + list.count[i]; ++s)
      if (body[id[list.entries[s] & ListView::kIndex]] != own)
        entries[to++] = list.entries[s];
  }
};

/// Flags the bodies that have not left. In a part of a run, these are the ones that it owns.
struct MarkShown
{
  const Vec4<double>* centre;
  std::uint32_t* flag;

  DEM_HD void operator()(std::uint32_t b) const { flag[b] = isGone(centre[b].x) ? 0u : 1u; }
};

/// Lists the flagged bodies, in ascending order.
struct ListShown
{
  const std::uint32_t *flag, *rank;
  std::uint32_t* shown;

  DEM_HD void operator()(std::uint32_t b) const
  {
    if (flag[b])
      shown[rank[b]] = b;
  }
};

} // namespace dem
