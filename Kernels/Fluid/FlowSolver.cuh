// Volume-averaged flow of an incompressible fluid through grains: owner of velocity and pressure.
// Used by Coupling/AveragedFlow.cuh.
//
//   div(e u + f v) = 0,   d(e rho u)/dt + div(e rho u u) = -e grad p + div(e tau) - B (u - v)
//
// e: void fraction; f v: volume flux of the grains; B: drag coefficient by volume; p: pressure
// without the weight of the fluid. "Model A"; in model B the pressure acts on the fluid alone
// (Zhou, Kuang, Chu, Yu, J. Fluid Mech. 661 (2010) 482). Drag is implicit; the pressure is found by
// a projection with the pressure gradient of the last step (van Kan, SIAM J. Sci. Stat. Comput. 7
// (1986) 870).
#pragma once

#include "Core/Array.h"
#include "Core/Bytes.h"
#include "Core/Error.h"
#include "Core/Text.h"
#include "Fluid/FlowMomentum.cuh"
#include "Fluid/FlowPressure.cuh"
#include "Fluid/PoissonSolver.cuh"
#include "Physics/FluidModel.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace dem
{

template <class Exec>
class FlowSolver
{
public:
  using Field = Array<double, Exec>;
  using Vectors = std::array<Field, 3>;

  static Vectors vectors(Exec& exec) { return { Field(exec), Field(exec), Field(exec) }; }

  explicit FlowSolver(Exec& exec)
    : exec_(exec)
    , poisson_(exec)
  {
  }

  /// Starts with the flow `start`: velocities at the faces by entry of the grid.
  void open(const FlowGrid& grid, const FlowFaces& faces, const FluidOptions& options,
    const std::array<std::vector<double>, 3>& start)
  {
    grid_ = grid;
    options_ = options;
    poisson_.open(grid.count, grid.periodic);
    const std::vector<double> nothing(grid.entries(), 0.);
    for (std::size_t k = 0; k < 3; ++k)
    {
      kind_[k].assign(faces.kind[k]);
      inflow_[k].assign(faces.inflow[k]);
      u_[k].assign(start[k]);
      for (Vectors* field :
        { &predicted_, &stage_, &rate_, &mobility_, &cell_velocity_, &cell_gradient_ })
        (*field)[k].assign(nothing);
    }
    pressure_.assign(nothing);
    change_.assign(nothing);
  }

  const FlowGrid& grid() const { return grid_; }
  const double* cellVelocity(std::size_t k) const { return cell_velocity_[k].data(); }
  const double* cellGradient(std::size_t k) const { return cell_gradient_[k].data(); }
  const Field& pressure() const { return pressure_; }
  double density() const { return options_.density; }
  unsigned rounds() const { return poisson_.rounds(); }
  double residual() const { return poisson_.residual(); }

  /// Queues the largest number of cells that the fluid crosses in a second, see FindCourant.
  void queueCourant(double inflow_factor, unsigned long long* courant);
  /// Rate (1/s) of the viscous stress, which is explicit. A step of Heun's method is stable if it
  /// times this rate and `courant` together, the cells that the fluid crosses in a second, is less
  /// than 1: each damps the shortest wave by up to twice its part, and twice in all is the limit.
  double viscousRate(double courant) const
  {
    double inverse = 0;
    for (int k = 0; k < 3; ++k)
      if (grid_.count[k] > 1)
        inverse += 1 / (grid_.size[k] * grid_.size[k]);
    const double mix2 =
      options_.smagorinsky * options_.smagorinsky * std::cbrt(grid_.volume() * grid_.volume());
    const double viscosity = options_.viscosity + 2 * options_.density * mix2 * courant;
    return 2 * viscosity / options_.density * inverse;
  }

  /// Queues a step of dt seconds. `inflow_factor`: of the inlets. In the first step of a run, whose
  /// pressure is not known before, the rates are those at its begin.
  void queueStep(const FlowGrains& grains, double dt, double inflow_factor, bool is_first);
  /// Queues the report of the step. checkStep() reads it once the host has waited for it, and
  /// throws dem::Error if the pressure did not converge.
  void queueReport() { poisson_.queueReport(); }
  void checkStep() { poisson_.check(); }

  /// Queues velocity and pressure gradient in the cells from those at the faces.
  void queueCells(const FlowGrains& grains);

  /// Mean pressure (Pa) at the inlets.
  double inletPressure(const FlowGrains& grains, const Array<InletCell, Exec>& cells, double area,
    double inflow_factor)
  {
    return sums_.sum(cells.size(), InletPressure{ view(grains, 0), cells.data(), inflow_factor }) /
      area;
  }
  /// Momentum of the fluid, kg m/s.
  Vec3d momentum(const FlowGrains& grains)
  {
    const FlowView v = view(grains, 0);
    Vec3d sum{};
    for (int k = 0; k < 3; ++k)
      sum[k] = sums_.sum(grid_.entries(), FaceMomentum{ v, k });
    return (options_.density * grid_.volume()) * sum;
  }

  // ---- saved states ----

  void save(SnapshotWriter& out) const
  {
    for (int k = 0; k < 3; ++k)
      out.value<std::int32_t>(grid_.count[k]);
    out.value<std::uint32_t>(poisson_.rounds());
    out.value<double>(poisson_.residual());
    for (const Field& component : u_)
      out.array(component.host());
    out.array(pressure_.host());
  }
  struct Saved
  {
    double residual = 0;
    unsigned rounds = 0;
    std::array<std::vector<double>, 4> fields; // u, pressure
  };
  Saved read(SnapshotReader& in) const
  {
    Saved saved;
    for (int k = 0; k < 3; ++k)
      if (in.value<std::int32_t>() != grid_.count[k])
        in.fail("its fluid has other cells");
    saved.rounds = in.value<std::uint32_t>();
    saved.residual = in.value<double>();
    for (std::vector<double>& field : saved.fields)
    {
      field = in.array<double>(grid_.entries(), "values of the fluid");
      for (const double value : field)
        if (!std::isfinite(value))
          in.fail("a value of the fluid is not finite");
    }
    return saved;
  }
  void use(const Saved& saved)
  {
    poisson_.setLast(saved.rounds, saved.residual);
    for (std::size_t k = 0; k < 3; ++k)
      u_[k].assign(saved.fields[k]);
    pressure_.assign(saved.fields[3]);
  }

private:
  void queuePrediction(const FlowView& stage);

  FlowView view(const FlowGrains& grains, double dt)
  {
    FlowView v{};
    v.grid = grid_;
    for (std::size_t k = 0; k < 3; ++k)
    {
      v.kind[k] = kind_[k].data();
      v.inflow[k] = inflow_[k].data();
      v.u[k] = u_[k].data();
      v.begin[k] = u_[k].data();
      v.predicted[k] = predicted_[k].data();
      v.rate[k] = rate_[k].data();
      v.mobility[k] = mobility_[k].data();
    }
    v.grains = grains;
    v.void_of_rates = grains.void_before;
    v.pressure = pressure_.data();
    v.density = options_.density;
    v.viscosity = options_.viscosity;
    v.smagorinsky = options_.smagorinsky;
    v.pressure_on_fluid_only = options_.equations == FluidEquations::ModelB;
    v.driving = options_.driving_force;
    for (std::size_t b = 0; b < 6; ++b)
      v.wall_velocity[b] = options_.boundary_velocity[b];
    v.inflow_factor = 1;
    v.dt = dt;
    return v;
  }

  Exec& exec_;
  FlowGrid grid_{};
  FluidOptions options_;
  PoissonSolver<Exec> poisson_;
  TeamReduction<Exec> sums_{ exec_ };
  std::array<Array<FlowFace, Exec>, 3> kind_{ Array<FlowFace, Exec>(exec_),
    Array<FlowFace, Exec>(exec_), Array<FlowFace, Exec>(exec_) };
  Vectors inflow_ = vectors(exec_), u_ = vectors(exec_), predicted_ = vectors(exec_),
          stage_ = vectors(exec_), rate_ = vectors(exec_), mobility_ = vectors(exec_),
          cell_velocity_ = vectors(exec_), cell_gradient_ = vectors(exec_);
  Field pressure_{ exec_ }, change_{ exec_ };
};

template <class Exec>
void FlowSolver<Exec>::queueCourant(double inflow_factor, unsigned long long* courant)
{
  FlowView v = view({}, 0);
  v.inflow_factor = inflow_factor;
  exec_.forEach(grid_.entries(), FindCourant{ v, courant });
}

template <class Exec>
void FlowSolver<Exec>::queueStep(
  const FlowGrains& grains, double dt, double inflow_factor, bool is_first)
{
  FlowView v = view(grains, dt);
  v.inflow_factor = inflow_factor;
  FlowView stage = v;
  if (!is_first)
    for (std::size_t k = 0; k < 3; ++k)
      stage.predicted[k] = stage_[k].data();
  queuePrediction(stage);
  if (!is_first)
  {
    stage = v;
    stage.second = true;
    stage.void_of_rates = grains.void_fraction;
    for (std::size_t k = 0; k < 3; ++k)
      stage.u[k] = stage_[k].data();
    queuePrediction(stage);
  }
  exec_.forEach(grid_.cells(), PressureRow{ v, poisson_.finest() });
  poisson_.solve(options_.tolerance / dt);
  exec_.forEach(grid_.cells(), SpreadCells{ grid_, poisson_.x(), change_.data() });
  exec_.forEach(grid_.entries(), CorrectVelocity{ v, change_.data() });
  exec_.forEach(grid_.cells(), AddPressure{ v, poisson_.x() });
  queueCells(grains);
}

template <class Exec>
void FlowSolver<Exec>::queuePrediction(const FlowView& stage)
{
  constexpr std::size_t kFew = 32768; // faces
  constexpr unsigned kLanes = Exec::kDevice ? 8 : 1;
  const std::size_t faces = 3 * std::size_t(grid_.entries());
  if (faces <= kFew)
    exec_.forEach(kLanes * faces, PredictFlow<kLanes>{ stage });
  else
    exec_.forEach(faces, PredictFlow<1>{ stage });
}

template <class Exec>
void FlowSolver<Exec>::queueCells(const FlowGrains& grains)
{
  CellFlow cells{ view(grains, 0), {}, {} };
  for (int k = 0; k < 3; ++k)
  {
    cells.velocity[k] = cell_velocity_[k].data();
    cells.gradient[k] = cell_gradient_[k].data();
  }
  exec_.forEach(grid_.cells(), cells);
}

} // namespace dem
