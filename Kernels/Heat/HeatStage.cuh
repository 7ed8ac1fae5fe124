// Temperatures of a part of a run: owner of the coefficients of heat transfer and of the heat
// totals. The temperatures are columns of the particles (kPassiveColumns). Used by RunHeat.cuh.
#pragma once

#include "Core/Bytes.h"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"
#include "Core/Text.h"
#include "Domain/Subdomain.cuh"
#include "Heat/HeatBooks.cuh"
#include "Heat/HeatKernels.cuh"
#include "Measure/Measurement.cuh"
#include "Scene/detail/HeatFromScene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dem
{

/// Steps the temperatures at multiples of a fixed number of time steps, and before an event, so
/// that outputs, batches and restores have no effect. At such a step the heat that flowed since the
/// previous one follows from the present contacts and the previous temperatures (explicit).
/// Dissipated energy is that of all time steps in between.
template <class Exec, class Real>
class HeatStage : private RunOwners<Exec, Real>
{
public:
  using Owners = RunOwners<Exec, Real>;

  /// `domain`: of a part of a run that has several, else null. All parts call the same functions.
  HeatStage(Exec& exec, const Owners& owners, Measurement<Exec, Real>& measurement,
    Subdomain<Exec, Real>* domain)
    : Owners(owners)
    , exec_(exec)
    , measurement_(measurement)
    , domain_(domain)
  {
  }

  /// Opens the books, and computes the flows at the start. `scene` still has its particles.
  /// Requires evaluated forces and Measurement::prepare().
  void start(const Scene& scene, const StepPlan& plan)
  {
    every_ = stepsOfHeat(scene, plan);
    time_step_ = plan.time_step;
    is_automatic_ = scene.heat.interval == 0;
    radius_ = particles.radiusMax();
    books_.open(1000 * largestHeatCapacity(scene), walls.set().elements.size());
    error_.assign(std::vector<unsigned long long>{ kNoError });
    setLaw(scene);
    last_ = 0;
    length_ = 0;
    queue(1, false);
  }

  /// Copies materials and walls of the scene, which an event may have changed.
  void setLaw(const Scene& scene)
  {
    area_ = scene.heat.area;
    gas_ = gasGap(scene.heat);
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
    of_flux_.resize(of_walls_host_.size());
    double most = 0;
    for (const HeatCoefficients& pair : pairs)
      most = std::max(most, pair.conductance * std::max(1., std::sqrt(pair.overlap)));
    most = most * 2.6 * radius_ + mostOfGas(gas_, radius_);
    per_watt_ = std::ldexp(1., 40 - (most > 0 ? std::ilogb(most) + 1 : 0));
  }

  /// Time step of the next step of the temperatures.
  std::uint64_t nextStep() const { return (last_ / every_ + 1) * every_; }
  /// Time step of the last one.
  std::uint64_t lastStep() const { return last_; }

  /// Steps the temperatures to the present time step, at most nextStep(). Requires evaluated forces
  /// and the lists of the present particles. Throws dem::Error if the step is too long for a grain,
  /// or its temperature is not possible.
  void take(std::uint64_t step)
  {
    length_ = static_cast<std::uint32_t>(step - last_);
    last_ = step;
    queue(length_, true);
    const unsigned long long error = particles.size() ? error_.host().front() : kNoError;
    failIf(domain_ ? domain_->least(error) : error);
  }

  /// Whether dissipated energy heats the grains.
  bool takesDissipation() const { return particles.takesDissipation(); }

  /// Words of the heat totals (HeatBooks) of this part.
  std::vector<unsigned long long> words() const { return books_.words(); }

  /// Thermal energy of the grains, J: of all here, and of each in ascending Id. Requires
  /// Measurement::prepare(), like the next two.
  double thermalEnergy() { return sumOf(Energy::Thermal); }
  std::vector<double> thermalEnergies() { return eachOf(Energy::Thermal); }
  /// Dissipated energy that no step of the temperatures has taken yet, J.
  double waitingHeat() { return sumOf(Energy::Waiting); }
  std::vector<double> waitingHeats() { return eachOf(Energy::Waiting); }

  /// Sets the heat of the statistics, J, from words and energies of all parts. Requires the
  /// dissipated energy.
  void measure(
    Statistics& s, const std::vector<unsigned long long>& words, double thermal, double waiting)
  {
    s.heat_from_dissipation = books_.joule(words, HeatTotals::kDissipated);
    s.heat_from_walls = books_.joule(words, HeatTotals::ofElement(0), walls.set().elements.size());
    // All dissipation is that of contacts, and half of it goes to each side.
    s.dissipation_in_walls =
      takesDissipation() ? s.dissipated_energy - s.heat_from_dissipation - waiting : 0;
    s.thermal_energy = thermal;
    s.has_heat = true;
  }

  /// Sets temperature and heat of the walls of a frame, from the words of all parts.
  void measure(std::vector<WallFrame>& frames, const std::vector<unsigned long long>& words)
  {
    const WallSet& set = walls.set();
    const HeatTotals totals = books_.view();
    const double last_dt = time_step_ * std::max<std::uint32_t>(1, length_);
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
        const double heat = books_.joule(words, HeatTotals::ofElement(e));
        const double flow = books_.joule(words, totals.ofLastStep(e)) / last_dt;
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

  /// `words`: of all parts.
  std::vector<std::uint8_t> save(const std::vector<unsigned long long>& words) const
  {
    SnapshotWriter out;
    out.value<std::uint32_t>(every_);
    out.value<std::uint64_t>(last_);
    out.value<std::uint32_t>(length_);
    out.value<std::int32_t>(books_.unit());
    for (unsigned long long word : words)
      out.value<std::uint64_t>(word);
    return std::move(out.bytes);
  }
  struct Saved
  {
    unsigned every = 1, length = 0;
    std::uint64_t last = 0;
    int unit = 0;
    std::vector<unsigned long long> words;
  };
  /// Reads the bytes of a state at `step`. Throws dem::Error if they are broken or belong to other
  /// walls.
  Saved read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const
  {
    SnapshotReader in(bytes);
    constexpr std::size_t kHead =
      3 * sizeof(std::uint32_t) + sizeof(std::uint64_t); // all but the words
    if (bytes.size() != kHead + books_.size() * sizeof(std::uint64_t))
      in.fail("the heat of its walls does not fit this scene");
    Saved saved;
    saved.every = in.value<std::uint32_t>();
    saved.last = in.value<std::uint64_t>();
    saved.length = in.value<std::uint32_t>();
    if (saved.every < 1 || saved.last > step || step - saved.last >= saved.every ||
      saved.length > saved.every)
      in.fail("its steps of the temperatures are not possible");
    saved.unit = in.value<std::int32_t>();
    if (saved.unit < -900 || saved.unit > 900)
      in.fail("heat with a unit of 2^" + std::to_string(saved.unit) + " J is not possible");
    for (std::size_t k = 0; k < books_.size(); ++k)
      saved.words.push_back(in.value<std::uint64_t>());
    return saved;
  }
  /// Continues with the interval of the run that saved the state; the automatic one depends on the
  /// grains at its start. An earlier failure no longer counts. The first part takes the totals.
  void use(const Saved& saved)
  {
    every_ = saved.every;
    last_ = saved.last;
    length_ = saved.length;
    const bool first = !domain_ || domain_->own() == 0;
    books_.set(
      saved.unit, first ? saved.words : std::vector<unsigned long long>(saved.words.size(), 0));
    error_.assign(std::vector<unsigned long long>{ kNoError });
  }

private:
  using Owners::bodies;
  using Owners::forces;
  using Owners::particles;
  using Owners::wall_lists;
  using Owners::walls;

  static constexpr unsigned long long kNoError = ~0ull;

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

  HeatView<Real> view(std::uint32_t steps = 0)
  {
    return { measurement_.bodyView(), pairs_.data(), capacity_.data(), of_walls_.data(), area_,
      gas_, particles.passiveData(kTemperature), steps * time_step_ };
  }

  // Queues a step of the temperatures over `steps` time steps; without `advances` only the flows
  // are computed.
  void queue(std::uint32_t steps, bool advances)
  {
    books_.beginStep();
    const std::uint32_t n = particles.size();
    if (domain_)
      domain_->halo().copyColumn(particles.passiveData(kTemperature));
    if (any_flux_)
      sumFluxWalls();
    if (!n)
      return;
    HeatSum* sums = particles.template scratch<HeatSum>();
    exec_.forEach(
      n, SumHeat<Real>{ view(steps), of_flux_.data(), per_watt_, books_.view(), sums, advances });
    if (bodies.inUse())
      exec_.forEach(bodies.size(), advance<true>(sums, steps, advances));
    else
      exec_.forEach(n, advance<false>(sums, steps, advances));
  }

  template <bool kBodies>
  AdvanceTemperatures<Real, kBodies> advance(
    const HeatSum* sums, std::uint32_t steps, bool advances)
  {
    return { view(steps), sums, particles.passiveData(kTemperatureRest),
      particles.passiveData(kHeatFlow), particles.view().heat, books_.view(), error_.data(),
      particles.ghosts(), advances };
  }

  // Conductances of the walls of given flux, of all parts.
  void sumFluxWalls()
  {
    exec_.zero(of_flux_.data(), of_flux_.size() * sizeof(long long));
    exec_.forEach(
      wall_lists.list().rows, SumOfFluxWalls<Real>{ view(), per_watt_, of_flux_.data() });
    if (!domain_)
      return;
    std::vector<long long> sums = of_flux_.host();
    domain_->sum(sums);
    of_flux_.assign(sums);
  }

  enum class Energy
  {
    Thermal,
    Waiting
  };
  // Queues the energy of each grain, in ascending Id.
  void queueEach(Energy energy, double* each)
  {
    const std::uint32_t n = measurement_.grains();
    if (energy == Energy::Waiting)
      queueEach<WaitingHeat>(n, particles.view().heat, each);
    else
      queueEach<ThermalEnergies>(n, particles.passiveData(kTemperatureRest), each);
  }
  template <template <class, bool> class Kernel, class Column>
  void queueEach(std::uint32_t n, const Column& column, double* each)
  {
    if (bodies.inUse())
      exec_.forEach(n, Kernel<Real, true>{ view(), column, each });
    else
      exec_.forEach(n, Kernel<Real, false>{ view(), column, each });
  }
  std::vector<double> eachOf(Energy energy)
  {
    std::vector<double> values(measurement_.grains());
    double* each = particles.template scratch<double>();
    queueEach(energy, each);
    exec_.toHost(values.data(), each, values.size() * sizeof(double));
    exec_.synchronize();
    return values;
  }
  double sumOf(Energy energy)
  {
    const std::uint32_t n = measurement_.grains();
    if (!n)
      return 0;
    double* each = particles.template scratch<double>();
    partial_.resize(sumBlocks(n));
    queueEach(energy, each);
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
      " at t = " + number(static_cast<double>(last_) * time_step_) + " s: ";
    if (fault == HeatFault::Unstable)
      throw Error(who + "the interval of the temperatures, " + number(length_ * time_step_) +
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
  Subdomain<Exec, Real>* domain_;
  HeatBooks<Exec> books_{ exec_ };
  unsigned every_ = 1;       // time steps from one step of the temperatures to the next
  std::uint64_t last_ = 0;   // time step of the last one
  std::uint32_t length_ = 0; // its time steps; 0 at the start
  double time_step_ = 0;     // s
  double radius_ = 0;        // m, largest at the start of the run
  bool is_automatic_ = true;
  ContactAreaModel area_ = ContactAreaModel::ContactRadius;
  GasGap gas_{};
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
