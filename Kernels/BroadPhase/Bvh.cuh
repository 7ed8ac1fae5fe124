// Linear bounding volume hierarchy: Karras, "Maximizing parallelism in the construction of BVHs,
// octrees, and k-d trees", High Performance Graphics 2012; see also Kureck 2016, chapter 3. Leaves
// are in Morton order; a bottom-up pass computes the boxes of nodes.
#pragma once

#include "Core/Atomic.cuh"
#include "Core/Vec.h"

#include <cstdint>

namespace dem
{

/// An axis-aligned box (m).
struct BvhBox
{
  Vec3d lower, upper;

  // Whether the box meets a cube of half edge `reach` around the centre.
  DEM_HD bool touches(const Vec3d& center, double reach) const
  {
    return center.x + reach >= lower.x && center.x - reach <= upper.x &&
      center.y + reach >= lower.y && center.y - reach <= upper.y && center.z + reach >= lower.z &&
      center.z - reach <= upper.z;
  }
};

/// Spreads the low 21 bits of x to every third bit.
DEM_HD std::uint64_t spreadBits(std::uint64_t x)
{
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffffull;
  x = (x | x << 16) & 0x1f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  x = (x | x << 2) & 0x1249249249249249ull;
  return x;
}

/// 63-bit Morton code of a point in a box; points outside are clamped.
DEM_HD std::uint64_t mortonCode(const Vec3d& p, const Vec3d& lower, const Vec3d& inverse_size)
{
  std::uint64_t code = 0;
  for (int k = 0; k < 3; ++k)
  {
    double t = (p[k] - lower[k]) * inverse_size[k] * 2097151.0;
    t = t > 0 ? (t < 2097151.0 ? t : 2097151.0) : 0;
    code |= spreadBits(static_cast<std::uint64_t>(t)) << (2 - k);
  }
  return code;
}

DEM_HD int countLeadingZeros(std::uint64_t x)
{
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(x));
#else
  return x ? __builtin_clzll(x) : 64;
#endif
}

/// A tree over n leaves. Nodes [0, n - 1) are inner nodes, node n - 1 + k is leaf k with item
/// leaf_item[k]. The root is node 0.
struct BvhView
{
  const std::uint32_t* left;
  const std::uint32_t* right;
  const BvhBox* box; // of all 2 n - 1 nodes
  const std::uint32_t* leaf_item;
  std::uint32_t n;

  // Highest leaf below each inner node; null if not needed.
  const std::uint32_t* last_leaf;

  DEM_HD bool isLeaf(std::uint32_t node) const { return node >= n - 1; }
  DEM_HD std::uint32_t lastLeaf(std::uint32_t node) const
  {
    return isLeaf(node) ? node - (n - 1) : last_leaf[node];
  }

  /// Depth-first traversal: calls visit(k) for each leaf k that is reached through nodes for which
  /// `enter(node)` is true.
  template <class Enter, class Visit>
  DEM_HD void walk(const Enter& enter, const Visit& visit) const
  {
    if (n == 0 || !enter(0u))
      return;
    std::uint32_t stack[kDeepest];
    int top = 0;
    std::uint32_t node = 0;
    for (;;)
    {
      if (isLeaf(node))
        visit(node - (n - 1));
      else
      {
        const std::uint32_t a = left[node], b = right[node];
        const bool in_a = enter(a), in_b = enter(b);
        if (in_a || in_b)
        {
          node = in_a ? a : b;
          if (in_a && in_b)
            stack[top++] = b;
          continue;
        }
      }
      if (top == 0)
        return;
      node = stack[--top];
    }
  }

  /// Calls visit(item) for every leaf whose box touches(center, reach).
  template <class Visit>
  DEM_HD void search(const Vec3d& center, double reach, const Visit& visit) const
  {
    walk([&](std::uint32_t node) { return box[node].touches(center, reach); },
      [&](std::uint32_t leaf) { visit(leaf_item[leaf]); });
  }

  /// Whether there is such a leaf.
  DEM_HD bool mayMeet(const Vec3d& center, double reach) const
  {
    bool met = false;
    walk([&](std::uint32_t node) { return !met && box[node].touches(center, reach); },
      [&](std::uint32_t) { met = true; });
    return met;
  }

  static constexpr int kDeepest = 96; // 63 bits of a code and 32 bits of a place distinguish leaves
};

/// Builds the inner nodes, one a thread: the range of leaves and its split (Karras 2012, section
/// 4).
template <class Code>
struct BuildBvhNodesOf
{
  const Code* codes; // sorted
  std::uint32_t n;
  std::uint32_t *left, *right, *parent;
  std::uint32_t* last_leaf; // of inner nodes; null: not written

  // Length of the common prefix of keys i and j. Places distinguish equal codes.
  DEM_HD int prefix(std::int64_t i, std::int64_t j) const
  {
    if (j < 0 || j >= static_cast<std::int64_t>(n))
      return -1;
    const std::uint64_t a = codes[i], b = codes[j];
    return a != b ? countLeadingZeros(a ^ b)
                  : 64 + countLeadingZeros(static_cast<std::uint64_t>(i ^ j));
  }

  DEM_HD void operator()(std::uint32_t node) const
  {
    const std::int64_t i = node;
    const int direction = prefix(i, i + 1) > prefix(i, i - 1) ? 1 : -1;
    const int shortest = prefix(i, i - direction);
    std::int64_t most = 2;
    while (prefix(i, i + most * direction) > shortest)
      most *= 2;
    std::int64_t reach = 0;
    for (std::int64_t t = most / 2; t >= 1; t /= 2)
      if (prefix(i, i + (reach + t) * direction) > shortest)
        reach += t;
    const std::int64_t j = i + reach * direction;
    const int common = prefix(i, j);
    std::int64_t split = 0;
    for (std::int64_t t = (reach + 1) / 2;; t = (t + 1) / 2)
    {
      if (prefix(i, i + (split + t) * direction) > common)
        split += t;
      if (t == 1)
        break;
    }
    const std::int64_t gamma = i + split * direction + (direction < 0 ? -1 : 0);
    const std::int64_t first = i < j ? i : j, last = i < j ? j : i;
    const std::uint32_t a = static_cast<std::uint32_t>(first == gamma ? n - 1 + gamma : gamma);
    const std::uint32_t b =
      static_cast<std::uint32_t>(last == gamma + 1 ? n - 1 + gamma + 1 : gamma + 1);
    left[node] = a;
    right[node] = b;
    parent[a] = node;
    parent[b] = node;
    if (node == 0)
      parent[0] = 0xffffffffu;
    if (last_leaf)
      last_leaf[node] = static_cast<std::uint32_t>(last);
  }
};
using BuildBvhNodes = BuildBvhNodesOf<std::uint64_t>;

/// Computes the boxes of inner nodes, one thread a leaf. Threads climb; the second to arrive at a
/// node joins the boxes of its children and continues.
struct BuildBvhBoxes
{
  const std::uint32_t *left, *right, *parent;
  std::uint32_t n;
  BvhBox* box;       // boxes of leaves are given
  unsigned* arrived; // of inner nodes, initially 0

  DEM_HD void operator()(std::uint32_t leaf) const
  {
    std::uint32_t node = parent[n - 1 + leaf];
    while (node != 0xffffffffu)
    {
      if (atomicNext(&arrived[node]) == 0)
        return;
      const volatile BvhBox& a = box[left[node]];
      const volatile BvhBox& b = box[right[node]];
      BvhBox joined;
      joined.lower = { a.lower.x < b.lower.x ? a.lower.x : b.lower.x,
        a.lower.y < b.lower.y ? a.lower.y : b.lower.y,
        a.lower.z < b.lower.z ? a.lower.z : b.lower.z };
      joined.upper = { a.upper.x > b.upper.x ? a.upper.x : b.upper.x,
        a.upper.y > b.upper.y ? a.upper.y : b.upper.y,
        a.upper.z > b.upper.z ? a.upper.z : b.upper.z };
      box[node] = joined;
      node = parent[node];
    }
  }
};

} // namespace dem
