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
  /// One thread an entry; the threads of a warp sum them in the order of Ids. The CPU has no warps
  /// and uses Contact.
  ContactReduced,
  /// One thread an entry; the threads of a warp sum by halving: the slots of a particle (Kureck
  /// 5.1), and the pairs whose owners are found equal by a vote (5.2, after Westphal 2015). One
  /// thread adds the sum by atomics. The CPU has no warps: each thread adds by atomics.
  ContactHalving
};

/// Order of the entries of Static, Dynamic and Hybrid lists.
enum class ListOrder
{
  Sorted,  ///< by particle and neighbour Id
  Unsorted ///< as the search found them (Kureck 4.2.3); forces are summed by atomics
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
  /// Static, Dynamic, Hybrid. Unsorted lists store no history, because a contact is found again by
  /// its sorted row (Kureck 5.5). With ThreadPer Particle, a Hybrid list has a thread for the slots
  /// of a particle and one for each pair beyond them.
  ListOrder order = ListOrder::Sorted;

  bool operator==(const NeighborListOptions& o) const
  {
    return kind == o.kind && static_size == o.static_size && symmetric == o.symmetric &&
      thread_per == o.thread_per && order == o.order;
  }

  /// Whether forces are summed by atomics, in an order that varies.
  bool addsByAtomics() const
  {
    return symmetric || order == ListOrder::Unsorted || thread_per == ThreadPer::ContactHalving;
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
inline constexpr const char* kThreadPerNames[] = { "Particle", "Contact", "Contact, Warp Reduction",
  "Contact, Halving Reduction" };
inline constexpr const char* kListOrderNames[] = { "Sorted", "Unsorted" };

} // namespace dem
