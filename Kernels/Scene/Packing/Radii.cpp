// Draws the radii of a packing from their distribution.
#include "Scene/Packing/Radii.h"

#include "Scene/Packing/Text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace dem
{
namespace detail
{
Radii::Radii(const PackingSpec& spec)
  : spec_(spec)
  , random_(spec.seed, 0)
{
  switch (spec.radius_kind)
  {
    case RadiusKind::Single:
      smallest_ = largest_ = spec.radius;
      break;
    case RadiusKind::Uniform:
    case RadiusKind::Normal:
    case RadiusKind::LogNormal:
      if (spec.radius_min > spec.radius_max)
      {
        failPacking("the smallest radius (" + number(spec.radius_min) +
          " m) is above the largest (" + number(spec.radius_max) + " m); swap them.");
      }
      smallest_ = spec.radius_min;
      largest_ = spec.radius_max;
      break;
    case RadiusKind::Tabulated:
      readTable();
      break;
    default:
      failPacking(
        "unknown radius distribution " + std::to_string(static_cast<int>(spec.radius_kind)) + ".");
  }
}

double Radii::operator()(std::uint64_t index) const
{
  switch (spec_.radius_kind)
  {
    case RadiusKind::Uniform:
      return std::min(largest_, smallest_ + (largest_ - smallest_) * random_(index, 0));
    case RadiusKind::Normal:
    case RadiusKind::LogNormal:
      return cut(index);
    case RadiusKind::Tabulated:
    {
      const double u = random_(index, 0) * cumulative_.back();
      const std::size_t i =
        std::upper_bound(cumulative_.begin(), cumulative_.end(), u) - cumulative_.begin();
      return spec_.table_radius[std::min(i, cumulative_.size() - 1)];
    }
    default:
      return spec_.radius;
  }
}

void Radii::readTable()
{
  const auto& radius = spec_.table_radius;
  const auto& fraction = spec_.table_fraction;
  if (radius.empty() || radius.size() != fraction.size())
  {
    failPacking("the radius table has " + std::to_string(radius.size()) + " radii and " +
      std::to_string(fraction.size()) +
      " number fractions; it needs one fraction for each radius and at least one of them.");
  }
  double sum = 0;
  for (std::size_t i = 0; i < radius.size(); ++i)
  {
    const std::string which = "entry " + std::to_string(i) + " of the radius table";
    if (!(radius[i] > 0) || !std::isfinite(radius[i]))
    {
      failPacking(which + " is " + number(radius[i]) + " m; it must be a finite number above 0.");
    }
    if (!(fraction[i] >= 0) || !std::isfinite(fraction[i]))
    {
      failPacking("the number fraction in " + which + " is " + number(fraction[i]) +
        "; it must be a finite number, 0 or above.");
    }
    sum += fraction[i];
    cumulative_.push_back(sum);
    if (fraction[i] > 0)
    {
      smallest_ = largest_ > 0 ? std::min(smallest_, radius[i]) : radius[i];
      largest_ = std::max(largest_, radius[i]);
    }
  }
  if (!(sum > 0) || !std::isfinite(sum))
  {
    failPacking("the number fractions of the radius table add up to " + number(sum) +
      "; at least one must be above 0.");
  }
}

double Radii::cut(std::uint64_t index) const
{
  constexpr int tries = 4000;
  for (int i = 0; i < tries; ++i)
  {
    const double u = 2 * random_(index, 2 * i) - 1, v = 2 * random_(index, 2 * i + 1) - 1;
    const double s = u * u + v * v;
    if (s >= 1 || s == 0)
    {
      continue;
    }
    const double z = u * std::sqrt(-2 * reproducibleLog(s) / s);
    const double r = spec_.radius_kind == RadiusKind::Normal
      ? spec_.radius + spec_.radius_deviation * z
      : spec_.radius * reproducibleExp(spec_.radius_deviation * z);
    if (r >= smallest_ && r <= largest_)
    {
      return r;
    }
  }
  failPacking("hardly any radius of the " +
    std::string(spec_.radius_kind == RadiusKind::Normal ? "normal distribution around "
                                                        : "log-normal distribution around ") +
    number(spec_.radius) + " m with deviation " + number(spec_.radius_deviation) +
    " lies between " + number(smallest_) + " and " + number(largest_) +
    " m; widen these bounds or move them to the " +
    (spec_.radius_kind == RadiusKind::Normal ? "mean." : "median."));
}

} // namespace detail
} // namespace dem
