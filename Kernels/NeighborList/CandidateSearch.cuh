// Every broad phase behind one face: it orders particle data, builds what the chosen method
// searches in, and counts and fills the rows of a list. The kernels are compiled once a device
// (SearchCpu.cpp, SearchCuda.cu), whatever the precision.
#pragma once

#include "BroadPhase/BroadPhaseOptions.h"
#include "BroadPhase/BvhSearch.cuh"
#include "BroadPhase/HashedGrid.cuh"
#include "BroadPhase/HierarchicalGrid.cuh"
#include "BroadPhase/LinkedCells.cuh"
#include "Core/Array.h"
#include "NeighborList/ListView.cuh"
#include "NeighborList/SlotList.cuh"
#include "NeighborList/StepSearch.cuh"

#include <cstdint>
#include <vector>

namespace dem
{

/// The particles that are searched.
struct SearchedCloud
{
  const Vec4<double>* position; // w = radius
  std::uint32_t n;
  Periodic box;
  double skin;
  double radius_max;
};

template <class Real>
struct OldRows;

template <class Exec>
class CandidateSearch
{
public:
  explicit CandidateSearch(Exec& exec)
    : exec_(exec)
  {
  }

  /// `radii` of all particles to come, in any order.
  void choose(const BroadPhaseOptions& options, const std::vector<double>& radii);

  /// Begins to measure where the particles are: two corners, on the device. takeBounds() with what
  /// was read has later grids fit.
  void queueBounds(const SearchedCloud& cloud, Vec3d* corners);
  void takeBounds(const Vec3d (&corners)[2]);
  /// The corners that are known, those of the box along periodic axes.
  const Vec3d& lower() const { return lower_; }
  const Vec3d& upper() const { return upper_; }

  /// Fills `index` with the order that suits the method, gone particles last. `cloud` may hold gone
  /// ones.
  void order(const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other);
  /// The same, or all but its last step, which the caller then does with `places` (that are
  /// otherwise null).
  void order(const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other,
    CellPlaces& places);
  /// The present order, gone particles last.
  void dropGone(const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other);

  /// `cloud` holds none that is gone; `ordered`: its data were just brought into the order that
  /// order() gave.
  void build(const SearchedCloud& cloud, bool ordered);
  /// Candidates of each particle.
  void count(std::uint32_t* counts);
  /// The rows, sorted by Id. Each has room for what count() gave, which `list.count` holds.
  void fill(const ListView& list, const std::int64_t* id);
  /// Rows with flags and history, on CUDA; also(i) for the first also.n particles on the way;
  /// `beside`: that may be done beside the kernel queued last (CudaExec::forEachBlockBeside). Says
  /// no, and does nothing, with a half search.
  template <class Real, class Also>
  bool queueRows(const NewRows& rows, const OldRows<Real>& old, const Also& also, bool beside);

  /// Puts all candidates into a list of slots and pairs, in any order; its counts are set.
  void emit(const CandidateSink& sink);
  /// Of a Sorted Grid in row-major order or a BVH: candidates at the positions that build() saw,
  /// which must stand where they stood.
  StepSearch stepSearch() const;
  /// Calls `call` with the search that build() made, for a loop of one's own (which includes
  /// detail/CandidateSearchImpl.cuh).
  template <class Call>
  void withSearch(const Call& call);

  SearchChoice choice() const;

  /// Whether queueRows() can group contacts, where particles' data are sorted: they lie in tiles of
  /// cells then.
  bool mayGroup() const
  {
    return !options_.half_search && (tiles() || options_.kind == BroadPhaseKind::HierarchicalGrid);
  }

private:
  template <class T>
  using Buffer = Array<T, Exec>;

  void measure(const SearchedCloud& cloud);
  void measureLevels(const SearchedCloud& cloud);
  template <class Use>
  void withKeys(const SearchedCloud& cloud, std::uint32_t* index, const Use& use);
  void computeKeys(const SearchedCloud& cloud, std::uint32_t* index);
  template <class Code>
  void sortCodes(Buffer<Code>& codes, const SearchedCloud& cloud, std::uint32_t* index,
    std::uint32_t* index_other);
  void sortKeys(
    std::uint32_t n, std::uint64_t largest, std::uint32_t* index, std::uint32_t* index_other);
  template <class Real, class Also>
  void queueLongRows(const HierarchicalSearch& search, const NewRows& rows,
    const OldRows<Real>& old, const Also& also, bool beside);
  CellPlaces countKeys(const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* place);
  void buildCells(bool ordered);
  void findCellStarts();
  void buildLinks();
  void buildFixedCells();
  void buildCountedCells();
  void buildTable();
  template <class Code>
  void buildTree(Buffer<Code>& codes, bool ordered);
  template <class Call>
  void withHalfSearch(const Call& call);
  GridSearch gridSearch() const;
  BvhSearch bvhSearch() const;

  bool counted() const
  {
    return options_.kind == BroadPhaseKind::FixedCells &&
      options_.fixed_cells == FixedCellsForm::Counted;
  }
  bool morton() const
  {
    return options_.kind == BroadPhaseKind::SortedGrid && options_.cell_order == CellOrder::Morton;
  }
  // Whether order() sorts by counting, which also gives where cells start: where threads are many
  // and a radix sort is many launches.
  bool sortsCells() const
  {
    return Exec::kDevice &&
      (options_.kind == BroadPhaseKind::SortedGrid ||
        options_.kind == BroadPhaseKind::HierarchicalGrid);
  }
  bool tiles() const
  {
    return options_.kind == BroadPhaseKind::SortedGrid && options_.cell_order == CellOrder::Tiles;
  }
  PairTest near() const { return { cloud_.box, cloud_.skin }; }

  Exec& exec_;
  BroadPhaseOptions options_;
  SearchedCloud cloud_{};
  Vec3d lower_, upper_;
  double pad_ = 0;
  Buffer<Vec3d> bounds_{ exec_ };
  bool have_bounds_ = false;
  std::vector<double> level_radius_, level_count_; // ascending

  Grid grid_{};
  HashedGrid table_{};
  std::uint32_t cells_ = 0; // cells or buckets
  std::uint32_t capacity_ = 0;
  std::uint64_t redone_ = 0;
  std::vector<GridLevel> levels_;

  Buffer<std::uint32_t> keys_{ exec_ }, keys_other_{ exec_ }, item_{ exec_ }, item_other_{ exec_ };
  Buffer<std::uint32_t> codes_{ exec_ }, codes_other_{ exec_ };
  Buffer<std::uint64_t> long_codes_{ exec_ }, long_codes_other_{ exec_ };
  Buffer<std::uint32_t> axis_code_{ exec_ }, cell_start_{ exec_ }, cell_count_{ exec_ },
    next_{ exec_ }, slot_{ exec_ }, most_{ exec_ };
  Buffer<std::uint32_t> used_{ exec_ };
  std::size_t cleared_ = 0;                       // of cell_count_, zeros from the last time
  std::vector<std::vector<std::uint32_t>> found_; // by count() on the CPU, for fill()
  Buffer<PackedLink> links_{ exec_ };
  Buffer<GridLevel> device_levels_{ exec_ };
  Buffer<std::uint32_t> left_{ exec_ }, right_{ exec_ }, parent_{ exec_ }, last_leaf_{ exec_ },
    arrived_{ exec_ };
  Buffer<BvhBox> box_{ exec_ };
  bool items_ = false; // places are particles through item_, not by themselves
};

} // namespace dem
