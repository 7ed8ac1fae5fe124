// A surface that centres of grains pass through, for FlowCounter.
#pragma once

#include "Core/Vec.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace dem
{

/// The surface: an infinite plane, or triangles. Forward is the direction of the normal; that of a
/// triangle follows the right-hand rule.
class FlowSurface
{
public:
  /// Throws dem::Error for a normal without length.
  static FlowSurface plane(const Vec3d& origin, const Vec3d& normal);
  /// `triangles`: indices of their corners in `points` (m).
  static FlowSurface triangles(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles);

  struct Passages
  {
    int forward = 0, backward = 0;
  };
  /// Counts the passages on the straight path from `a` to `b` (m). A path through an edge or a
  /// corner that triangles share passes once. A place on the surface is on one side, so successive
  /// paths that meet there neither lose nor repeat a passage.
  Passages passages(const Vec3d& a, const Vec3d& b) const;

  /// Differs between different surfaces.
  std::uint64_t fingerprint() const { return fingerprint_; }

private:
  bool is_plane_ = true;
  Vec3d origin_, normal_{ 0, 0, 1 };
  struct Tree;
  std::shared_ptr<const Tree> tree_; // the triangles
  std::uint64_t fingerprint_ = 0;
};

} // namespace dem
