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

/// The chains at one time, by Id.
struct ChainRecord
{
  double time = 0;                   ///< s
  HostArray<std::int64_t> start, id; ///< as in ForceChains; the memory is shared
  HostArray<double> place;

  std::size_t size() const { return start.empty() ? 0 : start.size() - 1; }
};

/// Keeps what compareChains() needs of the chains at `time` (s), without copies.
ChainRecord recordChains(const ForceChains& chains, double time);

enum class ChainEventKind
{
  Birth, ///< a later chain none of whose links was in an earlier chain
  Death, ///< an earlier chain none of whose links is in a later chain
  /// Three successive grains of an earlier chain bent (Tordesillas 2007, Phil. Mag. 87, 4987).
  Buckling
};

struct ChainEvent
{
  ChainEventKind kind;
  std::int64_t chain;  ///< number of the chain; of a birth at the later time, else at the earlier
  std::int64_t grain;  ///< Id of the chain's first grain; of a buckling that of the middle grain
  std::int64_t grains; ///< number of grains in the chain
  double angle = 0;    ///< rad: change of the angle between the two links of a buckling
  double place[3];     ///< m, of that grain at the chain's time
};

/// Events from `earlier` to `later`: births, deaths, then bucklings by more than `angle` (rad, >=
/// 0). `later_grains`: the grains of the later time, in host memory. Grains that left or crossed a
/// periodic border do not buckle. Throws dem::Error for an invalid angle and for repeated Ids.
std::vector<ChainEvent> compareChains(
  const ChainRecord& earlier, const ChainRecord& later, const Grains& later_grains, double angle);

} // namespace dem
