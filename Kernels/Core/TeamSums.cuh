// Sums in double precision over any number of values, in an order that does not depend on the
// number of threads.
#pragma once

#include "Core/Array.h"
#include "Core/Team.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Values that one team adds.
constexpr std::uint32_t kSumTeam = 256;
inline std::size_t sumTeams(std::size_t count) { return (count + kSumTeam - 1) / kSumTeam; }

/// Adds each(i) of all i in double precision, by teams of fixed size.
template <class Each>
struct TeamSums
{
  static constexpr unsigned kThreads = 256;
  struct Shared
  {
    double scratch[32];
  };
  Each each;
  std::uint32_t count;
  double* part;
  const bool* done; // or null; if it is true, the kernel does nothing

  DEM_HD void operator()(std::uint32_t team, Shared& shared) const
  {
    if (done && *done)
      return;
    const std::uint32_t begin = team * kSumTeam,
                        end = count - begin < kSumTeam ? count : begin + kSumTeam;
    double sum = 0;
    teamFor(begin, end, [&](std::uint32_t i) { sum += each(i); });
    sum = teamSum(sum, shared.scratch);
    if (teamFirst())
      part[team] = sum;
  }
};

/// Adds the parts and calls then(sum) on the device.
template <class Then>
struct SumParts
{
  static constexpr unsigned kThreads = 1024;
  struct Shared
  {
    double scratch[32];
  };
  const double* part;
  std::uint32_t parts;
  Then then;

  DEM_HD void operator()(std::uint32_t, Shared& shared) const
  {
    double sum = 0;
    teamFor(0, parts, [&](std::uint32_t i) { sum += part[i]; });
    sum = teamSum(sum, shared.scratch);
    if (teamFirst())
      then(sum);
  }
};

struct KeepSum
{
  double* to;
  DEM_HD void operator()(double sum) const { *to = sum; }
};

/// Sums of doubles, on the device or read back to the host.
template <class Exec>
class TeamReduction
{
public:
  explicit TeamReduction(Exec& exec)
    : exec_(exec)
  {
  }

  /// Queues the sum of each(i) over i < count; the device passes it to then(sum). Does nothing if
  /// `done` is given and true.
  template <class Each, class Then>
  void queue(std::size_t count, const Each& each, const bool* done, const Then& then)
  {
    const std::size_t teams = sumTeams(count);
    partial_.resize(teams);
    exec_.forEachBlock(
      teams, TeamSums<Each>{ each, static_cast<std::uint32_t>(count), partial_.data(), done });
    exec_.forEachBlock(
      1, SumParts<Then>{ partial_.data(), static_cast<std::uint32_t>(teams), then });
  }
  /// The sum of each(i) over i < count.
  template <class Each>
  double sum(std::size_t count, const Each& each)
  {
    sum_.resize(1);
    queue(count, each, nullptr, KeepSum{ sum_.data() });
    return read();
  }
  /// The sum of numbers in the device's memory.
  double sumOf(const double* parts, std::uint32_t count)
  {
    sum_.resize(1);
    exec_.forEachBlock(1, SumParts<KeepSum>{ parts, count, { sum_.data() } });
    return read();
  }

private:
  double read()
  {
    double value = 0;
    exec_.toHost(&value, sum_.data(), sizeof value);
    exec_.synchronize();
    return value;
  }

  Exec& exec_;
  Array<double, Exec> partial_{ exec_ }, sum_{ exec_ };
};

} // namespace dem
