// Contacts of a network staged for kernels, with or without contacts with walls. Used by
// ContactNetworkOn.cuh.
#pragma once

#include "Analysis/Grains.h"
#include "Analysis/detail/ContactInput.cuh"
#include "Analysis/detail/Staging.h"
#include "Core/Algorithms.h"
#include "Core/Array.h"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace dem
{
namespace detail
{

/// Marks contacts between two grains.
struct MarkPairs
{
  const std::int64_t* second;
  std::uint32_t* pair;

  DEM_HD void operator()(unsigned c) const { pair[c] = second[c] >= 0 ? 1 : 0; }
};

/// Copies `components` values of each kept contact, without gaps.
template <class T>
struct KeepValues
{
  const std::uint32_t *kept, *number;
  const T* from;
  int components;
  T* to;

  DEM_HD void operator()(unsigned c) const
  {
    if (kept[c])
      for (int k = 0; k < components; ++k)
        to[std::size_t(components) * number[c] + k] = from[std::size_t(components) * c + k];
  }
};

/// Contacts in memory that kernels reach: all of them, or only those between two grains.
template <class Exec>
class NetworkContacts
{
public:
  explicit NetworkContacts(Exec& exec)
    : exec_(exec)
    , input_(exec)
    , point_(exec)
    , overlap_(exec)
    , sliding_(exec)
    , kept_(exec)
    , number_(exec)
    , first_(exec)
    , second_(exec)
    , pair_sliding_(exec)
  {
    for (int k = 0; k < 6; ++k)
      values_.emplace_back(exec);
  }

  /// `walls`: false drops the contacts with walls. The result is valid as long as this object.
  GrainContacts take(const GrainContacts& given, bool walls)
  {
    const ContactsOnDevice staged = input_.stage(given);
    const std::size_t n = given.size;
    GrainContacts c = given;
    if constexpr (Exec::kDevice)
      c.memory = exec_.ordinal();
    c.first = staged.first;
    c.second = staged.second;
    c.first_place = staged.first_place;
    c.second_place = staged.second_place;
    c.normal_force = staged.normal_force;
    c.tangential_force = staged.tangential_force;
    c.point = point_(given.point, 3 * n, given.memory);
    c.overlap = overlap_(given.overlap, n, given.memory);
    c.sliding = sliding_(given.sliding, n, given.memory);
    if (walls || n == 0)
      return c;
    kept_.resize(n);
    number_.resize(n + 1);
    exec_.forEach(n, MarkPairs{ c.second, kept_.data() });
    const std::size_t m =
      static_cast<std::size_t>(scanCounts(exec_, kept_.data(), number_.data(), n));
    if (m == n)
      return c;
    c.size = m;
    c.first = keep(c.first, n, m, 1, first_);
    c.second = keep(c.second, n, m, 1, second_);
    c.first_place = keep(c.first_place, n, m, 3, values_[0]);
    c.second_place = keep(c.second_place, n, m, 3, values_[1]);
    c.point = keep(c.point, n, m, 3, values_[2]);
    c.normal_force = keep(c.normal_force, n, m, 3, values_[3]);
    c.tangential_force = keep(c.tangential_force, n, m, 3, values_[4]);
    c.overlap = keep(c.overlap, n, m, 1, values_[5]);
    c.sliding = keep(c.sliding, n, m, 1, pair_sliding_);
    return c;
  }

private:
  template <class T>
  const T* keep(const T* from, std::size_t n, std::size_t m, int components, Array<T, Exec>& to)
  {
    if (!from)
      return nullptr;
    to.resize(components * m);
    exec_.forEach(n, KeepValues<T>{ kept_.data(), number_.data(), from, components, to.data() });
    return to.data();
  }

  Exec& exec_;
  ContactInput<Exec> input_;
  Input<double, Exec> point_, overlap_;
  Input<std::uint8_t, Exec> sliding_;
  Array<std::uint32_t, Exec> kept_, number_;
  Array<std::int64_t, Exec> first_, second_;
  Array<std::uint8_t, Exec> pair_sliding_;
  std::deque<Array<double, Exec>> values_;
};

} // namespace detail
} // namespace dem
