// Where closed surfaces are thin, place by place.
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
  dem::Vec3d place{};   ///< in the middle of it
};

/// The thinnest place of the bodies that closed parts of a triangle surface bound, if it is thinner
/// than `limit`: the way from a face along its inner normal to the next face that looks the other
/// way of the same body (within 3 degrees, so that edges and tips are not thin), from seven places
/// of each triangle, and the extent of each body across its largest faces. Triangles may be turned
/// either way; parts that are not closed are sheets, which have no thickness. A void counts as a
/// body; the wall between two nested surfaces is not seen.
std::optional<ThinPlace> findThinPlace(const std::vector<dem::Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, double limit);

} // namespace mpm
