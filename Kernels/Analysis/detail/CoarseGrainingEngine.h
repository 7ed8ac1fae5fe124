// What a device offers to CoarseGraining. One implementation (CoarseGrainingOn.cuh), instantiated
// for each device.
#pragma once

#include "Analysis/CoarseGraining.h"

namespace dem
{

class CoarseGrainingEngine
{
public:
  virtual ~CoarseGrainingEngine() = default;
  virtual void compute(const Grains& grains, const GrainContacts* contacts, const double* points,
    std::size_t number_of_points, const CoarseGrainingOptions& options,
    const CoarseGrainedFields& fields) = 0;
};

std::unique_ptr<CoarseGrainingEngine> makeCpuCoarseGraining(const Device& device);
std::unique_ptr<CoarseGrainingEngine> makeCudaCoarseGraining(const Device& device);

} // namespace dem
