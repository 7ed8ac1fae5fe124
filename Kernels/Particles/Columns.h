// Columns of particle data, one row each: name, type, unit, default, and whether a column is saved,
// shown and moved with a body. The store of the particles, their order in memory, saved states,
// frames, the readers of inputs and the panels loop over the rows.
#pragma once

#include "Core/Vec.h"
#include "Scene/Scene.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

namespace dem
{

template <class Real>
struct Traveled; // Particles/State.cuh

/// Row of a column with values of type T. Each function returns a copy with one more statement.
template <class T>
struct Column
{
  const char* name;             ///< of the array in inputs, frames, saved states and messages
  const char* unit = "";        ///< SI; empty: without unit
  double initial = 0;           ///< default
  bool is_saved = true;         ///< in saved states
  bool is_shown = false;        ///< frames have the stored values as an array, if it is selected
  bool moves_with_body = false; ///< a grain has one value, which all parts of a body hold
  bool is_bits = false;         ///< the values are bits of integers
  bool (*is_needed)(const Scene&) = nullptr; ///< scenes that keep a passive column in any case

  /// Column of an input, and property of the grains that the input gives no value; or null.
  std::vector<T> ParticleInput::*input = nullptr;
  T Scene::*property = nullptr;

  constexpr Column notSaved() const
  {
    Column column = *this;
    column.is_saved = false;
    return column;
  }
  constexpr Column shown() const
  {
    Column column = *this;
    column.is_shown = true;
    return column;
  }
  constexpr Column movedWithBody() const
  {
    Column column = *this;
    column.moves_with_body = true;
    return column;
  }
  constexpr Column bits() const
  {
    Column column = *this;
    column.is_bits = true;
    return column;
  }
  constexpr Column neededBy(bool (*scenes)(const Scene&)) const
  {
    Column column = *this;
    column.is_needed = scenes;
    return column;
  }
  constexpr Column from(std::vector<T> ParticleInput::*of_input, T Scene::*otherwise) const
  {
    Column column = *this;
    column.input = of_input;
    column.property = otherwise;
    return column;
  }
};

/// Calls visit(row, array of each set ...) for the columns that every run has, in the order of a
/// saved state. A set has a member of each name: vectors on the host (ParticleColumns), or arrays
/// on a device. Frames compute their arrays of motion and load from these columns (Measure.cuh).
template <class Real, class Visit, class... Sets>
void forColumns(const Visit& visit, Sets&... sets)
{
  using Wide = Column<Vec4<double>>;
  using Narrow = Column<Vec4<Real>>;
  visit(Wide{ "position", "m" }, sets.position...);     // w = radius
  visit(Narrow{ "velocity", "m/s" }, sets.velocity...); // w = mass
  visit(Narrow{ "spin", "rad/s" }, sets.spin...);       // w = material
  visit(Narrow{ "velocity rest", "m/s" }, sets.velocity_rest...);
  visit(Narrow{ "spin rest", "rad/s" }, sets.spin_rest...);
  visit(Wide{ "orientation" }, sets.orientation...);          // quaternion w x y z
  visit(Column<Traveled<Real>>{ "turns" }, sets.traveled...); // saved without the path
  visit(Narrow{ "force", "N" }, sets.force...);
  visit(Narrow{ "torque", "N m" }, sets.torque...);
  visit(Narrow{ "integrator's rate" }, sets.rates...); // several arrays, or none
  visit(Column<std::int64_t>{ "id" }, sets.id...);
}

inline bool hasHeat(const Scene& scene) { return scene.heat.on(); }
inline bool hasHeatOfDissipation(const Scene& scene)
{
  return scene.heat.on() && scene.heat.dissipation;
}

inline bool hasFlow(const Scene& scene) { return scene.fluid.model == FluidModel::VolumeAveraged; }

/// Columns that a run keeps only if its scene needs them or gives values for them (startOf). Others
/// cost nothing; a frame that shows them has the default for each grain.
inline constexpr Column<double> kPassiveColumns[] = {
  Column<double>{ "Temperature", "K", kInitialTemperature }
    .shown()
    .movedWithBody()
    .neededBy(hasHeat)
    .from(&ParticleInput::temperature, &Scene::initial_temperature),
  Column<double>{ "HeatFlow", "W" }.shown().movedWithBody().neededBy(hasHeat),
  Column<double>{ "TemperatureRest", "K" }.movedWithBody().neededBy(hasHeat), // carried rounding
  Column<double>{ "FrictionHeat" }.bits().neededBy(hasHeatOfDissipation),     // HeatShare::low
  Column<double>{ "FrictionHeatHigh" }.bits().neededBy(hasHeatOfDissipation), // HeatShare::high
  Column<double>{ "FluidForceX", "N" }.neededBy(hasFlow), // of a computed flow, held between two
  Column<double>{ "FluidForceY", "N" }.neededBy(hasFlow), // of its steps
  Column<double>{ "FluidForceZ", "N" }.neededBy(hasFlow),
  Column<double>{ "FluidRow" }.neededBy(hasFlow).notSaved(), // index at the last exchange
};
inline constexpr std::size_t kPassiveCount = std::size(kPassiveColumns);

/// Rows of kPassiveColumns.
enum PassiveColumn : std::size_t
{
  kTemperature = 0,
  kHeatFlow = 1,
  kTemperatureRest = 2,
  kFrictionHeat = 3,
  kFrictionHeatHigh = 4,
  kFluidForceX = 5, // y and z follow
  kFluidRow = 8
};

namespace detail
{
constexpr bool shownHaveOneValueAGrain()
{
  for (const Column<double>& column : kPassiveColumns)
    if (column.is_shown && !column.moves_with_body)
      return false;
  return true;
}
} // namespace detail
static_assert(detail::shownHaveOneValueAGrain(), "a frame shows one value a grain");

/// Values of a passive column by particle; without a value if the run does not keep the column.
using PassiveValues = std::optional<std::vector<double>>;

/// Origin of the values of a passive column when a run starts.
enum class PassiveStart
{
  Off,          ///< the run does not keep the column
  FromProperty, ///< every grain has the value of the property, or the default without one
  FromInput     ///< the input has a value for each grain
};

inline PassiveStart startOf(const Column<double>& column, const Scene& scene)
{
  if (column.input && !(scene.particles.*column.input).empty())
    return PassiveStart::FromInput;
  return (column.is_needed && column.is_needed(scene)) ||
      (column.property && scene.*column.property != column.initial)
    ? PassiveStart::FromProperty
    : PassiveStart::Off;
}
inline std::array<PassiveStart, kPassiveCount> passiveStarts(const Scene& scene)
{
  std::array<PassiveStart, kPassiveCount> starts{};
  for (std::size_t k = 0; k < kPassiveCount; ++k)
    starts[k] = startOf(kPassiveColumns[k], scene);
  return starts;
}

/// Value of a grain that neither the input nor a saved state gives one.
inline double initialValue(const Column<double>& column, const Scene& scene)
{
  return column.property ? scene.*column.property : column.initial;
}

/// Values of the passive columns at the start. `grain`: index of the grain of each part of a body;
/// empty if all grains are spheres.
inline std::array<PassiveValues, kPassiveCount> passiveValues(
  const Scene& scene, const std::vector<std::uint32_t>& grain)
{
  std::array<PassiveValues, kPassiveCount> values;
  const std::size_t n = grain.empty() ? scene.particles.size() : grain.size();
  for (std::size_t k = 0; k < kPassiveCount; ++k)
  {
    const Column<double>& column = kPassiveColumns[k];
    const PassiveStart start = startOf(column, scene);
    if (start == PassiveStart::Off)
      continue;
    values[k].emplace(n, initialValue(column, scene));
    for (std::size_t i = 0; i < n && start == PassiveStart::FromInput; ++i)
      (*values[k])[i] = (scene.particles.*column.input)[grain.empty() ? i : grain[i]];
  }
  return values;
}

} // namespace dem
