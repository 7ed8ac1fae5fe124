// Temperatures of a run with one or more parts: one HeatStage a part, and the sums over all of
// them. Used by SimulationOn.cuh.
#pragma once

#include "Heat/HeatStage.cuh"
#include "Solver/RunParts.cuh"

#include <cstdint>
#include <memory>
#include <vector>

namespace dem
{

/// All processes that share the run call the same functions.
template <class Exec, class Real>
class RunHeat
{
public:
  using Stage = HeatStage<Exec, Real>;
  using Saved = typename Stage::Saved;

  /// `scene` still has its particles. Requires evaluated forces.
  RunHeat(RunParts<Exec, Real>& parts, const Scene& scene, const StepPlan& plan)
    : parts_(parts)
  {
    parts_.each([&](Part& part) {
      part.prepareMeasurement();
      part.heat = std::make_unique<Stage>(
        part.exec, part.engine.owners, part.measurement, part.engine.domain.get());
      part.heat->start(scene, plan);
    });
  }

  std::uint64_t nextStep() const { return first().nextStep(); }

  /// Steps the temperatures to the present time step, unless they are there.
  void take(std::uint64_t step)
  {
    if (first().lastStep() == step)
      return;
    parts_.each([step](Part& part) {
      part.engine.finishStep();
      part.engine.prepareMeasurement();
      part.heat->take(step);
    });
  }
  void setLaw(const Scene& scene)
  {
    parts_.each([&scene](Part& part) { part.heat->setLaw(scene); });
  }

  /// See HeatStage::measure().
  void measure(Statistics& s)
  {
    const bool several = parts_.several();
    const double thermal = several
      ? parts_.sumInIds([](Part& part) { return part.heat->thermalEnergies(); })
      : first().thermalEnergy();
    double waiting = 0;
    if (first().takesDissipation())
      waiting = several ? parts_.sumInIds([](Part& part) { return part.heat->waitingHeats(); })
                        : first().waitingHeat();
    first().measure(s, words(), thermal, waiting);
  }
  void measure(std::vector<WallFrame>& walls) { first().measure(walls, words()); }

  std::vector<std::uint8_t> save() { return first().save(words()); }
  Saved read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const
  {
    return first().read(bytes, step);
  }
  void use(const Saved& saved)
  {
    parts_.each([&saved](Part& part) { part.heat->use(saved); });
  }

private:
  using Part = RunPart<Exec, Real>;

  Stage& first() { return *parts_.first().heat; }
  const Stage& first() const { return *parts_.first().heat; }

  // Words of the heat totals, of all parts.
  std::vector<unsigned long long> words()
  {
    auto of_parts = parts_.ofAllParts([](Part& part) { return part.heat->words(); });
    for (std::size_t p = 1; p < of_parts.size(); ++p)
      HeatBooks<Exec>::add(of_parts[0], of_parts[p]);
    return of_parts[0];
  }

  RunParts<Exec, Real>& parts_;
};

} // namespace dem
