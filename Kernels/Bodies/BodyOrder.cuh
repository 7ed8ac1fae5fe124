// Kernels that follow bodies through memory: where their parts are after the particles were
// reordered, and which bodies are left.
#pragma once

#include "Bodies/BodyView.cuh"
#include "NeighborList/ListView.cuh"
#include "NeighborList/RebuildFound.cuh"

#include <cstdint>

namespace dem
{

/// Where the parts stand after the particles were brought into a new order.
struct FindParts
{
  const std::int64_t* id;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t i) const { place[id[i]] = i; }
};

/// For OrderedBodies: which of the parts are first ones, the body of each of these, and where its
/// parts are.
struct MarkFirstParts
{
  const std::int64_t* id;
  BodyView bodies;
  std::uint32_t* flag;

  DEM_HD void operator()(std::uint32_t i) const
  {
    flag[i] = bodies.first_part[bodies.body[id[i]]] == id[i] ? 1u : 0u;
  }
};

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

/// What the part of a body of one knows of it.
struct AskParts
{
  BodyView bodies;
  const Vec4<double>*position, *orientation; // of the parts

  DEM_HD void operator()(std::uint32_t b) const
  {
    const std::uint32_t i = bodies.place[bodies.firstPart(b)];
    if (bodies.parts(b) > 1 || i == BodyView::kNowhere)
      return;
    bodies.centre[b] = vec4(position[i].xyz(), bodies.centre[b].w);
    bodies.orientation[b] = orientation[i];
  }
};

/// Lists are made of the places where the parts are.
struct BeginBodyPaths
{
  float* path;
  LongestPath paths; // as they were

  DEM_HD void operator()(std::uint32_t b) const
  {
    paths.include(path[b]);
    path[b] = 0;
  }
};

/// Rows without the parts of one's own body: their lengths, then their entries.
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

/// Which bodies are still there: flags, then those that are, in order.
struct MarkShown
{
  const Vec4<double>* centre;
  std::uint32_t* flag;

  DEM_HD void operator()(std::uint32_t b) const { flag[b] = isGone(centre[b].x) ? 0u : 1u; }
};

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
