// Stresses of grains from their contacts, and their loads. Used by ForceChainsOn.cuh.
#pragma once

#include "Analysis/SymmetricEigen.cuh"
#include "Analysis/detail/ContactInput.cuh"
#include "Analysis/detail/IncidentContacts.cuh"
#include "Core/FixedSum.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{
namespace detail
{

/// Stress of each grain after Love and Weber: the sum over its contacts of force times arm, divided
/// by its volume; only the symmetric part is kept. Also the size of its most compressive principal
/// value (the load) and the direction of it. One thread per grain adds its contacts in ascending
/// number.
struct StressGrains
{
  ContactsOnDevice contacts;
  const double *point, *radius;
  IncidentContacts rows;
  double *stress, *load, *direction;

  DEM_HD void operator()(unsigned i) const
  {
    Symmetric3 s;
    for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k)
    {
      const std::size_t c = rows.entry[k] / 2;
      const bool second = rows.entry[k] & 1;
      Vec3d f = vectorAt(contacts.normal_force, c);
      if (contacts.tangential_force)
        f = f + vectorAt(contacts.tangential_force, c);
      if (second)
        f = -1. * f;
      const Vec3d arm =
        vectorAt(point, c) - vectorAt(second ? contacts.second_place : contacts.first_place, c);
      s.xx += f.x * arm.x;
      s.yy += f.y * arm.y;
      s.zz += f.z * arm.z;
      s.xy += 0.5 * (f.x * arm.y + f.y * arm.x);
      s.yz += 0.5 * (f.y * arm.z + f.z * arm.y);
      s.xz += 0.5 * (f.x * arm.z + f.z * arm.x);
    }
    const double r = radius[i], per_volume = 1 / (4. / 3. * 3.14159265358979323846 * r * r * r);
    double* out = stress + 6 * std::size_t(i);
    const double values[6] = { s.xx, s.yy, s.zz, s.xy, s.yz, s.xz };
    for (int k = 0; k < 6; ++k)
      out[k] = per_volume * values[k];
    const Eigen3 e = symmetricEigen({ out[0], out[1], out[2], out[3], out[4], out[5] });
    load[i] = e.value[0] < 0 ? -e.value[0] : 0;
    for (int k = 0; k < 3; ++k)
      direction[3 * std::size_t(i) + k] = e.vector[0][k];
  }
};

/// Sum of the loads of the grains that have contacts.
struct LoadSum
{
  double load;
  std::uint64_t grains;
};

/// One thread per block of kSumBlock grains.
struct SumLoads
{
  IncidentContacts rows;
  const double* load;
  std::size_t n;
  LoadSum* partial;

  DEM_HD void operator()(unsigned block) const
  {
    LoadSum sum{};
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < n ? begin + kSumBlock : n;
    for (std::size_t i = begin; i < end; ++i)
      if (rows.start[i] < rows.start[i + 1])
      {
        sum.load += load[i];
        ++sum.grains;
      }
    partial[block] = sum;
  }
};

/// Mean load of the grains that have contacts; 0 if none has. `load`: readable by kernels.
template <class Exec>
double meanLoad(Exec& exec, const IncidentContacts& rows, const double* load, std::size_t n)
{
  Array<LoadSum, Exec> partial(exec);
  partial.resize(sumBlocks(n));
  exec.forEach(sumBlocks(n), SumLoads{ rows, load, n, partial.data() });
  LoadSum sum{};
  for (const LoadSum& part : partial.host())
  {
    sum.load += part.load;
    sum.grains += part.grains;
  }
  return sum.grains ? sum.load / static_cast<double>(sum.grains) : 0;
}

} // namespace detail
} // namespace dem
