// Storage of the contact law on one device: parameters, coefficients of each pair of materials,
// gravity and the periodic box. Owned by the solver.
#pragma once

#include "Core/Array.h"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"
#include "Scene/detail/LawFromScene.h"

#include <algorithm>
#include <vector>

namespace dem
{

/// The periodic axes of a domain.
inline Periodic periodicBox(const Domain& domain)
{
  Periodic box{};
  box.lower = domain.lower;
  for (int k = 0; k < 3; ++k)
    if (domain.limited && domain.exit[k] == Exit::Periodic)
      box.period[k] = domain.upper[k] - domain.lower[k];
  return box;
}

/// Owns the contact law of a run, and gives kernels a view of it.
template <class Exec, class Real>
class LawStore
{
public:
  explicit LawStore(Exec& exec)
    : exec_(exec)
  {
  }

  /// Copies the scene's materials, contact model, gravity and domain.
  void set(const Scene& scene)
  {
    law_ = lawParameters<Real>(scene);
    values_ = pairCoefficients<Real>(scene);
    coefficients_.assign(values_);
    first_ = values_.front();
    materials_ = static_cast<int>(scene.materials.size());
    gravity_ = scene.gravity.as<Real>();
    box_ = periodicBox(scene.domain);
  }
  void setGravity(const Vec3d& gravity) { gravity_ = gravity.as<Real>(); }

  LawView<Real> view() { return { law_, coefficients_.data(), materials_, box_, first_ }; }
  const LawParameters<Real>& parameters() const { return law_; }
  /// Number of history columns of a contact.
  int columns() const { return historyColumns(law_); }
  /// Largest gap up to which a contact acts after it touched, m; 0 without cohesion. `radius_max`:
  /// largest radius of a particle, m, the R* of its contact with a wall. R* of pairs is smaller.
  double reach(double radius_max) const
  {
    double most = 0;
    for (const PairCoefficients<Real>& pair : values_)
      most = std::max<double>(most, reachOf(law_, pair, static_cast<Real>(radius_max)));
    return most * (1 + 1e-5); // rounding of Real
  }
  const Vec3<Real>& gravity() const { return gravity_; }
  const Periodic& box() const { return box_; }

private:
  Exec& exec_;
  LawParameters<Real> law_{};
  Array<PairCoefficients<Real>, Exec> coefficients_{ exec_ };
  std::vector<PairCoefficients<Real>> values_; // the same on the host
  PairCoefficients<Real> first_{};             // of the first material with itself
  int materials_ = 1;
  Vec3<Real> gravity_{};
  Periodic box_{};
};

} // namespace dem
