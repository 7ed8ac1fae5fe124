// Grains staged for kernels, checked, and packed in ascending Id. Used by the averages and
// statistics.
#pragma once

#include "Analysis/Averages.h"
#include "Analysis/Grains.h"
#include "Analysis/detail/Staging.h"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "Core/Vec.h"

#include <cstdint>

namespace dem
{
namespace detail
{

/// Number of bits of `largest`, at least 1.
inline int bitsOf(std::uint64_t largest)
{
  int bits = 1;
  while (bits < 64 && largest >> bits)
    ++bits;
  return bits;
}

/// False for nan and inf.
DEM_HD bool isNumber(double x) { return x - x == 0; }

DEM_HD bool areNumbers(const double* values, std::size_t i)
{
  return isNumber(values[3 * i]) && isNumber(values[3 * i + 1]) && isNumber(values[3 * i + 2]);
}

/// Copies value i of an array that kernels read, `components` numbers, to the host. Null stays
/// null.
template <class T, class Exec>
const T* fetched(Exec& exec, const T* values, std::size_t i, int components, T (&copy)[3])
{
  if (!values)
    return nullptr;
  exec.toHost(copy, values + i * components, components * sizeof(T));
  exec.synchronize();
  return copy;
}

/// Finds the first grain that requireGrain() would refuse, and the first whose Id is not above that
/// of the grain before it.
struct CheckGrains
{
  Grains grains;
  int species; // 0: any material is accepted
  unsigned long long *bad, *unsorted;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const double r = grains.radius[i];
    bool good = areNumbers(grains.position, i) && r > 0 && isNumber(r);
    if (grains.mass)
      good = good && grains.mass[i] >= 0 && isNumber(grains.mass[i]);
    if (grains.velocity)
      good = good && areNumbers(grains.velocity, i);
    if (grains.angular_velocity)
      good = good && areNumbers(grains.angular_velocity, i);
    if (grains.temperature)
      good = good && isNumber(grains.temperature[i]);
    if (grains.material && species > 0)
      good = good && grains.material[i] >= 0 && grains.material[i] < species;
    if (!good)
      atomicLower(bad, i);
    if (grains.id && i > 0 && grains.id[i - 1] >= grains.id[i])
      atomicLower(unsorted, i);
  }
};

/// Grains in ascending Id.
struct PackedGrains
{
  std::uint32_t size;
  const Vec4<double>* position; // w: radius
  const Vec4<double>* velocity; // w: mass
  Vec4<double>* spin;           // w: 0; callers of pack() may use it
  const std::int32_t* material;
  const std::uint32_t* place; // index in the input
  const double* temperature;  // or null
};

struct GrainKeys
{
  const std::int64_t* id; // or null
  std::uint64_t* keys;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] =
      id ? static_cast<std::uint64_t>(id[i]) ^ 0x8000000000000000ull : i; // negative Ids come first
    place[i] = i;
  }
};

struct PackGrains
{
  const double *position_in, *radius_in, *mass_in, *velocity_in, *spin_in, *temperature_in;
  const std::int32_t* material_in;
  double density; // kg/m^3, of grains without a mass
  const std::uint32_t* place;
  Vec4<double>*position, *velocity, *spin;
  std::int32_t* material;
  double* temperature;

  DEM_HD static Vec3d at(const double* values, std::size_t i)
  {
    return values ? Vec3d{ values[3 * i], values[3 * i + 1], values[3 * i + 2] } : Vec3d{};
  }
  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::size_t i = place[k];
    const double r = radius_in[i];
    position[k] = vec4(at(position_in, i), r);
    velocity[k] = vec4(at(velocity_in, i),
      mass_in ? mass_in[i] : density * 4. / 3 * 3.14159265358979323846 * r * r * r);
    spin[k] = vec4(at(spin_in, i), 0.);
    material[k] = material_in ? material_in[i] : 0;
    if (temperature_in)
      temperature[k] = temperature_in[i];
  }
};

/// Stages and packs grains. Keeps its memory from use to use.
template <class Exec>
class GrainInput
{
public:
  explicit GrainInput(Exec& exec)
    : exec_(exec)
    , position_in_(exec)
    , radius_in_(exec)
    , mass_in_(exec)
    , velocity_in_(exec)
    , spin_in_(exec)
    , temperature_in_(exec)
    , id_in_(exec)
    , material_in_(exec)
    , found_(exec)
    , keys_(exec)
    , keys_other_(exec)
    , place_(exec)
    , place_other_(exec)
    , position_(exec)
    , velocity_(exec)
    , spin_(exec)
    , material_(exec)
    , temperature_(exec)
  {
  }

  /// The same grains in memory that kernels reach.
  Grains stage(const Grains& g)
  {
    requireReachable(exec_, g.memory);
    const std::size_t n = g.size;
    Grains out = g;
    out.position = position_in_(g.position, 3 * n, g.memory);
    out.radius = radius_in_(g.radius, n, g.memory);
    out.id = id_in_(g.id, n, g.memory);
    out.mass = mass_in_(g.mass, n, g.memory);
    out.velocity = velocity_in_(g.velocity, 3 * n, g.memory);
    out.angular_velocity = spin_in_(g.angular_velocity, 3 * n, g.memory);
    out.material = material_in_(g.material, n, g.memory);
    out.temperature = temperature_in_(g.temperature, n, g.memory);
    return out;
  }

  /// Packs staged grains. `density` (kg/m^3) gives a mass to grains without one. Throws dem::Error
  /// as requireGrain() does.
  PackedGrains pack(const Grains& g, double density, int species)
  {
    const std::size_t n = g.size;
    found_.assign({ n, n });
    exec_.forEach(n, CheckGrains{ g, species, found_.data(), found_.data() + 1 });
    const std::vector<unsigned long long> found = found_.host();
    if (found[0] < n)
      refuse(g, found[0], species);
    keys_.resize(n);
    place_.resize(n);
    const bool sorted = found[1] == n;
    exec_.forEach(n, GrainKeys{ sorted ? nullptr : g.id, keys_.data(), place_.data() });
    if (!sorted)
    {
      keys_other_.resize(n);
      place_other_.resize(n);
      sortPairs(exec_, keys_.data(), keys_other_.data(), place_.data(), place_other_.data(), n, 64);
    }
    position_.resize(n);
    velocity_.resize(n);
    spin_.resize(n);
    material_.resize(n);
    temperature_.resize(g.temperature ? n : 0);
    exec_.forEach(n,
      PackGrains{ g.position, g.radius, g.mass, g.velocity, g.angular_velocity, g.temperature,
        g.material, density, place_.data(), position_.data(), velocity_.data(), spin_.data(),
        material_.data(), temperature_.data() });
    return { static_cast<std::uint32_t>(n), position_.data(), velocity_.data(), spin_.data(),
      material_.data(), place_.data(), g.temperature ? temperature_.data() : nullptr };
  }

private:
  void refuse(const Grains& g, std::size_t i, int species)
  {
    double position[3], radius[3], mass[3], velocity[3], spin[3], temperature[3];
    std::int64_t id[3] = { static_cast<std::int64_t>(i), 0, 0 };
    std::int32_t material[3];
    Grains one;
    one.size = 1;
    one.position = fetched(exec_, g.position, i, 3, position);
    one.radius = fetched(exec_, g.radius, i, 1, radius);
    fetched(exec_, g.id, i, 1, id);
    one.id = id;
    one.mass = fetched(exec_, g.mass, i, 1, mass);
    one.velocity = fetched(exec_, g.velocity, i, 3, velocity);
    one.angular_velocity = fetched(exec_, g.angular_velocity, i, 3, spin);
    one.material = fetched(exec_, g.material, i, 1, material);
    one.temperature = fetched(exec_, g.temperature, i, 1, temperature);
    requireGrain(one, i, species);
  }

  Exec& exec_;
  Input<double, Exec> position_in_, radius_in_, mass_in_, velocity_in_, spin_in_, temperature_in_;
  Input<std::int64_t, Exec> id_in_;
  Input<std::int32_t, Exec> material_in_;
  Array<unsigned long long, Exec> found_;
  Array<std::uint64_t, Exec> keys_, keys_other_;
  Array<std::uint32_t, Exec> place_, place_other_;
  Array<Vec4<double>, Exec> position_, velocity_, spin_;
  Array<std::int32_t, Exec> material_;
  Array<double, Exec> temperature_;
};

} // namespace detail
} // namespace dem
