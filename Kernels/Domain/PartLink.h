// Connection between the parts of a run. Used by Subdomain.cuh, Halo.cuh and Solver/RunParts.cuh.
#pragma once

#include "Core/Error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace dem
{

/// Thrown in a part if another one failed.
class OtherPartFailed : public Error
{
public:
  explicit OtherPartFailed(const std::string& message)
    : Error(message)
  {
  }
};

/// Each part calls the same functions in the same order. They throw OtherPartFailed if a part
/// failed.
class PartLink
{
public:
  using Bytes = std::vector<std::uint8_t>;

  virtual ~PartLink() = default;

  virtual int parts() const = 0;
  /// True if the parts are in one process and find each other's data by pointers.
  virtual bool sharesMemory() const = 0;
  /// Waits until all parts have called it.
  virtual void await(int own) = 0;
  /// Sends out[p] to part p, and returns what each part sent here. Only without shared memory.
  virtual std::vector<Bytes> exchange(int own, const std::vector<Bytes>& out) = 0;

  /// Returns the values of all parts, by part. Value is trivially copyable.
  template <class Value>
  std::vector<Value> gather(int own, const Value& value)
  {
    std::vector<Value> all(parts());
    gatherBytes(own, &value, sizeof value, all.data());
    return all;
  }
  template <class Value>
  Value most(int own, const Value& value)
  {
    const std::vector<Value> all = gather(own, value);
    return *std::max_element(all.begin(), all.end());
  }
  template <class Value>
  Value least(int own, const Value& value)
  {
    const std::vector<Value> all = gather(own, value);
    return *std::min_element(all.begin(), all.end());
  }
  bool any(int own, bool value) { return most(own, value ? 1 : 0) != 0; }
  /// Adds up each value over all parts; each part has as many.
  void sum(int own, std::vector<long long>& values)
  {
    const std::size_t n = values.size();
    std::vector<long long> all(n * parts());
    gatherBytes(own, values.data(), n * sizeof(long long), all.data());
    for (std::size_t k = 0; k < n; ++k)
    {
      values[k] = 0;
      for (std::size_t of = k; of < all.size(); of += n)
        values[k] += all[of];
    }
  }

protected:
  virtual void gatherBytes(int own, const void* value, std::size_t bytes, void* all) = 0;
};

/// The part of a run that an engine computes.
struct PartOfRun
{
  PartLink* link = nullptr; // null: the engine computes the whole run
  int part = 0;
  bool peer_access = true; // kernels read the memory of other devices where they can
};

} // namespace dem
