// The part of CellAverage that runs on a device. CellAverageOn.cuh implements it;
// CellAverageCpu.cpp and CellAverageCuda.cu instantiate it.
#pragma once

#include "Analysis/CellAverage.h"

namespace dem
{

class CellAverageEngine
{
public:
  virtual ~CellAverageEngine() = default;
  virtual void compute(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
    const CellAverageOptions& options, const CellAverageFields& fields) = 0;
};

std::unique_ptr<CellAverageEngine> makeCpuCellAverage(const Device& device);
std::unique_ptr<CellAverageEngine> makeCudaCellAverage(const Device& device);

} // namespace dem
