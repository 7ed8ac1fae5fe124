#include "Analysis/TimeAverage.h"

#include "Core/Error.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cmath>
#include <limits>
#include <utility>

namespace dem
{

TimeAverage::TimeAverage(std::vector<AveragedField> fields, std::size_t places)
  : fields_(std::move(fields))
  , places_(places)
  , sums_(fields_.size())
{
  for (std::size_t f = 0; f < fields_.size(); ++f)
  {
    Sums& s = sums_[f];
    const std::size_t n = places * fields_[f].components;
    s.weight.assign(places, 0);
    s.weight_squared.assign(places, 0);
    s.count.assign(places, 0);
    s.first.assign(n, 0);
    s.linear.assign(n, 0);
    s.squared.assign(n, 0);
    s.product.assign(n, 0);
  }
}

double TimeAverage::bytes(const std::vector<AveragedField>& fields, double places)
{
  double bytes = 0;
  for (const AveragedField& field : fields)
    bytes += 4 * sizeof(double) * field.components + 2 * sizeof(double) + sizeof(std::int32_t);
  return bytes * places;
}

void TimeAverage::add(const std::vector<const double*>& values)
{
  if (values.size() != fields_.size())
    throw Error("A mean over time of " + std::to_string(fields_.size()) + " fields was given " + std::to_string(values.size()) + ".");
  ++outputs_;
  for (std::size_t f = 0; f < fields_.size(); ++f)
  {
    Sums& s = sums_[f];
    const int components = fields_[f].components;
    const double* x = values[f];
    const double* w = fields_[f].weight < 0 ? nullptr : values[fields_[f].weight];
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, places_, 4096), [&](const tbb::blocked_range<std::size_t>& range) {
      for (std::size_t c = range.begin(); c != range.end(); ++c)
      {
        const double weight = w ? w[c] : 1;
        if (!(weight > 0))
          continue;
        const bool begins = s.count[c]++ == 0;
        s.weight[c] += weight;
        s.weight_squared[c] += weight * weight;
        for (std::size_t i = c * components; i < (c + 1) * components; ++i)
        {
          if (begins)
            s.first[i] = x[i];
          const double d = x[i] - s.first[i];
          s.linear[i] += weight * d;
          s.product[i] += weight * weight * d;
          s.squared[i] += weight * weight * d * d;
        }
      }
    });
  }
}

void TimeAverage::finish(std::size_t field, double* mean, double* error) const
{
  const Sums& s = sums_[field];
  const int components = fields_[field].components;
  for (std::size_t c = 0; c < places_; ++c)
    for (std::size_t i = c * components; i < (c + 1) * components; ++i)
    {
      const int n = s.count[c];
      const double shift = n ? s.linear[i] / s.weight[c] : 0;
      mean[i] = s.first[i] + shift;
      const double sum = s.squared[i] - 2 * shift * s.product[i] + shift * shift * s.weight_squared[c];
      error[i] = n > 1 ? std::sqrt((sum < 0 ? 0 : sum) * n / (n - 1)) / s.weight[c] : std::numeric_limits<double>::quiet_NaN();
    }
}

void TimeAverage::counts(std::size_t field, std::int32_t* counts) const
{
  for (std::size_t c = 0; c < places_; ++c)
    counts[c] = sums_[field].count[c];
}

} // namespace dem
