// The number of grains of each species. Used by the statistics of mixing.
#pragma once

#include "Analysis/Grains.h"

#include <cstdint>
#include <map>
#include <vector>

namespace dem
{
namespace detail
{

struct SpeciesTotals
{
  std::map<std::int32_t, double> count;

  void add(const std::vector<std::int32_t>& species)
  {
    double* last = nullptr; // of the previous grain, which mostly has the same species
    std::int32_t which = 0;
    for (const std::int32_t s : species)
    {
      if (!last || s != which)
      {
        last = &count[s];
        which = s;
      }
      ++*last;
    }
  }
};

/// The same grains with positions and radii only.
inline Grains placesOf(const Grains& grains)
{
  Grains places = grains;
  places.id = nullptr;
  places.mass = places.velocity = places.angular_velocity = nullptr;
  places.material = nullptr;
  return places;
}

} // namespace detail
} // namespace dem
