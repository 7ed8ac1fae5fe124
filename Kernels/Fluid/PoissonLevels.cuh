// Multigrid V-cycle for the pressure equation A x = r on a uniform grid of cells with a coefficient
// on each face. Used by PoissonSolver.cuh.
//
// Coarse cells are blocks of two cells along each axis. Restriction adds, prolongation copies, and
// a coarse coefficient is half the sum of the fine ones, as for a new discretization with twice
// the spacing. Smoother: damped Jacobi, two sweeps before and after, so the cycle is symmetric. The
// coarsest level is solved by its inverse matrix.
#pragma once

#include "Core/Team.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

// The device reads all values of a loop before it uses the first if no branch lies between. On the
// CPU a value that is not needed costs time.
#if defined(__CUDA_ARCH__)
constexpr bool kReadsTogether = true;
#else
constexpr bool kReadsTogether = false;
#endif

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
  DEM_HD std::uint32_t index(const int (&at)[3]) const
  {
    return static_cast<std::uint32_t>(at[0] + count[0] * (at[1] + count[1] * at[2]));
  }
  /// Calls visit(neighbour, its place, coefficient) for the neighbours of cell c, which is at `at`;
  /// on the device beyond a border too, with c itself and coefficient 0.
  template <class Visit>
  DEM_HD void forNeighbors(std::uint32_t c, int (&at)[3], const Visit& visit) const
  {
    std::uint32_t stride = 1;
    for (int k = 0; k < 3; ++k)
    {
      const int here = at[k], n = count[k];
      const std::uint32_t around = periodic[k] ? static_cast<std::uint32_t>(n - 1) * stride : 0;
      const bool low = here > 0, high = here + 1 < n;
      if (kReadsTogether || low || periodic[k])
      {
        at[k] = low ? here - 1 : periodic[k] ? n - 1 : here;
        visit(low ? c - stride : c + around, at, low || periodic[k] ? lower[k][c] : 0);
      }
      if (kReadsTogether || high || periodic[k])
      {
        const std::uint32_t next = high ? c + stride : c - around;
        at[k] = high ? here + 1 : periodic[k] ? 0 : here;
        visit(next, at, high || periodic[k] ? lower[k][next] : 0);
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

constexpr int kMostPoissonLevels = 24; // enough for 2^27 cells in a line

/// Most cells of the coarsest level, and numbers that invertCoarsest() needs: the matrix, a row and
/// a column.
constexpr std::uint32_t kDirectCells = 32, kInverseNumbers = kDirectCells * (kDirectCells + 2);

struct PoissonView
{
  PoissonLevel level[kMostPoissonLevels];
  int levels;
  double* inverse; // matrix of the coarsest level, see invertCoarsest()
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

/// Sum of term(fine cell, its place) over the fine cells of coarse cell c. `only`: axis on which
/// only the first layer is summed, or -1. On the device terms that are left out are computed too.
template <class Term>
DEM_HD double sumOfFine(
  const PoissonLevel& fine, const PoissonLevel& coarse, std::uint32_t c, int only, const Term& term)
{
  int at[3];
  bool two[3];
  coarse.place(c, at);
  for (int k = 0; k < 3; ++k)
  {
    const bool halves = fine.count[k] > 1;
    at[k] = halves ? 2 * at[k] : at[k];
    two[k] = halves && k != only && at[k] + 1 < fine.count[k];
  }
  double terms[8], sum = 0;
  bool has[8];
  for (int i = 0; i < 8; ++i)
  {
    int place[3];
    has[i] = true;
    for (int k = 0; k < 3; ++k)
    {
      const bool further = (i >> k & 1) != 0;
      has[i] = has[i] && (two[k] || !further);
      place[k] = at[k] + (two[k] && further ? 1 : 0);
    }
    if (kReadsTogether || has[i])
      terms[i] = term(fine.index(place), place);
  }
  for (int i = 0; i < 8; ++i)
    if (has[i])
      sum += terms[i];
  return sum;
}

/// Coefficients of a coarse grid.
struct CoarseCoefficients
{
  PoissonLevel fine, coarse;
  DEM_HD void operator()(std::uint32_t c) const
  {
    for (int k = 0; k < 3; ++k)
    {
      const double sum = sumOfFine(
        fine, coarse, c, k, [&](std::uint32_t f, const int(&)[3]) { return fine.lower[k][f]; });
      const bool to_itself = coarse.periodic[k] && coarse.count[k] == 1;
      coarse.lower[k][c] = to_itself ? 0 : fine.count[k] > 1 ? 0.5 * sum : sum;
    }
    coarse.border[c] = 0.5 * sumOfFine(fine, coarse, c, -1, [&](std::uint32_t f, const int(&)[3]) {
      return fine.border[f];
    });
  }
};

/// Inverse of the matrix of a level with at most kDirectCells, by Gauss-Jordan elimination without
/// pivoting: the matrix is symmetric and positive semi-definite. Rows that depend on earlier ones
/// become zero: those of closed cells, and that of the last cell of a space without an outlet,
/// whose pressure is arbitrary. `inverse`: kInverseNumbers, the first for the matrix in rows of
/// kDirectCells. Called by a block.
DEM_HD void invertCoarsest(const PoissonLevel& level, double* inverse)
{
  constexpr double kDependent = 1e-10; // of the diagonal
  constexpr std::uint32_t kRow = kDirectCells;
  const std::uint32_t n = level.cells;
  double *const row = inverse + kRow * kRow, *const column = row + kRow;
  teamFor(0, n * kRow, [&](std::uint32_t e) { inverse[e] = 0; });
  teamSync();
  teamFor(0, n, [&](std::uint32_t c) {
    inverse[c * kRow + c] = level.diagonal[c];
    int at[3];
    level.place(c, at);
    level.forNeighbors(c, at,
      [&](std::uint32_t other, const int(&)[3], double w) { inverse[c * kRow + other] -= w; });
  });
  teamSync();
  for (std::uint32_t k = 0; k < n; ++k)
  {
    teamFor(0, n, [&](std::uint32_t i) {
      row[i] = inverse[k * kRow + i];
      column[i] = inverse[i * kRow + k];
    });
    teamSync();
    const double pivot = row[k];
    const bool depends = !(pivot > kDependent * level.diagonal[k]);
    const double factor = depends ? 0 : 1 / pivot;
    teamFor(0, n * kRow, [&](std::uint32_t e) {
      const std::uint32_t i = e / kRow, j = e % kRow;
      if (j >= n)
        return;
      double& entry = inverse[e];
      if (i == k)
        entry = factor * (j == k ? 1 : row[j]);
      else if (j == k)
        entry = -factor * column[i];
      else
        entry -= factor * column[i] * row[j];
    });
    teamSync();
  }
}

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
    const auto x = [&](std::uint32_t n, const int(&)[3]) { return fine.x[n]; };
    coarse.right[c] = sumOfFine(
      fine, coarse, c, -1, [&](std::uint32_t f, int(&at)[3]) { return fine.residual(f, at, x); });
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

/// Solves the coarsest level by its inverse, which is symmetric but for rounding.
struct SolveCoarsest
{
  PoissonLevel level;
  const double* inverse;
  DEM_HD void operator()(std::uint32_t c) const
  {
    double sum = 0;
    for (std::uint32_t i = 0; i < level.cells; ++i)
      sum += inverse[i * kDirectCells + c] * level.right[i];
    level.x[c] = sum;
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
    run.each(view.level[l].cells, SolveCoarsest{ view.level[l], view.inverse });
  for (--l; l >= first; --l)
  {
    run.each(view.level[l].cells, CorrectAndSweep{ view.level[l], view.level[l + 1] });
    run.each(view.level[l].cells, LastSweep{ view.level[l] });
  }
}

} // namespace dem
