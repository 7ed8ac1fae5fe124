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
  double* damping;   // of a sweep: kDamping / diagonal; 0 without open faces
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
  /// Calls visit(neighbour, its place, coefficient) for the neighbours across open faces of cell c,
  /// which is at `at`.
  template <class Visit>
  DEM_HD void forNeighbors(std::uint32_t c, int (&at)[3], const Visit& visit) const
  {
    std::uint32_t stride = 1;
    for (int k = 0; k < 3; ++k)
    {
      const int here = at[k], n = count[k];
      const std::uint32_t around = static_cast<std::uint32_t>(n - 1) * stride;
      if (here > 0 || periodic[k])
      {
        at[k] = here > 0 ? here - 1 : n - 1;
        visit(here > 0 ? c - stride : c + around, at, lower[k][c]);
      }
      if (here + 1 < n || periodic[k])
      {
        const std::uint32_t next = here + 1 < n ? c + stride : c - around;
        at[k] = here + 1 < n ? here + 1 : 0;
        visit(next, at, lower[k][next]);
      }
      at[k] = here;
      stride *= static_cast<std::uint32_t>(n);
    }
  }
  /// right - A x at cell c, which is at `at`; value(cell, place) is x.
  template <class Values>
  DEM_HD double residual(std::uint32_t c, int (&at)[3], const Values& value) const
  {
    double sum = right[c] - diagonal[c] * value(c, at);
    forNeighbors(
      c, at, [&](std::uint32_t n, const int(&place)[3], double w) { sum += w * value(n, place); });
    return sum;
  }
  template <class Values>
  DEM_HD double residual(std::uint32_t c, const Values& value) const
  {
    int at[3];
    place(c, at);
    return residual(c, at, [&](std::uint32_t n, const int(&)[3]) { return value(n); });
  }
};

constexpr int kMostPoissonLevels = 12;

struct PoissonView
{
  PoissonLevel level[kMostPoissonLevels];
  int levels;
};

/// Sets diagonal and damping from the coefficients.
struct PoissonDiagonal
{
  PoissonLevel level;
  DEM_HD void operator()(std::uint32_t c) const
  {
    constexpr double kDamping = 0.8;
    double sum = level.border[c];
    int at[3];
    level.place(c, at);
    level.forNeighbors(c, at, [&](std::uint32_t, const int(&)[3], double w) { sum += w; });
    level.diagonal[c] = sum;
    level.damping[c] = sum > 0 ? kDamping / sum : 0;
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
    const auto first = [&](std::uint32_t n) { return level.damping[n] * level.right[n]; };
    level.x[c] = first(c) + level.damping[c] * level.residual(c, first);
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
    const auto corrected = [&](std::uint32_t n, const int(&at)[3]) {
      return fine.x[n] + coarse.x[coarseCell(at)];
    };
    int at[3];
    fine.place(c, at);
    const double residual = fine.residual(c, at, corrected);
    fine.other[c] = corrected(c, at) + fine.damping[c] * residual;
  }
  // Cell of the coarse grid with the fine cell at `at`; an axis of one cell stays as it is.
  DEM_HD std::uint32_t coarseCell(const int (&at)[3]) const
  {
    return static_cast<std::uint32_t>(
      at[0] / 2 + coarse.count[0] * (at[1] / 2 + coarse.count[1] * (at[2] / 2)));
  }
};

/// One more sweep, from `other` to x.
struct LastSweep
{
  PoissonLevel level;
  DEM_HD void operator()(std::uint32_t c) const
  {
    const auto before = [&](std::uint32_t n) { return level.other[n]; };
    level.x[c] = before(c) + level.damping[c] * level.residual(c, before);
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
