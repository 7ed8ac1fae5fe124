// Which grains touch, found from centres and radii alone with the project's own broad phases: for
// data of other codes.
#pragma once

#include "Analysis/Grains.h"
#include "BroadPhase/BroadPhaseOptions.h"
#include "Core/Device.h"
#include "Core/HostArray.h"
#include "Core/Vec.h"

#include <memory>

namespace dem
{

struct ContactSearchOptions
{
  double tolerance =
    0; ///< m, >= 0: grains whose surfaces are nearer than this touch; 0: only those that overlap
  Vec3d lower{};  ///< m: lower corner of the periodic box
  Vec3d period{}; ///< m: its lengths; 0 where an axis is not periodic. At least twice the reach of
                  ///< the largest pair
  BroadPhaseOptions broad_phase;
};

/// Contacts of grains, first < second by index, ascending in first and then in second: the same on
/// any number of threads, with any broad phase and (but for rounding) on any device.
struct FoundContacts
{
  std::size_t size = 0;
  HostArray<std::int64_t> first, second; ///< indices
  HostArray<double> first_place,
    second_place;            ///< 3, m: centres, the second next to the first where periodic
  HostArray<double> point;   ///< 3, m: in mid overlap
  HostArray<double> overlap; ///< m; below 0 within the tolerance

  /// Valid as long as this object; without forces.
  GrainContacts view() const;
  /// The same where `device` reaches it best: the values stay in the memory of the device that
  /// found them, too.
  GrainContacts viewOn(const Device& device) const;

  GrainContacts on_device; ///< size 0: they are on the host only
  int ordinal = 0;
  std::shared_ptr<void> kept; ///< what on_device points to
};

/// Grains in host memory or in that of the device. Throws dem::Error for a tolerance or a periodic
/// box that cannot be, and when memory does not suffice. Two grains with the same centre touch;
/// their contact point is that centre.
FoundContacts findContacts(
  const Grains& grains, const ContactSearchOptions& options, const Device& device);

} // namespace dem
