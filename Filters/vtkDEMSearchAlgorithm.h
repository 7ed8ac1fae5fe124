/**
 * @class   vtkDEMSearchAlgorithm
 * @brief   Properties of the contact search and of the neighbour list of a DEM run
 *
 * Base class of vtkDEMSimulation. Kernels/BroadPhase/BroadPhaseOptions.h and
 * Kernels/NeighborList/NeighborListOptions.h name the sources of the methods.
 */

#ifndef vtkDEMSearchAlgorithm_h
#define vtkDEMSearchAlgorithm_h

#include "vtkDEMRunAlgorithm.h"

namespace dem
{
struct BroadPhaseOptions;
struct NeighborListOptions;
} // namespace dem

class VTKPARAGRAINFILTERS_EXPORT vtkDEMSearchAlgorithm : public vtkDEMRunAlgorithm
{
public:
  vtkTypeMacro(vtkDEMSearchAlgorithm, vtkDEMRunAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Search for candidate pairs: 0 = Automatic (default: Sorted Grid or Hierarchical Grid, by the
   * radii), 1 = Sorted Grid, 2 = Linked Cells, 3 = Fixed Cells, 4 = Hashed Infinite Grid, 5 = BVH,
   * 6 = Hierarchical Grid. The result does not depend on the search or its options.
   * Kernels/BroadPhase/BroadPhaseOptions.h names the sources.
   */
  void SetBroadPhase(int value);
  vtkGetMacro(BroadPhase, int);
  ///@}

  ///@{
  /**
   * Sorted Grid: order of the cells in memory, 0 = Row Major (default), 1 = Morton.
   */
  void SetCellOrder(int value);
  vtkGetMacro(CellOrder, int);
  ///@}

  ///@{
  /**
   * Sorted Grid, Hierarchical Grid: how CUDA sorts particles by cell, 0 = Counting (default), 1 =
   * Radix.
   */
  void SetCellSort(int value);
  vtkGetMacro(CellSort, int);
  ///@}

  ///@{
  /**
   * Sorted Grid, Linked Cells, Fixed Cells: largest number of cells per particle; default 8, 0 =
   * no limit but 2e9 cells.
   */
  void SetCellsPerParticle(int value);
  vtkGetMacro(CellsPerParticle, int);
  ///@}

  ///@{
  /**
   * Linked Cells: 0 = Loose (default): each particle in one cell; 1 = Tight: in every cell it
   * touches; 2 = Loose Packed: as Loose, with a copy of the position beside the link.
   */
  void SetLinkedCells(int value);
  vtkGetMacro(LinkedCells, int);
  ///@}

  ///@{
  /**
   * Fixed Cells: layout of the slots, 0 = Row Major, 1 = Column Major (default), 2 = Counted,
   * without a maximum per cell.
   */
  void SetFixedCells(int value);
  vtkGetMacro(FixedCells, int);
  ///@}

  ///@{
  /**
   * Fixed Cells: initial number of slots of a cell; default 8, 1 to 65535. It grows when a cell
   * overflows.
   */
  void SetCellCapacity(int value);
  vtkGetMacro(CellCapacity, int);
  ///@}

  ///@{
  /**
   * Hashed Infinite Grid: hash function from cells to buckets, 0 = Uniform, 1 = Morton (default),
   * 2 = Universal.
   */
  void SetHashFunction(int value);
  vtkGetMacro(HashFunction, int);
  ///@}

  ///@{
  /**
   * Hashed Infinite Grid: buckets per particle; default 2, 1 to 5.
   */
  void SetHashTableFactor(int value);
  vtkGetMacro(HashTableFactor, int);
  ///@}

  ///@{
  /**
   * Hashed Infinite Grid: order into which particle data are sorted, 0 = Z-Order Curve (default),
   * 1 = Bucket.
   */
  void SetHashOrder(int value);
  vtkGetMacro(HashOrder, int);
  ///@}

  ///@{
  /**
   * BVH: bits of a Morton key, 30 or 63 (default).
   */
  void SetBVHKeyBits(int value);
  vtkGetMacro(BVHKeyBits, int);
  ///@}

  ///@{
  /**
   * Find each pair from one of its particles only; default off. Sorted Grid in row-major order and
   * BVH only; an error with other searches.
   */
  void SetHalfSearch(bool value);
  vtkGetMacro(HalfSearch, bool);
  ///@}

  ///@{
  /**
   * Search for the triangles of walls: 0 = BVH (default), 1 = Uniform Grid (Kureck 2016, 2.3.3).
   * The result is the same to the bit.
   */
  void SetTriangleSearch(int value);
  vtkGetMacro(TriangleSearch, int);
  ///@}

  ///@{
  /**
   * When a rebuild of the candidate list also sorts the particles' data in memory: 0 = Every
   * Rebuild (default), 1 = Every Steps (at the first rebuild SortSteps after the last sort), 2 =
   * Every Time (the same with SortTime), 3 = Never. The result does not depend on it.
   */
  void SetSortParticles(int value);
  vtkGetMacro(SortParticles, int);
  ///@}

  ///@{
  /**
   * Least number of steps between two sorts; default 1000, >= 1.
   */
  void SetSortSteps(int value);
  vtkGetMacro(SortSteps, int);
  ///@}

  ///@{
  /**
   * Least simulated time between two sorts in s; default 1e-3, > 0.
   */
  void SetSortTime(double value);
  vtkGetMacro(SortTime, double);
  ///@}

  ///@{
  /**
   * Storage of candidate pairs between searches: 0 = Automatic (default, the fastest), 1 =
   * Static, 2 = Dynamic, 3 = Hybrid (Kureck 2016, chapter 4), 4 = None (search and force in one
   * loop), 5 = Split Loop (each step first finds the touching pairs, then computes forces). All
   * give the same bits, except with SymmetricList.
   */
  void SetNeighborList(int value);
  vtkGetMacro(NeighborList, int);
  ///@}

  ///@{
  /**
   * Slots per particle for candidates (Static, Hybrid) or touching particles (None, Split Loop);
   * default 0 = chosen from counts, up to 65535. A Static list that needs more is an error.
   */
  void SetStaticSize(int value);
  vtkGetMacro(StaticSize, int);
  ///@}

  ///@{
  /**
   * Static, Dynamic, Hybrid: store each pair once and sum its forces by atomics; default off. Two
   * runs then differ by rounding.
   */
  void SetSymmetricList(bool value);
  vtkGetMacro(SymmetricList, bool);
  ///@}

  ///@{
  /**
   * Work of one thread (Static, Dynamic, Hybrid, Split Loop): 0 = Particle (default), 1 =
   * Contact, 2 = Contact, Warp Reduction, 3 = Contact, Halving Reduction.
   */
  void SetThreadPer(int value);
  vtkGetMacro(ThreadPer, int);
  ///@}

  ///@{
  /**
   * Order of the entries of Static, Dynamic and Hybrid lists, 0 = Sorted (default), 1 = Unsorted.
   * Two runs with unsorted lists differ by rounding.
   */
  void SetListOrder(int value);
  vtkGetMacro(ListOrder, int);
  ///@}

protected:
  vtkDEMSearchAlgorithm() = default;
  ~vtkDEMSearchAlgorithm() override = default;

  void FillBroadPhase(dem::BroadPhaseOptions& search) const;
  void FillNeighborList(dem::NeighborListOptions& list) const;

  int BroadPhase = 0;
  int CellOrder = 0;
  int CellSort = 0;
  int CellsPerParticle = 8;
  int LinkedCells = 0;
  int FixedCells = 1;
  int CellCapacity = 8;
  int HashFunction = 1;
  int HashTableFactor = 2;
  int HashOrder = 0;
  int BVHKeyBits = 63;
  bool HalfSearch = false;
  int TriangleSearch = 0;
  int SortParticles = 0;
  int SortSteps = 1000;
  double SortTime = 1e-3;
  int NeighborList = 0;
  int StaticSize = 0;
  bool SymmetricList = false;
  int ThreadPer = 0;
  int ListOrder = 0;

private:
  vtkDEMSearchAlgorithm(const vtkDEMSearchAlgorithm&) = delete;
  void operator=(const vtkDEMSearchAlgorithm&) = delete;
};

#endif
