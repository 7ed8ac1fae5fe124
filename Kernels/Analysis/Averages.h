// Averaged fields: what cell average and coarse graining give, and the memory they ask for.
#pragma once

#include "Analysis/Grains.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// One averaged field. Symmetric tensors have six components, xx yy zz xy yz xz, and tension is positive.
struct AveragedField
{
  std::string name;
  int components = 1;
  /// Number of the field by which a mean over time weighs this one: the mass density for what is a mean over mass. -1: every time counts
  /// alike, as for a density.
  int weight = -1;
};

/// Throws dem::Error when `bytes` pass `limit`: `what` "would take 3.1 GiB ...", then `cure`.
void requireMemory(const std::string& what, double bytes, double limit, const std::string& cure);

/// Throws dem::Error naming the first grain or contact that cannot be averaged.
void checkGrains(const Grains& grains);
void checkContacts(const Grains& grains, const GrainContacts& contacts);

} // namespace dem
