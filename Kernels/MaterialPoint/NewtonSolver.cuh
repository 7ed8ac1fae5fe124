// Newton's method with a line search for the velocities of the nodes at the end of an implicit
// sub-step.
#pragma once

#include "Core/Error.h"
#include "MaterialPoint/ConjugateGradients.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace mpm
{

/// The state of Newton's method.
struct NewtonState
{
  double energy = 0, norm = 0; ///< of the nodes' velocities
  double first = 0;            ///< norm to which newton_tolerance refers
  double floor = 0;            ///< norm that rounding leaves
};

template <class Exec, class Real>
class NewtonSolver
{
public:
  using Field = dem::Array<Vec4<Real>, Exec>;

  NewtonSolver(Exec& exec, const Scene& scene, GridNodes<Exec, Real>& nodes,
    NodeHolds<Exec, Real>& holds, MidpointEnergy<Exec, Real>& energy,
    ConjugateGradients<Exec, Real>& gradients)
    : exec_(exec)
    , scene_(scene)
    , nodes_(nodes)
    , holds_(holds)
    , energy_(energy)
    , gradients_(gradients)
    , trial_(exec)
    , downhill_(exec)
  {
  }

  /// Makes room for the touched blocks.
  void resize()
  {
    trial_.resize(nodes_.size(), 1.2);
    downhill_.resize(nodes_.size(), 1.2);
  }

  /// The norm at which a solve ends.
  double target(const NewtonState& at) const
  {
    return std::max(scene_.implicit.newton_tolerance * at.first, at.floor);
  }

  /// Iterates from the velocities of the nodes, whose energy and residual `at` gives, to target().
  /// Throws dem::Error if it does not converge.
  template <Spline spline>
  void solve(NewtonState& at, double dt, double time)
  {
    const ImplicitOptions& o = scene_.implicit;
    // Below this norm a line search without success has met rounding. In double precision the
    // decompositions of F stop well above an epsilon.
    const double noise = (sizeof(Real) == 8 ? 1e5 : 1e3) * at.floor;
    residuals_.assign(1, at.norm);
    for (int k = 0; at.norm > target(at); ++k)
    {
      if (k == o.newton_most)
        noConvergence(k, at, time);
      energy_.combine(1, energy_.residual(), 0, energy_.residual(), {}, {}, downhill_);
      // tighter near the solution, so that the last iterations converge quadratically (Dembo,
      // Eisenstat and Steihaug 1982)
      products_ +=
        gradients_.template solve<spline>(dt, std::min(o.cg_tolerance, 0.1 * at.norm / at.first));
      const bool better = searchLine<spline>(at, dt, at.norm > noise ? 12 : 3);
      ++iterations_;
      residuals_.push_back(at.norm);
      if (!better)
      {
        if (at.norm > noise)
          noConvergence(k + 1, at, time);
        energy_.template potential<spline>(nodes_.velocity(), dt);
        break;
      }
    }
  }

  Field& trial() { return trial_; } ///< free for other use between solves
  /// Residuals of the last solve, from the first guess on.
  const std::vector<double>& residuals() const { return residuals_; }
  std::uint64_t iterations() const { return iterations_; } ///< since the start of the run
  std::uint64_t products() const { return products_; }     ///< since the start of the run
  /// Takes the counts of a saved state.
  void restore(std::uint64_t iterations, std::uint64_t products)
  {
    iterations_ = iterations;
    products_ = products;
  }

private:
  /// Tries the change of the last solve, then half of it, and so on, at most `most` times. Takes
  /// the first trial that lessens energy or residual enough; returns whether there was one.
  template <Spline spline>
  bool searchLine(NewtonState& at, double dt, int most)
  {
    const double slope = energy_.dot(downhill_, gradients_.change(), 0);
    double alpha = 1;
    bool better = false;
    // Friction resists in each state differently, so the norm of the residual depends on the state.
    // Trials are measured in the norm of the state they start from: in one norm a step along
    // Newton's direction lessens the residual if it is short enough.
    if (holds_.mayRub())
      holds_.keepDrag();
    for (int half = 0; half < most && !better; ++half, alpha *= 0.5)
    {
      if (holds_.mayRub())
        exec_.forEach(nodes_.size(),
          TryStep<Real>{ holds_.rubbing(), holds_.held(), nodes_.velocity().data(),
            gradients_.change().data(), static_cast<Real>(alpha), trial_.data() });
      else
        energy_.combine(1, nodes_.velocity(), alpha, gradients_.change(), {}, {}, trial_);
      const double trial_energy = energy_.template total<spline>(trial_, dt);
      const double trial_norm = energy_.residualAt(trial_, dt);
      better = trial_energy <= at.energy - 1e-4 * alpha * slope ||
        ((holds_.mayRub() ? energy_.residualInKeptNorm() : trial_norm) <
            (1 - 1e-4 * alpha) * at.norm &&
          trial_energy < 1e299);
      if (better)
      {
        std::swap(nodes_.velocity(), trial_);
        at.energy = trial_energy;
        at.norm = trial_norm;
      }
    }
    return better;
  }

  [[noreturn]] void noConvergence(int iterations, const NewtonState& at, double time) const
  {
    char text[400];
    std::snprintf(text, sizeof text,
      "Newton's method does not converge at t = %.6g s: after %d iterations the residual is %.3g "
      "of the first (NewtonTolerance %.3g). Use a smaller "
      "TimeStep or CourantNumber, more iterations, or the integration Explicit.",
      time, iterations, at.first > 0 ? at.norm / at.first : 0., scene_.implicit.newton_tolerance);
    throw dem::Error(text);
  }

  Exec& exec_;
  const Scene& scene_;
  GridNodes<Exec, Real>& nodes_;
  NodeHolds<Exec, Real>& holds_;
  MidpointEnergy<Exec, Real>& energy_;
  ConjugateGradients<Exec, Real>& gradients_;
  Field trial_, downhill_;
  std::vector<double> residuals_;
  std::uint64_t iterations_ = 0, products_ = 0;
};

} // namespace mpm
