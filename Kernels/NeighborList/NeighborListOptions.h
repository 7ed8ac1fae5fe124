// How candidate pairs are kept between searches and who evaluates them: the kinds of Kureck 2016,
// chapters 4 and 5, and of Nakahara and Washizawa (split loops).
#pragma once

namespace dem
{

enum class NeighborListKind
{
  Automatic, ///< rows one behind the other, each pair evaluated once, sums in the order of Ids: the
             ///< fastest here
  Static,    ///< slots of a fixed number a particle (Kureck 4.1)
  Dynamic,   ///< one list of pairs that grows when it overflows (Kureck 4.2)
  Hybrid,    ///< slots, and what does not fit in a list of pairs (Kureck 4.3)
  None, ///< no list: search and force are one loop, as before Kureck's separation and Nakahara's
        ///< split
  SplitLoop ///< no list: each step finds what touches, then computes its forces (Nakahara 3.4)
};

enum class ThreadPer
{
  Particle,      ///< a thread goes through the row of its particle
  Contact,       ///< a thread takes one entry; a second loop adds the entries of a particle
  ContactReduced ///< a thread takes one entry; threads of a warp add them (Kureck 5.1). On the CPU,
                 ///< which has no warps, as Contact
};

struct NeighborListOptions
{
  NeighborListKind kind = NeighborListKind::Automatic;
  /// Static, Hybrid: slots a particle; None, Split Loop: slots for what touches a particle. 0 =
  /// tuned from counts, else 1 to 65535.
  int static_size = 0;
  /// Static, Dynamic, Hybrid: each pair stands in the row of its lower Id only (Kureck 5.3), and
  /// its forces are summed by atomics, in an order of chance: two runs differ by rounding.
  bool symmetric = false;
  ThreadPer thread_per = ThreadPer::Particle; ///< all but Automatic and None

  bool operator==(const NeighborListOptions& o) const
  {
    return kind == o.kind && static_size == o.static_size && symmetric == o.symmetric &&
      thread_per == o.thread_per;
  }

  /// Whether candidates are visited in every step.
  bool everyStep() const
  {
    return kind == NeighborListKind::None || kind == NeighborListKind::SplitLoop;
  }
};

/// The names that files, panels and the benchmark use, in the order of the enumerations.
inline constexpr const char* kNeighborListNames[] = { "Automatic", "Static", "Dynamic", "Hybrid",
  "None", "Split Loop" };
inline constexpr const char* kThreadPerNames[] = { "Particle", "Contact",
  "Contact, Warp Reduction" };

} // namespace dem
