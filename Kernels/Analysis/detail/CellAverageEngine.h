// What a device offers to CellAverage. One implementation (CellAverageOn.cuh), instantiated for
// each device.
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
