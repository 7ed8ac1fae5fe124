// The solid fraction of a bed. Also used by paragrain-validate, so without GoogleTest.
#pragma once

#include "Measure/Frame.h"

#include <algorithm>
#include <cmath>

namespace test
{

/// Between two heights, in a shaft of a cross-section of `area` m^2; of each grain the part of the
/// sphere of equal volume counts.
inline double solidFraction(const dem::Frame& f, double area, double low, double high)
{
  double volume = 0;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const double r = f.radius[i], z = f.position[3 * i + 2];
    const auto below = [&](double h) {
      const double t = std::clamp(h - (z - r), 0., 2 * r);
      return M_PI * t * t * (3 * r - t) / 3;
    };
    volume += below(high) - below(low);
  }
  return volume / (area * (high - low));
}

} // namespace test
