// Wall candidates on CUDA, in one launch: most particles are far from all walls, which a warp finds out for 32 of them at once. Only nvcc
// reads this file.
#pragma once

#include "BroadPhase/Bvh.cuh"
#include "Core/SortRow.cuh"
#include "Core/Warp.cuh"
#include "NeighborList/BuildList.cuh"

#include <cstdint>
#include <type_traits>

namespace dem
{

/// Where the rows go, those of 32 particles in any order. What does not fit is counted but not written.
struct NewWallRows
{
  std::uint32_t *entries, *start, *particle; // as in WallListView
  std::uint32_t* row_of;                     // of each particle
  unsigned long long* taken;                 // rows in the upper word, entries in the lower; 0 before
  std::uint32_t room, entry_room;
};

/// The triangles of trees that are near a warp's particles are looked for once, by all lanes, and so are those of its particles that may reach
/// them: what is left is asked closely, 32 pairs at a time.
template <class Search, class Real>
struct BuildWallRows
{
  static constexpr unsigned kThreads = 128;
  static constexpr int kResidentBlocks = 6;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr unsigned kKept = 6;   // candidates of a particle that need not be searched for again
  static constexpr unsigned kNear = 32;  // triangles near a warp; where there are more, each particle searches for its own
  static constexpr unsigned kNodes = 160; // of a tree that wait to be looked at
  static constexpr bool kTrees = std::is_same_v<decltype(Search::triangles), const BvhView*>;
  struct OfWarp
  {
    union
    {
      std::uint32_t node[kNodes];
      struct
      {
        float4 ball[kNear], plane[kNear]; // around each triangle, from the middle of the warp: centre and radius; normal
        std::uint16_t pair[64];           // lane + 32 x triangle
      };
    };
    std::uint32_t triangle[kNear];
    std::uint32_t count[32]; // of each particle's candidates
  };
  struct Shared
  {
    std::uint32_t kept[kKept][kThreads];
    OfWarp of[kWarps];
  };

  Search search;
  NewWallRows rows;
  WallListView old_list;
  const std::uint32_t* old_row_of; // of the old index; null: nothing is kept
  const std::uint32_t* old_index;
  SlotCopier<Real> copy;
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const unsigned lane = threadIdx.x % 32;
    const std::uint32_t i = block * kThreads + threadIdx.x;
    if (i - lane >= n)
      return; // with its whole warp
    OfWarp& own_warp = shared.of[threadIdx.x / 32];
    const Vec4<double> p = search.position[i < n ? i : n - 1];
    std::uint32_t count = 0;
    const Near near = nearWalls(p, lane, own_warp);
    if (near.walls && i < n)
      search.candidatesAmong(near.walls, near.alone, i, [&](std::uint32_t e) {
        if (count < kKept)
          shared.kept[count][threadIdx.x] = e;
        ++count;
      });
    if (near.triangles)
      count = meetTriangles(near, p, i < n, count, own_warp, shared);
    unsigned long long before = count ? 1ull << 32 | count : 0, own = before;
    for (unsigned step = 1; step < 32; step *= 2)
    {
      const unsigned long long other = __shfl_up_sync(kWhole, before, step);
      before += lane >= step ? other : 0;
    }
    unsigned long long base = 0;
    if (lane == 31 && before)
      base = atomicAdd(rows.taken, before);
    base = __shfl_sync(kWhole, base, 31);
    const unsigned long long end = base + before, begin = end - own;
    const auto row = static_cast<std::uint32_t>(begin >> 32), first = static_cast<std::uint32_t>(begin);
    if (i < n)
      rows.row_of[i] = count ? row : kNoRow;
    if (!count || row >= rows.room || first + count > rows.entry_room)
      return;
    rows.particle[row] = i;
    rows.start[row] = first;
    rows.start[row + 1] = static_cast<std::uint32_t>(end); // the next row says so too
    fill(i, first, count, near.walls | near.trees, shared);
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;

  /// What a warp's particles may have candidates among.
  struct Near
  {
    unsigned walls;     // each particle searches these by itself: see WallSearch::candidatesAmong
    bool alone;         // meshes among them too
    unsigned trees;     // else theirs
    unsigned triangles; // were found for all
    Vec3d middle;       // of a ball with all that the particles reach
    Vec3<float> apart;  // this lane's particle, from there
    float reach;
  };

  // Each lane asks some walls about a ball around all; trees whose boxes it meets are searched by all lanes.
  __device__ Near nearWalls(const Vec4<double>& p, unsigned lane, OfWarp& shared) const
  {
    Near near{};
    const Vec3d first{ __shfl_sync(kWhole, p.x, 0), __shfl_sync(kWhole, p.y, 0), __shfl_sync(kWhole, p.z, 0) };
    const Vec3<float> d = (p.xyz() - first).template as<float>();
    Vec3<float> sum = d;
    for (int step = 16; step > 0; step /= 2)
    {
      sum.x += __shfl_xor_sync(kWhole, sum.x, step);
      sum.y += __shfl_xor_sync(kWhole, sum.y, step);
      sum.z += __shfl_xor_sync(kWhole, sum.z, step);
    }
    const Vec3<float> mean = (1.0f / 32) * sum;
    near.apart = d - mean;
    const float far = (length(near.apart) + static_cast<float>(p.w + search.skin)) * (1 + 1e-5f); // above zero: its bits ascend as it does
    near.reach = __uint_as_float(maxOfWarp(__float_as_uint(far)));
    near.middle = first + mean.template as<double>();
    if (__any_sync(kWhole, !(near.reach < 1e30f) || search.atPeriodicBorder(p.xyz())))
    {
      near.walls = kWhole;
      near.alone = true;
      return near;
    }
    bool meets = false, in_tree = false;
    for (std::uint32_t w = lane; w < search.wall_count; w += 32)
    {
      const bool tree = kTrees && search.triangles[w].n != 0, may = search.mayMeet(w, near.middle, near.reach);
      meets = meets || (may && !tree);
      in_tree = in_tree || (may && tree);
    }
    near.walls = __ballot_sync(kWhole, meets);
    near.trees = __ballot_sync(kWhole, in_tree);
    near.alone = !kTrees;
    if constexpr (kTrees)
      for (std::uint32_t w = 0; near.trees && w < search.wall_count && !near.alone; ++w)
        if (near.trees >> w % 32 & 1u && search.triangles[w].n)
          near.alone = !findTriangles(w, near, lane, shared);
    if (near.alone)
    {
      near.walls |= near.trees;
      near.triangles = 0;
    }
    return near;
  }

  // Adds the triangles of a tree that the ball meets: up to 32 nodes at a time, the deepest first. Says no where there are too many.
  __device__ bool findTriangles(std::uint32_t w, Near& near, unsigned lane, OfWarp& shared) const
  {
    const BvhView tree = search.triangles[w];
    const Vec3d local = search.walls.bodies[w].toLocal(near.middle);
    const unsigned below = (1u << lane) - 1;
    if (lane == 0)
      shared.node[0] = 0;
    __syncwarp();
    for (unsigned waiting = 1; waiting;)
    {
      const unsigned taken = waiting < 32 ? waiting : 32;
      waiting -= taken;
      const std::uint32_t node = lane < taken ? shared.node[waiting + lane] : 0;
      const bool touches = lane < taken && tree.box[node].touches(local, near.reach);
      const bool inner = touches && !tree.isLeaf(node);
      const std::uint32_t item = touches && !inner ? tree.leaf_item[node - (tree.n - 1)] : 0;
      const bool found = touches && !inner && search.meets(item, near.middle, near.reach);
      const std::uint32_t left = inner ? tree.left[node] : 0, right = inner ? tree.right[node] : 0;
      const unsigned inners = __ballot_sync(kWhole, inner), leaves = __ballot_sync(kWhole, found); // and all have read their nodes
      if (waiting + 2 * __popc(inners) > kNodes || near.triangles + __popc(leaves) > kNear)
        return false;
      if (inner)
      {
        const unsigned at = waiting + 2 * __popc(inners & below);
        shared.node[at] = left;
        shared.node[at + 1] = right;
      }
      if (found)
        shared.triangle[near.triangles + __popc(leaves & below)] = item;
      waiting += 2 * __popc(inners);
      near.triangles += __popc(leaves);
      __syncwarp();
    }
    return true;
  }

  // The candidates of each lane's particle among the triangles found, behind the `count` that it has.
  __device__ std::uint32_t meetTriangles(const Near& near, const Vec4<double>& p, bool there, std::uint32_t count, OfWarp& shared, Shared& all) const
  {
    const unsigned lane = threadIdx.x % 32;
    __syncwarp();
    shared.count[lane] = count;
    if (lane < near.triangles)
      surround(shared.triangle[lane], near, shared.ball[lane], shared.plane[lane]);
    __syncwarp();
    const float reach = static_cast<float>(p.w + search.skin), rounding = 1e-5f * near.reach;
    unsigned pairs = 0;
    for (unsigned t = 0; t < near.triangles; ++t)
    {
      const float4 ball = shared.ball[t], plane = shared.plane[t];
      const Vec3<float> d = near.apart - Vec3<float>{ ball.x, ball.y, ball.z };
      const float sum = reach + ball.w + rounding;
      const bool close = there && dot(d, d) < sum * sum && fabsf(dot(d, Vec3<float>{ plane.x, plane.y, plane.z })) < reach + rounding + 1e-5f * ball.w;
      const unsigned votes = __ballot_sync(kWhole, close);
      if (close)
        shared.pair[pairs + __popc(votes & ((1u << lane) - 1))] = static_cast<std::uint16_t>(lane + 32 * t);
      pairs += __popc(votes);
      __syncwarp();
      if (pairs < 32)
        continue;
      pairs -= 32;
      ask(shared.pair[pairs + lane], true, p, shared, all);
      __syncwarp();
    }
    ask(lane < pairs ? shared.pair[lane] : 0, lane < pairs, p, shared, all);
    __syncwarp();
    return shared.count[lane];
  }

  // A ball around a triangle and the normal of its plane (zero: it has none), as they stand in the world.
  __device__ void surround(std::uint32_t triangle, const Near& near, float4& ball, float4& plane) const
  {
    const auto& e = search.walls.elements[triangle];
    const auto& body = search.walls.bodies[e.wall];
    const Vec3d centre = (1. / 3) * (e.a + e.b + e.c);
    const double a2 = dot(e.a - centre, e.a - centre), b2 = dot(e.b - centre, e.b - centre), c2 = dot(e.c - centre, e.c - centre);
    const double radius = std::sqrt(a2 > b2 ? (a2 > c2 ? a2 : c2) : (b2 > c2 ? b2 : c2)) * (1 + 1e-5);
    const Vec3d normal = body.directionToWorld(cross(e.b - e.a, e.c - e.a));
    const double size = length(normal);
    const Vec3<float> from_middle = (body.toWorld(centre) - near.middle).template as<float>();
    const Vec3<float> unit = ((size > 0 ? 1 / size : 0) * normal).template as<float>();
    ball = { from_middle.x, from_middle.y, from_middle.z, static_cast<float>(radius) };
    plane = { unit.x, unit.y, unit.z, 0 };
  }

  // A pair a lane: who is a candidate of whom.
  __device__ void ask(std::uint32_t pair, bool there, const Vec4<double>& p, OfWarp& shared, Shared& all) const
  {
    const unsigned lane = pair % 32, column = threadIdx.x / 32 * 32 + lane;
    const Vec3d x{ __shfl_sync(kWhole, p.x, lane), __shfl_sync(kWhole, p.y, lane), __shfl_sync(kWhole, p.z, lane) };
    const double radius = __shfl_sync(kWhole, p.w, lane);
    const std::uint32_t triangle = there ? shared.triangle[pair / 32] : 0;
    if (!there || !search.meets(triangle, x, radius + search.skin))
      return;
    const std::uint32_t at = atomicAdd(&shared.count[lane], 1u);
    if (at < kKept)
      all.kept[at][column] = triangle;
  }

  __device__ void fill(std::uint32_t i, std::uint32_t first, std::uint32_t count, unsigned near, const Shared& shared) const
  {
    std::uint32_t* entries = rows.entries + first;
    std::uint32_t c = 0;
    if (count <= kKept)
      for (; c < count; ++c)
        entries[c] = shared.kept[c][threadIdx.x];
    else
      search.candidatesAmong(near, true, i, [&](std::uint32_t e) { entries[c++] = e; });
    sortRow(entries, count, [](std::uint32_t e) { return e; });
    const std::uint32_t old_row = old_row_of ? old_row_of[old_index[i]] : kNoRow;
    std::uint32_t t = old_row == kNoRow ? 0 : old_list.start[old_row];
    const std::uint32_t old_end = old_row == kNoRow ? 0 : old_list.start[old_row + 1];
    for (std::uint32_t s = 0; s < count; ++s)
    {
      while (t < old_end && old_list.entries[t] < entries[s])
        ++t;
      if (t < old_end && old_list.entries[t] == entries[s] && copy.old_flags[t])
        copy(first + s, t);
      else
      {
        copy.flags[first + s] = 0;
        copy.history.clear(copy.columns, first + s);
      }
    }
  }
};

} // namespace dem
