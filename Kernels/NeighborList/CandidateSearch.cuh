// One interface to every broad phase: orders particle data, builds the data structure of the chosen
// method, and counts and fills the rows of a list. The kernels do not depend on the precision and
// are compiled once a device (SearchCpu.cpp, SearchCuda.cu).
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

/// The particles that are searched; pointers belong to the caller.
struct SearchedCloud
{
  const Vec4<double>* position; // m; w: radius
  std::uint32_t n;
  Periodic box;
  double skin;
  double radius_max;
  GhostBits ghosts{}; // on the CPU, pairs of two ghosts are no candidates
};

template <class Real>
struct OldRows;

/// Use: choose() once; for each rebuild order() (optional) and build(), then count() and fill(), or
/// queueRows(), or emit(). All pairs nearer than r_i + r_j + skin are found, whatever the method.
template <class Exec>
class CandidateSearch
{
public:
  explicit CandidateSearch(Exec& exec)
    : exec_(exec)
  {
  }

  /// Chooses the method. `radii`: of all particles of the run, including later ones, in any order
  /// (m).
  void choose(const BroadPhaseOptions& options, const std::vector<double>& radii);

  /// Queues the computation of the bounding box of the particles to `corners`, two points on the
  /// device. takeBounds() takes the values; later grids are fitted to them.
  void queueBounds(const SearchedCloud& cloud, Vec3d* corners);
  void takeBounds(const Vec3d (&corners)[2]);
  /// Corners of the bounding box in use; along periodic axes those of the box.
  const Vec3d& lower() const { return lower_; }
  const Vec3d& upper() const { return upper_; }

  /// Writes the order of the particles that suits the method to `index`, with removed particles
  /// last. `cloud` may contain removed particles.
  void order(const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other);
  /// The same, but may omit the last step. If `places.place` is not null, the caller has to run
  /// `places` over all particles.
  void order(const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other,
    CellPlaces& places);
  /// Keeps the present order and moves removed particles to the end.
  void dropGone(const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other);

  /// Builds the data structure. `cloud` must not contain removed particles. `ordered`: the data
  /// have just been permuted by the result of order().
  void build(const SearchedCloud& cloud, bool ordered);
  /// Counts the candidates of each particle.
  void count(std::uint32_t* counts);
  /// Fills the rows, sorted by Id. `list.count` holds the result of count().
  void fill(const ListView& list, const std::int64_t* id);
  /// CUDA only: builds rows with flags and history in one launch, and calls also(i) for each i <
  /// also.n. `beside`: the launch may overlap with the kernel queued last
  /// (CudaExec::forEachBlockBeside). Returns false and does nothing with a half search.
  template <class Real, class Also>
  bool queueRows(const NewRows& rows, const OldRows<Real>& old, const Also& also, bool beside);

  /// Enters all candidates into a list of slots and pairs, in any order, and sets its counts.
  void emit(const CandidateSink& sink);
  /// The search of a Sorted Grid in row-major order or a BVH, for use in every step. Candidates
  /// refer to the positions given to build(), which must stay at their addresses.
  StepSearch stepSearch() const;
  /// Calls `call` with the search that build() made. The caller includes
  /// detail/CandidateSearchImpl.cuh.
  template <class Call>
  void withSearch(const Call& call);

  /// The method in use and its sizes, for statistics.
  SearchChoice choice() const;

  /// Whether queueRows() can group contacts if particle data are sorted: needs the order of cell
  /// tiles.
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
  void makeTable();
  void buildTable(bool ordered);
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
  // Whether order() sorts by counting, which also gives the start of each cell. A radix sort needs
  // many launches on a device; it is used only if CellSort asks for it.
  bool sortsCells() const
  {
    return Exec::kDevice && options_.cell_sort == CellSort::Counting &&
      (options_.kind == BroadPhaseKind::SortedGrid ||
        options_.kind == BroadPhaseKind::HierarchicalGrid);
  }
  // Whether order() sorts particles by bucket, which also sorts the table.
  bool sortsBuckets() const
  {
    return options_.kind == BroadPhaseKind::HashedGrid && options_.hash_order == HashOrder::Bucket;
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
  std::vector<double> level_radius_, level_count_; // of each level, in ascending radius

  Grid grid_{};
  HashedGrid table_{};
  std::uint32_t cells_ = 0; // number of cells or buckets
  std::uint32_t capacity_ = 0;
  std::uint64_t redone_ = 0;
  std::vector<GridLevel> levels_;

  Buffer<std::uint32_t> keys_{ exec_ }, keys_other_{ exec_ }, item_{ exec_ }, item_other_{ exec_ };
  Buffer<std::uint32_t> codes_{ exec_ }, codes_other_{ exec_ };
  Buffer<std::uint64_t> long_codes_{ exec_ }, long_codes_other_{ exec_ };
  Buffer<std::uint32_t> axis_code_{ exec_ }, cell_start_{ exec_ }, cell_count_{ exec_ },
    next_{ exec_ }, slot_{ exec_ }, most_{ exec_ };
  Buffer<std::uint32_t> used_{ exec_ };
  std::size_t cleared_ = 0;                       // number of cell_count_ values known to be zero
  std::vector<std::vector<std::uint32_t>> found_; // result of count() on the CPU, used by fill()
  Buffer<PackedLink> links_{ exec_ };
  Buffer<GridLevel> device_levels_{ exec_ };
  Buffer<std::uint32_t> left_{ exec_ }, right_{ exec_ }, parent_{ exec_ }, last_leaf_{ exec_ },
    arrived_{ exec_ };
  Buffer<BvhBox> box_{ exec_ };
  bool items_ = false; // positions in cells refer to particles through item_
};

} // namespace dem
