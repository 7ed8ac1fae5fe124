// Sums over all nodes in double precision, in an order that does not depend on the number of
// threads.
#pragma once

#include "Core/TeamSums.cuh"
#include "MaterialPoint/HessianProduct.cuh"

namespace mpm
{

using dem::KeepSum;
using dem::SumParts;
using dem::TeamReduction;

/// a . b times the mass to the power mass_power.
template <class Real>
struct NodeDot
{
  const Vec4<Real>*a, *b;
  int mass_power; // -1, 0, 1

  DEM_HD double operator()(std::uint32_t i) const
  {
    const Vec4<Real> x = a[i];
    const double m = static_cast<double>(x.w);
    if (!(m > 0))
      return 0;
    const double d = dot(x.xyz().template as<double>(), b[i].xyz().template as<double>());
    return mass_power == 0 ? d : (mass_power > 0 ? d * m : d / m);
  }
};

} // namespace mpm
