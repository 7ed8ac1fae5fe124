// Options of the neighbour list: how candidate pairs are stored between searches, and which thread
// evaluates them. The kinds are those of Kureck 2016, chapters 4 and 5, and of Nakahara and
// Washizawa (split loops).
#pragma once

namespace dem
{

enum class NeighborListKind
{
  /// Contiguous rows; each pair is evaluated once; sums run in the order of Ids. The fastest kind
  /// here.
  Automatic,
  Static,   ///< a fixed number of slots a particle (Kureck 4.1)
  Dynamic,  ///< one list of pairs that grows when it overflows (Kureck 4.2)
  Hybrid,   ///< slots, and a list of pairs for entries beyond them (Kureck 4.3)
  None,     ///< no list: one loop searches and computes forces in every step
  SplitLoop ///< no list: each step finds touching pairs, then their forces (Nakahara 3.4)
};

enum class ThreadPer
{
  Particle, ///< one thread a particle: it processes the row
  Contact,  ///< one thread an entry; a second loop sums the entries of each particle
  /// One thread an entry; the threads of a warp sum them (Kureck 5.1). The CPU has no warps and
  /// uses Contact.
  ContactReduced
};

struct NeighborListOptions
{
  NeighborListKind kind = NeighborListKind::Automatic;
  /// Static, Hybrid: slots a particle. None, Split Loop: slots for touching pairs of a particle. 0:
  /// chosen from the counts found; else 1 to 65535.
  int static_size = 0;
  /// Static, Dynamic, Hybrid: store each pair only in the row of its lower Id (Kureck 5.3). Forces
  /// are summed by atomics in an order that varies, so two runs differ by rounding.
  bool symmetric = false;
  ThreadPer thread_per = ThreadPer::Particle; ///< for all kinds except Automatic and None

  bool operator==(const NeighborListOptions& o) const
  {
    return kind == o.kind && static_size == o.static_size && symmetric == o.symmetric &&
      thread_per == o.thread_per;
  }

  /// Whether candidates are searched in every step.
  bool everyStep() const
  {
    return kind == NeighborListKind::None || kind == NeighborListKind::SplitLoop;
  }
};

/// Names used by files, panels and benchmarks, in the order of the enumerations.
inline constexpr const char* kNeighborListNames[] = { "Automatic", "Static", "Dynamic", "Hybrid",
  "None", "Split Loop" };
inline constexpr const char* kThreadPerNames[] = { "Particle", "Contact",
  "Contact, Warp Reduction" };

} // namespace dem
