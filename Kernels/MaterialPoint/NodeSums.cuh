// Sums over all nodes in double precision, in an order that does not depend on the number of
// threads.
#pragma once

#include "Core/Array.h"
#include "MaterialPoint/HessianProduct.cuh"

namespace mpm
{

/// Adds each(i) of all nodes in double precision, by teams of fixed size.
constexpr std::uint32_t kNodeTeam = 256;
inline std::size_t nodeTeams(std::size_t nodes) { return (nodes + kNodeTeam - 1) / kNodeTeam; }
template <class Each>
struct NodeSums
{
  static constexpr unsigned kThreads = 256;
  struct Shared
  {
    double scratch[32];
  };
  Each each;
  std::uint32_t nodes;
  double* part;
  const Solve* solve; // or null; if it is done, the kernel does nothing

  DEM_HD void operator()(std::uint32_t team, Shared& shared) const
  {
    if (solve && solve->done)
      return;
    const std::uint32_t begin = team * kNodeTeam,
                        end = nodes - begin < kNodeTeam ? nodes : begin + kNodeTeam;
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

/// a . b times the mass to the power mass_power.
template <class Real>
struct NodeDot
{
  const Vec4<Real>*a, *b;
  int mass_power; // -1, 0, 1

  DEM_HD double operator()(std::uint32_t i) const
  {
    const Vec4<Real> x = a[i];
    const double m = static_cast<double>(x.w);
    if (!(m > 0))
      return 0;
    const double d = dot(x.xyz().template as<double>(), b[i].xyz().template as<double>());
    return mass_power == 0 ? d : (mass_power > 0 ? d * m : d / m);
  }
};

/// Sums over nodes, on the device or read back to the host.
template <class Exec>
class NodeReduction
{
public:
  explicit NodeReduction(Exec& exec)
    : exec_(exec)
  {
  }

  /// Queues the sum of each(i) over all nodes; the device passes it to then(sum). Does nothing if
  /// `solve` is given and done.
  template <class Each, class Then>
  void queue(std::size_t nodes, const Each& each, const Solve* solve, const Then& then)
  {
    const std::size_t teams = nodeTeams(nodes);
    partial_.resize(teams);
    exec_.forEachBlock(
      teams, NodeSums<Each>{ each, static_cast<std::uint32_t>(nodes), partial_.data(), solve });
    exec_.forEachBlock(
      1, SumParts<Then>{ partial_.data(), static_cast<std::uint32_t>(teams), then });
  }
  /// The sum of each(i) over all nodes.
  template <class Each>
  double sum(std::size_t nodes, const Each& each)
  {
    sum_.resize(1);
    queue(nodes, each, nullptr, KeepSum{ sum_.data() });
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
  dem::Array<double, Exec> partial_{ exec_ }, sum_{ exec_ };
};

} // namespace mpm
