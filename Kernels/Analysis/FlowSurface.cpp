#include "Analysis/FlowSurface.h"

#include "Analysis/detail/FlowHash.h"
#include "BroadPhase/Bvh.cuh"
#include "Core/Error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

namespace dem
{
namespace
{

using detail::mixed;

bool before(const Vec3d& u, const Vec3d& v)
{
  return std::tie(u.x, u.y, u.z) < std::tie(v.x, v.y, v.z);
}

/// True if the edge from u to v passes to the left of the path from a to b. The opposite edge has
/// the opposite result, also after rounding. So exactly one of two triangles that share an edge
/// counts a path through it.
bool passesLeft(const Vec3d& a, const Vec3d& b, const Vec3d& u, const Vec3d& v)
{
  const bool swapped = before(v, u);
  const Vec3d first = (swapped ? v : u) - a, second = (swapped ? u : v) - a;
  return (dot(b - a, cross(first, second)) >= 0) != swapped;
}

bool overlaps(const BvhBox& box, const Vec3d& lower, const Vec3d& upper)
{
  return box.lower.x <= upper.x && lower.x <= box.upper.x && box.lower.y <= upper.y &&
    lower.y <= box.upper.y && box.lower.z <= upper.z && lower.z <= box.upper.z;
}

Vec3d least(const Vec3d& a, const Vec3d& b)
{
  return { std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z) };
}

Vec3d most(const Vec3d& a, const Vec3d& b)
{
  return { std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z) };
}

} // namespace

struct FlowSurface::Tree
{
  std::vector<std::array<Vec3d, 3>> triangles;
  std::vector<std::uint32_t> left, right, leaf;
  std::vector<BvhBox> box;
};

FlowSurface FlowSurface::plane(const Vec3d& origin, const Vec3d& normal)
{
  if (!(length(normal) > 0) || !std::isfinite(length(normal)))
  {
    throw Error("The normal of the plane of the flow is (" + std::to_string(normal.x) + ", " +
      std::to_string(normal.y) + ", " + std::to_string(normal.z) + "), which is no direction.");
  }
  FlowSurface surface;
  surface.origin_ = origin;
  surface.normal_ = normalized(normal);
  surface.fingerprint_ = mixed(mixed(1, &origin.x, 3), &surface.normal_.x, 3);
  return surface;
}

FlowSurface FlowSurface::triangles(
  const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
{
  FlowSurface surface;
  surface.is_plane_ = false;
  surface.fingerprint_ = 2;
  const auto tree = std::make_shared<Tree>();
  surface.tree_ = tree;
  for (const auto& t : triangles)
  {
    std::array<Vec3d, 3> corners;
    for (int k = 0; k < 3; ++k)
    {
      corners[k] = points[static_cast<std::size_t>(t[k])];
      surface.fingerprint_ = mixed(surface.fingerprint_, &corners[k].x, 3);
    }
    tree->triangles.push_back(corners);
  }
  const std::uint32_t n = static_cast<std::uint32_t>(tree->triangles.size());
  if (n == 0)
  {
    return surface;
  }

  std::vector<BvhBox> boxes(n);
  BvhBox whole{ tree->triangles[0][0], tree->triangles[0][0] };
  for (std::uint32_t i = 0; i < n; ++i)
  {
    const auto& t = tree->triangles[i];
    boxes[i] = { least(least(t[0], t[1]), t[2]), most(most(t[0], t[1]), t[2]) };
    whole = { least(whole.lower, boxes[i].lower), most(whole.upper, boxes[i].upper) };
  }
  Vec3d inverse;
  for (int k = 0; k < 3; ++k)
  {
    const double size = whole.upper[k] - whole.lower[k];
    inverse[k] = size > 0 ? 1 / size : 0;
  }
  std::vector<std::uint64_t> code(n), sorted(n);
  for (std::uint32_t i = 0; i < n; ++i)
  {
    code[i] = mortonCode(0.5 * (boxes[i].lower + boxes[i].upper), whole.lower, inverse);
  }
  tree->leaf.resize(n);
  std::iota(tree->leaf.begin(), tree->leaf.end(), 0u);
  std::stable_sort(tree->leaf.begin(), tree->leaf.end(),
    [&](std::uint32_t a, std::uint32_t b) { return code[a] < code[b]; });
  tree->box.resize(2 * std::size_t(n) - 1);
  for (std::uint32_t k = 0; k < n; ++k)
  {
    sorted[k] = code[tree->leaf[k]];
    tree->box[n - 1 + k] = boxes[tree->leaf[k]];
  }
  if (n > 1)
  {
    tree->left.resize(n - 1);
    tree->right.resize(n - 1);
    std::vector<std::uint32_t> parent(2 * std::size_t(n) - 1);
    std::vector<unsigned> arrived(n - 1, 0);
    const BuildBvhNodes nodes{ sorted.data(), n, tree->left.data(), tree->right.data(),
      parent.data(), nullptr };
    for (std::uint32_t i = 0; i + 1 < n; ++i)
    {
      nodes(i);
    }
    const BuildBvhBoxes join{ tree->left.data(), tree->right.data(), parent.data(), n,
      tree->box.data(), arrived.data() };
    for (std::uint32_t i = 0; i < n; ++i)
    {
      join(i);
    }
  }
  return surface;
}

FlowSurface::Passages FlowSurface::passages(const Vec3d& a, const Vec3d& b) const
{
  Passages found;
  if (is_plane_)
  {
    const bool from = dot(normal_, a - origin_) >= 0, to = dot(normal_, b - origin_) >= 0;
    found.forward = !from && to ? 1 : 0;
    found.backward = from && !to ? 1 : 0;
    return found;
  }
  const Vec3d lower = least(a, b), upper = most(a, b);
  const Tree& tree = *tree_;
  const BvhView bvh{ tree.left.data(), tree.right.data(), tree.box.data(), tree.leaf.data(),
    static_cast<std::uint32_t>(tree.leaf.size()), nullptr };
  bvh.walk([&](std::uint32_t node) { return overlaps(tree.box[node], lower, upper); },
    [&](std::uint32_t leaf) {
      const auto& t = tree.triangles[tree.leaf[leaf]];
      const Vec3d normal = cross(t[1] - t[0], t[2] - t[0]);
      const bool from = dot(normal, a - t[0]) >= 0, to = dot(normal, b - t[0]) >= 0;
      if (from == to)
      {
        return;
      }
      const bool left = passesLeft(a, b, t[0], t[1]);
      if (left == passesLeft(a, b, t[1], t[2]) && left == passesLeft(a, b, t[2], t[0]))
      {
        ++(to ? found.forward : found.backward);
      }
    });
  return found;
}

} // namespace dem
