#include "Fits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace validation
{

Line fitLine(const std::vector<double>& x, const std::vector<double>& y)
{
  const double n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
  {
    mx += x[i] / n;
    my += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i)
  {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return { xy / xx, my - xy / xx * mx };
}

BeverlooFit fitBeverloo(const std::vector<double>& D, const std::vector<double>& W, double d,
  double bulk_density, double g)
{
  std::vector<double> y;
  for (double w : W)
    y.push_back(std::pow(w, 0.4));
  const Line line = fitLine(D, y);
  BeverlooFit fit;
  fit.C = std::pow(line.slope, 2.5) / (bulk_density * std::sqrt(g));
  fit.k = -line.offset / line.slope / d;
  for (std::size_t i = 0; i < D.size(); ++i)
    fit.residual =
      std::max(fit.residual, std::abs(W[i] / std::pow(line.slope * D[i] + line.offset, 2.5) - 1));
  return fit;
}

JanssenFit fitJanssen(const std::vector<double>& H, const std::vector<double>& m)
{
  const double tallest = *std::max_element(H.begin(), H.end());
  JanssenFit best;
  double least = -1;
  // For a given lambda the best m_sat is linear; lambda itself is scanned, then refined.
  const auto consider = [&](double lambda) {
    double uu = 0, um = 0, sum = 0;
    for (std::size_t i = 0; i < H.size(); ++i)
    {
      const double u = 1 - std::exp(-H[i] / lambda);
      uu += u * u;
      um += u * m[i];
    }
    const double sat = um / uu;
    for (std::size_t i = 0; i < H.size(); ++i)
    {
      const double e = m[i] - sat * (1 - std::exp(-H[i] / lambda));
      sum += e * e;
    }
    if (least < 0 || sum < least)
    {
      least = sum;
      best = { sat, lambda, std::sqrt(sum / static_cast<double>(H.size())) / sat };
    }
  };
  double low = std::log(tallest / 1000), high = std::log(tallest * 10);
  for (int round = 0; round < 6; ++round)
  {
    const double step = (high - low) / 200;
    for (int k = 0; k <= 200; ++k)
      consider(std::exp(low + k * step));
    low = std::log(best.lambda) - 2 * step;
    high = std::log(best.lambda) + 2 * step;
  }
  return best;
}

} // namespace validation
