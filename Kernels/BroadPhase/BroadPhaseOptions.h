// Options of the search for candidate pairs and of sorting the particle data. They do not change
// the bits of a run.
#pragma once

#include <cstdint>

namespace dem
{

enum class BroadPhaseKind
{
  /// Sorted Grid or Hierarchical Grid, whichever tests fewer pairs for the particle radii.
  Automatic,
  SortedGrid,  ///< uniform grid by sorting: Green, NVIDIA 2010; Kureck 2016, 2.3.1 and 3.2
  LinkedCells, ///< uniform grid of linked lists by atomic exchange: Barbieri et al., section 2
  FixedCells,  ///< uniform grid of slots by atomic add: Barbieri et al., section 1
  HashedGrid,  ///< unbounded grid in a hash table: Pacevic and Kaceniauskas 2022, section 3
  Bvh, ///< linear bounding volume hierarchy over the particles: Karras 2012; Kureck 2016, chapter 3
  HierarchicalGrid ///< one sorted grid for each doubling of the radius
};

/// Order of the cells of a Sorted Grid in memory.
enum class CellOrder
{
  RowMajor, ///< the cells of a row in x are contiguous
  Morton,   ///< along a Z-order curve: neighbours are closer, but each cell is read separately
  Tiles     ///< columns of 4 x 4 cells, layer by layer: compact, and rows in x are at most two runs
};

/// How a CUDA device sorts particles by cell. Used when the particle data are sorted; a list that
/// is made between two sorts (SortKind) sorts keys by radix. The CPU always sorts keys.
enum class CellSort
{
  Counting, ///< atomic counts of each cell, and their scan; the fastest
  Radix     ///< radix sort of (cell, particle); a cell starts where the sorted cell number changes:
            ///< Green, NVIDIA 2010; Kureck 2016, 2.3.1; Barbieri et al., section 1; Nakahara
};

enum class LinkedCellsForm
{
  Loose, ///< a particle is in the cell of its lower corner; up to 27 cells are searched
  Tight, ///< a particle is in each cell it touches, up to 8, with bit masks; these are searched
  LoosePacked ///< loose, with a copy of the position beside the link
};

enum class FixedCellsForm
{
  RowMajor,    ///< the slots of a cell are contiguous
  ColumnMajor, ///< slot s of all cells is contiguous
  Counted      ///< no maximum: count, scan, fill
};

/// Bucket of cell (x, y, z) in a table of M buckets.
enum class HashFunction
{
  Uniform,  ///< (x + nx (y + ny z)) mod M, with nx, ny the extent of the particles in cells
  Morton,   ///< the interleaved bits of x, y, z, mod M
  Universal ///< (73856093 x xor 19349663 y xor 83492791 z) mod M (Teschner et al. 2003)
};

/// Order into which the particle data are sorted for a Hashed Infinite Grid.
enum class HashOrder
{
  Curve, ///< along a Z-order curve; then (bucket, particle) are sorted too
  Bucket ///< by bucket, as the table: one sort
};

/// When a rebuild of the list also sorts the particle data into the order of the search (Kureck
/// 2016, 6.3.4).
enum class SortKind
{
  EveryRebuild,
  EverySteps, ///< at the first rebuild sort_steps or more after the last sort
  EveryTime,  ///< the same with sort_time
  Never
};

/// How triangles of walls are searched.
enum class TriangleSearchKind
{
  Bvh,        ///< a tree over the triangles of each wall: Kureck 2016, chapter 3
  UniformGrid ///< each triangle is in every cell that its box meets: Kureck 2016, 2.3.3
};

struct BroadPhaseOptions
{
  BroadPhaseKind kind = BroadPhaseKind::Automatic;
  CellOrder cell_order = CellOrder::RowMajor; ///< Sorted Grid
  CellSort cell_sort = CellSort::Counting;    ///< Sorted Grid, Hierarchical Grid
  /// Sorted Grid, Linked Cells, Fixed Cells: at most this number of cells for each particle (65536
  /// cells are always allowed). Cells grow beyond it. 0: no limit but 2e9 cells. With other kinds,
  /// Automatic too, another value than 8 is refused.
  int cells_per_particle = 8;
  LinkedCellsForm linked_cells = LinkedCellsForm::Loose;    ///< Linked Cells
  FixedCellsForm fixed_cells = FixedCellsForm::ColumnMajor; ///< Fixed Cells
  /// Fixed Cells: initial slots a cell, 1 to 65535; grows when a cell overflows.
  int cell_capacity = 8;
  HashFunction hash = HashFunction::Morton; ///< Hashed Infinite Grid
  int hash_table_factor = 2;                ///< Hashed Infinite Grid: buckets a particle, 1 to 5
  HashOrder hash_order = HashOrder::Curve;  ///< Hashed Infinite Grid
  int bvh_key_bits = 63;                    ///< BVH: bits of a Morton key, 30 or 63
  /// Finds each pair from one side only and enters it into both rows (Kureck 2016, 3.1.7 and 3.2).
  /// For BVH, and for Sorted Grid except in Morton order.
  bool half_search = false;
  TriangleSearchKind triangles = TriangleSearchKind::Bvh;
  SortKind sort = SortKind::EveryRebuild;
  int sort_steps = 1000;   ///< steps, above 0
  double sort_time = 1e-3; ///< s, above 0

  bool operator==(const BroadPhaseOptions& o) const
  {
    return kind == o.kind && cell_order == o.cell_order && cell_sort == o.cell_sort &&
      cells_per_particle == o.cells_per_particle && linked_cells == o.linked_cells &&
      fixed_cells == o.fixed_cells && cell_capacity == o.cell_capacity && hash == o.hash &&
      hash_table_factor == o.hash_table_factor && hash_order == o.hash_order &&
      bvh_key_bits == o.bvh_key_bits && half_search == o.half_search && triangles == o.triangles &&
      sort == o.sort && sort_steps == o.sort_steps && sort_time == o.sort_time;
  }
};

/// Names used by files, panels and benchmarks, in the order of the enumerations.
inline constexpr const char* kBroadPhaseNames[] = { "Automatic", "Sorted Grid", "Linked Cells",
  "Fixed Cells", "Hashed Infinite Grid", "BVH", "Hierarchical Grid" };
inline constexpr const char* kCellOrderNames[] = { "Row Major", "Morton", "Tiles" };
inline constexpr const char* kCellSortNames[] = { "Counting", "Radix" };
inline constexpr const char* kLinkedCellsNames[] = { "Loose", "Tight", "Loose Packed" };
inline constexpr const char* kFixedCellsNames[] = { "Row Major", "Column Major", "Counted" };
inline constexpr const char* kHashFunctionNames[] = { "Uniform", "Morton", "Universal" };
inline constexpr const char* kHashOrderNames[] = { "Z-Order Curve", "Bucket" };
inline constexpr const char* kTriangleSearchNames[] = { "BVH", "Uniform Grid" };
inline constexpr const char* kSortNames[] = { "Every Rebuild", "Every Steps", "Every Time",
  "Never" };

/// What the search chose at the last rebuild; values that a method does not have are 0.
struct SearchChoice
{
  BroadPhaseKind kind = BroadPhaseKind::Automatic; ///< the method in use
  double cell_size = 0;                            ///< m, along the finest axis of the finest grid
  std::uint64_t cells = 0;                         ///< of all grids
  std::uint64_t buckets = 0;                       ///< of the hash table
  std::uint64_t cell_capacity = 0;                 ///< slots of a fixed cell
  std::uint64_t cells_redone = 0; ///< times that fixed cells overflowed, grew and were filled again
  int levels = 0;                 ///< grids of a Hierarchical Grid
  std::uint64_t bytes = 0;        ///< memory in use by the search
};

} // namespace dem
