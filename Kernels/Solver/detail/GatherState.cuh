// Bringing the particles' data into a new order, several arrays in one pass.
#pragma once

#include "NeighborList/BuildList.cuh"
#include "Solver/State.cuh"

namespace dem
{

/// The arrays that have somewhere to go.
template <class Real>
struct GatherState
{
  const std::uint32_t* index; // of the particle that comes to each place
  GatherArray<Vec4<double>> wide{};
  GatherArray<Vec4<Real>> narrow[4]{};
  GatherArray<std::int64_t> id{};
  Vec3d* places = nullptr; // a copy of `wide`'s
  GatherArray<Traveled<Real>> traveled{}; // whose paths begin anew

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t from = index[i];
    gather(wide, i, from);
    for (int k = 0; k < 4; ++k)
      gather(narrow[k], i, from);
    gather(id, i, from);
    if (places)
      places[i] = wide.to[i].xyz();
    if (traveled.to)
      traveled.to[i] = { traveled.from[from].turned_z, Real(0) };
  }

private:
  template <class T>
  DEM_HD static void gather(const GatherArray<T>& array, std::uint32_t to, std::uint32_t from)
  {
    if (array.to)
      array.to[to] = array.from[from];
  }
};

/// Lists are made of the places where particles are: their paths begin there.
template <class Real>
struct BeginPaths
{
  const Vec4<double>* position;
  Vec3d* listed;
  Traveled<Real>* traveled;

  DEM_HD void operator()(std::uint32_t i) const
  {
    listed[i] = position[i].xyz();
    traveled[i].path = Real(0);
  }
};

} // namespace dem
