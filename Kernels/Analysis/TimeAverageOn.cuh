// TimeAverage for an execution policy: one thread per place adds the place's values.
#pragma once

#include "Analysis/detail/TimeAverageEngine.h"
#include "Core/Array.h"
#include "Core/HostDevice.h"

#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace dem
{
namespace detail
{

/// TimeAverage::Sums in memory that kernels reach.
struct SumsView
{
  int components;
  double *weight, *weight_squared;
  std::int32_t* count;
  double *first, *linear, *squared, *product;
};

/// Adds one output of a field.
struct AddToSums
{
  SumsView sums;
  const double *values, *weights; // weights: null: all are 1

  DEM_HD void operator()(unsigned c) const
  {
    const double weight = weights ? weights[c] : 1;
    if (!(weight > 0))
      return;
    const bool begins = sums.count[c]++ == 0;
    sums.weight[c] += weight;
    sums.weight_squared[c] += weight * weight;
    for (std::size_t i = std::size_t(c) * sums.components, end = i + sums.components; i < end; ++i)
    {
      if (begins)
        sums.first[i] = values[i];
      const double d = values[i] - sums.first[i];
      sums.linear[i] += weight * d;
      sums.product[i] += weight * weight * d;
      sums.squared[i] += weight * weight * d * d;
    }
  }
};

/// Mean and standard error of each value; see TimeAverage.
struct FinishMeans
{
  SumsView sums;
  double unknown; // NaN
  double *mean, *error;

  DEM_HD void operator()(unsigned c) const
  {
    const int n = sums.count[c];
    for (std::size_t i = std::size_t(c) * sums.components, end = i + sums.components; i < end; ++i)
    {
      const double shift = n ? sums.linear[i] / sums.weight[c] : 0;
      mean[i] = sums.first[i] + shift;
      const double sum =
        sums.squared[i] - 2 * shift * sums.product[i] + shift * shift * sums.weight_squared[c];
      error[i] = n > 1 ? std::sqrt((sum < 0 ? 0 : sum) * n / (n - 1)) / sums.weight[c] : unknown;
    }
  }
};

struct FillValues
{
  double value;
  double* to;

  DEM_HD void operator()(unsigned i) const { to[i] = value; }
};

/// The arrays of one field.
template <class Exec>
struct FieldSums
{
  int components;
  Array<double, Exec> next, weight, weight_squared, first, linear, squared, product;
  Array<std::int32_t, Exec> count;

  FieldSums(Exec& exec, std::size_t places, int number)
    : components(number)
    , next(exec)
    , weight(exec)
    , weight_squared(exec)
    , first(exec)
    , linear(exec)
    , squared(exec)
    , product(exec)
    , count(exec)
  {
    for (auto* array : { &weight, &weight_squared })
      array->resize(places);
    count.resize(places);
    for (auto* array : { &first, &linear, &squared, &product })
      array->resize(places * static_cast<std::size_t>(number));
    eachArray([](auto& array) { array.zero(); });
  }
  /// In the order of TimeAverage::Sums.
  template <class Use>
  void eachArray(Use&& use)
  {
    use(weight);
    use(weight_squared);
    use(count);
    use(first);
    use(linear);
    use(squared);
    use(product);
  }
  SumsView view()
  {
    return { components, weight.data(), weight_squared.data(), count.data(), first.data(),
      linear.data(), squared.data(), product.data() };
  }
};

} // namespace detail

template <class Exec>
class TimeAverageOn : public TimeAverageEngine
{
public:
  template <class... Args>
  TimeAverageOn(const std::vector<AveragedField>& fields, std::size_t places, Args&&... args)
    : exec_(std::forward<Args>(args)...)
    , fields_(fields)
    , places_(places)
    , means_(exec_)
    , errors_(exec_)
  {
    for (const AveragedField& field : fields)
      sums_.emplace_back(exec_, places, field.components);
    exec_.synchronize();
  }

  MemoryPlace memory() const override
  {
    if constexpr (Exec::kDevice)
      return exec_.ordinal();
    else
      return kHostMemory;
  }
  double* next(std::size_t f) override
  {
    auto& next = sums_[f].next;
    if (next.size() < values(f))
      exec_.inArena([&] {
        next.resize(values(f));
        exec_.synchronize(); // pooled memory is usable by other streams only after this
      });
    return next.data();
  }
  void fill(std::size_t f, double value) override
  {
    double* to = next(f);
    exec_.inArena([&] {
      exec_.forEach(values(f), detail::FillValues{ value, to });
      exec_.synchronize();
    });
  }
  void add() override
  {
    std::vector<const double*> from;
    for (std::size_t f = 0; f < fields_.size(); ++f)
      from.push_back(next(f));
    queue(from);
  }
  void add(const std::vector<const double*>& given) override
  {
    std::vector<const double*> from = given;
    if (Exec::kDevice)
      for (std::size_t f = 0; f < fields_.size(); ++f)
      {
        double* to = next(f);
        exec_.inArena([&] { exec_.toDevice(to, given[f], values(f) * sizeof(double)); });
        from[f] = to;
      }
    queue(from);
  }
  void finish(std::size_t f, double* mean, double* error) override
  {
    exec_.inArena([&] {
      double *means = mean, *errors = error;
      if (Exec::kDevice)
      {
        means_.resize(values(f));
        errors_.resize(values(f));
        means = means_.data();
        errors = errors_.data();
      }
      exec_.forEach(places_,
        detail::FinishMeans{
          sums_[f].view(), std::numeric_limits<double>::quiet_NaN(), means, errors });
      if (Exec::kDevice)
      {
        exec_.toHost(mean, means, values(f) * sizeof(double));
        exec_.toHost(error, errors, values(f) * sizeof(double));
      }
      exec_.synchronize();
    });
  }
  void counts(std::size_t f, std::int32_t* to) override
  {
    exec_.inArena([&] {
      exec_.toHost(to, sums_[f].count.data(), places_ * sizeof(std::int32_t));
      exec_.synchronize();
    });
  }
  void fetch(std::vector<TimeAverage::Sums>& sums) override
  {
    exec_.inArena([&] {
      for (std::size_t f = 0; f < fields_.size(); ++f)
      {
        auto& from = sums_[f];
        const auto one = [this](auto& host, auto& device) {
          exec_.toHost(host.data(), device.data(), host.size() * sizeof(host[0]));
        };
        one(sums[f].weight, from.weight);
        one(sums[f].weight_squared, from.weight_squared);
        one(sums[f].count, from.count);
        one(sums[f].first, from.first);
        one(sums[f].linear, from.linear);
        one(sums[f].squared, from.squared);
        one(sums[f].product, from.product);
      }
      exec_.synchronize();
    });
  }
  void put(const std::vector<TimeAverage::Sums>& sums) override
  {
    exec_.inArena([&] {
      for (std::size_t f = 0; f < fields_.size(); ++f)
      {
        auto& to = sums_[f];
        const auto one = [this](const auto& host, auto& device) {
          exec_.toDevice(device.data(), host.data(), host.size() * sizeof(host[0]));
        };
        one(sums[f].weight, to.weight);
        one(sums[f].weight_squared, to.weight_squared);
        one(sums[f].count, to.count);
        one(sums[f].first, to.first);
        one(sums[f].linear, to.linear);
        one(sums[f].squared, to.squared);
        one(sums[f].product, to.product);
      }
      exec_.synchronize();
    });
  }

private:
  std::size_t values(std::size_t f) const
  {
    return places_ * static_cast<std::size_t>(fields_[f].components);
  }
  void queue(const std::vector<const double*>& from)
  {
    exec_.inArena([&] {
      for (std::size_t f = 0; f < fields_.size(); ++f)
        exec_.forEach(places_,
          detail::AddToSums{ sums_[f].view(), from[f],
            fields_[f].weight < 0 ? nullptr : from[static_cast<std::size_t>(fields_[f].weight)] });
      exec_.synchronize(); // after this the caller may write the next values
    });
  }

  Exec exec_;
  std::vector<AveragedField> fields_;
  std::size_t places_;
  std::deque<detail::FieldSums<Exec>> sums_; // of each field
  Array<double, Exec> means_, errors_;
};

} // namespace dem
