// Averaged fields: what cell average and coarse graining give, and the memory they ask for.
#pragma once

#include "Analysis/Grains.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// One averaged field. Symmetric tensors have six components, xx yy zz xy yz xz, and tension is
/// positive.
struct AveragedField
{
  std::string name;
  int components = 1;
  /// Number of the field by which a mean over time weighs this one: the mass density for what is a
  /// mean over mass. -1: every time counts alike, as for a density.
  int weight = -1;
};

/// Throws dem::Error when `bytes` pass `limit`: `what` "would take 3.1 GiB ...", then `cure`.
void requireMemory(const std::string& what, double bytes, double limit, const std::string& cure);

/// Throws dem::Error when a grain cannot be averaged: `one` holds it alone, with its Id; it is the
/// one with that number. `species` = 0: any material will do.
void requireGrain(const Grains& one, std::size_t number, int species);
/// The same for a contact of `grains` grains.
void requireContact(const GrainContacts& one, std::size_t number, std::size_t grains);

} // namespace dem
