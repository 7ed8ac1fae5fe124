// The part of CoarseGraining that runs on a device. CoarseGrainingOn.cuh implements it;
// CoarseGrainingCpu.cpp and CoarseGrainingCuda.cu instantiate it.
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
