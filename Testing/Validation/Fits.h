// Least-squares fits of the laws that the cases are held against.
#pragma once

#include <vector>

namespace validation
{

struct Line
{
  double slope = 0, offset = 0; ///< y = slope x + offset
};
Line fitLine(const std::vector<double>& x, const std::vector<double>& y);

/// Beverloo, Leniger, van de Velde, Chem. Eng. Sci. 15 (1961) 260: W = C rho_b sqrt(g) (D - k
/// d)^(5/2). W^(2/5) is linear in D.
struct BeverlooFit
{
  double C = 0, k = 0;
  double residual = 0; ///< largest |W / fit - 1|
};
BeverlooFit fitBeverloo(const std::vector<double>& D, const std::vector<double>& W, double d,
  double bulk_density, double g);

/// Janssen, Z. Ver. Dtsch. Ing. 39 (1895) 1045: base load m = m_sat (1 - exp(-H / lambda)).
struct JanssenFit
{
  double m_sat = 0, lambda = 0;
  double residual = 0; ///< root of the mean square of m - fit, over m_sat
};
JanssenFit fitJanssen(const std::vector<double>& H, const std::vector<double>& m);

} // namespace validation
