#include "detail/vtkDEMOutputTimes.h"

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace vtkDEMOutputTimes
{

//------------------------------------------------------------------------------
std::vector<double> Make(double end, double interval)
{
  constexpr double most = 1e7;
  if (!(interval > 0) || !std::isfinite(interval))
  {
    throw dem::Error(
      "OutputInterval must be > 0 s, but is " + vtkDEMArrays::Number(interval) + ".");
  }
  if (!(end >= 0) || !std::isfinite(end))
  {
    throw dem::Error("EndTime must be >= 0 s, but is " + vtkDEMArrays::Number(end) + ".");
  }
  if (end / interval > most)
  {
    throw dem::Error("EndTime over OutputInterval makes " + vtkDEMArrays::Number(end / interval) +
      " outputs; 10 million are the limit. Make OutputInterval larger.");
  }
  std::vector<double> times(static_cast<std::size_t>(end / interval + 1e-9) + 1);
  for (std::size_t i = 0; i < times.size(); ++i)
  {
    times[i] = static_cast<double>(i) * interval;
  }
  return times;
}

//------------------------------------------------------------------------------
double AtOrBefore(const std::vector<double>& times, double time)
{
  if (times.empty())
  {
    return 0;
  }
  const double interval = times.size() > 1 ? times[1] : 1.0;
  const auto above = std::upper_bound(times.begin(), times.end(), time + 1e-9 * interval);
  return above == times.begin() ? times.front() : *(above - 1);
}

} // namespace vtkDEMOutputTimes
