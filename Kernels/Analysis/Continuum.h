// A continuum's points as grains: what stands for contacts.
#pragma once

#include "Analysis/Grains.h"
#include "Core/HostArray.h"

namespace dem
{

/// The stress of points as pairs of forces, three a point, such that averages over contacts give
/// it: see detail/StressPairs.cuh.
struct StressAsContacts
{
  HostArray<std::int64_t> first, second;
  HostArray<double> first_place, second_place, normal_force;
  GrainContacts view; ///< of these
};

/// `points` in host memory; `stress`: 6 a point, xx yy zz xy yz xz, Pa, or null where it is not
/// known.
StressAsContacts stressAsContacts(const Grains& points, const double* stress);

} // namespace dem
