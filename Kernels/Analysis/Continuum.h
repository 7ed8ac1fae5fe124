// Stress of material points in the form of contacts, so that averages over grains and contacts
// apply to a continuum.
#pragma once

#include "Analysis/Grains.h"
#include "Core/HostArray.h"

namespace dem
{

/// The stress of points as three pairs of forces per point; averages over these contacts give the
/// stress. See detail/StressPairs.cuh.
struct StressAsContacts
{
  HostArray<std::int64_t> first, second;
  HostArray<double> first_place, second_place, normal_force;
  GrainContacts view; ///< of these arrays
};

/// `points`: in host memory. `stress`: 6 per point, xx yy zz xy yz xz, Pa, in host memory; null:
/// unknown, then the contacts have no forces.
StressAsContacts stressAsContacts(const Grains& points, const double* stress);

} // namespace dem
