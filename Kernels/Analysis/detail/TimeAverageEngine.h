// The part of TimeAverage that runs on a device. TimeAverageOn.cuh implements it; TimeAverage.cpp
// and TimeAverageCuda.cu instantiate it. The functions are those of TimeAverage.
#pragma once

#include "Analysis/TimeAverage.h"

namespace dem
{

class TimeAverageEngine
{
public:
  virtual ~TimeAverageEngine() = default;
  virtual MemoryPlace memory() const = 0;
  virtual double* next(std::size_t field) = 0;
  virtual void fill(std::size_t field, double value) = 0;
  virtual void add() = 0;
  virtual void add(const std::vector<const double*>& values) = 0;
  virtual void finish(std::size_t field, double* mean, double* error) = 0;
  virtual void counts(std::size_t field, std::int32_t* counts) = 0;
  virtual void fetch(std::vector<TimeAverage::Sums>& sums) = 0;
  virtual void put(const std::vector<TimeAverage::Sums>& sums) = 0;
};

std::unique_ptr<TimeAverageEngine> makeCpuTimeAverage(
  const std::vector<AveragedField>& fields, std::size_t places, const Device& device);
std::unique_ptr<TimeAverageEngine> makeCudaTimeAverage(
  const std::vector<AveragedField>& fields, std::size_t places, const Device& device);

} // namespace dem
