// Conjugate gradients with a multigrid preconditioner for the pressure equation. Used by
// FlowSolver.cuh.
//
// All sums have a fixed order, so a device gives equal bits in every run. On CUDA one kernel, whose
// blocks wait for each other, does the whole solve; on the CPU each part of a round is a loop.
#pragma once

#include "Core/Array.h"
#include "Core/Error.h"
#include "Core/Grid.cuh"
#include "Core/HostArray.h"
#include "Core/TeamSums.cuh"
#include "Core/Text.h"
#include "Fluid/PoissonLevels.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace dem
{

/// State of a solve.
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
    scalars->beta = scalars->rounds > 0 ? rz / scalars->rz : 0;
    scalars->rz = rz;
  }
};
struct PoissonDirection
{
  PoissonVectors v;
  DEM_HD void operator()(std::uint32_t c) const
  {
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
    int at[3];
    level.place(c, at);
    level.forNeighbors(
      c, at, [&](std::uint32_t n, const int(&)[3], double w) { sum -= w * v.direction[n]; });
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
    scalars->rr = rr;
    scalars->rounds += 1;
    scalars->done = !(rr > scalars->enough) || !(scalars->alpha > 0);
  }
};

/// One round of conjugate gradients.
DEM_ANY_SIDE
template <class Run>
DEM_HD void poissonRound(Run& run, const PoissonVectors& v)
{
  const std::uint32_t n = v.view.level[0].cells;
  vCycle(run, v.view, 0);
  run.sum(n, PreconditionedProduct{ v }, TakeBeta{ v.scalars });
  run.each(n, PoissonDirection{ v });
  run.sum(n, PoissonProduct{ v }, TakeAlpha{ v.scalars });
  run.sum(n, PoissonStep{ v }, TakePoissonResidual{ v.scalars });
}

/// Kernel of a whole solve, for CudaExec::forEachBlockTogether(). All blocks share the cells of the
/// fine levels; the first block alone computes the coarse ones, in its own memory. Each block has
/// its own copy of the scalars, with the same bits.
struct SolveTogether
{
  static constexpr unsigned kThreads = 512;
  // Numbers of all coarse levels. With them Shared has 52 KB; a block of compute capability 7.5 may
  // have 64 KB.
  static constexpr std::size_t kNumbers = 6200;
  struct Shared
  {
    double scratch[32];
    PoissonScalars scalars;
    PoissonView coarse; // the levels, of which the coarse ones are in `memory`
    double memory[kNumbers];
  };

  PoissonVectors vectors;
  double enough; // sum of squares
  unsigned most; // rounds
  int first;     // coarse level
  double* parts; // 2 gridSumParts() of the cells

  /// Numbers that a coarse level takes, of `cells`: the arrays that takeCoarse() makes.
  static std::size_t numbersOfLevel(std::uint32_t cells, bool is_coarsest)
  {
    constexpr std::size_t kArrays = 8;
    return kArrays * cells + (is_coarsest ? kInverseNumbers : 0);
  }

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    PoissonVectors v = vectors;
    v.scalars = &shared.scalars;
    Run run{ *this, shared };
    findCoefficients(run);
    run.sum(v.view.level[0].cells, SquaredResidual{ v.view.level[0].right },
      BeginPoisson{ v.scalars, enough });
    for (unsigned k = 0; k < most && !shared.scalars.done; ++k)
      poissonRound(run, v);
    if (block == 0 && teamFirst())
      *vectors.scalars = shared.scalars;
  }

private:
  /// Runs parts of the solve in sequence on all blocks.
  struct Run
  {
    const SolveTogether& solve;
    Shared& shared;
    bool odd = false; // which half of the parts the next sum uses

    template <class Kernel>
    DEM_HD void each(std::uint32_t n, const Kernel& kernel)
    {
      gridFor(n, kernel);
      gridSync();
    }
    template <class Each, class Then>
    DEM_HD void sum(std::uint32_t n, const Each& each, const Then& then)
    {
      const std::uint32_t cells = solve.vectors.view.level[0].cells;
      double* const part = solve.parts + (odd ? gridSumParts(cells, kThreads) : 0);
      odd = !odd;
      gridSum(n, each, part, shared.scratch, then);
    }
    DEM_HD bool tail(const PoissonView& view, int level)
    {
      if (level != solve.first)
        return false;
      if (gridBlock() == 0)
        cycleCoarse(view.level[level], shared.coarse.level[level]);
      gridSync();
      return true;
    }

  private:
    DEM_HD void cycleCoarse(const PoissonLevel& outside, const PoissonLevel& inside)
    {
      teamFor(0, outside.cells, [&](std::uint32_t c) { inside.right[c] = outside.right[c]; });
      teamSync();
      FirstBlock alone;
      vCycle(alone, shared.coarse, solve.first);
      alone.finish();
      teamFor(0, outside.cells, [&](std::uint32_t c) { outside.x[c] = inside.x[c]; });
    }
  };
  /// Runs parts of the solve in sequence on the first block, those of few cells on its first warp.
  struct FirstBlock
  {
    bool on_warp = false; // the last part was

    template <class Kernel>
    DEM_HD void each(std::uint32_t n, const Kernel& kernel)
    {
      if (n <= 32)
        warpFor(n, kernel);
      else
      {
        finish();
        teamFor(0, n, kernel);
        teamSync();
      }
      on_warp = n <= 32;
    }
    DEM_HD bool tail(const PoissonView&, int) { return false; }
    /// All threads see what the parts did.
    DEM_HD void finish()
    {
      if (on_warp)
        teamSync();
    }
  };

  DEM_HD void findCoefficients(Run& run) const
  {
    const PoissonView& view = vectors.view;
    for (int l = 0; l < first; ++l)
      findCoefficients(run, view, l);
    if (gridBlock() != 0)
      return;
    if (first == view.levels)
      return invertCoarsest(view.level[first - 1], view.inverse);
    takeCoarse(view, run.shared);
    const PoissonView& coarse = run.shared.coarse;
    FirstBlock alone;
    for (int l = first; l < view.levels; ++l)
      findCoefficients(alone, coarse, l);
    alone.finish();
    invertCoarsest(coarse.level[view.levels - 1], coarse.inverse);
  }
  template <class Runner>
  DEM_HD static void findCoefficients(Runner& run, const PoissonView& view, int l)
  {
    if (l > 0)
      run.each(view.level[l].cells, CoarseCoefficients{ view.level[l - 1], view.level[l] });
    run.each(view.level[l].cells, PoissonDiagonal{ view.level[l] });
  }

  // Places the coarse levels in the memory of the block.
  DEM_HD void takeCoarse(const PoissonView& view, Shared& shared) const
  {
    if (teamFirst())
    {
      shared.coarse = view;
      double* next = shared.memory;
      for (int l = first; l < view.levels; ++l)
      {
        PoissonLevel& level = shared.coarse.level[l];
        for (double** array : { &level.lower[0], &level.lower[1], &level.lower[2], &level.diagonal,
               &level.damping, &level.right, &level.x, &level.other })
        {
          *array = next;
          next += level.cells;
        }
        level.border = level.other; // the sweeps, which use it, come when borders are done
      }
      shared.coarse.inverse = next;
    }
    teamSync();
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
    setCells(levels.back());
    while (levels.back().cells > kDirectCells)
    {
      PoissonLevel coarse = levels.back();
      for (int k = 0; k < 3; ++k)
        coarse.count[k] = (coarse.count[k] + 1) / 2;
      setCells(coarse);
      levels.push_back(coarse);
    }
    allot(levels);
  }

  /// Coefficients of the finest level and right-hand side, to be set before solve().
  const PoissonLevel& finest() const { return v_.view.level[0]; }

  /// Queues the solve for x(), until the root of the mean square of the residual is at most
  /// `residual`. Overwrites the right-hand side.
  void solve(double residual)
  {
    const PoissonLevel& level = finest();
    exec_.zero(v_.x, level.cells * sizeof(double));
    const double enough = residual * residual * level.cells;
    if constexpr (Exec::kDevice)
    {
      const std::size_t parts = gridSumParts(level.cells, SolveTogether::kThreads);
      exec_.forEachBlockTogether(std::min(parts, most_blocks_),
        SolveTogether{ v_, enough, kMostRounds, first_coarse_, parts_.data() });
    }
    else
      solveByLoops(enough);
  }
  /// Queues the report of the solve. check() reads it once the host has waited for it, and throws
  /// dem::Error if the solve did not converge.
  void queueReport() { exec_.toHost(host_.data(), v_.scalars, sizeof(PoissonScalars)); }
  void check()
  {
    const PoissonScalars& at = host_[0];
    rounds_ = at.rounds;
    rms_ = std::sqrt(at.rr / finest().cells);
    require(at.rr <= at.enough,
      "the pressure of the fluid does not converge: after " + std::to_string(rounds_) +
        " rounds the residual is " + number(rms_) + " 1/s and should be at most " +
        number(std::sqrt(at.enough / finest().cells)) +
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

  // ---- the parts of a round, one after the other ----

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
  bool tail(const PoissonView&, int) { return false; }

private:
  static constexpr unsigned kMostRounds = 200;

  void solveByLoops(double enough)
  {
    for (int l = 0; l < v_.view.levels; ++l)
    {
      const PoissonLevel& level = v_.view.level[l];
      if (l > 0)
        exec_.forEach(level.cells, CoarseCoefficients{ v_.view.level[l - 1], level });
      exec_.forEach(level.cells, PoissonDiagonal{ level });
    }
    invertCoarsest(v_.view.level[v_.view.levels - 1], v_.view.inverse);
    sum(finest().cells, SquaredResidual{ finest().right }, BeginPoisson{ v_.scalars, enough });
    for (unsigned k = 0; k < kMostRounds && !read().done; ++k)
      poissonRound(*this, v_);
  }

  static void setCells(PoissonLevel& level)
  {
    level.cells = static_cast<std::uint32_t>(level.count[0] * level.count[1] * level.count[2]);
  }
  void allot(std::vector<PoissonLevel>& levels)
  {
    constexpr std::size_t kArrays = 9;
    std::size_t all = kInverseNumbers + 3 * std::size_t(levels[0].cells);
    for (const PoissonLevel& level : levels)
      all += kArrays * level.cells;
    memory_.resize(all);
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
             &level.diagonal, &level.damping, &level.right, &level.x, &level.other })
        *array = take(level.cells);
      v_.view.level[l] = level;
    }
    for (double** array : { &v_.x, &v_.direction, &v_.product })
      *array = take(levels[0].cells);
    v_.view.inverse = take(kInverseNumbers);
    scalars_.resize(1);
    v_.scalars = scalars_.data();
    if constexpr (Exec::kDevice)
    {
      parts_.resize(2 * std::size_t(gridSumParts(levels[0].cells, SolveTogether::kThreads)));
      most_blocks_ = exec_.template mostTogether<SolveTogether>();
      std::size_t taken = 0;
      for (first_coarse_ = v_.view.levels; first_coarse_ > 1; --first_coarse_)
      {
        taken += SolveTogether::numbersOfLevel(
          v_.view.level[first_coarse_ - 1].cells, first_coarse_ == v_.view.levels);
        if (taken > SolveTogether::kNumbers)
          break;
      }
    }
  }

  PoissonScalars read()
  {
    queueReport();
    exec_.synchronize();
    return host_[0];
  }

  Exec& exec_;
  TeamReduction<Exec> sums_;
  PoissonVectors v_{};
  Array<double, Exec> memory_{ exec_ }, parts_{ exec_ };
  std::size_t most_blocks_ = 1; // of SolveTogether
  int first_coarse_ = 1;        // level from which on its first block works alone
  Array<PoissonScalars, Exec> scalars_{ exec_ };
  HostArray<PoissonScalars> host_{ 1, Exec::kDevice }; // their copy on the host
  unsigned rounds_ = 0;
  double rms_ = 0;
};

} // namespace dem
