// Hashes of numbers for the fingerprints of FlowSurface and FlowCounter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dem
{
namespace detail
{

/// A hash of a number after those before it.
inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t bits)
{
  hash = (hash ^ bits) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

/// The same for n values; nothing for null.
template <class T>
std::uint64_t mixed(std::uint64_t hash, const T* values, std::size_t n)
{
  for (std::size_t i = 0; values && i < n; ++i)
  {
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + i, sizeof(T));
    hash = mixed(hash, bits);
  }
  return hash;
}

} // namespace detail
} // namespace dem
