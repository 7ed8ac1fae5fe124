#include "MaterialPoint/MpmBodies.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmFill.h"
#include "Scene/AutomaticDomain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpm
{
namespace
{

using dem::Error;
using dem::number;

constexpr double kPi = 3.14159265358979323846, kMostPoints = 5e8;

/// The volume inside a closed mesh in m^3, by the divergence theorem.
double enclosedVolume(const Body& body)
{
  double volume = 0;
  const Vec3d origin = body.corner.empty() ? Vec3d{} : body.corner.front();
  for (const auto& t : body.triangle)
  {
    const Vec3d a = body.corner[static_cast<std::size_t>(t[0])] - origin;
    const Vec3d b = body.corner[static_cast<std::size_t>(t[1])] - origin;
    const Vec3d c = body.corner[static_cast<std::size_t>(t[2])] - origin;
    volume += dot(a, cross(b, c)) / 6;
  }
  return std::abs(volume);
}

double densityOf(const BodyPoint& p, const std::vector<Material>& materials)
{
  return p.given & BodyPoint::kDensity ? p.density
                                       : materials[static_cast<std::size_t>(p.material)].density;
}

/// The volume of a point in m^3; `share` if nothing defines one.
double volumeOf(const BodyPoint& p, const std::vector<Material>& materials, double share)
{
  if (p.given & BodyPoint::kVolume)
    return p.volume;
  if (p.given & BodyPoint::kMass)
    return p.mass / densityOf(p, materials);
  return p.given & BodyPoint::kRadius ? 4.0 / 3.0 * kPi * p.radius * p.radius * p.radius : share;
}

void append(PointInput& all, const Vec3d& position, double volume, double mass, const BodyPoint& p)
{
  all.position.push_back(position);
  all.velocity.push_back(p.velocity);
  all.volume.push_back(volume);
  all.material.push_back(static_cast<std::int32_t>(p.material));
  all.mass.push_back(mass);
}

void fillBody(const Body& body, const std::vector<Material>& materials, double spacing,
  double share, const FillOptions& options, PointInput& all)
{
  const double count = enclosedVolume(body) / share;
  if (!(count <= kMostPoints))
    throw Error(body.name + " would be filled with " + number(count) +
      " points, more than the limit of " + number(kMostPoints) + ": GridSpacing is " +
      number(spacing) + " m. Make it larger, or PointsPerAxis smaller.");
  PointInput inside;
  try
  {
    inside = fillSurface(
      body.corner, body.triangle, spacing, options.points_per_axis, options.jitter, options.seed);
  }
  catch (const Error& e)
  {
    throw Error(body.name + ": " + e.what());
  }
  if (inside.size() == 0)
    throw Error(body.name + " is too small to hold a point: cells are " + number(spacing) +
      " m wide. Make GridSpacing smaller.");
  const BodyPoint& p = body.point.front();
  for (std::size_t i = 0; i < inside.size(); ++i)
    append(
      all, inside.position[i], inside.volume[i], inside.volume[i] * densityOf(p, materials), p);
}

} // namespace

bool boundsOf(const std::vector<Body>& bodies, Vec3d& lower, Vec3d& upper)
{
  constexpr double huge = std::numeric_limits<double>::max();
  lower = { huge, huge, huge };
  upper = { -huge, -huge, -huge };
  bool any = false;
  const auto include = [&](const Vec3d& p) {
    lower = { std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z) };
    upper = { std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z) };
    any = true;
  };
  for (const Body& body : bodies)
  {
    for (const Vec3d& corner : body.corner)
      include(corner);
    if (!body.isSurface())
      for (const BodyPoint& p : body.point)
        include(p.position);
  }
  return any;
}

double adviseSpacing(const std::vector<Body>& bodies, const std::vector<Material>& materials)
{
  double spacing = 0;
  for (const Body& body : bodies)
  {
    double cell = 0; // m^3
    Vec3d lower, upper;
    if (!boundsOf({ body }, lower, upper))
      continue;
    const Vec3d size = upper - lower;
    const double box = size.x * size.y * size.z;
    if (body.isSurface())
    {
      const double inside = enclosedVolume(body);
      cell = (inside > 0 ? inside : box) / 4096;
    }
    else
    {
      double sum = 0;
      for (const BodyPoint& p : body.point)
      {
        const double share = box / static_cast<double>(body.point.size());
        sum += std::max(0.0, volumeOf(p, materials, share));
      }
      cell = 8 * sum / static_cast<double>(body.point.size());
    }
    // A flat surface has no volume; the error comes when it is filled.
    const double own = body.isSurface() && !(cell > 0) ? length(size) / 16 : std::cbrt(cell);
    spacing = std::isfinite(own) && own > 0 && (spacing == 0 || own < spacing) ? own : spacing;
  }
  return spacing;
}

std::string spacingWarning(const std::vector<Body>& bodies, double spacing, bool automatic)
{
  std::string first;
  int more = 0;
  for (const Body& body : bodies)
  {
    Vec3d lower, upper;
    const auto points = static_cast<double>(body.point.size());
    // The automatic spacing follows the distances of points.
    if (!boundsOf({ body }, lower, upper) || (!body.isSurface() && (automatic || points < 8)))
      continue;
    const Vec3d size = upper - lower;
    const double least = std::min({ size.x, size.y, size.z });
    const double most = std::max({ size.x, size.y, size.z });
    // Points may lie in one layer, and each has an extent of its own.
    const double extent = body.isSurface() ? least : most / (1 - 1 / std::cbrt(points));
    if (!(extent > 0) || extent >= spacing * (1 - 1e-6))
      continue;
    if (!first.empty())
    {
      ++more;
      continue;
    }
    const bool by_automatic = !automatic && (!body.isSurface() || least > 0.5 * most);
    // Four cells across can bend and squeeze.
    const std::string fine = number(extent / 4, 2) + " m or less";
    first = body.name + " measures " + number(size.x, 3) + " x " + number(size.y, 3) + " x " +
      number(size.z, 3) + " m, and a cell " + number(spacing, 3) +
      " m: a body thinner than a cell cannot deform as it should. " +
      (body.isSurface()
          ? "Set GridSpacing to " + fine + (by_automatic ? ", or to 0 for automatic." : ".")
          : "Set GridSpacing to 0 for automatic, which fits the points.");
  }
  return first + (more > 0 ? " Other bodies that are as small: " + std::to_string(more) + "." : "");
}

PointInput makePoints(const std::vector<Body>& bodies, const std::vector<Material>& materials,
  double spacing, const FillOptions& options)
{
  PointInput all;
  const double share = std::pow(spacing / options.points_per_axis, 3);
  for (const Body& body : bodies)
  {
    if (body.isSurface())
    {
      fillBody(body, materials, spacing, share, options, all);
      continue;
    }
    for (const BodyPoint& p : body.point)
    {
      const double volume = volumeOf(p, materials, share);
      append(all, p.position, volume,
        p.given & BodyPoint::kMass ? p.mass : volume * densityOf(p, materials), p);
    }
  }
  return all;
}

void fillScene(
  const std::vector<Body>& bodies, double spacing, const FillOptions& options, Scene& scene)
{
  if (!(spacing >= 0) || !std::isfinite(spacing))
    throw Error("GridSpacing must be > 0 m, or 0 for automatic, but is " + number(spacing) + ".");
  if (options.points_per_axis < 1 || options.points_per_axis > 8)
    throw Error(
      "PointsPerAxis must be 1 to 8, but is " + std::to_string(options.points_per_axis) + ".");
  scene.grid_spacing = spacing > 0 ? spacing : adviseSpacing(bodies, scene.materials);
  if (!(scene.grid_spacing > 0))
    throw Error("An automatic GridSpacing is not possible: the points have neither volume nor "
                "extent. Give GridSpacing, or the point array Volume (m^3).");
  scene.points = makePoints(bodies, scene.materials, scene.grid_spacing, options);
}

void setAutomaticDomain(const std::vector<Body>& bodies, Scene& scene)
{
  Vec3d& lower = scene.domain.lower;
  Vec3d& upper = scene.domain.upper;
  boundsOf(bodies, lower, upper);
  const Vec3d size = upper - lower;
  double margin = 0.5 * std::max({ size.x, size.y, size.z });
  const dem::Box met{ lower, upper };
  dem::Box all = met;
  for (const dem::Wall& wall : scene.walls)
    for (const Vec3d& p : dem::wallCorners(wall, met))
      if (dem::isFinite(p))
      {
        all.add(p);
        margin = 0;
      }
  margin = std::max(margin, 4 * scene.grid_spacing);
  lower = all.lower - Vec3d{ margin, margin, margin };
  upper = all.upper + Vec3d{ margin, margin, margin };
}

} // namespace mpm
