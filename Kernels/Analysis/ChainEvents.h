// Events of force chains between two times: births, deaths and bucklings.
#pragma once

#include "Analysis/ForceChains.h"
#include "Analysis/Grains.h"
#include "Core/HostArray.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{

/// Chains as they were at one time, by Id.
struct ChainRecord
{
  double time = 0;                   ///< s
  HostArray<std::int64_t> start, id; ///< as in ForceChains, whose memory they share
  HostArray<double> place;

  std::size_t size() const { return start.empty() ? 0 : start.size() - 1; }
};

ChainRecord recordChains(const ForceChains& chains, double time);

enum class ChainEventKind
{
  Birth,   ///< a chain of the later time none of whose links was in a chain before
  Death,   ///< a chain of the earlier time none of whose links is in a chain after
  Buckling ///< three grains in a row of an earlier chain that bent (Tordesillas 2007, Phil. Mag.
           ///< 87, 4987)
};

struct ChainEvent
{
  ChainEventKind kind;
  std::int64_t chain;  ///< number at the earlier time, of a birth at the later one
  std::int64_t grain;  ///< Id of its first grain, of a buckling of the middle one
  std::int64_t grains; ///< in the chain
  double angle = 0;    ///< rad: by how much three grains bent
  double place[3];     ///< m, of that grain at the chain's time
};

/// From `earlier` to `later`, whose grains are given too; births, deaths, then bucklings by more
/// than `angle` (rad). Grains that left, or that crossed a periodic border, do not buckle.
std::vector<ChainEvent> compareChains(
  const ChainRecord& earlier, const ChainRecord& later, const Grains& later_grains, double angle);

} // namespace dem
