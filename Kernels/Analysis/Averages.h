// Averaged fields: what CellAverage and CoarseGraining share, their description, memory limit and
// checks of the input.
#pragma once

#include "Analysis/Grains.h"
#include "Core/HostArray.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// One averaged field. Symmetric tensors have six components, xx yy zz xy yz xz; tension is
/// positive.
struct AveragedField
{
  std::string name;
  int components = 1;
  /// Number of the field that weighs this one in a mean over time, or -1 for equal weights. Means
  /// over mass are weighed by the mass density; densities have equal weights.
  int weight = -1;
};

/// Sets Temperature to NaN where its weight is 0, since there is nothing that could have one.
/// `values` belong to `fields`.
void hideMissingTemperatures(
  const std::vector<AveragedField>& fields, std::vector<HostArray<double>>& values);

/// Throws dem::Error if `bytes` exceed `limit`: "`what` would take 3.1 GiB ...", then `cure`.
void requireMemory(const std::string& what, double bytes, double limit, const std::string& cure);

/// Throws dem::Error if the only grain of `one`, which has an Id, cannot be averaged: position,
/// velocity or spin not finite, radius <= 0, mass < 0, or material outside [0, species).
/// `number`: its index in the input. `species` = 0: any material is accepted.
void requireGrain(const Grains& one, std::size_t number, int species);
/// Throws dem::Error if the only contact of `one` refers to a grain outside [0, grains), or has a
/// place or force that is not finite. `number`: its index in the input.
void requireContact(const GrainContacts& one, std::size_t number, std::size_t grains);

} // namespace dem
