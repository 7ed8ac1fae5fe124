// Multi-spheres from a table of spheres; volume, centre and inertia of their union.
#pragma once

#include "Shapes/Shape.h"

#include <string>
#include <vector>

namespace dem
{

/// From a table of spheres. The volume is exact if no point is in three spheres, else integrated
/// numerically with the error `mass.error`.
Shape makeMultiSphere(
  const std::string& name, const std::vector<Vec3d>& centers, const std::vector<double>& radii);

namespace detail
{

struct Moments;

/// Moments of a union of spheres; `error` is set to the relative error of the volume.
Moments multiSphereMoments(
  const std::vector<Vec3d>& centers, const std::vector<double>& radii, double& error);

} // namespace detail
} // namespace dem
