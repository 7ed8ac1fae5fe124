// Counts collisions from the contacts of frames. Also used by paragrain-validate, so without
// GoogleTest.
#pragma once

#include "Measure/Frame.h"

#include <cstdint>
#include <set>
#include <utility>

namespace test
{

class Collisions
{
public:
  /// Adds the contacts that the frame before did not have.
  void look(const dem::Frame& f)
  {
    std::set<std::pair<std::int64_t, std::int64_t>> now;
    for (std::size_t c = 0; c < f.contacts.size; ++c)
    {
      now.emplace(f.contacts.ids[2 * c], f.contacts.ids[2 * c + 1]);
    }
    for (const auto& pair : now)
    {
      count_ += touching_.count(pair) == 0;
    }
    touching_.swap(now);
  }
  std::size_t count() const { return count_; }

private:
  std::set<std::pair<std::int64_t, std::int64_t>> touching_;
  std::size_t count_ = 0;
};

} // namespace test
