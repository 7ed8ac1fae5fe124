// Host arrays on a device: copied where it has a memory of its own, used in place on the CPU. And grains packed in ascending Id.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Vec.h"

#include <cstdint>

namespace dem
{
namespace detail
{

inline int bitsOf(std::uint64_t largest)
{
  int bits = 1;
  while (bits < 64 && largest >> bits)
    ++bits;
  return bits;
}

/// An array that is read; null stays null.
template <class T, class Exec>
class Input
{
public:
  explicit Input(Exec& exec)
    : exec_(exec)
    , copy_(exec)
  {
  }
  const T* operator()(const T* host, std::size_t n)
  {
    if (!host || !Exec::kDevice)
      return host;
    copy_.resize(n);
    exec_.toDevice(copy_.data(), host, n * sizeof(T));
    return copy_.data();
  }

private:
  Exec& exec_;
  Array<T, Exec> copy_;
};

/// An array that is written: get a place, compute, then finish. Null: a field that nobody wants.
template <class T, class Exec>
class Output
{
public:
  explicit Output(Exec& exec)
    : exec_(exec)
    , copy_(exec)
  {
  }
  T* operator()(T* host, std::size_t n)
  {
    host_ = host;
    n_ = n;
    if (!host || !Exec::kDevice)
      return host;
    copy_.resize(n);
    return copy_.data();
  }
  void finish()
  {
    if (host_ && Exec::kDevice)
      exec_.toHost(host_, copy_.data(), n_ * sizeof(T));
  }

private:
  Exec& exec_;
  Array<T, Exec> copy_;
  T* host_ = nullptr;
  std::size_t n_ = 0;
};

/// Grain k in ascending Id.
struct PackedGrains
{
  std::uint32_t size;
  const Vec4<double>* position; // w: radius
  const Vec4<double>* velocity; // w: mass
  const Vec4<double>* spin;     // w: unused
  const std::int32_t* material;
  const std::uint32_t* place;   // index in the input
};

struct GrainKeys
{
  const std::int64_t* id; // or null
  std::uint64_t* keys;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] = id ? static_cast<std::uint64_t>(id[i]) ^ 0x8000000000000000ull : i; // negative ones first
    place[i] = i;
  }
};

struct PackGrains
{
  const double *position_in, *radius_in, *mass_in, *velocity_in, *spin_in;
  const std::int32_t* material_in;
  double density; // kg/m^3, of grains without a mass
  const std::uint32_t* place;
  Vec4<double>*position, *velocity, *spin;
  std::int32_t* material;

  DEM_HD static Vec3d at(const double* values, std::size_t i)
  {
    return values ? Vec3d{ values[3 * i], values[3 * i + 1], values[3 * i + 2] } : Vec3d{};
  }
  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::size_t i = place[k];
    const double r = radius_in[i];
    position[k] = vec4(at(position_in, i), r);
    velocity[k] = vec4(at(velocity_in, i), mass_in ? mass_in[i] : density * 4. / 3 * 3.14159265358979323846 * r * r * r);
    spin[k] = vec4(at(spin_in, i), 0.);
    material[k] = material_in ? material_in[i] : 0;
  }
};

template <class Exec>
class GrainData
{
public:
  explicit GrainData(Exec& exec)
    : exec_(exec)
    , position_in_(exec)
    , radius_in_(exec)
    , mass_in_(exec)
    , velocity_in_(exec)
    , spin_in_(exec)
    , id_in_(exec)
    , material_in_(exec)
    , keys_(exec)
    , keys_other_(exec)
    , place_(exec)
    , place_other_(exec)
    , position_(exec)
    , velocity_(exec)
    , spin_(exec)
    , material_(exec)
  {
  }

  PackedGrains pack(const Grains& g, double density)
  {
    const std::size_t n = g.size;
    bool sorted = true;
    for (std::size_t i = 1; sorted && g.id && i < n; ++i)
      sorted = g.id[i - 1] < g.id[i];
    keys_.resize(n);
    place_.resize(n);
    exec_.forEach(n, GrainKeys{ sorted ? nullptr : id_in_(g.id, n), keys_.data(), place_.data() });
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
    exec_.forEach(n,
      PackGrains{ position_in_(g.position, 3 * n), radius_in_(g.radius, n), mass_in_(g.mass, n), velocity_in_(g.velocity, 3 * n),
        spin_in_(g.angular_velocity, 3 * n), material_in_(g.material, n), density, place_.data(), position_.data(), velocity_.data(),
        spin_.data(), material_.data() });
    return { static_cast<std::uint32_t>(n), position_.data(), velocity_.data(), spin_.data(), material_.data(), place_.data() };
  }

private:
  Exec& exec_;
  Input<double, Exec> position_in_, radius_in_, mass_in_, velocity_in_, spin_in_;
  Input<std::int64_t, Exec> id_in_;
  Input<std::int32_t, Exec> material_in_;
  Array<std::uint64_t, Exec> keys_, keys_other_;
  Array<std::uint32_t, Exec> place_, place_other_;
  Array<Vec4<double>, Exec> position_, velocity_, spin_;
  Array<std::int32_t, Exec> material_;
};

} // namespace detail
} // namespace dem
