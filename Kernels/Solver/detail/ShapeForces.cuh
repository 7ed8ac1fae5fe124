#pragma once
#include "Solver/detail/Bodies.cuh"
namespace dem
{
template <class Real>
struct ShapePairContact
{
  ContactForce<Real> force;
  Vec3<Real> normal, on_a, torque_a, torque_b, from_a, from_b;
  Real overlap;
};
template <class Real>
struct ShapeLaw
{
  bool any;
  BodyView bodies;
  template <bool kAdvance>
  DEM_HD ShapePairContact<Real> pair(const StateView<Real>&, const LawView<Real>&, std::uint32_t, std::uint32_t, Real, bool, ContactHistory<Real>&) const { return {}; }
  template <bool kAdvance>
  DEM_HD WallContact<Real> wall(const StateView<Real>&, const LawView<Real>&, const WallView&, std::uint32_t, std::uint32_t, Real, bool, ContactHistory<Real>&) const { return {}; }
};
template <class Real>
struct ShapeStep
{
  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  ShapeLaw<Real> shapes;
  Real dt;
  unsigned batch_step;
};
struct ShapeOverlaps { std::size_t pairs = 0; std::int64_t first = 0, second = 0; double worst = 0; };
template <class Exec, class Real>
class ShapeForces
{
public:
  explicit ShapeForces(Exec& exec) : exec_(exec) {}
  void use(const BodyShapes&) {}
  ShapeLaw<Real> law(const BodyView& bodies) { return { false, bodies }; }
  void queue(const ShapeStep<Real>&, const ListView&, const ContactSlots<Real>&, std::uint32_t, const WallForces<Real>&) {}
  ShapeOverlaps overlaps(const StateView<Real>&, const LawView<Real>&, const BodyView&, const ListView&, std::uint32_t, double) { return {}; }
private:
  Exec& exec_;
};
}
