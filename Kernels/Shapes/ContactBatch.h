// The narrow phase for lists of poses, on either device: for tests, for packings, for whoever has
// no kernel of his own.
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

struct ContactQuery
{
  ContactPartner partner = ContactPartner::Grain;
  std::int32_t shape[2] = { 0, 0 }; // -1: a sphere; the second of a grain alone
  Vec3d center[2];
  Quaternion<double> orientation[2];
  double radius[2] = { 1, 1 }; // of grains: Radius; of a cone: at its ends are cone_radius
  Vec3d corner[3], neighbor[3];
  double cone_radius[2] = { 0, 0 };
};

/// ContactGeometry with the point in space; overlap <= 0: no contact.
struct ContactAnswer
{
  double overlap = -1;
  Vec3d normal, point;
  double radius = 0, rolling_radius = 0, share = 1;
  std::uint32_t feature = 7;
};

/// Throws dem::Error for shapes that are met part by part (Multi-Sphere).
std::vector<ContactAnswer> findContacts(const std::vector<Shape>& shapes,
  const std::vector<ContactQuery>& queries, bool double_precision, const Device& device);

} // namespace dem
