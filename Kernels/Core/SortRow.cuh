// Sorting of one short row of entries by one thread.
#pragma once

#include "Core/HostDevice.h"

#include <cstdint>

namespace dem
{

/// Sorts row[0 .. n) in ascending order of key(entry). Keys must be distinct.
template <class Row, class Key>
DEM_HD void sortRow(Row row, std::uint32_t n, const Key& key)
{
  if (n <= 24)
  {
    for (std::uint32_t s = 1; s < n; ++s)
    {
      const std::uint32_t entry = row[s];
      const auto k = key(entry);
      std::uint32_t t = s;
      for (; t > 0 && key(row[t - 1]) > k; --t)
        row[t] = row[t - 1];
      row[t] = entry;
    }
    return;
  }
  // heap sort for the long rows of large particles among small ones
  const auto sift = [&](std::uint32_t root, std::uint32_t end) {
    const std::uint32_t entry = row[root];
    const auto k = key(entry);
    for (std::uint32_t child = 2 * root + 1; child < end; child = 2 * root + 1)
    {
      if (child + 1 < end && key(row[child]) < key(row[child + 1]))
        ++child;
      if (!(k < key(row[child])))
        break;
      row[root] = row[child];
      root = child;
    }
    row[root] = entry;
  };
  for (std::uint32_t r = n / 2; r-- > 0;)
    sift(r, n);
  for (std::uint32_t end = n - 1; end > 0; --end)
  {
    const std::uint32_t largest = row[0];
    row[0] = row[end];
    row[end] = largest;
    sift(0, end);
  }
}

} // namespace dem
