// Search for contacts of spheres from centres and radii, for data without contacts. Uses the broad
// phases of the solver.
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
  /// m, >= 0: grains touch if the gap between their surfaces is below this; 0: only if they
  /// overlap.
  double tolerance = 0;
  Vec3d lower{}; ///< m: lower corner of the periodic box
  /// m: lengths of the periodic box, 0 for axes that are not periodic. At least twice the reach of
  /// the largest pair.
  Vec3d period{};
  BroadPhaseOptions broad_phase;
};

/// Contacts of grains, first < second by index, ascending in first and then in second. The same for
/// any number of threads and any broad phase, and, except for rounding, on any device.
struct FoundContacts
{
  std::size_t size = 0;
  HostArray<std::int64_t> first, second; ///< indices
  /// 3, m: centres; the second as the image next to the first on periodic axes.
  HostArray<double> first_place, second_place;
  HostArray<double> point;   ///< 3, m: in the middle of the overlap
  HostArray<double> overlap; ///< m; below 0 for a gap within the tolerance

  /// The arrays in host memory, without forces; valid as long as this object.
  GrainContacts view() const;
  /// The arrays in the memory of `device` if it found them, else those in host memory.
  GrainContacts viewOn(const Device& device) const;

  GrainContacts on_device;    ///< copies on the device that found them; size 0: none
  int ordinal = 0;            ///< of that device
  std::shared_ptr<void> kept; ///< owns the arrays of on_device
};

/// Finds the contacts. Grains lie in host memory or in that of the device. Throws dem::Error for an
/// invalid tolerance or periodic box, and if memory does not suffice. Two grains with the same
/// centre touch; their contact point is that centre.
FoundContacts findContacts(
  const Grains& grains, const ContactSearchOptions& options, const Device& device);

} // namespace dem
