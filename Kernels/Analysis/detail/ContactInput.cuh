// Contacts staged for kernels, checked, and their normals and points. Used by all analysis of
// contacts.
#pragma once

#include "Analysis/Averages.h"
#include "Analysis/Grains.h"
#include "Analysis/detail/GrainInput.cuh"
#include "Analysis/detail/Staging.h"
#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "Core/Vec.h"

#include <cstdint>
#include <cstring>

namespace dem
{
namespace detail
{

DEM_HD Vec3d vectorAt(const double* values, std::size_t i)
{
  return { values[3 * i], values[3 * i + 1], values[3 * i + 2] };
}

/// Contacts in memory that kernels reach; see GrainContacts.
struct ContactsOnDevice
{
  std::size_t size;
  const std::int64_t *first, *second;
  const double *first_place, *second_place, *normal_force, *tangential_force;
  bool shaped = false;

  /// Unit vector from the first centre to the second. If the centres coincide, the direction
  /// opposite to the force on the first grain; zero without a force.
  DEM_HD Vec3d normal(std::size_t c) const
  {
    const Vec3d d = vectorAt(second_place, c) - vectorAt(first_place, c);
    const double distance = length(d);
    if (distance > 0)
      return (1 / distance) * d;
    const Vec3d f = normal_force ? vectorAt(normal_force, c) : Vec3d{};
    const double force = length(f);
    return force > 0 ? (-1 / force) * f : Vec3d{};
  }
  /// Unit normal of the surfaces at the contact, out of the first grain. For spheres equal to
  /// normal(); for other shapes opposite to the normal force, if there is one.
  DEM_HD Vec3d surfaceNormal(std::size_t c) const
  {
    const Vec3d f = shaped && normal_force ? vectorAt(normal_force, c) : Vec3d{};
    const double force = length(f);
    return force > 0 ? (-1 / force) * f : normal(c);
  }
};

/// Contact points in the middle of the overlap, half the overlap inside the surface of the first
/// grain, as the solver computes them for spheres. All analysis uses this kernel, so the bits do
/// not depend on where the contacts come from.
struct PointsInMidOverlap
{
  ContactsOnDevice contacts;
  const double *radius, *overlap; // overlap: null: computed from centres and radii
  double* point;

  DEM_HD void operator()(std::uint32_t c) const
  {
    const Vec3d p = vectorAt(contacts.first_place, c), d = vectorAt(contacts.second_place, c) - p;
    const double distance = length(d), r = radius[contacts.first[c]];
    const double other = contacts.second[c] < 0 ? 0 : radius[contacts.second[c]];
    const double depth = overlap ? overlap[c] : r + other - distance;
    const double arm = distance > 0 ? (r - 0.5 * depth) / distance : 0;
    for (int k = 0; k < 3; ++k)
      point[3 * std::size_t(c) + k] = p[k] + arm * d[k];
  }
};

/// Finds the first contact that requireContact() would refuse, and the square of the longest
/// branch. The bits of a positive double ascend with its value, so an integer atomic finds the
/// largest.
struct CheckContacts
{
  ContactsOnDevice contacts;
  std::int64_t grains;
  unsigned long long *bad, *longest; // longest: the complement of the bits

  DEM_HD static unsigned long long bits(double x)
  {
#if defined(__CUDA_ARCH__)
    return static_cast<unsigned long long>(__double_as_longlong(x));
#else
    unsigned long long b;
    std::memcpy(&b, &x, sizeof b);
    return b;
#endif
  }
  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::int64_t a = contacts.first[c], b = contacts.second[c];
    bool good = a >= 0 && a < grains && b < grains && areNumbers(contacts.first_place, c) &&
      areNumbers(contacts.second_place, c);
    if (contacts.normal_force)
      good = good && areNumbers(contacts.normal_force, c);
    if (contacts.tangential_force)
      good = good && areNumbers(contacts.tangential_force, c);
    if (!good)
    {
      atomicLower(bad, c);
      return;
    }
    const Vec3d d = vectorAt(contacts.second_place, c) - vectorAt(contacts.first_place, c);
    const unsigned long long value = ~bits(dot(d, d));
    // most branches are shorter than one before them and need no atomic
    if (value < *static_cast<volatile unsigned long long*>(longest))
      atomicLower(longest, value);
  }
};

/// Stages contacts. Keeps its memory from use to use.
template <class Exec>
class ContactInput
{
public:
  explicit ContactInput(Exec& exec)
    : exec_(exec)
    , first_(exec)
    , second_(exec)
    , first_place_(exec)
    , second_place_(exec)
    , normal_force_(exec)
    , tangential_force_(exec)
    , point_in_(exec)
    , overlap_(exec)
    , sliding_(exec)
    , point_(exec)
    , found_(exec)
  {
  }

  /// The same contacts in memory that kernels reach, without points, overlaps and sliding.
  ContactsOnDevice stage(const GrainContacts& c)
  {
    requireReachable(exec_, c.memory);
    const std::size_t n = c.size;
    return { n, first_(c.first, n, c.memory), second_(c.second, n, c.memory),
      first_place_(c.first_place, 3 * n, c.memory), second_place_(c.second_place, 3 * n, c.memory),
      normal_force_(c.normal_force, 3 * n, c.memory),
      tangential_force_(c.tangential_force, 3 * n, c.memory), c.shaped };
  }
  /// The contact points, as given or in the middle of the overlap. `radius`: readable by kernels.
  const double* points(const GrainContacts& c, const ContactsOnDevice& staged, const double* radius)
  {
    if (c.point)
      return point_in_(c.point, 3 * c.size, c.memory);
    point_.resize(3 * c.size);
    exec_.forEach(c.size,
      PointsInMidOverlap{ staged, radius, overlap_(c.overlap, c.size, c.memory), point_.data() });
    return point_.data();
  }
  const std::uint8_t* sliding(const GrainContacts& c)
  {
    return sliding_(c.sliding, c.size, c.memory);
  }

  /// Throws dem::Error as requireContact() does. Returns the square of the longest branch, m^2.
  double check(const ContactsOnDevice& c, std::size_t grains)
  {
    found_.assign({ c.size, ~0ull });
    exec_.forEach(c.size,
      CheckContacts{ c, static_cast<std::int64_t>(grains), found_.data(), found_.data() + 1 });
    const std::vector<unsigned long long> found = found_.host();
    if (found[0] < c.size)
      refuse(c, found[0], grains);
    const unsigned long long bits = c.size ? ~found[1] : 0;
    double longest;
    std::memcpy(&longest, &bits, sizeof longest);
    return longest;
  }

private:
  void refuse(const ContactsOnDevice& c, std::size_t i, std::size_t grains)
  {
    std::int64_t first[3], second[3];
    double a[3], b[3], normal[3], tangential[3];
    GrainContacts one;
    one.size = 1;
    one.first = fetched(exec_, c.first, i, 1, first);
    one.second = fetched(exec_, c.second, i, 1, second);
    one.first_place = fetched(exec_, c.first_place, i, 3, a);
    one.second_place = fetched(exec_, c.second_place, i, 3, b);
    one.normal_force = fetched(exec_, c.normal_force, i, 3, normal);
    one.tangential_force = fetched(exec_, c.tangential_force, i, 3, tangential);
    requireContact(one, i, grains);
  }

  Exec& exec_;
  Input<std::int64_t, Exec> first_, second_;
  Input<double, Exec> first_place_, second_place_, normal_force_, tangential_force_, point_in_,
    overlap_;
  Input<std::uint8_t, Exec> sliding_;
  Array<double, Exec> point_;
  Array<unsigned long long, Exec> found_;
};

} // namespace detail
} // namespace dem
