// Multigrid V-cycle for the pressure equation A x = r on a uniform grid of cells with a coefficient
// on each face. Used by PoissonSolver.cuh.
//
// Coarse cells are blocks of two cells along each axis. Restriction adds, prolongation copies, and
// a coarse coefficient is half the sum of the fine ones, as for a new discretization with twice
// the spacing. Smoother: damped Jacobi, two sweeps before and after, so the cycle is symmetric.
#pragma once

#include "Core/HostDevice.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// One grid of cells, x fastest: (A x)(c) = diagonal(c) x(c) - sum of coefficient * x over the six
/// neighbours.
struct PoissonLevel
{
  int count[3];
  bool periodic[3];
  std::uint32_t cells;
  double* lower[3];  // coefficient of the lower face of each cell; 0 if closed
  double* border;    // coefficient to a given pressure of 0 beyond outlets
  double* diagonal;  // 0: a cell without open faces
  double* right;     // right-hand side
  double *x, *other; // result, and memory for a sweep

  DEM_HD void place(std::uint32_t c, int (&at)[3]) const
  {
    const auto x_count = static_cast<std::uint32_t>(count[0]),
               y_count = static_cast<std::uint32_t>(count[1]);
    at[0] = static_cast<int>(c % x_count);
    at[1] = static_cast<int>(c / x_count % y_count);
    at[2] = static_cast<int>(c / x_count / y_count);
  }
  /// Calls visit(neighbour, coefficient) for the neighbours across open faces.
  template <class Visit>
  DEM_HD void forNeighbors(std::uint32_t c, const Visit& visit) const
  {
    int at[3];
    place(c, at);
    std::uint32_t stride = 1;
    for (int k = 0; k < 3; ++k)
    {
      const auto n = static_cast<std::uint32_t>(count[k]);
      if (at[k] > 0)
        visit(c - stride, lower[k][c]);
      else if (periodic[k])
        visit(c + (n - 1) * stride, lower[k][c]);
      if (at[k] + 1 < count[k])
        visit(c + stride, lower[k][c + stride]);
      else if (periodic[k])
        visit(c - (n - 1) * stride, lower[k][c - (n - 1) * stride]);
      stride *= n;
    }
  }
  /// right - A x at cell c.
  template <class Values>
  DEM_HD double residual(std::uint32_t c, const Values& value) const
  {
    double sum = right[c] - diagonal[c] * value(c);
    forNeighbors(c, [&](std::uint32_t n, double w) { sum += w * value(n); });
    return sum;
  }
  /// Change of x(c) in a sweep, for the residual of the cell.
  DEM_HD double sweep(std::uint32_t c, double of) const
  {
    constexpr double kDamping = 0.8;
    return diagonal[c] > 0 ? kDamping * of / diagonal[c] : 0;
  }
};

constexpr int kMostPoissonLevels = 12;

struct PoissonView
{
  PoissonLevel level[kMostPoissonLevels];
  int levels;
};

/// Sets the diagonal from the coefficients.
struct PoissonDiagonal
{
  PoissonLevel level;
  DEM_HD void operator()(std::uint32_t c) const
  {
    double sum = level.border[c];
    level.forNeighbors(c, [&](std::uint32_t, double w) { sum += w; });
    level.diagonal[c] = sum;
  }
};

/// Calls visit(fine cell) for the cells of coarse cell c. `only`: axis on which only the first
/// layer is visited, or -1.
template <class Visit>
DEM_HD void forFineCells(const PoissonLevel& fine, const PoissonLevel& coarse, std::uint32_t c,
  int only, const Visit& visit)
{
  int at[3], first[3], last[3];
  coarse.place(c, at);
  for (int k = 0; k < 3; ++k)
  {
    const bool halves = fine.count[k] > 1;
    first[k] = halves ? 2 * at[k] : at[k];
    last[k] = halves && k != only && first[k] + 1 < fine.count[k] ? first[k] + 1 : first[k];
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x)
        visit(static_cast<std::uint32_t>(x + fine.count[0] * (y + fine.count[1] * z)));
}

/// Coefficients of a coarse grid.
struct CoarseCoefficients
{
  PoissonLevel fine, coarse;
  DEM_HD void operator()(std::uint32_t c) const
  {
    for (int k = 0; k < 3; ++k)
    {
      double sum = 0;
      forFineCells(fine, coarse, c, k, [&](std::uint32_t f) { sum += fine.lower[k][f]; });
      const bool to_itself = coarse.periodic[k] && coarse.count[k] == 1;
      coarse.lower[k][c] = to_itself ? 0 : fine.count[k] > 1 ? 0.5 * sum : sum;
    }
    double sum = 0;
    forFineCells(fine, coarse, c, -1, [&](std::uint32_t f) { sum += fine.border[f]; });
    coarse.border[c] = 0.5 * sum;
  }
};

/// Two sweeps from x = 0.
struct FirstSweeps
{
  PoissonLevel level;
  DEM_HD void operator()(std::uint32_t c) const
  {
    const auto first = [&](std::uint32_t n) { return level.sweep(n, level.right[n]); };
    level.x[c] = first(c) + level.sweep(c, level.residual(c, first));
  }
};

/// Right-hand side of the coarse grid: the residual of its fine cells.
struct RestrictResidual
{
  PoissonLevel fine, coarse;
  DEM_HD void operator()(std::uint32_t c) const
  {
    double sum = 0;
    const auto x = [&](std::uint32_t n) { return fine.x[n]; };
    forFineCells(fine, coarse, c, -1, [&](std::uint32_t f) { sum += fine.residual(f, x); });
    coarse.right[c] = sum;
  }
};

/// One sweep from x + the correction of the coarse grid; the result goes to `other`.
struct CorrectAndSweep
{
  PoissonLevel fine, coarse;
  DEM_HD void operator()(std::uint32_t c) const
  {
    const auto corrected = [&](std::uint32_t n) { return fine.x[n] + coarse.x[coarseCell(n)]; };
    fine.other[c] = corrected(c) + fine.sweep(c, fine.residual(c, corrected));
  }
  DEM_HD std::uint32_t coarseCell(std::uint32_t n) const
  {
    int at[3];
    fine.place(n, at);
    for (int k = 0; k < 3; ++k)
      at[k] = fine.count[k] > 1 ? at[k] / 2 : at[k];
    return static_cast<std::uint32_t>(at[0] + coarse.count[0] * (at[1] + coarse.count[1] * at[2]));
  }
};

/// One more sweep, from `other` to x.
struct LastSweep
{
  PoissonLevel level;
  DEM_HD void operator()(std::uint32_t c) const
  {
    const auto before = [&](std::uint32_t n) { return level.other[n]; };
    level.x[c] = before(c) + level.sweep(c, level.residual(c, before));
  }
};

/// Coarsest grid, usually one cell.
struct SolveCoarsest
{
  PoissonLevel level;
  DEM_HD void operator()(std::uint32_t c) const
  {
    level.x[c] = level.diagonal[c] > 0 ? level.right[c] / level.diagonal[c] : 0;
  }
};

/// x of level `first` = one V-cycle for its right-hand side. `run` executes kernels in sequence;
/// run.tail(view, level) may compute the cycle of this level and of all below, and returns true
/// then.
DEM_ANY_SIDE
template <class Run>
DEM_HD void vCycle(Run& run, const PoissonView& view, int first)
{
  int l = first;
  bool solved = run.tail(view, l);
  for (; l + 1 < view.levels && !solved; solved = run.tail(view, l))
  {
    run.each(view.level[l].cells, FirstSweeps{ view.level[l] });
    run.each(view.level[l + 1].cells, RestrictResidual{ view.level[l], view.level[l + 1] });
    ++l;
  }
  if (!solved)
    run.each(view.level[l].cells, SolveCoarsest{ view.level[l] });
  for (--l; l >= first; --l)
  {
    run.each(view.level[l].cells, CorrectAndSweep{ view.level[l], view.level[l + 1] });
    run.each(view.level[l].cells, LastSweep{ view.level[l] });
  }
}

} // namespace dem
