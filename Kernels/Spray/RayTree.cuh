// A linear bounding volume hierarchy for rays: the tree of BroadPhase/Bvh.cuh with the boxes of
// both children in each node, in single precision and enlarged. Used by RayCasterOn.cuh for grains
// and for triangles.
#pragma once

#include "BroadPhase/Bvh.cuh"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/FixedSum.cuh"
#include "Spray/RayDirection.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dem
{
namespace ray
{

/// The part of a ray inside a box: from `enter` to `leave`; empty if enter > leave.
struct Clip
{
  double enter, leave;

  DEM_HD Clip(const BvhBox& box, const Vec3d& x, const Vec3d& d, double from, double to)
    : enter(from)
    , leave(to)
  {
    for (int k = 0; k < 3; ++k)
    {
      if (std::fabs(d[k]) < 1e-300)
      {
        if (x[k] < box.lower[k] || x[k] > box.upper[k])
          leave = -1e300;
        continue;
      }
      const double a = (box.lower[k] - x[k]) / d[k], b = (box.upper[k] - x[k]) / d[k],
                   near = a < b ? a : b, far = a < b ? b : a;
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
  }
};

/// Boxes of both children of a node, relative to the centre of the tree, and the children: inner
/// nodes, or items with the highest bit set.
struct alignas(16) TreeNode
{
  float lower[2][3], upper[2][3];
  std::uint32_t child[2];
};

struct TreeView
{
  static constexpr std::uint32_t kItem = 0x80000000u;

  const TreeNode* nodes;
  const std::uint32_t* only; // the item of a tree with one
  std::uint32_t n;
  BvhBox bounds; // enlarged by `pad`
  Vec3d center;
  double pad; // m: enlargement of the boxes, above all rounding errors of the walk

  /// Calls visit(item) for a superset of the items that the ray x + s d meets from s = `from` up to
  /// the lesser of `to` and `best`, which visit() may lower.
  template <class Visit>
  DEM_HD void along(const Vec3d& x, const Vec3d& d, double from, double to, const double& best,
    const Visit& visit) const
  {
    if (n == 0)
      return;
    const Clip clip(bounds, x, d, from - pad, to + pad);
    if (clip.enter > clip.leave || clip.enter > best + pad)
      return;
    if (n == 1)
    {
      visit(only[0]);
      return;
    }
    // From the point where the ray enters, numbers are no larger than the tree.
    const Vec3d p = x + clip.enter * d - center;
    const float o[3] = { static_cast<float>(p.x), static_cast<float>(p.y),
      static_cast<float>(p.z) };
    const float inverse[3] = { inverted(d.x), inverted(d.y), inverted(d.z) };
    const float last = static_cast<float>(clip.leave - clip.enter + pad);
    std::uint32_t stack[BvhView::kDeepest];
    float reached[BvhView::kDeepest];
    int top = 0;
    std::uint32_t node = 0;
    for (;;)
    {
      if (node & kItem)
        visit(node & ~kItem);
      else
      {
        const TreeNode& at = nodes[node];
        const double left = best - clip.enter + pad;
        const float limit = left < last ? static_cast<float>(left) : last;
        const float a = enters(at, 0, o, inverse, limit), b = enters(at, 1, o, inverse, limit);
        if (a >= 0 || b >= 0)
        {
          const bool first = b < 0 || (a >= 0 && a <= b);
          if (a >= 0 && b >= 0)
          {
            stack[top] = at.child[first ? 1 : 0];
            reached[top++] = first ? b : a;
          }
          node = at.child[first ? 0 : 1];
          continue;
        }
      }
      do
      {
        if (top == 0)
          return;
        node = stack[--top];
      }
      while (static_cast<double>(reached[top]) + clip.enter > best + pad);
    }
  }

private:
  DEM_HD static float inverted(double d)
  {
    const float f = static_cast<float>(d), least = 1e-12f;
    return 1 / (std::fabs(f) < least ? (f < 0 ? -least : least) : f);
  }

  // Where the ray enters the box of a child; -1 if it does not up to `limit`.
  DEM_HD static float enters(
    const TreeNode& at, int child, const float* o, const float* inverse, float limit)
  {
    float enter = 0, leave = limit;
    for (int k = 0; k < 3; ++k)
    {
      const float a = (at.lower[child][k] - o[k]) * inverse[k],
                  b = (at.upper[child][k] - o[k]) * inverse[k];
      const float near = a < b ? a : b, far = a < b ? b : a;
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    return enter <= leave ? enter : -1;
  }
};

struct BoxCodes
{
  const BvhBox* box;
  Vec3d lower, inverse_size;
  std::uint64_t* code;
  std::uint32_t* item;

  DEM_HD void operator()(std::uint32_t i) const
  {
    code[i] = mortonCode(0.5 * (box[i].lower + box[i].upper), lower, inverse_size);
    item[i] = i;
  }
};

struct PlaceLeafBoxes
{
  const BvhBox* from;
  const std::uint32_t* item;
  std::uint32_t n;
  BvhBox* box;

  DEM_HD void operator()(std::uint32_t leaf) const { box[n - 1 + leaf] = from[item[leaf]]; }
};

struct PackNodes
{
  const std::uint32_t *left, *right, *item;
  const BvhBox* box;
  std::uint32_t n;
  Vec3d center;
  double pad;
  TreeNode* nodes;

  DEM_HD void operator()(std::uint32_t node) const
  {
    TreeNode out;
    for (int c = 0; c < 2; ++c)
    {
      const std::uint32_t child = c == 0 ? left[node] : right[node];
      const BvhBox& b = box[child];
      for (int k = 0; k < 3; ++k)
      {
        out.lower[c][k] = static_cast<float>(b.lower[k] - center[k] - pad);
        out.upper[c][k] = static_cast<float>(b.upper[k] - center[k] + pad);
      }
      out.child[c] = child >= n - 1 ? item[child - (n - 1)] | TreeView::kItem : child;
    }
    nodes[node] = out;
  }
};

/// Bounds of each block of kSumBlock boxes.
struct BoundBoxes
{
  const BvhBox* box;
  std::size_t n;
  BvhBox* partial;

  DEM_HD static void join(BvhBox& a, const BvhBox& b)
  {
    for (int k = 0; k < 3; ++k)
    {
      a.lower[k] = b.lower[k] < a.lower[k] ? b.lower[k] : a.lower[k];
      a.upper[k] = b.upper[k] > a.upper[k] ? b.upper[k] : a.upper[k];
    }
  }
  DEM_HD void operator()(std::uint32_t block) const
  {
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < n ? begin + kSumBlock : n;
    BvhBox sum = box[begin];
    for (std::size_t i = begin + 1; i < end; ++i)
      join(sum, box[i]);
    partial[block] = sum;
  }
};

/// Bounds of n > 0 boxes; waits.
template <class Exec>
BvhBox boundsOf(Exec& exec, const BvhBox* box, std::size_t n, Array<BvhBox, Exec>& partial)
{
  partial.resize(sumBlocks(n));
  exec.forEach(sumBlocks(n), BoundBoxes{ box, n, partial.data() });
  const std::vector<BvhBox> all = partial.host();
  BvhBox sum = all[0];
  for (const BvhBox& b : all)
    BoundBoxes::join(sum, b);
  return sum;
}

/// Owns a tree in the memory of a policy.
template <class Exec>
class Tree
{
public:
  explicit Tree(Exec& exec)
    : exec_(exec)
  {
  }

  /// Builds the tree over n boxes with these bounds. Queued on the policy.
  void build(const BvhBox* boxes, std::uint32_t n, const BvhBox& bounds)
  {
    view_ = TreeView{ nullptr, nullptr, n, bounds, {}, 0 };
    if (n == 0)
      return;
    Vec3d inverse{};
    double size = 0;
    for (int k = 0; k < 3; ++k)
    {
      const double edge = bounds.upper[k] - bounds.lower[k];
      inverse[k] = edge > 0 ? 1 / edge : 0;
      size = std::max(size, edge);
      view_.center[k] = 0.5 * (bounds.lower[k] + bounds.upper[k]);
      view_.pad = std::max(
        view_.pad, 1e-12 * std::max(std::fabs(bounds.lower[k]), std::fabs(bounds.upper[k])));
    }
    view_.pad += 4e-6 * size;
    for (int k = 0; k < 3; ++k)
    {
      view_.bounds.lower[k] -= view_.pad;
      view_.bounds.upper[k] += view_.pad;
    }
    for (auto* array : { &code_, &code_other_ })
      array->resize(n);
    item_.resize(n);
    item_other_.resize(n);
    exec_.forEach(n, BoxCodes{ boxes, bounds.lower, inverse, code_.data(), item_.data() });
    sortPairs(exec_, code_.data(), code_other_.data(), item_.data(), item_other_.data(), n, 63);
    view_.only = item_.data();
    if (n == 1)
      return;
    for (auto* array : { &left_, &right_, &parent_ })
      array->resize(2 * std::size_t(n));
    box_.resize(2 * std::size_t(n));
    arrived_.resize(n);
    arrived_.zero();
    nodes_.resize(n - 1);
    exec_.forEach(n, PlaceLeafBoxes{ boxes, item_.data(), n, box_.data() });
    exec_.forEach(n - 1,
      BuildBvhNodes{ code_.data(), n, left_.data(), right_.data(), parent_.data(), nullptr });
    exec_.forEach(n,
      BuildBvhBoxes{
        left_.data(), right_.data(), parent_.data(), n, box_.data(), arrived_.data() });
    exec_.forEach(n - 1,
      PackNodes{ left_.data(), right_.data(), item_.data(), box_.data(), n, view_.center, view_.pad,
        nodes_.data() });
    view_.nodes = nodes_.data();
  }

  const TreeView& view() const { return view_; }

private:
  Exec& exec_;
  Array<std::uint64_t, Exec> code_{ exec_ }, code_other_{ exec_ };
  Array<std::uint32_t, Exec> item_{ exec_ }, item_other_{ exec_ }, left_{ exec_ }, right_{ exec_ },
    parent_{ exec_ };
  Array<unsigned, Exec> arrived_{ exec_ };
  Array<BvhBox, Exec> box_{ exec_ };
  Array<TreeNode, Exec> nodes_{ exec_ };
  TreeView view_{};
};

} // namespace ray
} // namespace dem
