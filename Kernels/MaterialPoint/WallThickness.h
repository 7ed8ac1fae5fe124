// The thickness of closed surfaces, place by place.
#pragma once

#include "Core/Vec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace mpm
{

struct ThinPlace
{
  double thickness = 0; ///< m
  dem::Vec3d place{};   ///< m, in the middle of the thin place
};

/// The thinnest place of the bodies bounded by the closed parts of a triangle surface, if it is
/// thinner than `limit` m; otherwise nothing. Thickness is the distance from a face along its inner
/// normal to the next opposite face of the same body (within 3 degrees, so that edges and tips are
/// not thin), from seven places of each triangle, and the extent of each body across its largest
/// faces. Triangles may have either orientation. Parts that are not closed are sheets without
/// thickness. A void counts as a body; the wall between two nested surfaces is not found.
std::optional<ThinPlace> findThinPlace(const std::vector<dem::Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, double limit);

} // namespace mpm
