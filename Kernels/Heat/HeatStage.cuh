// Temperatures of a run: owner of the coefficients of heat transfer and of the heat totals. The
// temperatures are columns of the particles (kPassiveColumns). Used by SimulationOn.cuh.
#pragma once

#include "Core/Bytes.h"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"
#include "Core/Text.h"
#include "Heat/HeatBooks.cuh"
#include "Heat/HeatKernels.cuh"
#include "Measure/Measurement.cuh"
#include "Scene/detail/HeatFromScene.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dem
{

/// Steps the temperatures at multiples of a fixed number of time steps, so that outputs, batches
/// and restores have no effect. At such a step the heat that flowed since the previous one follows
/// from the present contacts and the previous temperatures (explicit). Dissipated energy is that of
/// all time steps in between.
template <class Exec, class Real>
class HeatStage : private RunOwners<Exec, Real>
{
public:
  using Owners = RunOwners<Exec, Real>;

  HeatStage(Exec& exec, const Owners& owners, Measurement<Exec, Real>& measurement)
    : Owners(owners)
    , exec_(exec)
    , measurement_(measurement)
  {
  }

  /// Opens the books, and computes the flows at the start. `scene` still has its particles.
  /// Requires evaluated forces and Measurement::prepare().
  void start(const Scene& scene, const StepPlan& plan)
  {
    every_ = stepsOfHeat(scene, plan);
    time_step_ = plan.time_step;
    is_automatic_ = scene.heat.interval == 0;
    books_.open(1000 * largestHeatCapacity(scene), walls.set().elements.size());
    error_.assign(std::vector<unsigned long long>{ kNoError });
    setLaw(scene);
    next_ = every_;
    queue(false);
  }

  /// Copies materials and walls of the scene, which an event may have changed.
  void setLaw(const Scene& scene)
  {
    area_ = scene.heat.area;
    const std::vector<HeatCoefficients> pairs = heatCoefficients(scene);
    pairs_.assign(pairs);
    std::vector<double> capacity;
    for (const Material& m : scene.materials)
      capacity.push_back(m.heat_capacity);
    capacity_.assign(capacity);
    of_walls_host_.assign(walls.set().walls(), { ThermalCondition::Adiabatic, 0, 0 });
    any_flux_ = false;
    for (std::size_t w = 0; w < walls.set().scene_walls; ++w)
    {
      const WallHeat& heat = scene.walls[w].heat;
      of_walls_host_[w] = { heat.condition, heat.temperature, heat.heat_flux * areaOf(w) };
      any_flux_ = any_flux_ || heat.condition == ThermalCondition::HeatFlux;
    }
    of_walls_.assign(of_walls_host_);
    double most = 0;
    for (const HeatCoefficients& pair : pairs)
      most = std::max(most, pair.conductance * std::max(1., std::sqrt(pair.overlap)));
    most *= 2.6 * particles.radiusMax();
    per_watt_ = std::ldexp(1., 40 - (most > 0 ? std::ilogb(most) + 1 : 0));
  }

  /// Time step of the next step of the temperatures.
  std::uint64_t nextStep() const { return next_; }
  /// Must be called after a restore of a state at `step`.
  void restart(std::uint64_t step) { next_ = (step / every_ + 1) * every_; }

  /// Steps the temperatures at nextStep(). Requires evaluated forces and the lists of the present
  /// particles. Throws dem::Error if the step is too long for a grain, or its temperature is not
  /// possible.
  void take()
  {
    if (particles.size())
    {
      queue(true);
      failIf(error_.host().front());
    }
    next_ += every_;
  }

  /// Sets the heat of the statistics, J. Requires Measurement::prepare().
  void measure(Statistics& s)
  {
    const std::vector<unsigned long long> words = books_.words();
    s.heat_from_dissipation = books_.joule(words, HeatTotals::kDissipated);
    s.heat_from_walls = 0;
    for (std::size_t e = 0; e < walls.set().elements.size(); ++e)
      s.heat_from_walls += books_.joule(words, HeatTotals::ofElement(e));
    s.thermal_energy = thermalEnergy();
    s.has_heat = true;
  }

  /// Sets temperature and heat of the walls of a frame.
  void measure(std::vector<WallFrame>& frames)
  {
    const std::vector<unsigned long long> words = books_.words();
    const WallSet& set = walls.set();
    const HeatTotals totals = books_.view();
    for (std::size_t w = 0; w < frames.size(); ++w)
    {
      WallFrame& wall = frames[w];
      const HeatOfWall& of = of_walls_host_[w];
      wall.has_temperature = of.condition == ThermalCondition::Temperature;
      wall.temperature = of.temperature;
      wall.has_heat = true;
      wall.heat = HostArray<double>(set.triangles[w]);
      wall.heat_flux = HostArray<double>(set.triangles[w]);
      for (std::size_t t = 0; t < set.triangles[w]; ++t)
        wall.heat[t] = wall.heat_flux[t] = 0;
      wall.total_heat = wall.total_heat_flow = 0;
      for (std::size_t e = set.first[w]; e < set.first[w + 1]; ++e)
      {
        const double heat = books_.joule(words, HeatTotals::ofElement(e)),
                     flow = books_.joule(words, totals.ofLastStep(e)) / interval();
        wall.total_heat += heat;
        wall.total_heat_flow += flow;
        if (!set.triangles[w])
          continue;
        wall.heat[set.triangleOf(e)] += heat;
        wall.heat_flux[set.triangleOf(e)] += flow / areaOfElement(set.elements[e]);
      }
    }
  }

  // ---- saved states ----

  std::vector<std::uint8_t> save() const
  {
    SnapshotWriter out;
    out.value<std::int32_t>(books_.unit());
    for (unsigned long long word : books_.words())
      out.value<std::uint64_t>(word);
    return std::move(out.bytes);
  }
  struct Saved
  {
    int unit = 0;
    std::vector<unsigned long long> words;
  };
  /// Throws dem::Error if the bytes are broken or belong to other walls.
  Saved read(const std::vector<std::uint8_t>& bytes) const
  {
    SnapshotReader in(bytes);
    if (bytes.size() != sizeof(std::int32_t) + books_.size() * sizeof(std::uint64_t))
      in.fail("the heat of its walls does not fit this scene");
    Saved saved;
    saved.unit = in.value<std::int32_t>();
    if (saved.unit < -900 || saved.unit > 900)
      in.fail("heat with a unit of 2^" + std::to_string(saved.unit) + " J is not possible");
    for (std::size_t k = 0; k < books_.size(); ++k)
      saved.words.push_back(in.value<std::uint64_t>());
    return saved;
  }
  void use(const Saved& saved) { books_.set(saved.unit, saved.words); }

private:
  using Owners::bodies;
  using Owners::forces;
  using Owners::particles;
  using Owners::wall_lists;
  using Owners::walls;

  static constexpr unsigned long long kNoError = ~0ull;

  double interval() const { return every_ * time_step_; }

  static double areaOfElement(const WallElement& e)
  {
    if (e.kind == ElementKind::Triangle)
      return 0.5 * length(cross(e.b - e.a, e.c - e.a));
    const double height = length(e.b - e.a), kPi = 3.14159265358979323846;
    if (e.kind == ElementKind::Cylinder)
      return 2 * kPi * e.radius_a * height;
    if (e.kind == ElementKind::Cone)
      return kPi * (e.radius_a + e.radius_b) * std::hypot(height, e.radius_a - e.radius_b);
    return 0;
  }
  double areaOf(std::size_t wall) const
  {
    double area = 0;
    for (std::size_t e = walls.set().first[wall]; e < walls.set().first[wall + 1]; ++e)
      area += areaOfElement(walls.set().elements[e]);
    return area;
  }

  HeatView<Real> view()
  {
    return { measurement_.bodyView(), pairs_.data(), capacity_.data(), of_walls_.data(), area_,
      particles.passiveData(kTemperature), interval() };
  }

  // Queues a step of the temperatures; without `advances` only the flows are computed.
  void queue(bool advances)
  {
    const std::uint32_t n = particles.size();
    of_flux_.assign(std::vector<long long>(of_walls_host_.size(), 0));
    if (any_flux_)
      exec_.forEach(
        wall_lists.list().rows, SumOfFluxWalls<Real>{ view(), per_watt_, of_flux_.data() });
    if (advances)
      books_.beginStep();
    HeatSum* sums = particles.template scratch<HeatSum>();
    exec_.forEach(
      n, SumHeat<Real>{ view(), of_flux_.data(), per_watt_, books_.view(), sums, advances });
    if (bodies.inUse())
      exec_.forEach(bodies.size(), advance<true>(sums, advances));
    else
      exec_.forEach(n, advance<false>(sums, advances));
  }

  template <bool kBodies>
  AdvanceTemperatures<Real, kBodies> advance(const HeatSum* sums, bool advances)
  {
    const HeatShare share = particles.view().heat;
    return { view(), sums, particles.passiveData(kTemperatureRest),
      particles.passiveData(kHeatFlow), reinterpret_cast<unsigned long long*>(share.units),
      1 / share.per_joule, books_.view(), error_.data(), advances };
  }

  double thermalEnergy()
  {
    const std::uint32_t n = measurement_.grains();
    if (!n)
      return 0;
    double* each = particles.template scratch<double>();
    partial_.resize(sumBlocks(n));
    const double* rest = particles.passiveData(kTemperatureRest);
    if (bodies.inUse())
      exec_.forEach(n, ThermalEnergies<Real, true>{ view(), rest, each });
    else
      exec_.forEach(n, ThermalEnergies<Real, false>{ view(), rest, each });
    exec_.forEach(sumBlocks(n), SumBlocks<double>{ each, n, partial_.data() });
    double sum = 0;
    for (double part : partial_.host())
      sum += part;
    return sum;
  }

  void failIf(unsigned long long error) const
  {
    if (error == kNoError)
      return;
    const auto fault = static_cast<HeatFault>(error >> 42);
    const std::string who = "Grain " + std::to_string(error & ((1ull << 42) - 1)) +
      " at t = " + number(static_cast<double>(next_) * time_step_) + " s: ";
    if (fault == HeatFault::Unstable)
      throw Error(who + "the interval of the temperatures, " + number(interval()) +
        " s, is longer than m c over the sum of the conductances of its contacts, so its "
        "temperature would swing. " +
        (is_automatic_ ? "Give a shorter ThermalInterval or TimeStep, or a larger HeatCapacity."
                       : "Lower ThermalInterval, or set it to 0 for automatic."));
    throw Error(who +
      "its temperature fell below 0 K or is not finite. Check the HeatFlux of the walls, which "
      "cools without limit, and HeatCapacity.");
  }

  Exec& exec_;
  Measurement<Exec, Real>& measurement_;
  HeatBooks<Exec> books_{ exec_ };
  unsigned every_ = 1;   // time steps from one step of the temperatures to the next
  double time_step_ = 0; // s
  bool is_automatic_ = true;
  std::uint64_t next_ = 0;
  ContactAreaModel area_ = ContactAreaModel::ContactRadius;
  bool any_flux_ = false;
  double per_watt_ = 1;
  std::vector<HeatOfWall> of_walls_host_;
  Array<HeatCoefficients, Exec> pairs_{ exec_ };
  Array<double, Exec> capacity_{ exec_ }, partial_{ exec_ };
  Array<HeatOfWall, Exec> of_walls_{ exec_ };
  Array<long long, Exec> of_flux_{ exec_ };
  Array<unsigned long long, Exec> error_{ exec_ };
};

} // namespace dem
