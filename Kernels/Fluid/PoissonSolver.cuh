// Conjugate gradients with a multigrid preconditioner for the pressure equation. Used by
// FlowSolver.cuh.
//
// All sums have a fixed order, so a device gives equal bits in every run. Small grids are solved by
// one team of threads in one kernel, large ones by a kernel for each part of a round.
#pragma once

#include "Core/Array.h"
#include "Core/Error.h"
#include "Core/Team.cuh"
#include "Core/TeamSums.cuh"
#include "Core/Text.h"
#include "Fluid/PoissonLevels.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace dem
{

/// State of a solve, in the memory of the device.
struct PoissonScalars
{
  double rz, rr, enough, alpha, beta;
  unsigned rounds;
  bool done;
};

/// Vectors of conjugate gradients; the right-hand side of level 0 is the residual, its x the
/// preconditioned residual.
struct PoissonVectors
{
  PoissonView view;
  double *x, *direction, *product;
  PoissonScalars* scalars;
};

struct SquaredResidual
{
  const double* r;
  DEM_HD double operator()(std::uint32_t c) const { return r[c] * r[c]; }
};
/// Rounds that are queued after the end of a solve do nothing.
struct BeginPoisson
{
  PoissonScalars* scalars;
  double enough; // sum of squares
  DEM_HD void operator()(double rr) const
  {
    constexpr double kRounding = 1e-26; // of the sum at the start: nothing below can be reached
    const double least = kRounding * rr > enough ? kRounding * rr : enough;
    *scalars = { 0, rr, least, 0, 0, 0, !(rr > least) };
  }
};
struct PreconditionedProduct
{
  PoissonVectors v;
  DEM_HD double operator()(std::uint32_t c) const
  {
    return v.view.level[0].right[c] * v.view.level[0].x[c];
  }
};
struct TakeBeta
{
  PoissonScalars* scalars;
  DEM_HD void operator()(double rz) const
  {
    if (scalars->done)
      return;
    scalars->beta = scalars->rounds > 0 ? rz / scalars->rz : 0;
    scalars->rz = rz;
  }
};
struct PoissonDirection
{
  PoissonVectors v;
  DEM_HD void operator()(std::uint32_t c) const
  {
    if (v.scalars->done)
      return;
    v.direction[c] =
      v.view.level[0].x[c] + (v.scalars->rounds > 0 ? v.scalars->beta * v.direction[c] : 0);
  }
};
struct PoissonProduct
{
  PoissonVectors v;
  DEM_HD double operator()(std::uint32_t c) const
  {
    const PoissonLevel& level = v.view.level[0];
    double sum = level.diagonal[c] * v.direction[c];
    level.forNeighbors(c, [&](std::uint32_t n, double w) { sum -= w * v.direction[n]; });
    v.product[c] = sum;
    return sum * v.direction[c];
  }
};
struct TakeAlpha
{
  PoissonScalars* scalars;
  DEM_HD void operator()(double curvature) const
  {
    scalars->alpha = curvature > 0 ? scalars->rz / curvature : 0;
  }
};
struct PoissonStep
{
  PoissonVectors v;
  DEM_HD double operator()(std::uint32_t c) const
  {
    if (v.scalars->done)
      return 0;
    const double alpha = v.scalars->alpha;
    v.x[c] += alpha * v.direction[c];
    const double r = v.view.level[0].right[c] - alpha * v.product[c];
    v.view.level[0].right[c] = r;
    return r * r;
  }
};
struct TakePoissonResidual
{
  PoissonScalars* scalars;
  DEM_HD void operator()(double rr) const
  {
    if (scalars->done)
      return;
    scalars->rr = rr;
    scalars->rounds += 1;
    scalars->done = !(rr > scalars->enough) || !(scalars->alpha > 0);
  }
};

/// One round of conjugate gradients. `view`: the levels, of which some may be copies.
DEM_ANY_SIDE
template <class Run>
DEM_HD void poissonRound(Run& run, const PoissonVectors& v, const PoissonView& view)
{
  const std::uint32_t n = v.view.level[0].cells;
  vCycle(run, view, 0);
  run.sum(n, PreconditionedProduct{ v }, TakeBeta{ v.scalars });
  run.each(n, PoissonDirection{ v });
  run.sum(n, PoissonProduct{ v }, TakeAlpha{ v.scalars });
  run.sum(n, PoissonStep{ v }, TakePoissonResidual{ v.scalars });
}

/// Runs kernels in sequence on the threads of one team.
struct TeamRun
{
  double* scratch;

  template <class Kernel>
  DEM_HD void each(std::uint32_t n, const Kernel& kernel)
  {
    teamFor(0, n, kernel);
    teamSync();
  }
  template <class Each, class Then>
  DEM_HD void sum(std::uint32_t n, const Each& each, const Then& then)
  {
    double sum = 0;
    teamFor(0, n, [&](std::uint32_t i) { sum += each(i); });
    sum = teamSum(sum, scratch);
    if (teamFirst())
      then(sum);
    teamSync();
  }
  DEM_HD bool tail(const PoissonView&, int) { return false; }
};

/// Memory of a team: the levels, of which the coarsest are copied to it.
struct PoissonTeam
{
  static constexpr unsigned kThreads = 1024;
  static constexpr std::uint32_t kCells = 640; // of all copied levels
  struct Shared
  {
    double scratch[32];
    PoissonView view;
    double memory[7 * kCells];
  };

  /// Copies the coarsest levels. Returns the levels, with their copies in place.
  DEM_HD static const PoissonView& stage(const PoissonView& view, Shared& shared)
  {
    if (teamFirst())
    {
      shared.view = view;
      double* next = shared.memory;
      std::uint32_t left = kCells;
      for (int l = view.levels - 1; l > 0 && view.level[l].cells <= left; --l)
      {
        PoissonLevel& level = shared.view.level[l];
        left -= level.cells;
        const auto take = [&](double*& array) {
          array = next;
          next += level.cells;
        };
        for (int k = 0; k < 3; ++k)
          take(level.lower[k]);
        take(level.diagonal);
        take(level.right);
        take(level.x);
        take(level.other);
      }
    }
    teamSync();
    for (int l = 1; l < view.levels; ++l)
    {
      const PoissonLevel &from = view.level[l], &to = shared.view.level[l];
      if (from.diagonal == to.diagonal)
        continue;
      for (int k = 0; k < 3; ++k)
        teamFor(0, from.cells, [&](std::uint32_t c) { to.lower[k][c] = from.lower[k][c]; });
      teamFor(0, from.cells, [&](std::uint32_t c) {
        to.diagonal[c] = from.diagonal[c];
        to.right[c] = from.right[c];
      });
    }
    teamSync();
    return shared.view;
  }
};

/// The whole solve by one team.
struct SolveByTeam : PoissonTeam
{
  PoissonVectors v;
  double enough;
  unsigned most;

  DEM_HD void operator()(std::uint32_t, Shared& shared) const
  {
    TeamRun run{ shared.scratch };
    const PoissonView& view = stage(v.view, shared);
    const PoissonLevel& level = v.view.level[0];
    run.sum(level.cells, SquaredResidual{ level.right }, BeginPoisson{ v.scalars, enough });
    for (unsigned k = 0; k < most; ++k)
    {
      if (static_cast<const volatile PoissonScalars*>(v.scalars)->done)
        break;
      poissonRound(run, v, view);
    }
  }
};

/// Coefficients of a level and of all below by one team.
struct CoefficientsByTeam
{
  static constexpr unsigned kThreads = 1024;
  struct Shared
  {
    double scratch[32];
  };
  PoissonView view;
  int first;

  DEM_HD void operator()(std::uint32_t, Shared& shared) const
  {
    TeamRun run{ shared.scratch };
    for (int l = first; l < view.levels; ++l)
    {
      run.each(view.level[l].cells, CoarseCoefficients{ view.level[l - 1], view.level[l] });
      run.each(view.level[l].cells, PoissonDiagonal{ view.level[l] });
    }
  }
};

/// The V-cycle of a level and of all below by one team.
struct CycleByTeam : PoissonTeam
{
  PoissonView view;
  int first;

  DEM_HD void operator()(std::uint32_t, Shared& shared) const
  {
    TeamRun run{ shared.scratch };
    vCycle(run, stage(view, shared), first);
    // the level above reads x of the first
    const PoissonLevel &from = shared.view.level[first], &to = view.level[first];
    if (from.x != to.x)
      teamFor(0, to.cells, [&](std::uint32_t c) { to.x[c] = from.x[c]; });
  }
};

/// Owner of the coefficients of all levels and of the vectors of a solve.
template <class Exec>
class PoissonSolver
{
public:
  explicit PoissonSolver(Exec& exec)
    : exec_(exec)
    , sums_(exec)
  {
  }

  /// Makes room for a grid of cells.
  void open(const int (&count)[3], const bool (&periodic)[3])
  {
    std::vector<PoissonLevel> levels(1);
    for (int k = 0; k < 3; ++k)
    {
      levels[0].count[k] = count[k];
      levels[0].periodic[k] = periodic[k];
    }
    const auto isOneCell = [](const PoissonLevel& l) {
      return l.count[0] * l.count[1] * l.count[2] == 1;
    };
    while (!isOneCell(levels.back()) && levels.size() < kMostPoissonLevels)
    {
      PoissonLevel coarse = levels.back();
      for (int k = 0; k < 3; ++k)
        coarse.count[k] = (coarse.count[k] + 1) / 2;
      levels.push_back(coarse);
    }
    allot(levels);
  }

  /// Coefficients of the finest level and right-hand side, to be set before solve().
  const PoissonLevel& finest() const { return v_.view.level[0]; }

  /// Solves for x() until the root of the mean square of the residual is at most `residual`.
  /// Overwrites the right-hand side. Throws dem::Error if it does not converge.
  void solve(double residual)
  {
    queueCoefficients();
    const PoissonLevel& level = finest();
    exec_.zero(v_.x, level.cells * sizeof(double));
    const double enough = residual * residual * level.cells;
    PoissonScalars at{};
    if (level.cells <= kTeamSolves)
    {
      exec_.forEachBlock(1, SolveByTeam{ {}, v_, enough, kMostRounds });
      at = read();
    }
    else
    {
      sums_.queue(
        level.cells, SquaredResidual{ level.right }, nullptr, BeginPoisson{ v_.scalars, enough });
      unsigned queued = 0;
      for (unsigned next = std::max(1u, rounds_); queued < kMostRounds && !at.done; next = 1)
      {
        for (const unsigned last = std::min(queued + next, kMostRounds); queued < last; ++queued)
          poissonRound(*this, v_, v_.view);
        at = read();
      }
    }
    rounds_ = at.rounds;
    rms_ = std::sqrt(at.rr / level.cells);
    require(at.rr <= at.enough,
      "the pressure of the fluid does not converge: after " + std::to_string(rounds_) +
        " rounds the residual is " + number(rms_) + " 1/s and should be at most " +
        number(std::sqrt(at.enough / level.cells)) +
        " 1/s. Make FluidTolerance larger, or FluidInterval shorter.");
  }
  const double* x() const { return v_.x; }
  /// Of the last solve.
  unsigned rounds() const { return rounds_; }
  double residual() const { return rms_; }
  void setLast(unsigned rounds, double residual)
  {
    rounds_ = rounds;
    rms_ = residual;
  }

  // ---- the kernels of a round, one after the other ----

  template <class Kernel>
  void each(std::uint32_t n, const Kernel& kernel)
  {
    exec_.forEach(n, kernel);
  }
  template <class Each, class Then>
  void sum(std::uint32_t n, const Each& each, const Then& then)
  {
    sums_.queue(n, each, nullptr, then);
  }
  bool tail(const PoissonView& view, int level)
  {
    if (!Exec::kDevice || view.level[level].cells > kTeamCycles)
      return false;
    exec_.forEachBlock(1, CycleByTeam{ {}, view, level });
    return true;
  }

private:
  // Largest grid that one team solves whole, and whose cycles it computes.
  static constexpr std::uint32_t kTeamSolves = Exec::kDevice ? 8192 : 0;
  static constexpr std::uint32_t kTeamCycles = PoissonTeam::kCells;
  static constexpr unsigned kMostRounds = 200;

  void allot(std::vector<PoissonLevel>& levels)
  {
    constexpr std::size_t kArrays = 8;
    std::size_t all = 0;
    for (PoissonLevel& level : levels)
    {
      level.cells = static_cast<std::uint32_t>(level.count[0] * level.count[1] * level.count[2]);
      all += kArrays * level.cells;
    }
    memory_.resize(all + 3 * std::size_t(levels[0].cells));
    memory_.zero();
    double* next = memory_.data();
    const auto take = [&](std::size_t n) {
      double* const here = next;
      next += n;
      return here;
    };
    v_.view.levels = static_cast<int>(levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l)
    {
      PoissonLevel& level = levels[l];
      for (double** array : { &level.lower[0], &level.lower[1], &level.lower[2], &level.border,
             &level.diagonal, &level.right, &level.x, &level.other })
        *array = take(level.cells);
      v_.view.level[l] = level;
    }
    for (double** array : { &v_.x, &v_.direction, &v_.product })
      *array = take(levels[0].cells);
    scalars_.resize(1);
    v_.scalars = scalars_.data();
  }

  void queueCoefficients()
  {
    for (int l = 0; l < v_.view.levels; ++l)
    {
      const PoissonLevel& level = v_.view.level[l];
      if (Exec::kDevice && l > 0 && level.cells <= kTeamSolves)
      {
        exec_.forEachBlock(1, CoefficientsByTeam{ v_.view, l });
        return;
      }
      if (l > 0)
        exec_.forEach(level.cells, CoarseCoefficients{ v_.view.level[l - 1], level });
      exec_.forEach(level.cells, PoissonDiagonal{ level });
    }
  }

  PoissonScalars read()
  {
    PoissonScalars at{};
    exec_.toHost(&at, v_.scalars, sizeof at);
    exec_.synchronize();
    return at;
  }

  Exec& exec_;
  TeamReduction<Exec> sums_;
  PoissonVectors v_{};
  Array<double, Exec> memory_{ exec_ };
  Array<PoissonScalars, Exec> scalars_{ exec_ };
  unsigned rounds_ = 0;
  double rms_ = 0;
};

} // namespace dem
