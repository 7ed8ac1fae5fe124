// The narrow phase for lists of poses on either device, for tests and packings.
#pragma once

#include "Core/Device.h"
#include "Shapes/Shape.h"

#include <cstdint>
#include <vector>

namespace dem
{

enum class ContactPartner : std::int32_t
{
  Grain,
  Plane,    // corner[0] = origin, corner[1] = unit normal
  Triangle, // corner[0..2], neighbor[0..2] as in ContactTriangle
  Cone      // corner[0], corner[1] = ends of the axis
};

/// One pair of poses, in double precision.
struct ContactQuery
{
  ContactPartner partner = ContactPartner::Grain;
  std::int32_t shape[2] = { 0, 0 }; // -1: a sphere; the second is used for grains only
  Vec3d center[2];
  Quaternion<double> orientation[2];
  double radius[2] = { 1, 1 }; // Radius of the grains (m)
  Vec3d corner[3], neighbor[3];
  // Radii of a cone at the ends of its axis (m).
  double cone_radius[2] = { 0, 0 };
};

/// ContactGeometry in double, with the point in space. overlap <= 0: no contact.
struct ContactAnswer
{
  double overlap = -1;
  Vec3d normal, point;
  double radius = 0, rolling_radius = 0, share = 1;
  std::uint32_t feature = 7;
};

/// Answers the queries in their order. Throws dem::Error for unknown shapes, and for shapes that
/// are treated part by part (Multi-Sphere).
std::vector<ContactAnswer> findContacts(const std::vector<Shape>& shapes,
  const std::vector<ContactQuery>& queries, bool double_precision, const Device& device);

} // namespace dem
