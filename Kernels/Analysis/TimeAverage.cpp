#include "Analysis/TimeAverage.h"

#include "Analysis/TimeAverageOn.cuh"
#include "Core/CpuExec.h"
#include "Core/Error.h"

#include <string>
#include <utility>

namespace dem
{

std::unique_ptr<TimeAverageEngine> makeCpuTimeAverage(
  const std::vector<AveragedField>& fields, std::size_t places, const Device& device)
{
  return std::make_unique<TimeAverageOn<CpuExec>>(
    fields, places, device.threads > 0 ? device.threads : int(tbb::task_arena::automatic));
}

TimeAverage::TimeAverage(
  std::vector<AveragedField> fields, std::size_t places, const Device& device)
  : fields_(std::move(fields))
  , places_(places)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
  {
    engine_ = makeCudaTimeAverage(fields_, places_, device);
    return;
  }
#endif
  engine_ = makeCpuTimeAverage(fields_, places_, device);
}

TimeAverage::~TimeAverage() = default;
TimeAverage::TimeAverage(TimeAverage&&) noexcept = default;
TimeAverage& TimeAverage::operator=(TimeAverage&&) noexcept = default;

double TimeAverage::bytes(const std::vector<AveragedField>& fields, double places)
{
  double bytes = 0;
  for (const AveragedField& field : fields)
    bytes += 5 * sizeof(double) * field.components + 2 * sizeof(double) + sizeof(std::int32_t);
  return bytes * places;
}

double* TimeAverage::next(std::size_t field) { return engine_->next(field); }

MemoryPlace TimeAverage::memory() const { return engine_->memory(); }

void TimeAverage::fill(std::size_t field, double value) { engine_->fill(field, value); }

void TimeAverage::add()
{
  engine_->add();
  ++outputs_;
}

void TimeAverage::add(const std::vector<const double*>& values)
{
  if (values.size() != fields_.size())
    throw Error("A mean over time of " + std::to_string(fields_.size()) + " fields was given " +
      std::to_string(values.size()) + ".");
  engine_->add(values);
  ++outputs_;
}

void TimeAverage::finish(std::size_t field, double* mean, double* error) const
{
  engine_->finish(field, mean, error);
}

void TimeAverage::counts(std::size_t field, std::int32_t* counts) const
{
  engine_->counts(field, counts);
}

std::vector<TimeAverage::Sums> TimeAverage::noSums(
  const std::vector<AveragedField>& fields, std::size_t places)
{
  std::vector<Sums> sums(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f)
  {
    Sums& s = sums[f];
    const std::size_t n = places * static_cast<std::size_t>(fields[f].components);
    s.weight.assign(places, 0);
    s.weight_squared.assign(places, 0);
    s.count.assign(places, 0);
    s.first.assign(n, 0);
    s.linear.assign(n, 0);
    s.squared.assign(n, 0);
    s.product.assign(n, 0);
  }
  return sums;
}

std::vector<TimeAverage::Sums> TimeAverage::sums() const
{
  std::vector<Sums> sums = noSums(fields_, places_);
  engine_->fetch(sums);
  return sums;
}

void TimeAverage::use(const std::vector<Sums>& sums, std::size_t outputs)
{
  engine_->put(sums);
  outputs_ = outputs;
}

} // namespace dem
